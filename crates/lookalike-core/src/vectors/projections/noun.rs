//! The parameters of the methods that project vectors.

use crate::ground::{Error, Result};
use crate::keys::Banding;
use serde::{Deserialize, Serialize};

/// Parameters of random projections. Stored with `bands` and `rows` in place of `banding`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "StoredProjections", into = "StoredProjections")]
pub struct Projections {
    /// Minimum probability, in (0, 1), of finding a pair at the threshold or distance.
    pub recall: f64,
    /// Bands, and projections in each; `None` for those that are cheapest for the corpus and have the recall.
    pub banding: Option<Banding>,
    /// Seed of the projections.
    pub seed: u64,
}

impl Default for Projections {
    fn default() -> Self {
        Self { recall: 0.99, banding: None, seed: 1 }
    }
}

impl Projections {
    /// Maximum number of projections of a vector.
    pub const MAX: usize = 1 << 14;
    /// Maximum number of projections in a band: their bits are a word.
    pub const MAX_ROWS: usize = 64;

    /// Checks the parameters.
    ///
    /// # Errors
    /// [`Error::NotAProbability`], [`Error::OutOfRange`] for parameters out of range.
    pub(crate) fn check(&self) -> Result<()> {
        if !(self.recall > 0.0 && self.recall < 1.0) {
            return Err(Error::NotAProbability { name: "recall", found: self.recall });
        }
        let Some(banding) = self.banding else { return Ok(()) };
        let range = |name, found: usize, max: usize| crate::ground::check_range(name, found as u64, 1..=max as u64);
        range("rows", banding.rows(), Self::MAX_ROWS)?;
        range("bands x rows", banding.num_perm(), Self::MAX)
    }
}

/// The stored form of [`Projections`].
#[derive(Serialize, Deserialize)]
struct StoredProjections {
    recall: f64,
    bands: Option<usize>,
    rows: Option<usize>,
    seed: u64,
}

impl From<Projections> for StoredProjections {
    fn from(Projections { recall, banding, seed }: Projections) -> Self {
        Self { recall, bands: banding.map(Banding::bands), rows: banding.map(Banding::rows), seed }
    }
}

impl TryFrom<StoredProjections> for Projections {
    type Error = Error;

    fn try_from(StoredProjections { recall, bands, rows, seed }: StoredProjections) -> Result<Self> {
        let banding = bands.zip(rows).map(|(bands, rows)| Banding::new(bands, rows)).transpose()?;
        Ok(Self { recall, banding, seed })
    }
}
