use super::*;
use proptest::prelude::{any, prop_assert, prop_assert_eq, proptest};

fn written(sections: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let mut file = Vec::new();
    let sink = |bytes: &[u8]| {
        file.extend_from_slice(bytes);
        Ok::<(), serde_json::Error>(())
    };
    let mut writer = Writer::new(sink).unwrap();
    for (name, content) in sections {
        writer.section(name, content.chunks(3)).unwrap();
    }
    let provenance = Provenance::new().with_fact("threshold", 0.8);
    writer.finish("snapshot", &provenance, &sections.len()).unwrap();
    file
}

fn read(file: &[u8]) -> Result<Directory, Damage> {
    let bytes = |range: Range<u64>| Ok(file[range.start as usize..range.end as usize].to_vec());
    Directory::read("snapshot", file.len() as u64, bytes)
}

fn content<'f>(file: &'f [u8], section: &Section) -> &'f [u8] {
    &file[section.offset as usize..][..section.bytes as usize]
}

#[test]
fn the_layout_is_frozen() {
    let file = written(&[("ids", b"ab".to_vec())]);
    assert_eq!(&file[..8], MAGIC);
    assert_eq!(&file[64..66], b"ab");
    let json = concat!(
        r#"{"kind":"snapshot","provenance":{"threshold":0.8},"about":1,"#,
        r#""sections":[{"name":"ids","offset":64,"bytes":2,"checksum":12138170336140424028}]}"#
    );
    let found = std::str::from_utf8(&file[66..file.len() - TAIL_BYTES as usize]).unwrap();
    assert_eq!(found, json);
    assert_eq!(file[file.len() - 12..][..4], [3, 0, 0, 0]);
}

#[test]
fn other_kinds_formats_and_files_are_refused() {
    let file = written(&[]);
    let whole = |range: Range<u64>| Ok::<_, Damage>(file[range.start as usize..range.end as usize].to_vec());
    let refused = Directory::read("checkpoint", file.len() as u64, whole);
    assert_eq!(refused, Err(Damage::Kind { expected: "checkpoint", found: "snapshot".to_owned() }));
    for format in [0, 1, 2, 4, 259] {
        let other = of_format(format, &[], b"a directory in a form that this version does not know");
        assert_eq!(read(&other), Err(Damage::Version { expected: FORMAT, found: format }));
        let mut damaged = file.clone();
        let place = damaged.len() - 12;
        damaged[place..place + 4].copy_from_slice(&format.to_le_bytes());
        assert_eq!(read(&damaged), Err(Damage::Directory), "no other version, but damage");
    }
    assert_eq!(read(b""), Err(Damage::NotAContainer));
    assert_eq!(
        read(&[&MAGIC_OF_VERSION_1[..], b" and whatever comes behind it, which is not looked at"].concat()),
        Err(Damage::NotAContainer)
    );
    assert_eq!(read(&file).unwrap().section("none"), Err(Damage::NoSection { name: "none" }));
    assert_eq!(read(&file).unwrap().about::<String>(), Err(Damage::Directory));
}

/// A container of this format whose directory has the right length and checksum, but any content.
fn of_format(format: u32, sections: &[u8], directory: &[u8]) -> Vec<u8> {
    let length = directory.len() as u64;
    let checksum = checksum_of(directory, format);
    [MAGIC, sections, directory, &length.to_le_bytes(), &checksum.to_le_bytes(), &format.to_le_bytes(), MAGIC].concat()
}

fn with_directory(sections: &[u8], directory: &[u8]) -> Vec<u8> {
    of_format(FORMAT, sections, directory)
}

#[test]
fn every_cut_and_every_flipped_bit_is_damage_and_never_another_version() {
    let file = written(&[("ids", b"some ids".to_vec()), ("sets", vec![7; 70])]);
    for place in 0..file.len() {
        assert!(read(&file[..place]).is_err());
        for bit in 0..8 {
            let mut flipped = file.clone();
            flipped[place] ^= 1 << bit;
            match read(&flipped) {
                Err(damage) => {
                    assert!(matches!(damage, Damage::NotAContainer | Damage::Directory), "{place}: {damage}")
                }
                Ok(directory) => {
                    let sections = ["ids", "sets"].map(|name| directory.section(name).unwrap());
                    let whole = sections.iter().all(|section| section.check_all(content(&flipped, section)).is_ok());
                    assert!(!whole, "byte {place}, bit {bit}");
                }
            }
        }
    }
}

proptest! {
    #[test]
    fn random_bytes_are_refused(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        prop_assert!(read(&bytes).is_err());
        let between = [MAGIC, &bytes[..], MAGIC].concat();
        prop_assert!(read(&between).is_err());
    }

    #[test]
    fn any_length_and_checksum_of_the_directory_are_refused(
        bytes in proptest::collection::vec(any::<u8>(), 0..300), length in any::<u64>(), near in 0u64..400,
    ) {
        for length in [length, near] {
            let numbers = [length.to_le_bytes(), 7u64.to_le_bytes()].concat();
            let file = [MAGIC, &bytes[..], &numbers, &FORMAT.to_le_bytes(), MAGIC].concat();
            prop_assert_eq!(read(&file), Err(Damage::Directory));
        }
        prop_assert_eq!(read(&with_directory(&[], &bytes)), Err(Damage::Directory));
    }

    #[test]
    fn sections_of_an_accepted_directory_lie_within_the_file(
        lengths in proptest::collection::vec(0u64..200, 0..4),
        changed in any::<usize>(), change in any::<u64>(), change_offset: bool,
    ) {
        let mut end = MAGIC.len() as u64;
        let mut place = |bytes: u64| {
            let offset = end.next_multiple_of(ALIGNMENT);
            end = offset + bytes;
            Section { name: "ids".to_owned(), offset, bytes, checksum: 7 }
        };
        let sections: Vec<Section> = lengths.into_iter().map(&mut place).collect();
        let contents = vec![0; end as usize - MAGIC.len()];
        let kind = "snapshot".to_owned();
        let provenance = Provenance::new();
        let mut directory = Directory { kind, provenance, about: Value::Null, sections, checksum: 0 };
        let file = |directory: &Directory| with_directory(&contents, &serde_json::to_vec(directory).unwrap());
        let read_again = read(&file(&directory)).map(|read| Directory { checksum: 0, ..read });
        prop_assert_eq!(read_again, Ok(directory.clone()));
        let count = directory.sections.len();
        if let Some(section) = directory.sections.get_mut(changed % count.max(1)) {
            let field = if change_offset { &mut section.offset } else { &mut section.bytes };
            *field = field.wrapping_add(change);
        }
        let file = file(&directory);
        let sections = read(&file).map_or(Vec::new(), |directory| directory.sections);
        prop_assert!(sections.iter().all(|section| section.end().is_some_and(|end| end <= file.len() as u64)));
    }

    #[test]
    fn sections_come_back(contents in proptest::collection::vec(proptest::collection::vec(any::<u8>(), 0..200), 3)) {
        let names = ["ids", "sets", "places"];
        let sections: Vec<_> = names.into_iter().zip(contents).collect();
        let file = written(&sections);
        let directory = read(&file).unwrap();
        prop_assert_eq!(directory.about::<usize>(), Ok(3));
        for (name, expected) in &sections {
            let section = directory.section(name).unwrap();
            prop_assert_eq!(section.offset % ALIGNMENT, 0);
            prop_assert_eq!(content(&file, section), &expected[..]);
            prop_assert_eq!(section.check_all(expected), Ok(()));
        }
    }
}
