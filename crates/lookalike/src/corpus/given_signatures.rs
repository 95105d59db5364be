//! MinHash signatures that files hold beside the texts: candidates are found by them, and the texts verify.

use crate::ground::{Result, SignatureError};
use lookalike_core::DocId;
use lookalike_core::comparison::{Method, MinHash};
use lookalike_core::documents::ElementSets;
use lookalike_core::keys::{Banding, BlockingKey};
use lookalike_core::signatures::components_of_elements;

/// The signatures of all documents of a corpus.
#[derive(Debug, Clone)]
pub(crate) struct GivenSignatures {
    /// As sets of elements, in the order of their files.
    pub(super) sets: ElementSets,
    /// By document of the corpus: its signature.
    pub(super) of_document: Vec<DocId>,
    /// Number of components of each.
    pub(super) components: usize,
    /// Of ids and components, on which the keys of a job depend.
    pub(crate) checksum: u64,
}

impl GivenSignatures {
    /// Checks that bands need no more components than there are.
    ///
    /// # Errors
    /// [`SignatureError::TooShort`].
    pub(crate) fn check(&self, banding: Banding) -> Result<()> {
        let (found, needed) = (self.components, banding.num_perm());
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
