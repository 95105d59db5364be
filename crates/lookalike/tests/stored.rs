//! The laws of stored files on random and on forged content.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod laws;

use laws::{check_container, check_snapshot};
use proptest::collection::vec;
use proptest::prelude::{ProptestConfig, any, proptest};

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

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn random_bytes_are_no_container(bytes in vec(any::<u8>(), 0..300)) {
        check_container(&bytes);
        check_container(&[b"LOOKLIKE", &bytes[..], b"LOOKLIKE"].concat());
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
        let (id_offsets, set_offsets) = (offsets(&id_sizes, faults.0), offsets(&sizes, faults.1));
        let used = id_sizes.iter().map(|&size| usize::from(size)).sum::<usize>().min(ids.len());
        // Ids are most often ASCII: other bytes are refused early.
        let ids: Vec<u8> = ids[..used].iter().map(|byte| byte % 128).collect();
        check_snapshot(sizes.len() + more_documents, &[&ids, &id_offsets, &set_offsets, &elements, &characters, b""]);
    }
}
