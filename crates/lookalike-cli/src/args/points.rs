//! Documents in place of texts: given fingerprints, vectors and signatures, and images.

use super::values::{one_of, width};
use anyhow::Result;
use clap::Args;
use lookalike::jobs::StoredParameters;
use lookalike::{
    Features,
    inputs::{Digits, Fingerprints, GivenVectors, ImageFeatures},
};

/// Fingerprints as documents.
#[derive(Debug, Args)]
#[command(next_help_heading = "Input")]
pub(crate) struct BitsArgs {
    /// Field or column with given fingerprints, compared bit by bit with --measure hamming [default: texts]
    ///
    /// Perceptual hashes, or SimHash made elsewhere: hexadecimal digits, with or without 0x, integers of JSON, Parquet
    /// and Arrow, and bytes of Parquet and Arrow, of fixed size or not. A negative integer stands for its two's
    /// complement. As an id, that of the record is read.
    #[arg(long, hide_short_help = true, value_name = "FIELD", conflicts_with_all = ["items", "text_field"])]
    pub(super) bits: Option<String>,
    /// Number of bits of the fingerprints; a record with others is a bad record [default: 64]
    #[arg(long, hide_short_help = true, value_name = "BITS", requires = "bits", value_parser = width)]
    width: Option<u32>,
    /// Digits of fingerprints in texts and tables: hex or decimal; numbers of JSON, Parquet and Arrow need no digits
    /// [default: hex]
    #[arg(
        long,
        hide_short_help = true,
        value_name = "DIGITS",
        requires = "bits",
        hide_possible_values = true,
        value_parser = one_of([
            ("hex", "Hexadecimal digits, with or without 0x", Digits::Hex),
            ("decimal", "Decimal digits", Digits::Decimal),
        ])
    )]
    digits: Option<Digits>,
}

/// Bits of a fingerprint without `--width`.
const DEFAULT_WIDTH: u32 = 64;

impl BitsArgs {
    /// The form of the fingerprints, if documents are such.
    pub(super) fn fingerprints(&self) -> Option<Fingerprints> {
        let width = self.width.unwrap_or(DEFAULT_WIDTH);
        self.bits.as_ref().map(|_| Fingerprints { width, digits: self.digits.unwrap_or_default() })
    }

    /// Completes `fingerprints` by an index or a snapshot where flags leave it open.
    ///
    /// # Errors
    /// If flags name another width than the stored one.
    pub(super) fn complete(&self, fingerprints: &mut Fingerprints, stored: &StoredParameters) -> Result<()> {
        if self.digits.is_none() {
            fingerprints.digits = stored.notation.digits;
        }
        if let Some(width) = stored.features.width() {
            fingerprints.width = self.width.unwrap_or(width);
            stored.check(&Features::Bits { width: fingerprints.width })?;
        }
        Ok(())
    }
}

/// Vectors or signatures as documents.
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
    pub(super) fn field(&self) -> Option<&str> {
        self.vector.as_deref().or(self.signature.as_deref())
    }

    /// The kind of the vectors.
    pub(super) fn given(&self) -> GivenVectors {
        match (&self.vector, &self.signature) {
            (Some(_), _) => GivenVectors::Any,
            (None, Some(_)) => GivenVectors::Signatures,
            (None, None) => GivenVectors::Absent,
        }
    }
}

/// Images as documents.
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
        hide_possible_values = true,
        value_parser = one_of([
            ("image-hash", "A perceptual hash", ImageFeatures::ImageHash),
            ("image-vector", "A vector of colours", ImageFeatures::ImageVector),
        ]),
        conflicts_with_all = [
            "items", "text_field", "bits", "vector", "signature", "width", "digits", "id_field", "input_format",
            "encoding", "quote",
        ]
    )]
    pub(super) features: Option<ImageFeatures>,
}
