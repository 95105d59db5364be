//! Multiplicity of elements: sets, bags, and sets with counts.

use serde::{Deserialize, Serialize};

/// Whether repeated shingles count. Stored as `bag`: false, true, or `"counted"`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "StoredMultiplicity", into = "StoredMultiplicity")]
pub enum Multiplicity {
    /// A set: repetitions of a shingle have no effect.
    Set,
    /// A bag: the i-th occurrence of a shingle is a separate element, which turns Jaccard similarity into weighted
    /// Jaccard similarity.
    Bag,
    /// A set with the number of occurrences beside each element, from which a measure makes weights.
    Counted,
}

/// The stored forms of [`Multiplicity`].
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum StoredMultiplicity {
    Bag(bool),
    Name(String),
}

/// The stored name of [`Multiplicity::Counted`].
const COUNTED: &str = "counted";

impl From<Multiplicity> for StoredMultiplicity {
    fn from(multiplicity: Multiplicity) -> Self {
        match multiplicity {
            Multiplicity::Set => Self::Bag(false),
            Multiplicity::Bag => Self::Bag(true),
            Multiplicity::Counted => Self::Name(COUNTED.to_owned()),
        }
    }
}

impl TryFrom<StoredMultiplicity> for Multiplicity {
    type Error = String;

    fn try_from(stored: StoredMultiplicity) -> std::result::Result<Self, String> {
        match stored {
            StoredMultiplicity::Bag(is_bag) => Ok(is_bag.into()),
            StoredMultiplicity::Name(name) if name == COUNTED => Ok(Self::Counted),
            StoredMultiplicity::Name(name) => Err(format!("unknown multiplicity `{name}`")),
        }
    }
}

impl From<bool> for Multiplicity {
    fn from(is_bag: bool) -> Self {
        if is_bag { Self::Bag } else { Self::Set }
    }
}
