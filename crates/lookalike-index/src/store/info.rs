//! What an index is, in numbers.

use super::{Index, Settings};
use crate::segment::Part;
use serde::Serialize;

/// What an index is, in numbers.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct IndexInfo {
    /// What it was made for, without the secret that shingles are hashed by.
    pub settings: Settings,
    /// Whether there is such a secret.
    pub keyed: bool,
    /// Documents that are there.
    pub documents: u64,
    /// Documents that were deleted, replaced or are expired, and take room until segments are merged.
    pub gone: u64,
    /// Its segments, the oldest first.
    pub segments: Vec<SegmentInfo>,
    /// Size of the segments in bytes.
    pub bytes: u64,
}

/// A segment of an index.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SegmentInfo {
    /// Documents in it that are there.
    pub documents: u64,
    /// Blocking keys of all its documents.
    pub keys: u64,
    /// Its size.
    pub bytes: u64,
}

impl Index {
    /// What the index is, in numbers.
    pub fn info(&self) -> IndexInfo {
        let view = self.view();
        let segment = |part: &Part| SegmentInfo {
            documents: part.count(view.now) as u64,
            keys: part.segment.keys() as u64,
            bytes: part.segment.bytes(),
        };
        let segments: Vec<SegmentInfo> = view.parts.iter().map(segment).collect();
        let documents = segments.iter().map(|segment| segment.documents).sum();
        let stored: u64 = view.parts.iter().map(|part| part.segment.len() as u64).sum();
        let bytes = segments.iter().map(|segment| segment.bytes).sum();
        let settings = self.settings();
        let keyed = settings.features.shingle().hash_secret.is_some();
        let settings = Settings { features: settings.features.without_hash_secret(), ..settings.clone() };
        IndexInfo { settings, keyed, documents, gone: stored - documents, segments, bytes }
    }
}
