//! Spilled arrays give what arrays in memory give.

use super::*;
use crate::base::Error;
use lookalike_core::hash::mix64;
use proptest::prelude::{ProptestConfig, any, prop_assert_eq, proptest};
use std::fs::{self, File};
use std::path::Path;
use std::time::{Duration, SystemTime};

/// A budget that every array exceeds, in several parts, runs and blocks.
fn little() -> Spill {
    Spill::new(Budget::new(1 << 14), std::env::temp_dir())
}

#[test]
fn columns_give_back_what_was_put_in_before_and_after_they_move() {
    let spill = little();
    let items: Vec<u64> = (0..40_000).map(mix64).collect();
    let mut column = SpillColumn::default();
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
    assert!(SpillColumn::<u64>::in_file(&spill).unwrap().finish(&spill).unwrap().is_empty());
}

#[test]
fn more_room_than_there_is_does_no_harm() {
    let mut column = SpillColumn::<u64>::with_capacity_for(usize::MAX / 16);
    column.extend(&[1], &little()).unwrap();
    assert_eq!(column.len(), 1);
}

#[test]
fn placed_items_come_back_whoever_wrote_them_and_when() {
    let spill = little();
    let items: Vec<u32> = (0..40_000).map(|number| mix64(number) as u32).collect();
    let column = PlacedColumn::zeroed(items.len() + 5, &spill).unwrap();
    std::thread::scope(|scope| {
        for thread in 0..3 {
            let items = &items;
            let column = &column;
            let spill = &spill;
            scope.spawn(move || {
                for (number, part) in items.chunks(777).enumerate().filter(|(number, _)| number % 3 == thread) {
                    column.write(number * 777, part, spill).unwrap();
                }
            });
        }
    });
    let mut read = vec![7];
    column.read(39_000..40_005, &mut read, &spill).unwrap();
    column.read(500..501, &mut read, &spill).unwrap();
    column.read(0..0, &mut read, &spill).unwrap();
    assert_eq!(read, [&[7], &items[39_000..], &[0; 5], &items[500..501]].concat());
    assert!(matches!(column.read(40_000..40_006, &mut read, &spill), Err(Error::Io(_))));
}

/// A complete array in a file with a name.
fn named(path: &Path, spill: &Spill) -> SpillColumn<u64> {
    let mut column = SpillColumn::named(path).unwrap();
    column.extend(&(0..40_000).collect::<Vec<u64>>(), spill).unwrap();
    column
}

#[test]
fn a_named_file_that_others_have_changed_is_not_mapped() {
    let spill = little();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("corpus-elements");
    named(&path, &spill).finish(&spill).unwrap();
    for damage in [
        |bytes: &mut Vec<u8>| bytes[0] ^= 1,
        |bytes: &mut Vec<u8>| bytes.truncate(9),
        |bytes: &mut Vec<u8>| bytes.push(0),
    ] {
        let mut column = named(&path, &spill);
        column.state(&spill).unwrap();
        let mut bytes = fs::read(&path).unwrap();
        damage(&mut bytes);
        fs::write(&path, bytes).unwrap();
        let error = column.finish(&spill).unwrap_err();
        assert!(matches!(error, Error::Io(lookalike_io::Error::Changed { .. })), "{error}");
    }
}

#[test]
fn a_mapped_file_that_others_change_is_noticed() {
    let spill = little();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("corpus-elements");
    let later = |file: &File| file.set_modified(SystemTime::now() + Duration::from_secs(1)).unwrap();
    for change in [|file: &File| file.set_len(1 << 16).unwrap(), later] {
        let array = named(&path, &spill).finish(&spill).unwrap();
        assert_eq!(array.slice(39_999..40_000), [39_999]);
        spill.check_files().unwrap();
        change(&File::options().write(true).open(&path).unwrap());
        let error = spill.check_files().unwrap_err();
        assert!(error.to_string().contains("corpus-elements has changed"), "{error}");
        drop(array);
        spill.check_files().unwrap();
    }
}

#[test]
fn a_folder_that_cannot_be_written_is_named() {
    let spill = Spill::new(Budget::new(1 << 30), "/nonexistent/folder".into());
    let error = SpillColumn::<u64>::in_file(&spill).unwrap_err();
    assert_eq!(error.to_string(), "cannot write temporary data to /nonexistent/folder");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn sorting_in_runs_is_sorting(items in proptest::collection::vec(any::<u32>(), 0..9000)) {
        let spill = little();
        let mut sort = ExternalSort::new(&spill, Repeats::Kept, 0);
        sort.extend(items.iter().copied()).unwrap();
        let sorted = sort.finish().unwrap();
        let mut expected = items;
        expected.sort_unstable();
        prop_assert_eq!(sorted.slice(0..sorted.len()), &expected[..]);
    }
}
