use super::*;
use crate::base::DocId;
use crate::base::hash::SplitMix64;
use crate::comparison::Features;
use crate::documents::{Content, ElementSets, Vector};
use crate::kernel::Kernel;
use crate::keys::{Banding, BlockingKey, BlockingKeys};
use crate::similarity::Algebra;
use crate::vectors::{Euclidean, ProductMeasure, VectorCosine};

fn normal(random: &mut SplitMix64, dimensions: usize) -> Vec<f64> {
    // The sum of twelve uniform numbers is close enough to a normal one for a direction.
    let one = |random: &mut SplitMix64| (0..12).map(|_| random.next_u64() as f64 / 2f64.powi(64)).sum::<f64>() - 6.0;
    (0..dimensions).map(|_| one(random)).collect()
}

fn unit(vector: &[f64]) -> Vec<f64> {
    let norm = vector.iter().map(|number| number * number).sum::<f64>().sqrt();
    vector.iter().map(|number| number / norm).collect()
}

fn sets_of(vectors: &[Vec<f64>]) -> ElementSets {
    let mut sets = ElementSets::new();
    let mut extractor = Features::Vector.extractor(Kernel::detect());
    for vector in vectors {
        let components = vector.iter().map(|&component| component as f32).collect();
        extractor.push(Content::Vector(components), &mut sets).unwrap();
    }
    sets
}

/// Two unit vectors at this cosine.
fn pair_at(random: &mut SplitMix64, dimensions: usize, cosine: f64) -> [Vec<f64>; 2] {
    let a = unit(&normal(random, dimensions));
    let other = normal(random, dimensions);
    let along: f64 = a.iter().zip(&other).map(|(a, other)| a * other).sum();
    let across = unit(&a.iter().zip(&other).map(|(a, other)| other - along * a).collect::<Vec<f64>>());
    let sine = (1.0 - cosine * cosine).sqrt();
    let b = a.iter().zip(&across).map(|(a, across)| cosine * a + sine * across).collect();
    [a, b]
}

fn keys(sets: &ElementSets, plan: &ProjectionPlan, kernel: Kernel) -> Vec<Vec<BlockingKey>> {
    let dimensions = Vector::from_words(sets.get(DocId(0)).elements()).unwrap().dimensions();
    let mut keys = BlockingKeys::new();
    let documents = DocId::all(sets.len()).map(|document| sets.get(document).elements());
    ProjectionKeys::new(plan.clone(), dimensions, kernel).append_all(documents, &mut keys);
    keys.iter().map(<[BlockingKey]>::to_vec).collect()
}

fn plan_of(projected: Projected, banding: Banding, seed: u64, measure: ProductMeasure) -> ProjectionPlan {
    let spread = Spread { documents: 1, dimensions: 8, pairs: vec![0.0], ..Spread::default() };
    let projections = Projections { banding: Some(banding), seed, ..Projections::default() };
    let plan = ProjectionPlan::choose(projections, measure, &spread).unwrap();
    ProjectionPlan { projected, ..plan }
}

fn cosine(threshold: f64) -> ProductMeasure {
    ProductMeasure::Cosine(VectorCosine { threshold: threshold.try_into().unwrap() })
}

fn euclidean(distance: f64) -> ProductMeasure {
    ProductMeasure::Euclidean(Euclidean { distance: distance.try_into().unwrap() })
}

/// Over many seeds and pairs, how often two vectors share a band is within five standard deviations of the curve.
fn check_curve(projected: &Projected, pairs: impl Fn(&mut SplitMix64) -> [Vec<f64>; 2], agreement: f64) {
    let banding = Banding::new(3, 4).unwrap();
    let trials = 3000;
    let mut random = SplitMix64::new(99);
    let mut found = 0;
    for seed in 0..trials {
        let sets = sets_of(&pairs(&mut random));
        let plan = plan_of(projected.clone(), banding, seed, cosine(0.5));
        let [left, right]: [Vec<BlockingKey>; 2] = keys(&sets, &plan, Kernel::detect()).try_into().unwrap();
        assert_eq!(left.len(), 3);
        found += u64::from(left.iter().zip(&right).any(|(left, right)| left == right));
    }
    let expected = banding.probability(agreement);
    let mean = trials as f64 * expected;
    let deviation = (trials as f64 * expected * (1.0 - expected)).sqrt();
    assert!((found as f64 - mean).abs() <= 5.0 * deviation, "{projected:?} {agreement}: {found}, {mean}");
}

#[test]
fn hyperplanes_follow_the_law_of_the_angle() {
    for dimensions in [2, 3, 64] {
        for cosine in [0.95, 0.6, 0.0] {
            check_curve(&Projected::Side, |random| pair_at(random, dimensions, cosine), plane_agreement(cosine));
        }
    }
}

#[test]
fn cells_follow_the_law_of_the_distance() {
    let projected = Projected::Cell { centre: Vec::new(), width: 2.0 };
    for distance in [0.2, 1.0, 3.0] {
        let pair = |random: &mut SplitMix64| {
            let from = normal(random, 16);
            let step = unit(&normal(random, 16));
            let to = from.iter().zip(&step).map(|(from, step)| from + distance * step).collect();
            [from, to]
        };
        check_curve(&projected, pair, cell_agreement(distance / 2.0));
    }
}

