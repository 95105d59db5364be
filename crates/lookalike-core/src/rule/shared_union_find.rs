//! Disjoint sets of documents that several threads join at the same time (Anderson and Woll 1991).
//!
//! The root of a set is its first document, as in [`super::UnionFind`]: the sets depend on the unions alone, not on
//! their order or on threads. A root is replaced by compare-and-swap; paths are shortened by halving, where losing a
//! race leaves a longer path and nothing else.

use crate::base::DocId;
use std::sync::atomic::{AtomicU32, Ordering};

/// Disjoint sets over documents 0 to n - 1.
#[derive(Debug)]
pub struct SharedUnionFind {
    /// Parent by document: a document of the same set that is not behind it; itself for a root.
    parent: Vec<AtomicU32>,
}

impl SharedUnionFind {
    /// Sets of one document each.
    pub fn new(documents: usize) -> Self {
        Self { parent: DocId::all(documents).map(|document| AtomicU32::new(document.0)).collect() }
    }

    /// Memory in bytes for `documents` documents.
    pub fn bytes_for(documents: usize) -> usize {
        documents * size_of::<AtomicU32>()
    }

    /// The first document of the set that contains `document`, unless another thread is joining it to a further set.
    fn find(&self, document: DocId) -> u32 {
        let mut at = document.0;
        loop {
            let parent = self.parent_of(at);
            let grandparent = self.parent_of(parent);
            if parent == grandparent {
                return parent;
            }
            let here = &self.parent[at as usize];
            // A thread that has changed it meanwhile has shortened the path, too.
            let _ = here.compare_exchange_weak(parent, grandparent, Ordering::Relaxed, Ordering::Relaxed);
            at = grandparent;
        }
    }

    fn parent_of(&self, document: u32) -> u32 {
        self.parent[document as usize].load(Ordering::Relaxed)
    }

    /// Returns whether two documents are known to be in one set. Once it is true, it stays so.
    #[inline]
    pub fn are_joined(&self, a: DocId, b: DocId) -> bool {
        self.find(a) == self.find(b)
    }

    /// Joins the sets of two documents and returns whether they were different.
    pub fn union(&self, a: DocId, b: DocId) -> bool {
        loop {
            let a = self.find(a);
            let b = self.find(b);
            if a == b {
                return false;
            }
            let root = &self.parent[a.max(b) as usize];
            if root.compare_exchange(a.max(b), a.min(b), Ordering::Relaxed, Ordering::Relaxed).is_ok() {
                return true;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rule::UnionFind;
    use proptest::prelude::{prop_assert_eq, proptest};

    proptest! {
        #[test]
        fn sets_are_those_of_one_thread(pairs in proptest::collection::vec((0u32..40, 0u32..40), 0..60)) {
            let mut expected = UnionFind::new(40);
            let shared = SharedUnionFind::new(40);
            for &(a, b) in &pairs {
                prop_assert_eq!(shared.union(DocId(a), DocId(b)), expected.union(DocId(a), DocId(b)));
            }
            for a in DocId::all(40) {
                prop_assert_eq!(DocId(shared.find(a)), expected.find(a));
                prop_assert_eq!(shared.are_joined(a, DocId(0)), expected.find(a) == DocId(0));
            }
        }
    }

    #[test]
    fn threads_that_join_at_the_same_time_count_each_union_once() {
        const DOCUMENTS: u32 = 20_000;
        let shared = SharedUnionFind::new(DOCUMENTS as usize);
        let join = |thread: u32| {
            let joined = |&document: &u32| shared.union(DocId(document), DocId((document * 7 + thread) % DOCUMENTS));
            (0..DOCUMENTS).filter(joined).count()
        };
        let unions: usize = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..4).map(|thread| scope.spawn(move || join(thread))).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).sum()
        });
        let roots = DocId::all(DOCUMENTS as usize).filter(|&document| shared.find(document) == document.0).count();
        assert_eq!(unions + roots, DOCUMENTS as usize);
    }
}
