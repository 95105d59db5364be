//! Values that errors carry in place of words: each has its words here, and nowhere else.

/// The methods, by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum MethodKind {
    /// All near-duplicates.
    #[error("exact")]
    Exact,
    /// Bands of MinHash signatures.
    #[error("minhash")]
    MinHash,
    /// Tables of SimHash fingerprints.
    #[error("simhash")]
    SimHash,
    /// Selected elements.
    #[error("fingerprint")]
    Fingerprint,
    /// Bands of sampled bits.
    #[error("bit-sampling")]
    BitSampling,
    /// Bands of sides of random hyperplanes.
    #[error("hyperplanes")]
    Hyperplanes,
    /// Bands of cells of random projections.
    #[error("p-stable")]
    PStable,
}

/// Methods and measures to take in place of two that do not fit each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Instead {
    /// These methods.
    #[error("{}", fitting(.0))]
    Methods(&'static [MethodKind]),
    /// These methods, because the documents are vectors.
    #[error("of vectors {}", fitting(.0))]
    MethodsOfVectors(&'static [MethodKind]),
    /// This projection, or all pairs.
    #[error("{0} and exact do")]
    Projection(MethodKind),
    /// The measure containment.
    #[error("containment does")]
    Containment,
    /// The measure cosine.
    #[error("cosine does")]
    Cosine,
    /// Methods of sets: this one is for fingerprints.
    #[error("it is for fingerprints: exact and minhash are for sets")]
    MethodsOfSets,
    /// Vectors as documents: the method is for them.
    #[error("it is for vectors")]
    Vectors,
}

fn fitting(methods: &[MethodKind]) -> String {
    let names: Vec<String> = methods.iter().map(MethodKind::to_string).collect();
    format!("{} {}", names.join(" and "), if names.len() == 1 { "does" } else { "do" })
}

/// Elements that are no consecutive shingles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Unordered {
    /// Items, which have no order.
    #[error("items")]
    Items,
    /// Elements of bags, whose copies are numbered by document.
    #[error("bags")]
    Bags,
}

/// Methods whose keys depend on the sets of all documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum KeysOfAll {
    /// Selected elements.
    #[error("fingerprint")]
    Fingerprint,
    /// Random projections.
    #[error("of projections")]
    Projections,
}

/// Documents that are no texts and no sets of items.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PointKind {
    /// Strings of bits.
    #[error("fingerprints")]
    Fingerprints,
    /// Vectors of floats.
    #[error("vectors")]
    Vectors,
    /// MinHash signatures.
    #[error("signatures")]
    Signatures,
}
