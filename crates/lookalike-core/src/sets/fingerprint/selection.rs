//! Choice of the elements of a document that are its fingerprints.

use crate::base::{Error, Result};
use crate::documents::Multiplicity;
use crate::sets::ShingleOptions;
use crate::text::TokenUnit;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::num::{NonZeroU64, NonZeroUsize};
use std::str::FromStr;

/// Choice of the elements of a document that are its fingerprints. Printed and stored as `mod:16` or `winnow:8`.
///
/// ```
/// use lookalike_core::sets::Selection;
///
/// let by_remainder: Selection = "mod:4".parse()?;
/// let hashes = [938, 664, 463, 822, 492, 798, 78, 969, 143, 236, 913, 908, 694, 553, 870, 779];
/// assert_eq!(hashes.map(|hash| by_remainder.takes(hash)).iter().filter(|&&taken| taken).count(), 4);
/// # Ok::<(), lookalike_core::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Selection {
    /// Elements whose hash is divisible by P: one in P, the same in every document that has them.
    Mod(NonZeroU64),
    /// The least hash of each W consecutive shingles of a text, the last one of equal ones (Schleimer, Wilkerson,
    /// Aiken 2003): about 2 in W + 1. Texts with W consecutive shingles in common have a common fingerprint.
    Winnow(NonZeroUsize),
}

impl Selection {
    /// Returns whether an element is selected by its hash alone; false for [`Selection::Winnow`], which looks at
    /// neighbours.
    #[inline]
    pub fn takes(self, element: u64) -> bool {
        // Hashes of 32 bits stand in the upper half: the lower one is 0 and says nothing.
        let hash = if element as u32 == 0 { element >> 32 } else { element };
        match self {
            Self::Mod(divisor) => hash % divisor == 0,
            Self::Winnow(_) => false,
        }
    }

    /// The share of the elements that is selected, of many with random hashes.
    pub fn density(self) -> f64 {
        match self {
            Self::Mod(divisor) => 1.0 / divisor.get() as f64,
            Self::Winnow(window) => 2.0 / (window.get() as f64 + 1.0),
        }
    }

    /// Number of consecutive shingles of a window of [`Selection::Winnow`].
    pub fn window(self) -> Option<NonZeroUsize> {
        match self {
            Self::Winnow(window) => Some(window),
            Self::Mod(_) => None,
        }
    }

    /// Checks that features of this kind can be selected from.
    ///
    /// # Errors
    /// [`Error::WinnowedFeatures`] for windows over items, which have no order, or over bags, whose copies of a shingle
    /// are numbered by document.
    pub fn check(self, shingle: ShingleOptions) -> Result<()> {
        if self.window().is_none() {
            Ok(())
        } else if shingle.size.unit == TokenUnit::Item {
            Err(Error::WinnowedFeatures { found: "items" })
        } else if shingle.multiplicity != Multiplicity::Set {
            Err(Error::WinnowedFeatures { found: "bags" })
        } else {
            Ok(())
        }
    }
}

impl Default for Selection {
    /// One element in 16.
    fn default() -> Self {
        Self::Mod(NonZeroU64::MIN.saturating_add(15))
    }
}

impl fmt::Display for Selection {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Mod(divisor) => write!(formatter, "mod:{divisor}"),
            Self::Winnow(window) => write!(formatter, "winnow:{window}"),
        }
    }
}

impl From<Selection> for String {
    fn from(selection: Selection) -> Self {
        selection.to_string()
    }
}

impl TryFrom<String> for Selection {
    type Error = Error;

    fn try_from(text: String) -> Result<Self> {
        text.parse()
    }
}

impl FromStr for Selection {
    type Err = Error;

    /// Parses the printed form.
    ///
    /// # Errors
    /// [`Error::SelectionSyntax`] for anything else, and for 0.
    fn from_str(text: &str) -> Result<Self> {
        let parsed = match text.split_once(':') {
            Some(("mod", divisor)) => divisor.parse().ok().map(Self::Mod),
            Some(("winnow", window)) => window.parse().ok().map(Self::Winnow),
            _ => None,
        };
        parsed.ok_or_else(|| Error::SelectionSyntax { found: text.to_owned() })
    }
}
