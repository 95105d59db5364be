use super::*;
use crate::base::hash::SplitMix64;

/// An image of some soft discs on a slope of light.
fn scene(width: usize, height: usize, seed: u64) -> Vec<u8> {
    let mut random = SplitMix64::new(seed);
    let discs: Vec<[f64; 6]> =
        (0..9).map(|_| std::array::from_fn(|_| random.next_below(1000) as f64 / 1000.0)).collect();
    let mut rgb = Vec::new();
    for y in 0..height {
        for x in 0..width {
            let x = (x as f64 + 0.5) / width as f64;
            let y = (y as f64 + 0.5) / height as f64;
            let mut colour = [60.0 + 80.0 * y, 90.0 + 50.0 * y, 150.0 - 60.0 * y];
            for [cx, cy, radius, red, green, blue] in &discs {
                let distance = ((x - cx).powi(2) + (y - cy).powi(2)).sqrt() / (0.05 + 0.25 * radius);
                let share = (1.0 - distance).clamp(0.0, 0.3) / 0.3;
                for (value, own) in colour.iter_mut().zip([red, green, blue]) {
                    *value = *value * (1.0 - share) + own * 255.0 * share;
                }
            }
            rgb.extend(colour.map(|value: f64| value.round() as u8));
        }
    }
    rgb
}

fn hash(width: usize, height: usize, rgb: &[u8]) -> u64 {
    Pixels::new(width, height, rgb).unwrap().hash().unwrap()
}

fn distance(left: u64, right: u64) -> u32 {
    (left ^ right).count_ones()
}

/// The mean colours by their definition: each pixel split into parts that lie in one cell only.
fn cells_by_definition(pixels: Pixels<'_>, side: usize) -> Vec<ColourCell> {
    let mut sums = vec![[0u64; 3]; side * side];
    for y in 0..pixels.height * side {
        for x in 0..pixels.width * side {
            let at = 3 * (y / side * pixels.width + x / side);
            let cell = y / pixels.height * side + x / pixels.width;
            (0..3).for_each(|colour| sums[cell][colour] += u64::from(pixels.rgb[at + colour]));
        }
    }
    let all = (pixels.width * pixels.height) as u64;
    sums.into_iter().map(|sum| sum.map(|sum| (sum * FRACTION / all) as i64)).collect()
}

#[test]
fn cells_are_means_at_every_size() {
    for (width, height) in [(1, 1), (3, 5), (8, 8), (9, 31), (32, 32), (33, 7), (64, 40)] {
        let rgb = scene(width, height, 3);
        let pixels = Pixels::new(width, height, &rgb).unwrap();
        for side in [1, 8, 32] {
            assert_eq!(pixels.cells(side), cells_by_definition(pixels, side), "{width} x {height}");
        }
    }
}

#[test]
fn frequencies_are_those_of_the_cosine_transform() {
    let mut random = SplitMix64::new(5);
    let grid: Vec<i64> = (0..1024).map(|_| random.next_below(256 * 256) as i64).collect();
    for (number, &found) in frequencies(&grid).iter().enumerate() {
        let v = (number / 8 + 1) as f64;
        let u = (number % 8 + 1) as f64;
        let cosine = |at: usize, of: f64| ((2 * at + 1) as f64 * of * PI / 64.0).cos();
        let term = |(at, &value): (usize, &i64)| value as f64 * cosine(at / 32, v) * cosine(at % 32, u);
        let expected: f64 = grid.iter().enumerate().map(term).sum();
        let error = (found as f64 / (ONE * ONE) - expected).abs();
        assert!(error < 1024.0 * 65536.0 * 2.0 / ONE, "{number}: {error}");
    }
}

#[test]
fn hashes_and_vectors_are_frozen() {
    let rgb = scene(80, 60, 1);
    let pixels = Pixels::new(80, 60, &rgb).unwrap();
    assert_eq!(format!("{:016x}", pixels.hash().unwrap()), "caa533da0de79249");
    let vector = pixels.vector().unwrap();
    let sum: f32 = (0..).zip(vector).map(|(place, component)| component * (place % 7) as f32).sum();
    assert_eq!((vector.len(), [vector[0], vector[100], vector[191]], sum), (192, [-7335.0, -13.0, -5997.0], 459590.0));
}

#[test]
fn other_sizes_brightness_and_contrast_have_nearly_the_same_hash_and_other_scenes_have_not() {
    for seed in 0..40 {
        let first = scene(160, 120, seed);
        let small = scene(50, 38, seed);
        let of_first = hash(160, 120, &first);
        assert!(distance(of_first, hash(50, 38, &small)) <= 4, "{seed}");
        let changed: Vec<u8> = first.iter().map(|&value| (f64::from(value) * 0.8 + 30.0).round() as u8).collect();
        assert!(distance(of_first, hash(160, 120, &changed)) <= 4, "{seed}");
        let other = hash(160, 120, &scene(160, 120, seed + 1000));
        assert!(distance(of_first, other) >= 12, "{seed}: {}", distance(of_first, other));
        // A grey copy has the same brightness.
        let grey: Vec<u8> = first
            .chunks_exact(3)
            .flat_map(|pixel| [brightness([pixel[0], pixel[1], pixel[2]].map(i64::from)) as u8; 3])
            .collect();
        assert!(distance(of_first, hash(160, 120, &grey)) <= 2, "{seed}");
    }
}

#[test]
fn images_without_shapes_have_no_hash() {
    let flat = |colour: [u8; 3]| colour.repeat(64 * 48);
    assert_eq!(Pixels::new(64, 48, &flat([200, 10, 90])).unwrap().hash(), None);
    // Slopes of light have no frequency that the hash takes: left to right, and downwards.
    let slope = |of: fn(usize, usize) -> usize| -> Vec<u8> {
        (0..64 * 48).flat_map(|at| [of(at % 64, at / 64) as u8; 3]).collect()
    };
    assert_eq!(Pixels::new(64, 48, &slope(|x, _| 4 * x)).unwrap().hash(), None);
    assert_eq!(Pixels::new(64, 48, &slope(|_, y| 5 * y)).unwrap().hash(), None);
    // Noise of single pixels is none either.
    let mut random = SplitMix64::new(9);
    let noise: Vec<u8> = (0..640 * 480 * 3).map(|_| 126 + random.next_below(5) as u8).collect();
    assert_eq!(Pixels::new(640, 480, &noise).unwrap().hash(), None);
    assert!(Pixels::new(64, 48, &slope(|x, y| (x / 16 + y / 16) % 2 * 200)).unwrap().hash().is_some());
}

#[test]
fn pixels_are_as_many_as_the_sides_say() {
    for (width, height, bytes) in [(0, 0, 0), (1, 1, 2), (2, 2, 13), (usize::MAX, 2, 6)] {
        assert!(Pixels::new(width, height, &vec![0; bytes]).is_none());
    }
    let one = Pixels::new(1, 1, &[10, 20, 30]).unwrap();
    assert_eq!((one.hash(), one.vector()), (None, None));
}
