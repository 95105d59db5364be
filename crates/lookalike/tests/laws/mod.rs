//! The laws of stored files, whatever stands in them: tried on random content in `cargo test`, and by a fuzzer.

use lookalike::{
    DocId, Features, Inputs, Job, Measure, Method, MinHash, Order, Outputs, Resources, Rule, Silent, jobs,
};
use lookalike_core::hash::ELEMENT_HASH;
use lookalike_core::stored::{Damage, Directory, Provenance, Writer};
use lookalike_core::text::version_of_tokens;
use lookalike_io::Manifest;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use tempfile::TempDir;

/// The sections of a snapshot.
const SECTIONS: [&str; 6] = ["ids", "id offsets", "set offsets", "elements", "characters", "scores"];

/// Any bytes are a container whose sections can be checked, or refused: no panic, no section outside of the bytes.
pub fn check_container(bytes: &[u8]) {
    let read = |range: Range<u64>| Ok(bytes[range.start as usize..range.end as usize].to_vec());
    let directory: Result<Directory, Damage> = Directory::read("snapshot", bytes.len() as u64, read);
    let Ok(directory) = directory else { return };
    for section in SECTIONS.into_iter().filter_map(|name| directory.section(name).ok()) {
        let (start, end) = (section.offset() as usize, (section.offset() + section.bytes()) as usize);
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
    let report = jobs::snapshot(&job, &Resources::default(), &Silent).map_err(|error| error.to_string())?;
    assert!(report.corpus.documents <= u64::from(DocId(u32::MAX).0));
    Ok(())
}

/// Any bytes are a manifest of a work folder or count as none: no panic, and nothing is removed that no job has made.
pub fn check_manifest(bytes: &[u8], folder: &[u8], name: &str) {
    let (work, mine) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
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

/// A job that was done, with the files of its work folder.
struct Finished {
    /// Inputs and outputs.
    folder: TempDir,
    job: Job,
    files: Vec<(PathBuf, Vec<u8>)>,
}

/// Jobs whose work folders have every kind of checkpoint.
static FINISHED: LazyLock<[Finished; 2]> = LazyLock::new(|| {
    let keepers = Rule::Keepers { keep: Order::Highest { field: "score".to_owned() } };
    [Finished::of(keepers, Method::default()), Finished::of(Rule::Pairs, Method::MinHash(MinHash::default()))]
});

impl Finished {
    fn of(rule: Rule, method: Method) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let text = |number: usize| (number / 2..number / 2 + 20).map(|word| format!("w{word} ")).collect::<String>();
        let record = |number: usize| serde_json::json!({ "id": number, "text": text(number), "score": number % 3 });
        let lines: String = (0..40).map(|number| format!("{}\n", record(number))).collect();
        fs::create_dir(folder.path().join("in")).unwrap();
        fs::write(folder.path().join("in/a.jsonl"), lines).unwrap();
        fs::write(folder.path().join("in/b.txt"), text(7)).unwrap();
        let out = |name: &str| Some(folder.path().join(name));
        let outputs = match rule {
            Rule::Pairs => Outputs { rows: out("pairs.jsonl"), ..Outputs::default() },
            _ => Outputs { records: out("out"), removed: out("removed.csv"), ..Outputs::default() },
        };
        let inputs = Inputs { inputs: vec![folder.path().join("in")], ..Inputs::default() };
        let job = Job { inputs, rule, method, outputs, measure: Measure::default(), ..Job::default() };
        let work = tempfile::tempdir().unwrap();
        let finished = Self { folder, job, files: Vec::new() };
        finished.run(work.path()).unwrap();
        let files = fs::read_dir(work.path()).unwrap().map(|entry| {
            let entry = entry.unwrap();
            (PathBuf::from(entry.file_name()), fs::read(entry.path()).unwrap())
        });
        let mut files: Vec<_> = files.collect();
        files.sort();
        Self { files, ..finished }
    }

    fn run(&self, work: &Path) -> Result<(), String> {
        // As if the job had been killed before its outputs got their names.
        let _ = fs::remove_dir_all(self.folder.path().join("out"));
        let resources = Resources { work_folder: Some(work.to_owned()), ..Resources::default() };
        jobs::run(&self.job, &resources, &Silent).map(drop).map_err(|error| error.to_string())
    }
}

/// A work folder in which `content` stands at `place` in one of the checkpoints, whose checksums are right, is gone on
/// from, or refused in one line. `which` chooses the checkpoint and `part` what is replaced: its small data, or a
/// section.
pub fn check_work_folder(which: usize, part: usize, place: usize, content: &[u8]) {
    let finished = &FINISHED[which % 2];
    let work = tempfile::tempdir().unwrap();
    let is_checkpoint = |name: &Path| name.extension().is_some_and(|extension| extension == "checkpoint");
    let checkpoints = finished.files.iter().filter(|(name, _)| is_checkpoint(name)).count();
    let chosen = finished.files.iter().filter(|(name, _)| is_checkpoint(name)).nth(which / 2 % checkpoints);
    for (name, bytes) in &finished.files {
        let is_chosen = chosen.is_some_and(|(chosen, _)| chosen == name);
        let bytes = if is_chosen { forged(bytes, part, place, content) } else { bytes.clone() };
        fs::write(work.path().join(name), bytes).unwrap();
    }
    if let Err(words) = finished.run(work.path()) {
        assert!(!words.contains('\n'), "{words}");
    }
}

/// The sections of all checkpoints.
const CHECKPOINT_SECTIONS: [&str; 6] = ["inputs", "key offsets", "keys", "starts", "decisions", "pairs"];

/// The container with `content` at `place` of a part of it, and right checksums.
fn forged(bytes: &[u8], part: usize, place: usize, content: &[u8]) -> Vec<u8> {
    let read = |range: Range<u64>| Ok(bytes[range.start as usize..range.end as usize].to_vec());
    let directory = Directory::read::<Damage>("checkpoint", bytes.len() as u64, read).unwrap();
    let mut file = Vec::new();
    let sink = |bytes: &[u8]| {
        file.extend_from_slice(bytes);
        Ok::<(), serde_json::Error>(())
    };
    let mut writer = Writer::new(sink).unwrap();
    let sections = CHECKPOINT_SECTIONS.into_iter().filter_map(|name| Some((name, directory.section(name).ok()?)));
    let parts = 1 + sections.clone().count();
    for (number, (name, section)) in (1..).zip(sections) {
        let mut whole = bytes[section.offset() as usize..][..section.bytes() as usize].to_vec();
        if number == part % parts {
            splice(&mut whole, place, content);
        }
        writer.section(name, [whole]).unwrap();
    }
    let about: serde_json::Value = directory.about().unwrap();
    let mut text = about.to_string().into_bytes();
    if part.is_multiple_of(parts) {
        splice(&mut text, place, content);
    }
    let about = serde_json::from_slice(&text).unwrap_or(about);
    writer.finish("checkpoint", directory.provenance(), &about).unwrap();
    file
}

/// Puts `content` in the place of as many bytes; of none, cuts there.
fn splice(bytes: &mut Vec<u8>, place: usize, content: &[u8]) {
    let place = place % (bytes.len() + 1);
    if content.is_empty() {
        bytes.truncate(place);
        return;
    }
    let end = bytes.len().min(place + content.len());
    bytes.splice(place..end, content.iter().copied());
}
