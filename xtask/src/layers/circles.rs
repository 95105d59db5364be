//! A graph of who uses whom, and its circles.
//!
//! Of all circles, the shortest one through every edge is printed: no edge that lies on a circle is left out, and short
//! circles are the ones to break first.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Uses between nodes, with the text of one place for each pair.
#[derive(Default)]
pub(super) struct Graph {
    edges: BTreeMap<String, BTreeMap<String, String>>,
}

impl Graph {
    /// Adds an edge, unless it leads back to its start or is there already.
    pub(super) fn add(&mut self, from: &str, to: &str, place: &str) {
        if from != to {
            let places = self.edges.entry(from.to_owned()).or_default();
            places.entry(to.to_owned()).or_insert_with(|| place.to_owned());
        }
    }

    /// Edges with their places.
    pub(super) fn edges(&self) -> impl Iterator<Item = (&str, &str, &str)> {
        self.edges.iter().flat_map(|(from, places)| {
            places.iter().map(move |(to, place)| (from.as_str(), to.as_str(), place.as_str()))
        })
    }

    /// A description of each circle; `what` says what the nodes are.
    pub(super) fn describe_circles(&self, what: &str) -> Vec<String> {
        let circles: BTreeSet<Vec<&str>> = self.edges().filter_map(|(from, to, _)| self.circle(from, to)).collect();
        circles.iter().map(|circle| self.describe(what, circle)).collect()
    }

    /// The edge `from -> to` and the shortest way back, beginning with the first name.
    fn circle<'a>(&'a self, from: &'a str, to: &'a str) -> Option<Vec<&'a str>> {
        let mut previous = BTreeMap::from([(to, to)]);
        let mut waiting = VecDeque::from([to]);
        while let Some(node) = waiting.pop_front() {
            for next in self.edges.get(node).into_iter().flat_map(BTreeMap::keys) {
                previous.entry(next.as_str()).or_insert_with(|| {
                    waiting.push_back(next);
                    node
                });
            }
        }
        let mut circle = vec![from];
        while *circle.last()? != to {
            circle.push(previous.get(circle.last()?)?);
        }
        circle.reverse();
        let first = circle.iter().enumerate().min_by_key(|(_, node)| **node)?.0;
        circle.rotate_left(first);
        Some(circle)
    }

    fn describe(&self, what: &str, circle: &[&str]) -> String {
        let nexts = circle.iter().cycle().skip(1);
        let places = circle.iter().zip(nexts).filter_map(|(from, to)| self.edges.get(*from)?.get(*to));
        let places: String = places.map(|place| format!("\n    {place}")).collect();
        format!("{what} use each other in a circle: {} -> {}{places}", circle.join(" -> "), circle[0])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(edges: &[&str]) -> Graph {
        let mut graph = Graph::default();
        for edge in edges {
            let (from, to) = edge.split_at(1);
            graph.add(from, to, &format!("{from} uses {to}"));
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
        assert_eq!(found, ["letters use each other in a circle: b -> c -> b\n    b uses c\n    c uses b"]);
    }

    #[test]
    fn every_edge_on_a_circle_is_shown() {
        let found = graph(&["ab", "ba", "bc", "cd", "da", "ca", "xy", "yx", "ax"]).describe_circles("letters");
        for circle in ["a -> b -> a", "a -> b -> c -> a", "a -> b -> c -> d -> a", "x -> y -> x"] {
            assert!(found.iter().any(|text| text.contains(&format!("circle: {circle}\n"))), "{circle}: {found:?}");
        }
        assert_eq!(found.len(), 4);
    }
}
