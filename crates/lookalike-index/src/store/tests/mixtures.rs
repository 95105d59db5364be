//! Files of other indexes, older copies, and logs that were cut: all are refused by every reader.

use super::*;

/// An index in three states, one behind the other: loaded, with changes in its log, and with more of them in segments.
fn three_states(first: u64) -> [SimulatedDisk; 3] {
    let disk = SimulatedDisk::new();
    (0..first).for_each(|_| drop(disk.random()));
    let mut writer = create(&disk, Measure::jaccard("0.5".parse().unwrap()));
    let document = |number: u64| IndexDocument {
        id: format!("n{number}"),
        ..random_document(&mut SplitMix64::new(first * 1000 + number), Measure::default())
    };
    let loaded: Vec<IndexDocument> = (0..80).map(document).collect();
    writer.load(&loaded).unwrap();
    drop(writer);
    let mut states = vec![disk.killed()];
    let mut writer = open(&disk, MergingTime::AtOnce);
    writer.commit((100..120).map(|number| Change::Put(document(number))).collect()).unwrap();
    writer.commit(vec![Change::Delete("n3".to_owned())]).unwrap();
    drop(writer);
    states.push(disk.killed());
    let mut writer = open(&disk, MergingTime::AtOnce);
    writer.load(&(200..290).map(document).collect::<Vec<_>>()).unwrap();
    writer.commit(vec![Change::Delete("n4".to_owned())]).unwrap();
    drop(writer);
    states.push(disk.killed());
    states.try_into().unwrap()
}

/// Replaces a file; false if both are the same.
fn put_file(disk: &SimulatedDisk, name: &str, bytes: &[u8]) -> bool {
    let is_same = disk.read(name).is_ok_and(|present| present == bytes);
    let mut file = disk.create(name).unwrap();
    file.write(bytes).unwrap();
    file.sync().unwrap();
    !is_same
}

/// Returns whether every reader refuses the index.
fn is_refused(disk: &SimulatedDisk) -> bool {
    let is_found = verify_disk(disk).map_or(true, |problems| !problems.is_empty());
    let is_read = Index::open_disk(Arc::new(disk.clone())).is_ok();
    let is_copied = copy(disk, &SimulatedDisk::new()).is_ok();
    let is_opened = IndexWriter::open_disk(Arc::new(disk.killed()), Durability::PowerLoss).is_ok();
    assert!([is_read, is_copied, is_opened] == [!is_found; 3], "{is_found} {is_read} {is_copied} {is_opened}");
    is_found
}

fn ids(disk: &SimulatedDisk) -> Vec<String> {
    let view = Index::open_disk(Arc::new(disk.clone())).unwrap().view();
    view.places().map(|place| view.id(place).to_owned()).collect()
}

#[test]
fn files_of_another_index_and_older_copies_are_refused_unless_nothing_is_lost() {
    let mine = three_states(0);
    let others = three_states(50);
    let states = || mine.iter().map(Some).chain([None; 3]).enumerate();
    let mut refused = 0;
    for (number, state) in mine.iter().enumerate() {
        assert!(!is_refused(state));
        for ((other_number, of_mine), other) in states().zip(mine.iter().chain(&others)) {
            for (name, bytes) in other.files() {
                let mixed = state.killed();
                if mixed.read(&name).is_err() || !put_file(&mixed, &name, &bytes) {
                    continue;
                }
                if is_refused(&mixed) {
                    refused += 1;
                } else {
                    // Of two states with one log, the longer log and either manifest are the later state.
                    assert!(of_mine.is_some(), "{name} of another index");
                    assert_eq!(ids(&mixed), ids(&mine[number.max(other_number)]), "{name}");
                }
            }
        }
    }
    assert!(refused > 30, "{refused}");
}

#[test]
fn a_log_that_lost_an_acknowledged_change_is_refused() {
    let [_, disk, _] = three_states(0);
    let name = disk.names().unwrap().into_iter().find(|name| name.starts_with("log-")).unwrap();
    let bytes = disk.read(&name).unwrap();
    for length in 0..bytes.len() {
        let cut = disk.killed();
        put_file(&cut, &name, &bytes[..length]);
        assert!(is_refused(&cut), "{length} of {} bytes", bytes.len());
    }
}

#[test]
fn every_flipped_bit_of_the_last_change_is_an_error_for_every_reader() {
    let disk = SimulatedDisk::new();
    let mut writer = create(&disk, Measure::default());
    writer.commit(vec![Change::Put(IndexDocument::of_set("a", vec![1, 2]))]).unwrap();
    // The writer is killed: no manifest knows of the change.
    let disk = disk.killed();
    let name = disk.names().unwrap().into_iter().find(|name| name.starts_with("log-")).unwrap();
    let bytes = disk.read(&name).unwrap();
    let acknowledgement = 48;
    for bit in 0..8 * (bytes.len() - acknowledgement) {
        let damaged = disk.killed();
        damaged.flip(&name, bit);
        assert!(is_refused(&damaged), "bit {bit}");
    }
    // An interrupted write is none of these: it is reported, and what is before it is there.
    for length in bytes.len() - acknowledgement..bytes.len() {
        let torn = disk.killed();
        put_file(&torn, &name, &bytes[..length]);
        let index = Index::open_disk(Arc::new(torn)).unwrap();
        assert_eq!((index.view().len(), index.torn_bytes()), (1, (length + acknowledgement - bytes.len()) as u64));
    }
}
