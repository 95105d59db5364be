//! Given fingerprints, vectors, signatures and images in place of texts.

use super::values::{any_distance, width};
use clap::{Args, ValueEnum};
use lookalike::{
    inputs::{Digits, Fingerprints, GivenVectors, ImageFeatures},
    measures::{LimitForm, MeasureName},
};

/// Whether documents are given fingerprints.
#[derive(Debug, Args)]
#[command(next_help_heading = "Input")]
pub(crate) struct BitsArgs {
    /// Field or column with given fingerprints, compared bit by bit with --measure hamming [default: texts]
    ///
    /// Perceptual hashes, or SimHash made elsewhere: hexadecimal digits, with or without 0x, integers of JSON, Parquet
    /// and Arrow, and bytes of Parquet and Arrow, of fixed size or not. A negative integer stands for its two's
    /// complement. As an id, that of the record is read.
    #[arg(long, hide_short_help = true, value_name = "FIELD", conflicts_with_all = ["items", "text_field"])]
    bits: Option<String>,
    /// Number of bits of the fingerprints; a record with others is a bad record [default: 64]
    #[arg(
        long,
        hide_short_help = true,
        value_name = "BITS",
        requires = "bits",
        allow_negative_numbers = true,
        value_parser = width
    )]
    width: Option<u32>,
    /// Digits of fingerprints in texts and tables: hex or decimal; numbers of JSON, Parquet and Arrow need no digits
    /// [default: hex]
    #[arg(
        long,
        hide_short_help = true,
        value_name = "DIGITS",
        value_enum,
        requires = "bits",
        hide_possible_values = true
    )]
    digits: Option<DigitsArg>,
}

/// Bits of a fingerprint if nothing else is said.
const DEFAULT_WIDTH: u32 = 64;

/// Answers of `--digits`.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum DigitsArg {
    /// Hexadecimal digits, with or without 0x
    Hex,
    /// Decimal digits
    Decimal,
}

impl BitsArgs {
    /// The field with the fingerprints, if documents are given ones.
    pub(crate) fn field(&self) -> Option<&str> {
        self.bits.as_deref()
    }

    /// Whether the number of bits is given.
    pub(crate) fn has_width(&self) -> bool {
        self.width.is_some()
    }

    /// Whether their digits are given.
    pub(crate) fn has_digits(&self) -> bool {
        self.digits.is_some()
    }

    /// How fingerprints are read, if documents are given ones.
    pub(crate) fn fingerprints(&self) -> Option<Fingerprints> {
        let digits = match self.digits {
            None | Some(DigitsArg::Hex) => Digits::Hex,
            Some(DigitsArg::Decimal) => Digits::Decimal,
        };
        self.bits.as_ref().map(|_| Fingerprints { width: self.width.unwrap_or(DEFAULT_WIDTH), digits })
    }
}

/// Whether documents are given vectors, or signatures.
#[derive(Debug, Args)]
#[command(next_help_heading = "Input")]
pub(crate) struct VectorArgs {
    /// Field or column with vectors of numbers, compared with --measure cosine or euclidean [default: texts]
    ///
    /// Embeddings, features of pictures: arrays of JSON, lists of Parquet and Arrow, of fixed size or not, of numbers
    /// of 16, 32 or 64 bits, and strings that spell arrays; all of one length, up to 65536. They are compared as
    /// numbers of 32 bits. Of .npy files FIELD is `vector`: the rows.
    #[arg(long, hide_short_help = true, value_name = "FIELD", conflicts_with_all = ["items", "text_field", "bits"])]
    vector: Option<String>,
    /// Field or column with MinHash signatures, as `lookalike signatures` writes them; answers are estimates
    /// [default: texts]
    ///
    /// Arrays of whole numbers of 32 bits, all of one length: of JSON, Parquet and Arrow, and strings that spell them;
    /// of .npy files FIELD is `signature`: the rows. pairs, clusters and search find all that agree in a share of at
    /// least --threshold of their components, which estimates the Jaccard similarity of what they were made of, and
    /// tell its interval. dedup refuses them without --texts.
    #[arg(long, hide_short_help = true, value_name = "FIELD", conflicts_with_all = ["bits", "vector"])]
    signature: Option<String>,
}

impl VectorArgs {
    /// The field with the vectors or signatures, if documents are such.
    pub(crate) fn field(&self) -> Option<&str> {
        self.vector.as_deref().or(self.signature.as_deref())
    }

    /// Whether documents are vectors or signatures.
    pub(crate) fn given(&self) -> GivenVectors {
        match (&self.vector, &self.signature) {
            (Some(_), _) => GivenVectors::Any,
            (None, Some(_)) => GivenVectors::Signatures,
            (None, None) => GivenVectors::Absent,
        }
    }
}

/// Whether documents are images.
#[derive(Debug, Args)]
#[command(next_help_heading = "Input")]
pub(crate) struct ImageArgs {
    /// Compare images (PNG, JPEG, WebP, GIF) by image-hash or image-vector [default: texts]
    ///
    /// image-hash: a perceptual hash of 64 bits, by --measure hamming, within --distance 4 unless another is given. It
    /// finds copies of another size, format, quality or brightness. image-vector: the colours of 8 x 8 cells, by
    /// --measure cosine, at 0.98 or above; it also bears a little cropping. Both are for photos: forms, windows, icons
    /// and the like are often alike. An image of more pixels than --max-document has bytes is a bad record.
    #[arg(
        long,
        hide_short_help = true,
        value_name = "KIND",
        value_enum,
        hide_possible_values = true,
        conflicts_with_all = [
            "items", "text_field", "bits", "vector", "signature", "width", "digits", "id_field", "input_format",
            "encoding", "quote",
        ]
    )]
    features: Option<ImageFeaturesArg>,
}

/// Answers of `--features`.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum ImageFeaturesArg {
    /// A perceptual hash
    ImageHash,
    /// A vector of colours
    ImageVector,
}

impl ImageArgs {
    /// What images are compared by, if documents are such.
    pub(crate) fn features(&self) -> Option<ImageFeatures> {
        self.features.map(|features| match features {
            ImageFeaturesArg::ImageHash => ImageFeatures::ImageHash,
            ImageFeaturesArg::ImageVector => ImageFeatures::ImageVector,
        })
    }
}

/// The help of `--distance`.
fn distance_help() -> String {
    let of_vectors = MeasureName::ALL.into_iter().filter(|name| name.limit() == LimitForm::Distance);
    let names: Vec<&str> = of_vectors.map(MeasureName::as_str).collect();
    format!(
        "Maximum number of bits in which fingerprints differ, for --measure hamming, or maximum distance of vectors, \
         for --measure {} [default: none; 4 for image-hash]",
        names.join(" or ")
    )
}

/// The maximum distance of near-duplicates.
#[derive(Debug, Args)]
#[command(next_help_heading = "Search")]
pub(crate) struct DistanceArgs {
    #[arg(
        long,
        hide_short_help = true,
        value_name = "D",
        allow_negative_numbers = true,
        value_parser = any_distance,
        help = distance_help()
    )]
    pub(super) distance: Option<f64>,
}
