//! Files that are images: decoded by the crate image, and compared by what [`Pixels`] makes of them.
//!
//! Of an animation the first image counts. What the camera noted of its position is applied, and what is transparent is
//! white, as most programs show it. Sizes are looked at before anything is decoded, so that a small file which claims
//! to be a large image costs nothing; large images are decoded one at a time.

use crate::base::{DocumentContent, Problem};
use crate::columns::guarded;
use crate::formats::binary_kind;
use crate::sources::ImageFeatures;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use image::codecs::jpeg::JpegEncoder;
use image::{DynamicImage, ExtendedColorType, ImageDecoder, ImageFormat, ImageReader, Limits, Rgba};
use lookalike_core::bits::Pixels;
use lookalike_core::documents::{Bits, Content};
use memchr::memchr;
use std::io::Cursor;
use std::sync::{Mutex, MutexGuard, PoisonError};
use xxhash_rust::xxh3::xxh3_128;

/// Number of pixels from which on images are decoded one at a time.
const LARGE: u64 = 1 << 24;
/// Bytes that decoding takes for a pixel, at most: 16 bits for each of four channels, and once more.
const BYTES_PER_PIXEL: u64 = 16;
/// Pixels of a side of a thumbnail, at most, and the quality of its JPEG.
const THUMBNAIL: u32 = 240;
const THUMBNAIL_QUALITY: u8 = 82;
/// Maximum number of bytes that a decoder takes for all that is no pixel.
const MAX_HEAD_BYTES: u64 = 1 << 26;
/// Maximum number of pixels of a side.
const MAX_SIDE: u32 = u16::MAX as u32;

/// Held while a large image is in memory.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// The image in a file, with the fingerprint or vector that it is compared by; of more pixels than `limit` it is
/// refused.
///
/// # Errors
/// What is wrong with it.
pub(super) fn image_content(
    bytes: &[u8],
    features: ImageFeatures,
    limit: Option<u64>,
) -> Result<DocumentContent<'static>, Problem> {
    let DecodedImage { image, _alone } = decoded(bytes, limit)?;
    let width = image.width() as usize;
    let height = image.height() as usize;
    let rgb = on_white(image);
    let plain = || Problem::PlainImage { has_hash: features == ImageFeatures::ImageHash };
    let pixels = Pixels::new(width, height, &rgb).ok_or_else(plain)?;
    let compared = match features {
        ImageFeatures::ImageHash => {
            let hash = pixels.hash().ok_or_else(plain)?;
            Content::Bits(Bits::from_hash(hash))
        }
        ImageFeatures::ImageVector => {
            let vector = pixels.vector().ok_or_else(plain)?;
            Content::Vector(vector.to_vec().into())
        }
    };
    let file_hash = format!("{:032x}", xxh3_128(bytes));
    Ok(DocumentContent::Image { compared, pixels: (width * height) as u64, file_hash })
}

/// A copy of the image in a file that fits into a small square, as a URI that holds it.
pub(super) fn thumbnail(bytes: &[u8], limit: Option<u64>) -> Result<String, Problem> {
    let DecodedImage { image, _alone } = decoded(bytes, limit)?;
    let is_small = image.width().max(image.height()) <= THUMBNAIL;
    let small = if is_small { image } else { image.thumbnail(THUMBNAIL, THUMBNAIL) };
    let width = small.width();
    let height = small.height();
    let mut jpeg = Vec::new();
    let mut encoder = JpegEncoder::new_with_quality(&mut jpeg, THUMBNAIL_QUALITY);
    let encoded = encoder.encode(&on_white(small), width, height, ExtendedColorType::Rgb8);
    encoded.map_err(|error| Problem::DamagedImage { message: error.to_string() })?;
    Ok(format!("data:image/jpeg;base64,{}", STANDARD.encode(jpeg)))
}

/// An image in memory.
struct DecodedImage {
    image: DynamicImage,
    /// Held as long as a large one is there.
    _alone: Option<MutexGuard<'static, ()>>,
}

