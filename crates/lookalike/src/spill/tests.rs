//! Spilled arrays give what arrays in memory give.

use super::*;
use lookalike_core::hash::mix64;
use proptest::prelude::{ProptestConfig, any, prop_assert_eq, proptest};

/// A budget that every array exceeds, in several parts, runs and blocks.
fn little() -> Spill {
    Spill::new(Budget::new(Some(1 << 14)), std::env::temp_dir())
}

#[test]
fn columns_give_back_what_was_put_in_before_and_after_they_move() {
    let spill = little();
    let items: Vec<u64> = (0..40_000).map(mix64).collect();
    let mut column = Column::default();
    for (number, chunk) in items.chunks(777).enumerate() {
        if number == 3 {
            column.move_to_file(&spill).unwrap();
        }
        column.extend(chunk, &spill).unwrap();
        let last = column.len() - 1;
        assert_eq!(column.read(last, &spill).unwrap(), items[last]);
        assert!(column.is_equal(0..2, &items[..2], &spill).unwrap());
        assert!(!column.is_equal(0..2, &items[1..3], &spill).unwrap());
    }
    let array = column.finish(&spill).unwrap();
    assert_eq!(array.len(), items.len());
    for start in (0..items.len() - 100).step_by(99) {
        assert_eq!(array.slice(start..start + 100), &items[start..start + 100]);
    }
    assert!(Column::<u64>::in_file(&spill).unwrap().finish(&spill).unwrap().is_empty());
}

#[test]
fn a_folder_that_cannot_be_written_is_named() {
    let spill = Spill::new(Budget::new(None), "/nonexistent/folder".into());
    let error = Column::<u64>::in_file(&spill).unwrap_err();
    assert_eq!(error.to_string(), "cannot write temporary data to /nonexistent/folder");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn sorting_in_runs_is_sorting(items in proptest::collection::vec(any::<u32>(), 0..9000)) {
        let spill = little();
        let mut sort = ExternalSort::new(&spill, 0);
        sort.extend(items.iter().copied()).unwrap();
        let sorted = sort.finish().unwrap();
        let mut expected = items;
        expected.sort_unstable();
        prop_assert_eq!(sorted.slice(0..sorted.len()), &expected[..]);
    }
}
