//! Disjoint sets of documents (Tarjan 1975), with the least member as the root, so that the result is a function of the
//! unions and not of their order.

use crate::ground::DocId;

/// Disjoint sets over documents 0 to n - 1.
#[derive(Debug, Clone)]
pub struct UnionFind {
    parent: Vec<DocId>,
}

impl UnionFind {
    /// Every document in a set of its own.
    pub fn new(documents: usize) -> Self {
        Self { parent: DocId::all(documents).collect() }
    }

    /// The least document of the set that `document` is in; shortens the path on the way (halving).
    pub fn find(&mut self, mut document: DocId) -> DocId {
        while self.parent[document.index()] != document {
            let grandparent = self.parent[self.parent[document.index()].index()];
            self.parent[document.index()] = grandparent;
            document = grandparent;
        }
        document
    }

    /// Joins the sets of two documents; says whether they were different sets.
    pub fn union(&mut self, a: DocId, b: DocId) -> bool {
        let (a, b) = (self.find(a), self.find(b));
        self.parent[a.max(b).index()] = a.min(b);
        a != b
    }
}