/// The image in a file, as it was taken.
fn decoded(bytes: &[u8], limit: Option<u64>) -> Result<DecodedImage, Problem> {
    let format = format_of(bytes)?;
    let damaged = |message: String| Problem::DamagedImage { message };
    let limits = |max_alloc| {
        let mut limits = Limits::default();
        limits.max_alloc = Some(max_alloc);
        limits
    };
    let open = || {
        let mut reader = ImageReader::with_format(Cursor::new(bytes), format);
        // Data before the pixels, such as a colour profile, may be packed.
        reader.limits(limits(MAX_HEAD_BYTES));
        reader.into_decoder()
    };
    let mut decoder = guarded(open).map_err(damaged)?;
    let (width, height) = decoder.dimensions();
    let pixels = u64::from(width) * u64::from(height);
    if width.max(height) > MAX_SIDE {
        return Err(Problem::ImageTooWide { width, height, max_side: MAX_SIDE });
    }
    if let Some(limit) = limit.filter(|&limit| pixels > limit) {
        return Err(Problem::ImageTooLarge { width, height, limit });
    }
    if format == ImageFormat::Jpeg && !ends(bytes) {
        return Err(damaged("the end is missing".to_owned()));
    }
    let max_alloc = pixels.saturating_mul(BYTES_PER_PIXEL).saturating_add(MAX_HEAD_BYTES);
    guarded(|| decoder.set_limits(limits(max_alloc))).map_err(damaged)?;
    let alone = (pixels >= LARGE).then(|| ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner));
    let image = guarded(move || {
        let orientation = decoder.orientation()?;
        let mut image = DynamicImage::from_decoder(decoder)?;
        image.apply_orientation(orientation);
        Ok::<_, image::ImageError>(image)
    })
    .map_err(damaged)?;
    Ok(DecodedImage { image, _alone: alone })
}

/// The format that the first bytes say.
fn format_of(bytes: &[u8]) -> Result<ImageFormat, Problem> {
    match image::guess_format(bytes) {
        Ok(format @ (ImageFormat::Png | ImageFormat::Jpeg | ImageFormat::WebP | ImageFormat::Gif)) => Ok(format),
        Ok(_) | Err(_) => Err(Problem::NotAnImage { kind: binary_kind(bytes) }),
    }
}

/// Returns whether a JPEG is there to the mark of its end: its decoder fills the rest of one that was cut off. All
/// marks are followed (ITU-T T.81, B.1.1), for a preview inside the file has an end of its own, and anything may stand
/// behind.
fn ends(jpeg: &[u8]) -> bool {
    // Behind the mark of the beginning.
    let mut at = 2;
    while let Some(mark) = jpeg.get(at..).and_then(|rest| memchr(0xFF, rest)).map(|offset| at + offset + 1) {
        at = match jpeg.get(mark) {
            None => return false,
            Some(0xD9) => return true,
            // A byte of the scan, a restart, a lone mark, or another byte of filling before a mark.
            Some(0x00 | 0x01 | 0xD0..=0xD8) => mark + 1,
            Some(0xFF) => mark,
            // A segment that says its length.
            Some(_) => match jpeg.get(mark + 1..mark + 3) {
                Some(&[high, low]) => mark + 1 + usize::from(u16::from_be_bytes([high, low])).max(2),
                _ => return false,
            },
        };
    }
    false
}

