//! The laws of stored files on random and on forged content.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod laws;

use laws::work_folders::{Progress, check_arrays, check_checkpoint};
use laws::{check_container, check_manifest, check_snapshot};
use lookalike::{Data, Inputs, Job, Outputs, Resources, Rule, Silent, jobs};
use lookalike_core::stored::{Damage, Directory, Writer};
use proptest::collection::vec;
use proptest::prelude::{Just, Strategy, any, prop_oneof, proptest};
use proptest::sample::select;
use std::fs;
use std::ops::Range;
use std::path::Path;

/// Offsets of a ragged array, most often right ones.
fn offsets(sizes: &[u8], fault: Option<(usize, u64)>) -> Vec<u8> {
    let mut offsets = vec![0u64];
    offsets.extend(sizes.iter().scan(0, |end, &size| {
        *end += u64::from(size);
        Some(*end)
    }));
    if let Some((place, value)) = fault {
        let place = place % offsets.len();
        offsets[place] = value;
    }
    offsets.into_iter().flat_map(u64::to_le_bytes).collect()
}

/// No byte, some, or a number that an array may have.
fn number() -> impl Strategy<Value = Vec<u8>> {
    let numbers = [0, 1, 7, 1 << 20, 1 << 32, 1 << 63, u64::MAX - 7, u64::MAX].map(|number: u64| number.to_le_bytes());
    prop_oneof![vec(any::<u8>(), 0..9), select(numbers.to_vec()).prop_map(Vec::from)]
}

#[test]
fn work_folders_without_a_forgery_are_gone_on_from() {
    for which in 0..3 {
        for progress in [Progress::Reading(5), Progress::Read, Progress::Compared] {
            assert!(check_arrays(which, usize::MAX, progress, &[]), "{which} {progress:?}");
        }
        assert!(check_arrays(which, 0, Progress::Reading(0), &[]), "{which}");
    }
}

proptest! {
    #[test]
    fn random_bytes_are_no_container(bytes in vec(any::<u8>(), 0..300)) {
        check_container(&bytes);
        check_container(&[b"LOOKLIKE", &bytes[..], b"LOOKLIKE"].concat());
    }

    #[test]
    fn forged_checkpoints_are_gone_on_from_or_refused(
        which in 0usize..20, part in 0usize..5, place in any::<usize>(), digits in "[0-9]{0,3}",
    ) {
        check_checkpoint(which, 0, place, digits.as_bytes());
        check_checkpoint(which, part, place, &[0xFF; 8][..digits.len()]);
    }

    #[test]
    fn forged_arrays_are_gone_on_from_or_refused(
        which in 0usize..3,
        documents in 0usize..60,
        progress in prop_oneof![(0u64..5).prop_map(Progress::Reading), Just(Progress::Read), Just(Progress::Compared)],
        edits in vec((0usize..9, any::<usize>(), number()), 0..3),
    ) {
        let edits: Vec<_> = edits.iter().map(|(array, place, bytes)| (*array, place & !7, &bytes[..])).collect();
        // Most often of all documents.
        let documents = if documents % 2 == 0 { usize::MAX } else { documents };
        check_arrays(which, documents, progress, &edits);
    }

    #[test]
    fn forged_manifests_remove_nothing_of_others(
        bytes in vec(any::<u8>(), 0..300), folder in vec(any::<u8>(), 0..20), name in "(lookalike-)?[a-z./\\\\]{0,12}",
    ) {
        check_manifest(&bytes, &folder, &name);
        check_manifest(&bytes, b"/", &format!("../{name}thesis.txt"));
    }

    #[test]
    fn forged_snapshots_are_read_or_refused(
        sizes in vec(0u8..6, 0..12),
        ids in vec(any::<u8>(), 0..40),
        faults in (any::<Option<(usize, u64)>>(), any::<Option<(usize, u64)>>()),
        is_sorted in any::<bool>(),
        more_documents in 0usize..3,
    ) {
        let total: usize = sizes.iter().map(|&size| usize::from(size)).sum();
        let element = |number: usize| if is_sorted { number as u64 } else { (number as u64).wrapping_mul(0x9E37_79B9) };
        let elements: Vec<u8> = (0..total).flat_map(|number| element(number).to_le_bytes()).collect();
        let id_sizes: Vec<u8> = sizes.iter().map(|_| (ids.len() / sizes.len().max(1)) as u8).collect();
        let characters = vec![0; 8 * sizes.len()];
        let id_offsets = offsets(&id_sizes, faults.0);
        let set_offsets = offsets(&sizes, faults.1);
        let used = id_sizes.iter().map(|&size| usize::from(size)).sum::<usize>().min(ids.len());
        // Ids are most often ASCII: other bytes are refused early.
        let ids: Vec<u8> = ids[..used].iter().map(|byte| byte % 128).collect();
        check_snapshot(sizes.len() + more_documents, &[&ids, &id_offsets, &set_offsets, &elements, &characters, b""]);
    }
}