/// Vectors in a cone: clusters around directions that have a cosine of about `mean` with each other.
fn cone(random: &mut SplitMix64, documents: usize, dimensions: usize, mean: f64) -> Vec<Vec<f64>> {
    let axis = unit(&normal(random, dimensions));
    let mut centre = Vec::new();
    (0..documents)
        .map(|number| {
            if number % 4 == 0 {
                let apart = unit(&normal(random, dimensions));
                centre = axis.iter().zip(&apart).map(|(a, b)| mean.sqrt() * a + (1.0 - mean).sqrt() * b).collect();
            }
            let noise = unit(&normal(random, dimensions));
            unit(&centre.iter().zip(&noise).map(|(a, b)| a + 0.2 * b).collect::<Vec<f64>>())
        })
        .collect()
}

#[test]
fn vectors_that_are_all_alike_are_seen_from_their_mean_and_found_as_promised() {
    let mut random = SplitMix64::new(5);
    let sets = sets_of(&cone(&mut random, 3000, 256, 0.7));
    let documents: Vec<DocId> = DocId::all(sets.len()).collect();
    let mine = VectorCosine { threshold: 0.95.try_into().unwrap() };
    let measure = ProductMeasure::Cosine(mine);
    let spread = Spread::sample(&sets, &documents, measure, 1, Kernel::detect());
    assert!((spread.mean_of_pairs() - 0.67).abs() < 0.05, "{}", spread.mean_of_pairs());
    let as_if_many = Spread { documents: 1_000_000, ..spread };
    let plan = ProjectionPlan::choose(Projections::default(), measure, &as_if_many).unwrap();
    assert!(matches!(plan.projected, Projected::SideFromMean { .. }), "{plan:?}");
    assert!(plan.expected_recall() >= 0.99);
    let from_zero = Spread { from_mean: Vec::new(), ..as_if_many };
    let other = ProjectionPlan::choose(Projections::default(), measure, &from_zero).unwrap();
    assert!(other.cost > 1.2 * plan.cost, "{} {}", other.cost, plan.cost);
    let mut found = 0;
    let mut near = 0;
    let keys = keys(&sets, &plan, Kernel::detect());
    for (a, b) in (0..3000u32).flat_map(|a| (a + 1..a / 4 * 4 + 4).map(move |b| (a, b))) {
        if mine.verify(Kernel::detect(), sets.get(DocId(a)), sets.get(DocId(b))).is_some() {
            near += 1;
            let [left, right] = [a, b].map(|document| &keys[document as usize]);
            found += u32::from(left.iter().any(|key| right.contains(key)));
        }
    }
    assert!(near > 500 && f64::from(found) >= 0.985 * f64::from(near), "{found} of {near}");
}

#[test]
fn cells_are_chosen_by_how_far_vectors_are_apart() {
    let of = |apart: f64| {
        let spread = Spread { documents: 100_000, dimensions: 64, pairs: vec![apart; 100], ..Spread::default() };
        ProjectionPlan::choose(Projections::default(), euclidean(1.0), &spread).unwrap()
    };
    let [near, far] = [1.5, 20.0].map(of);
    assert!(near.cost > 2.0 * far.cost && near.expected_recall() >= 0.99 && far.expected_recall() >= 0.99);
    let Projected::Cell { width, .. } = far.projected else { unreachable!() };
    assert!(width > 2.0, "{width}");
}

#[test]
fn keys_are_the_same_alone_and_in_blocks_and_by_all_kernels() {
    let mut random = SplitMix64::new(8);
    let sets = sets_of(&cone(&mut random, 131, 37, 0.2));
    let documents: Vec<DocId> = DocId::all(sets.len()).collect();
    for measure in [cosine(0.9), euclidean(0.4)] {
        let spread = Spread::sample(&sets, &documents, measure, 1, Kernel::detect());
        let plan = ProjectionPlan::choose(Projections::default(), measure, &spread).unwrap();
        let expected = keys(&sets, &plan, Kernel::Scalar);
        for &kernel in Kernel::available() {
            assert_eq!(keys(&sets, &plan, kernel), expected, "{kernel:?}");
            let mut alone = ProjectionKeys::new(plan.clone(), 37, kernel);
            for (document, expected) in documents.iter().zip(&expected) {
                let mut keys = Vec::new();
                alone.append(sets.get(*document).elements(), &mut keys);
                assert_eq!(&keys, expected);
            }
        }
    }
}

#[test]
fn keys_are_frozen() {
    let sets = sets_of(&[vec![1.0, 2.0, -3.0]]);
    let banding = Banding::new(1, 8).unwrap();
    let key = |projected| keys(&sets, &plan_of(projected, banding, 1, cosine(0.5)), Kernel::detect())[0][0].hash;
    let found = [key(Projected::Side), key(Projected::Cell { centre: Vec::new(), width: 0.5 })];
    assert_eq!(found, [1_112_153_636_130_626_102, 2_903_305_050_401_528_992]);
}
