//! What texts of zero bytes are to each other.

use serde::{Deserialize, Serialize};

/// Whether texts of zero bytes are duplicates. Stored in lower case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EmptyPolicy {
    /// A text of zero bytes has no duplicates.
    #[default]
    Keep,
    /// All texts of zero bytes are duplicates of each other.
    Duplicate,
}
