//! A graph of who uses whom, and its circles.
//!
//! A group of nodes in which each reaches each (a strongly connected component) may hold more circles than anybody
//! wants to read. Of each group, the shortest circle through every edge is printed: no edge of the group is left out,
//! and short circles are the ones to break first.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fmt::Write;

/// One place where one file uses another.
#[derive(Clone)]
pub(super) struct Use {
    pub(super) from: String,
    pub(super) line: usize,
    pub(super) to: String,
    /// The path as it is written.
    pub(super) path: String,
}

/// Who uses whom, with one place for each pair.
#[derive(Default)]
pub(super) struct Graph {
    edges: BTreeMap<String, BTreeMap<String, Use>>,
}

/// By reached node: the node before it on a shortest way.
type Ways<'a> = BTreeMap<&'a str, &'a str>;

impl Graph {
    /// Adds an edge, unless it leads back to its start or is there already.
    pub(super) fn add(&mut self, from: &str, to: &str, place: Use) {
        if from != to {
            self.edges.entry(from.to_owned()).or_default().entry(to.to_owned()).or_insert(place);
        }
    }

    /// The places of all edges.
    pub(super) fn uses(&self) -> impl Iterator<Item = &Use> {
        self.edges.values().flat_map(BTreeMap::values)
    }

    /// One description for each group of nodes that use each other in circles; `what` says what the nodes are.
    pub(super) fn describe_circles(&self, what: &str) -> Vec<String> {
        let ways: BTreeMap<&str, Ways> = self.edges.keys().map(|node| (node.as_str(), self.ways_from(node))).collect();
        let circles = self.circles(&ways);
        let groups: BTreeSet<Vec<&str>> = circles.iter().map(|circle| group_of(circle[0], &ways)).collect();
        let describe = |group: &Vec<&str>| {
            let mut text = format!("{what}: {} use each other in circles: {}", group.len(), group.join(", "));
            let inside = circles.iter().filter(|circle| group.contains(&circle[0]));
            inside.for_each(|circle| self.describe_circle(circle, &mut text));
            text
        };
        groups.iter().map(describe).collect()
    }

    /// All nodes that can be reached from `start`; `start` itself only if it lies on a circle.
    fn ways_from<'a>(&'a self, start: &'a str) -> Ways<'a> {
        let mut ways = Ways::new();
        let mut waiting = VecDeque::from([start]);
        while let Some(node) = waiting.pop_front() {
            for next in self.edges.get(node).into_iter().flat_map(BTreeMap::keys) {
                if !ways.contains_key(next.as_str()) {
                    ways.insert(next, node);
                    waiting.push_back(next);
                }
            }
        }
        ways
    }

    /// For every edge that lies on a circle the shortest one, each circle once, beginning with its first name.
    fn circles<'a>(&'a self, ways: &BTreeMap<&'a str, Ways<'a>>) -> BTreeSet<Vec<&'a str>> {
        let edges = self.edges.iter().flat_map(|(from, to)| to.keys().map(move |to| (from.as_str(), to.as_str())));
        edges.filter_map(|(from, to)| circle(from, to, ways.get(to)?)).collect()
    }

    fn describe_circle(&self, circle: &[&str], text: &mut String) {
        let _ = write!(text, "\n  {} -> {}", circle.join(" -> "), circle[0]);
        let nexts = circle.iter().cycle().skip(1);
        for place in circle.iter().zip(nexts).filter_map(|(&from, &to)| self.edges.get(from)?.get(to)) {
            let Use { from, line, to, path } = place;
            let _ = write!(text, "\n    {from}:{line} uses {to}: {path}");
        }
    }
}

/// The edge `from -> to` and the shortest way back.
fn circle<'a>(from: &'a str, to: &'a str, ways: &Ways<'a>) -> Option<Vec<&'a str>> {
    let mut nodes = vec![from];
    let mut node = from;
    while node != to {
        node = ways.get(node)?;
        nodes.push(node);
    }
    nodes.reverse();
    let first = nodes.iter().enumerate().min_by_key(|(_, node)| **node).map_or(0, |(place, _)| place);
    nodes.rotate_left(first);
    Some(nodes)
}

/// All nodes that reach `node` and are reached from it.
fn group_of<'a>(node: &'a str, ways: &BTreeMap<&'a str, Ways<'a>>) -> Vec<&'a str> {
    let reached = ways.get(node).into_iter().flat_map(Ways::keys);
    reached.filter(|other| ways.get(*other).is_some_and(|back| back.contains_key(node))).copied().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(edges: &[&str]) -> Graph {
        let mut graph = Graph::default();
        for (line, edge) in edges.iter().enumerate() {
            let (from, to) = edge.split_at(1);
            graph.add(from, to, Use { from: from.into(), line, to: to.into(), path: format!("{to}::X") });
        }
        graph
    }

    #[test]
    fn a_graph_without_circles_has_nothing_to_describe() {
        assert!(graph(&["ab", "ac", "bc", "dc", "aa"]).describe_circles("letters").is_empty());
    }

    #[test]
    fn a_circle_is_described_with_a_place_for_each_arrow() {
        let found = graph(&["ab", "bc", "cb", "cd"]).describe_circles("letters");
        let expected =
            "letters: 2 use each other in circles: b, c\n  b -> c -> b\n    b:1 uses c: c::X\n    c:2 uses b: b::X";
        assert_eq!(found, [expected]);
    }

    #[test]
    fn groups_are_described_apart_and_every_edge_of_a_group_is_shown() {
        let found = graph(&["ab", "ba", "bc", "cd", "da", "ca", "xy", "yx", "ax"]).describe_circles("letters");
        assert_eq!(found.len(), 2);
        for circle in ["\n  a -> b -> a\n", "\n  a -> b -> c -> a\n", "\n  a -> b -> c -> d -> a\n"] {
            assert!(found[0].contains(circle), "{circle:?} is missing in {}", found[0]);
        }
        assert!(found[1].contains("2 use each other in circles: x, y"));
    }
}
