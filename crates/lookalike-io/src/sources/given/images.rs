//! Documents that are images: files that become fingerprints or vectors when they are read.

use super::{Digits, Fingerprints, GivenVectors};
use lookalike_core::bits::Pixels;
use lookalike_core::similarity::Threshold;
use serde::{Deserialize, Serialize};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// Features by which images are compared. Stored in lower case, joined by `-`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ImageFeatures {
    /// A perceptual hash, a fingerprint of 64 bits.
    ImageHash,
    /// A vector of the colours of 8 x 8 cells.
    ImageVector,
}

impl ImageFeatures {
    /// The distance within which hashes of images are near-duplicates, by default: a strict one, because
    /// files are deleted by it. Images of one kind, as forms and windows of programs, are often alike beyond it.
    pub const DISTANCE: u32 = 4;

    /// The cosine from which on vectors of images are near-duplicates, by default: 0.98.
    pub fn threshold() -> Threshold {
        Threshold::try_from(0.98).unwrap_or_default()
    }

    /// Width and digits of the fingerprints that images become, if they become such.
    pub(crate) fn fingerprints(self) -> Option<Fingerprints> {
        match self {
            Self::ImageHash => Some(Fingerprints { width: Pixels::HASH_BITS, digits: Digits::Hex }),
            Self::ImageVector => None,
        }
    }

    /// Returns whether images become vectors.
    pub(crate) fn vectors(self) -> GivenVectors {
        match self {
            Self::ImageHash => GivenVectors::Absent,
            Self::ImageVector => GivenVectors::Any,
        }
    }
}

/// Extensions of images that are read.
const EXTENSIONS: [&str; 5] = ["png", "jpg", "jpeg", "webp", "gif"];

/// Returns whether a file is named as an image that is read.
fn is_image(path: &Path) -> bool {
    let extension = path.extension().and_then(OsStr::to_str);
    extension.is_some_and(|found| EXTENSIONS.iter().any(|known| found.eq_ignore_ascii_case(known)))
}

/// Returns whether one of these files, or of those directly in these folders, is named as an image: for messages.
pub fn hold_images(paths: &[PathBuf]) -> bool {
    let has_image = |folder: &PathBuf| {
        let mut entries = folder.read_dir().into_iter().flatten().flatten();
        entries.any(|entry| is_image(&entry.path()))
    };
    paths.iter().any(|path| is_image(path) || has_image(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn images_are_known_by_their_names() {
        let folder = tempfile::tempdir().unwrap();
        let paths = [folder.path().to_owned()];
        std::fs::write(folder.path().join("a.jsonl"), "").unwrap();
        assert!(!hold_images(&paths) && !hold_images(&["none".into()]) && !hold_images(&[]));
        std::fs::write(folder.path().join("b.JPG"), "").unwrap();
        assert!(hold_images(&paths) && is_image(Path::new("x/y.webp")) && !is_image(Path::new("png")));
    }
}