/// Red, green and blue of all pixels, on white where the image is transparent.
fn on_white(image: DynamicImage) -> Vec<u8> {
    if !image.color().has_alpha() {
        return image.into_rgb8().into_raw();
    }
    let mut rgb = Vec::with_capacity(image.width() as usize * image.height() as usize * 3);
    for &Rgba([red, green, blue, alpha]) in image.into_rgba8().pixels() {
        let over = |colour: u8| (u32::from(colour) * u32::from(alpha) + 255 * (255 - u32::from(alpha)) + 127) / 255;
        rgb.extend([red, green, blue].map(|colour| over(colour) as u8));
    }
    rgb
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::{ImageBuffer, Rgb};
    use std::path::Path;

    /// A picture of a disc and a bar, encoded.
    fn encoded(format: ImageFormat, width: u32, height: u32) -> Vec<u8> {
        let image = ImageBuffer::from_fn(width, height, |x, y| {
            let x = f64::from(x) / f64::from(width);
            let y = f64::from(y) / f64::from(height);
            let is_disc = (x - 0.3).powi(2) + (y - 0.4).powi(2) < 0.05;
            let is_bar = x > 0.6 && (0.2..0.9).contains(&y);
            Rgb(if is_disc {
                [230, 180, 40]
            } else if is_bar {
                [40, 60, 160]
            } else {
                [120, 140, 90]
            })
        });
        let mut bytes = Cursor::new(Vec::new());
        DynamicImage::ImageRgb8(image).write_to(&mut bytes, format).unwrap();
        bytes.into_inner()
    }

    fn hash(bytes: &[u8]) -> Result<u64, Problem> {
        let content = image_content(bytes, ImageFeatures::ImageHash, Some(1 << 20))?;
        Ok(u64::from_str_radix(&content.compared().stored(), 16).unwrap())
    }

    #[test]
    fn formats_and_sizes_have_nearly_the_same_hash() {
        let first = hash(&encoded(ImageFormat::Png, 200, 150)).unwrap();
        for format in [ImageFormat::Png, ImageFormat::Jpeg, ImageFormat::Gif, ImageFormat::WebP] {
            for (width, height) in [(200, 150), (80, 60), (640, 480)] {
                let other = hash(&encoded(format, width, height)).unwrap();
                assert!((first ^ other).count_ones() <= 6, "{format:?} {width} x {height}");
            }
        }
        let jpeg = encoded(ImageFormat::Jpeg, 90, 70);
        let content = image_content(&jpeg, ImageFeatures::ImageVector, None).unwrap();
        assert_eq!((content.length(), content.compared().dimensions()), (6300, Some(Pixels::DIMENSIONS)));
        assert!(thumbnail(&jpeg, None).unwrap().starts_with("data:image/jpeg;base64,/9j/"));
    }

    #[test]
    fn what_is_no_image_or_a_damaged_one_is_refused() {
        for bytes in [&b""[..], b"text", b"%PDF-1.7\n", b"BM\0\0\0\0\0\0\0\0\0\0\0\0"] {
            assert!(matches!(hash(bytes), Err(Problem::NotAnImage { .. })), "{bytes:?}");
        }
        for format in [ImageFormat::Png, ImageFormat::Jpeg, ImageFormat::Gif, ImageFormat::WebP] {
            let whole = encoded(format, 120, 90);
            for share in [0.1, 0.5, 0.9, 0.99] {
                let cut = &whole[..(whole.len() as f64 * share) as usize];
                let found = hash(cut);
                assert!(matches!(found, Err(Problem::DamagedImage { .. })), "{format:?} {share}: {found:?}");
            }
        }
    }

    #[test]
    fn a_cut_jpeg_with_a_preview_is_damaged() {
        let whole = encoded(ImageFormat::Jpeg, 120, 90);
        let preview = encoded(ImageFormat::Jpeg, 16, 12);
        // Behind the mark of the beginning, as a block of the application.
        let length = (preview.len() as u16 + 2).to_be_bytes();
        let with_preview = [&whole[..2], &[0xFF, 0xE1], &length, &preview, &whole[2..]].concat();
        assert_eq!(hash(&with_preview), hash(&whole));
        let cut = &with_preview[..with_preview.len() * 9 / 10];
        assert!(matches!(hash(cut), Err(Problem::DamagedImage { .. })));
        // Behind the end anything may stand, as a film.
        for behind in [&b"\xFF\xDA film"[..], b"\xFF\xD8\xFF", &[0xFF; 9]] {
            assert_eq!(hash(&[&whole, behind].concat()), hash(&whole));
        }
    }

    /// The decoder of JPEG has versions for some processors: an image must not depend on where it was decoded.
    #[test]
    fn pixels_do_not_depend_on_the_processor() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/photos");
        let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let examples = files.filter(|path| path.extension().is_some_and(|extension| extension == "jpg"));
        let all: Vec<Vec<u8>> = examples.map(|path| std::fs::read(path).unwrap()).collect();
        assert!(all.len() > 5);
        for jpeg in &all {
            let [any, simple] = [true, false].map(|is_fast| {
                let options = zune_core::options::DecoderOptions::default().set_use_unsafe(is_fast);
                zune_jpeg::JpegDecoder::new_with_options(Cursor::new(jpeg), options).decode().unwrap()
            });
            assert!(any == simple);
        }
    }

    #[test]
    fn giant_images_are_refused_before_they_are_decoded() {
        let mut png = encoded(ImageFormat::Png, 10, 10);
        // Width and height in the header, whose checksum follows them.
        png[16..24].copy_from_slice(&[0, 0, 0xFF, 0xFF, 0, 0, 0xFF, 0xFF]);
        let checksum = crc32fast::hash(&png[12..29]);
        png[29..33].copy_from_slice(&checksum.to_be_bytes());
        let found = hash(&png);
        assert!(matches!(found, Err(Problem::ImageTooLarge { width: 65535, height: 65535, .. })), "{found:?}");
        // Few pixels, and a side that is longer than those of any picture.
        png[16..24].copy_from_slice(&[0, 1, 0, 0, 0, 0, 0, 1]);
        let checksum = crc32fast::hash(&png[12..29]);
        png[29..33].copy_from_slice(&checksum.to_be_bytes());
        assert!(matches!(hash(&png), Err(Problem::ImageTooWide { width: 65536, height: 1, .. })));
    }

    #[test]
    fn what_is_transparent_is_white() {
        let image = ImageBuffer::from_fn(2, 1, |x, _| Rgba([10, 20, 30, if x == 0 { 0 } else { 255 }]));
        assert_eq!(on_white(DynamicImage::ImageRgba8(image)), [255, 255, 255, 10, 20, 30]);
    }
}
