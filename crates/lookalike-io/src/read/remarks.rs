//! What a user should know of how tables were read: what is no bad record, and may still not be what was meant.

use crate::ground::Place;
use serde::{Deserialize, Serialize};

/// What was met in the tables that were read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TableRemarks {
    /// Rows with line ends in their fields.
    pub spanning_rows: Noted,
    /// Rows that repeat the header byte for byte, as files that were put together have them; they are no records.
    pub repeated_headers: Noted,
}

impl TableRemarks {
    /// Adds what was met later.
    pub fn append(&mut self, later: Self) {
        self.spanning_rows.append(later.spanning_rows);
        self.repeated_headers.append(later.repeated_headers);
    }
}

/// How often something was met, and where first.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Noted {
    /// How often.
    pub count: u64,
    /// The place of the first one; `None` if there is none.
    pub first: Option<String>,
}

impl Noted {
    /// Adds one more; its place is asked for only if it is the first.
    pub(crate) fn add(&mut self, place: impl FnOnce() -> Place) {
        self.count += 1;
        self.first.get_or_insert_with(|| place().to_string());
    }

    fn append(&mut self, later: Self) {
        self.count += later.count;
        self.first = self.first.take().or(later.first);
    }
}