/// Snapshots of the program before it hashed texts have no section of hashes, and no name of their function.
#[test]
fn copies_of_texts_that_a_snapshot_does_not_know_count_as_equal() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("old.jsonl"), "{\"id\":\"a\",\"text\":\"one two three\"}\n{\"id\":\"b\",\"text\":\"!?\"}\n")
        .unwrap();
    fs::write(path("new.jsonl"), "{\"id\":\"c\",\"text\":\"one two three\"}\n{\"id\":\"d\",\"text\":\"!?\"}\n")
        .unwrap();
    let inputs = |name| Inputs { inputs: vec![path(name)], ..Inputs::default() };
    let outputs = Outputs { snapshot: Some(path("old.snapshot")), ..Outputs::default() };
    let job = Job { inputs: inputs("old.jsonl"), outputs, ..Job::default() };
    jobs::snapshot(&job, &Data::default(), &Resources::default(), &Silent).unwrap();
    let removed = || {
        let inputs = Inputs { against: vec![path("old.snapshot")], ..inputs("new.jsonl") };
        let outputs = Outputs { removed: Some(path("removed.csv")), ..Outputs::default() };
        let job = Job { inputs, rule: Rule::Against, outputs, ..Job::default() };
        jobs::run(&job, &Resources::default(), &Silent).unwrap();
        fs::read_to_string(path("removed.csv")).unwrap()
    };
    assert_eq!(removed(), "id,kept,similarity,reason\nc,a,1.0,identical\nd,b,1.0,identical\n");
    forget_texts(&path("old.snapshot"));
    assert_eq!(removed(), "id,kept,similarity,reason\nc,a,1.0,equal\n", "of a text without words nothing is known");
}

/// Writes a snapshot as it was before texts were hashed.
fn forget_texts(path: &Path) {
    let bytes = fs::read(path).unwrap();
    let read = |range: Range<u64>| Ok(bytes[range.start as usize..range.end as usize].to_vec());
    let directory = Directory::read::<Damage>("snapshot", bytes.len() as u64, read).unwrap();
    let mut file = Vec::new();
    let sink = |bytes: &[u8]| {
        file.extend_from_slice(bytes);
        Ok::<(), serde_json::Error>(())
    };
    let mut writer = Writer::new(sink).unwrap();
    for name in ["ids", "id offsets", "set offsets", "elements", "characters", "scores"] {
        let section = directory.section(name).unwrap();
        writer.section(name, [&bytes[section.offset() as usize..][..section.bytes() as usize]]).unwrap();
    }
    let mut about: serde_json::Value = directory.about().unwrap();
    about.as_object_mut().unwrap().remove("text_hash").unwrap();
    writer.finish("snapshot", directory.provenance(), &about).unwrap();
    fs::write(path, file).unwrap();
}
