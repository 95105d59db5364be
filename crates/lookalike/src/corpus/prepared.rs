//! Data that one kind of search needs beside the sets of a corpus.

use crate::base::{Result, SignatureError};
use lookalike_core::comparison::{Method, MinHash};
use lookalike_core::documents::{ElementSets, ShortTexts};
use lookalike_core::keys::{Banding, BlockingKey};
use lookalike_core::signatures::components_of_elements;
use lookalike_core::similarity::Weights;
use lookalike_core::{Array, DocId, Ragged};
use std::sync::Arc;

/// Data for one kind of search; no corpus needs those of two.
#[derive(Debug, Clone, Default)]
pub(crate) enum PreparedData {
    /// Sets alone.
    #[default]
    Sets,
    /// Data for containments.
    Containment(ForContainment),
    /// Data for cosines of terms, whose weights stand in the sets.
    Terms(WeighedTerms),
    /// MinHash signatures from files, by which candidates are found.
    Signatures(Arc<SuppliedSignatures>),
}

/// Data for containments, as far as texts were read again for them.
#[derive(Debug, Clone, Default)]
pub(crate) struct ForContainment {
    /// Short texts that stand inside documents.
    pub(crate) short: Option<Arc<ShortTexts>>,
    /// Number of documents of snapshots and indexes that may be short texts, and were not looked up inside others of
    /// such.
    pub(crate) not_looked_up: u64,
    /// Winnowed fingerprints by document, ascending.
    pub(crate) winnowed: Option<Arc<Ragged<u64>>>,
}

/// Weights of the terms of a corpus.
#[derive(Debug, Clone)]
pub(crate) struct WeighedTerms {
    pub(crate) weights: Weights,
    /// Counts by element over all documents, where they are still needed; empty if all are 1.
    pub(crate) counts: Option<Array<u32>>,
}

impl PreparedData {
    /// Data for containments.
    pub(crate) fn containment(&self) -> Option<&ForContainment> {
        if let Self::Containment(prepared) = self { Some(prepared) } else { None }
    }

    /// Adds data for containments, which a corpus gets step by step.
    pub(crate) fn prepare_containment(&mut self, add: impl FnOnce(&mut ForContainment)) {
        let mut prepared = self.containment().cloned().unwrap_or_default();
        add(&mut prepared);
        *self = Self::Containment(prepared);
    }

    /// Short texts that stand inside documents, if they were looked up.
    pub(crate) fn short(&self) -> Option<&ShortTexts> {
        self.containment()?.short.as_deref()
    }

    /// Winnowed fingerprints by document, if texts were winnowed.
    pub(crate) fn winnowed(&self) -> Option<&Ragged<u64>> {
        self.containment()?.winnowed.as_deref()
    }

    /// Weights of the terms.
    pub(crate) fn weighed(&self) -> Option<&WeighedTerms> {
        if let Self::Terms(weighed) = self { Some(weighed) } else { None }
    }

    /// The signatures by which candidates are found, if files hold them.
    pub(crate) fn signatures(&self) -> Option<&SuppliedSignatures> {
        if let Self::Signatures(given) = self { Some(given) } else { None }
    }
}

/// The signatures of all documents of a corpus.
#[derive(Debug, Clone)]
pub(crate) struct SuppliedSignatures {
    /// Signatures as sets of elements, in the order of their files.
    pub(super) sets: ElementSets,
    /// Signature by document of the corpus.
    pub(super) of_document: Vec<DocId>,
    /// Number of components of each.
    pub(super) components: usize,
    /// Checksum of ids and components, on which the keys of a job depend.
    pub(crate) checksum: u64,
}

impl SuppliedSignatures {
    /// Checks that bands need no more components than there are.
    ///
    /// # Errors
    /// [`SignatureError::TooShort`].
    pub(crate) fn check(&self, banding: Banding) -> Result<()> {
        let found = self.components;
        let needed = banding.num_perm();
        // Signatures of texts without shingles make no keys, so with no others any bands do.
        if found > 0 && needed > found { Err(SignatureError::TooShort { found, needed }.into()) } else { Ok(()) }
    }

    /// The method with bands of no more components than there are, if it chooses the bands.
    pub(crate) fn within(&self, method: Method) -> Method {
        match method {
            Method::MinHash(minhash) if minhash.banding.is_none() && self.components > 0 => {
                Method::MinHash(MinHash { permutations: minhash.permutations.min(self.components), ..minhash })
            }
            other => other,
        }
    }

    /// Makes the keys of documents by bands of their signatures; one for each thread.
    pub(crate) fn band_keys(&self, banding: Banding) -> impl FnMut(DocId, &mut Vec<BlockingKey>) {
        let mut components = vec![0; banding.num_perm()];
        move |document, keys| {
            components_of_elements(&self.sets.get(self.of_document[document.index()]), &mut components);
            keys.extend(banding.keys(&components).map(|hash| BlockingKey { hash, position: 0 }));
        }
    }
}
