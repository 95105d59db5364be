//! The laws of stored files, whatever stands in them: tried on random content in `cargo test`, and by a fuzzer.

pub mod work_folders;

use lookalike::{Data, DocId, Features, Inputs, Job, Outputs, Resources, Silent, jobs};
use lookalike_core::hash::ELEMENT_HASH;
use lookalike_core::stored::{Damage, Directory, Provenance, Writer};
use lookalike_core::text::version_of_tokens;
use lookalike_io::base::Manifest;
use std::fs;
use std::ops::Range;
use std::path::Path;

/// The sections of a snapshot.
const SECTIONS: [&str; 6] = ["ids", "id offsets", "set offsets", "elements", "characters", "scores"];

/// Any bytes are a container whose sections can be checked, or refused: no panic, no section outside of the bytes.
pub fn check_container(bytes: &[u8]) {
    let read = |range: Range<u64>| Ok(bytes[range.start as usize..range.end as usize].to_vec());
    let directory: Result<Directory, Damage> = Directory::read("snapshot", bytes.len() as u64, read);
    let Ok(directory) = directory else { return };
    for section in SECTIONS.into_iter().filter_map(|name| directory.section(name).ok()) {
        let start = section.offset() as usize;
        let end = (section.offset() + section.bytes()) as usize;
        let _ = section.check_all(&bytes[start..end]);
    }
}

/// A container with right checksums and any content in its sections is read as a snapshot, or refused in one line. One
/// that is read gives the same bytes when it is saved again, but for what stands beside its documents.
pub fn check_snapshot(documents: usize, contents: &[&[u8]; 6]) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("forged.snapshot");
    let mut file = Vec::new();
    let sink = |bytes: &[u8]| {
        file.extend_from_slice(bytes);
        Ok::<(), serde_json::Error>(())
    };
    let mut writer = Writer::new(sink).unwrap();
    for (name, content) in SECTIONS.iter().zip(contents) {
        writer.section(name, [content]).unwrap();
    }
    let provenance = Provenance::new().with(&Features::default()).unwrap();
    let provenance = provenance.with_fact("hash of the elements", ELEMENT_HASH);
    let provenance = provenance.with_fact("version of the tokens", version_of_tokens(Features::default().text()));
    let about = serde_json::json!({ "documents": documents, "tokens": 7, "score_field": null });
    writer.finish("snapshot", &provenance, &about).unwrap();
    fs::write(&path, file).unwrap();
    let first = folder.path().join("first.snapshot");
    match save_again(&path, &first) {
        Ok(()) => {
            let second = folder.path().join("second.snapshot");
            save_again(&first, &second).unwrap();
            assert_eq!(fs::read(&first).unwrap(), fs::read(&second).unwrap());
        }
        Err(words) => {
            let is_of_content = words.contains("forged.snapshot") && !words.contains(" was ");
            assert!(!words.contains('\n') && is_of_content, "{words}");
        }
    }
}

fn save_again(from: &Path, to: &Path) -> Result<(), String> {
    let job = Job {
        inputs: Inputs { inputs: vec![from.to_owned()], ..Inputs::default() },
        outputs: Outputs { snapshot: Some(to.to_owned()), ..Outputs::default() },
        ..Job::default()
    };
    let report =
        jobs::snapshot(&job, &Data::default(), &Resources::default(), &Silent).map_err(|error| error.to_string())?;
    assert!(report.corpus.documents <= u64::from(DocId(u32::MAX).0));
    Ok(())
}

/// Any bytes are a manifest of a work folder or count as none: no panic, and nothing is removed that no job has made.
pub fn check_manifest(bytes: &[u8], folder: &[u8], name: &str) {
    let work = tempfile::tempdir().unwrap();
    let mine = tempfile::tempdir().unwrap();
    let kept = mine.path().join("thesis.txt");
    fs::write(&kept, "mine").unwrap();
    let path = work.path().join("lookalike.manifest");
    fs::write(&path, bytes).unwrap();
    Manifest::take_up(work.path()).unwrap();
    for folder in [folder, mine.path().as_os_str().as_encoded_bytes()] {
        let mut file = Vec::new();
        let sink = |bytes: &[u8]| {
            file.extend_from_slice(bytes);
            Ok::<(), serde_json::Error>(())
        };
        let mut writer = Writer::new(sink).unwrap();
        writer.section("folders", [folder, b"\0", folder, b"\0"]).unwrap();
        let about = serde_json::json!([[name, "file"], [name, "folder"]]);
        writer.finish("manifest", &Provenance::new(), &about).unwrap();
        fs::write(&path, file).unwrap();
        Manifest::take_up(work.path()).unwrap();
    }
    assert_eq!(fs::read(kept).unwrap(), b"mine");
}
