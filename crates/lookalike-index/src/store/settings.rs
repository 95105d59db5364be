//! What an index was made for.

use crate::ground::{Error, Result};
use lookalike_core::features::Features;
use lookalike_core::kernel::Kernel;
use lookalike_core::measure::Measure;
use lookalike_core::method::{Method, StoredKeys};
use lookalike_core::stored::Provenance;
use serde::{Deserialize, Serialize};

/// What an index was made for; it stays as it was when the index was made.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// What a document becomes.
    pub features: Features,
    /// By what documents are near, and the lowest threshold that can be asked for.
    pub measure: Measure,
    /// How candidates are found.
    pub method: Method,
    /// Whether texts are stored.
    pub texts: bool,
    /// The fields of records that travel along.
    pub fields: Vec<String>,
}

impl Settings {
    /// An index that stores sets, and nothing that travels along.
    pub fn new(features: Features, measure: Measure, method: Method) -> Self {
        Self { features, measure, method, texts: false, fields: Vec::new() }
    }

    /// Checks that documents of other features can be put into the index, or asked about.
    ///
    /// # Errors
    /// [`Error::OtherFeatures`].
    pub fn check_features(&self, features: &Features) -> Result<()> {
        let [present, stored] = [features, &self.features].map(|features| Provenance::new().with_features(features));
        match present?.difference(&stored?) {
            Some(difference) => Err(Error::OtherFeatures { difference }),
            None => Ok(()),
        }
    }

    /// The maker of its keys.
    pub(crate) fn keys(&self) -> Result<StoredKeys> {
        self.features.check()?;
        self.measure.check()?;
        Ok(StoredKeys::new(self.measure, self.method.search(self.measure)?, Kernel::detect())?)
    }
}
