//! Disjoint sets of documents (Tarjan 1975). The root of a set is its first document, so that the result is independent
//! of the order of unions.

use crate::base::DocId;

/// Disjoint sets over documents 0 to n - 1.
#[derive(Debug, Clone)]
pub struct UnionFind {
    parent: Vec<DocId>,
}

impl UnionFind {
    /// Sets of one document each.
    pub fn new(documents: usize) -> Self {
        Self { parent: DocId::all(documents).collect() }
    }

    /// The first document of the set that contains `document`. Shortens the path by halving.
    pub fn find(&mut self, mut document: DocId) -> DocId {
        while self.parent[document.index()] != document {
            let grandparent = self.parent[self.parent[document.index()].index()];
            self.parent[document.index()] = grandparent;
            document = grandparent;
        }
        document
    }

    /// Joins the sets of two documents and returns whether they were different.
    pub fn union(&mut self, a: DocId, b: DocId) -> bool {
        let a = self.find(a);
        let b = self.find(b);
        self.parent[a.max(b).index()] = a.min(b);
        a != b
    }
}
