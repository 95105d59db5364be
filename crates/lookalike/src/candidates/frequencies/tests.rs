//! Elements that are counted in streams have the counts of one table.

use super::*;
use crate::testing::session_with;
use lookalike_core::DocId;
use lookalike_core::comparison::Measure;
use lookalike_core::documents::TextHash;
use lookalike_core::hash::mix64;
use lookalike_core::keys::FrequencyTable;

/// Sets of rare and frequent elements; some are empty or equal, and two are longer than a chunk may be.
fn sets() -> ElementSets {
    let set = |number: u64| match number {
        50 | 250 => (0..70_000).map(|element| mix64(element + number)).collect(),
        _ => (0..mix64(number) % 700).map(|place| mix64(mix64(number ^ place << 20) % (1 + place * 200))).collect(),
    };
    (0..400).map(|number| set(number - number % 7 % 2)).collect()
}

fn counts_are_those_of_a_table(sets: &ElementSets, threads: usize, budget: u64, min_streams: usize) {
    let session = session_with(threads, budget);
    session.spill.note_documents(sets.len());
    let documents = DocId::all(sets.len());
    let groups = EqualSets::group(sets, documents.clone(), |_| TextHash::UNKNOWN, Measure::default(), 1);
    let mut whole = FrequencyTable::sized_for(sets.total_elements());
    for mut partition in whole.partitions(1) {
        groups.representatives().iter().for_each(|&document| partition.count_set(&sets.get(document)));
    }
    // The last chunks are dealt in several pieces.
    for (max_documents, max_elements) in [(1, 1 << 16), (16, 1 << 16), (1000, 1 << 16), (1000, 1 << 18)] {
        let chunks = DocumentChunks::new(sets, max_documents).with_elements(max_elements);
        let counted = count_elements(sets, &groups, &chunks, &session).unwrap();
        assert!(counted.parts.count() >= min_streams, "{} streams", counted.parts.count());
        let mut counts = Vec::new();
        for (number, chunk) in chunks.enumerate() {
            let mut of_chunk = counted.chunk(number, &session.spill).unwrap();
            for document in
                chunk.map(|index| DocId(index as u32)).filter(|&document| groups.is_representative(document))
            {
                let set = sets.get(document);
                of_chunk.next(&set, &mut counts);
                let found = set.iter().zip(&counts).map(|(&element, &first)| counted.table.complete(element, first));
                assert!(found.eq(set.iter().map(|&element| whole.count(element))), "document {document:?}");
            }
        }
    }
}

#[test]
fn streams_in_memory_and_in_files_count_what_one_table_counts() {
    let sets = sets();
    for (threads, budget, min_streams) in
        [(1, 1 << 30, 4), (3, 1 << 30, 4), (1, 1 << 21, 4), (2, 1 << 21, 8), (2, 1 << 14, 1)]
    {
        counts_are_those_of_a_table(&sets, threads, budget, min_streams);
    }
}

#[test]
fn elements_that_are_all_in_one_stream_are_counted() {
    let set = |number: u64| (0..900).map(|place| mix64(number * 300 + place) >> 20).collect();
    let sets: ElementSets = (0..300).map(set).collect();
    for budget in [1 << 30, 1 << 21] {
        counts_are_those_of_a_table(&sets, 2, budget, 4);
    }
}

#[test]
fn few_elements_and_none_are_counted() {
    for sets in
        [ElementSets::new(), ElementSets::from([vec![]]), ElementSets::from([vec![1, u64::MAX], vec![1], vec![]])]
    {
        for budget in [1 << 30, 1 << 14] {
            counts_are_those_of_a_table(&sets, 2, budget, 1);
        }
    }
}
