//! The laws of work folders: checkpoints, and arrays of the corpus, with right checksums and any content.

use lookalike::{
    Inputs, Job, Measure, Method, Order, Outputs, Resources, Rule, Silent, jobs, measures::Check, methods::MinHash,
    outputs::RecordMode,
};
use lookalike_core::hash::hash_sequence;
use lookalike_core::stored::{Damage, Directory, Provenance, Writer};
use serde_json::{Value, json};
use std::fs;
use std::num::NonZeroUsize;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, Mutex, PoisonError};
use tempfile::TempDir;
use xxhash_rust::xxh3::xxh3_64;

/// The sections of all checkpoints.
const CHECKPOINT_SECTIONS: [&str; 6] = ["inputs", "key offsets", "keys", "starts", "decisions", "pairs"];
/// The arrays of a corpus in the order in which their checksums are hashed, each with the bytes that a document has in
/// it, if all have as many.
const ARRAYS: [(&str, Option<usize>); 9] = [
    ("ids", None),
    ("id-ends", Some(8)),
    ("places", Some(32)),
    ("characters", Some(8)),
    ("text-hashes", Some(16)),
    ("elements", None),
    ("set-ends", Some(8)),
    ("set-hashes", Some(8)),
    ("scores", None),
];

/// A job that was done, with the files of its work folder.
struct Finished {
    /// Inputs and outputs.
    folder: TempDir,
    job: Job,
    files: Vec<(PathBuf, Vec<u8>)>,
    /// Held while the job runs: its outputs are those of all its runs.
    is_running: Mutex<()>,
}

/// Jobs whose work folders have every kind of checkpoint.
static FINISHED: LazyLock<[Finished; 3]> = LazyLock::new(|| {
    let keepers = Rule::Keepers { keep: Order::Highest { field: "score".to_owned() } };
    [
        Finished::new(keepers, Method::default()),
        Finished::new(Rule::Pairs, Method::MinHash(MinHash::default())),
        Finished::new(Rule::Against, Method::Exact),
    ]
});

impl Finished {
    /// Job over a folder of records, packed and not, and texts; [`Rule::Against`] compares records, some in columns,
    /// with those of a file.
    fn new(rule: Rule, method: Method) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let text = |number: usize| (number / 2..number / 2 + 20).map(|word| format!("w{word} ")).collect::<String>();
        let record = |number: usize| json!({ "id": number, "text": text(number), "score": number % 3 });
        let lines = |numbers: Range<usize>| numbers.map(|number| format!("{}\n", record(number))).collect::<String>();
        fs::create_dir(at("in")).unwrap();
        fs::write(at("in/a.jsonl"), lines(0..40)).unwrap();
        fs::write(at("in/b.txt"), text(7)).unwrap();
        fs::write(at("in/c.jsonl.zst"), zstd::encode_all(lines(40..50).as_bytes(), 1).unwrap()).unwrap();
        fs::write(at("against.jsonl"), lines(20..24)).unwrap();
        let mut against = Vec::new();
        let mut check = Check::Hashes;
        let mut outputs = Outputs::default();
        match rule {
            Rule::Pairs => outputs.rows = Some(at("pairs.jsonl")),
            Rule::Against => {
                (against, check) = (vec![at("against.jsonl")], Check::Texts);
                // Text files have no place for annotations.
                fs::remove_file(at("in/b.txt")).unwrap();
                fs::write(at("d.jsonl"), lines(50..60)).unwrap();
                copy(&at("d.jsonl"), &at("in/d.parquet"));
                (outputs.records, outputs.mode) = (Some(at("out")), RecordMode::Annotated);
            }
            _ => (outputs.records, outputs.removed) = (Some(at("out")), Some(at("removed.csv"))),
        }
        let inputs = Inputs { inputs: vec![at("in")], against, ..Inputs::default() };
        let job = Job { inputs, rule, method, outputs, check, measure: Measure::default(), ..Job::default() };
        let work = tempfile::tempdir().unwrap();
        let finished = Self { folder, job, files: Vec::new(), is_running: Mutex::default() };
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
        // Without threads of its own: one that is just ending looks like a leak to a fuzzer.
        let threads = NonZeroUsize::new(1);
        let resources = Resources { work_folder: Some(work.to_owned()), threads, ..Resources::default() };
        jobs::run(&self.job, &resources, &Silent).map(drop).map_err(|error| error.to_string())
    }

    fn file(&self, name: &str) -> &[u8] {
        let found = self.files.iter().find(|(found, _)| found == Path::new(name));
        found.map_or(&[], |(_, bytes)| bytes)
    }

    fn checkpoints(&self) -> impl Iterator<Item = &(PathBuf, Vec<u8>)> {
        self.files.iter().filter(|(name, _)| name.extension().is_some_and(|extension| extension == "checkpoint"))
    }

    /// Goes on from a work folder, or is refused in one line. Records that are written are whole records of the inputs,
    /// each at most once. Returns whether it was gone on from.
    fn check(&self, work: &Path) -> bool {
        let _running = self.is_running.lock().unwrap_or_else(PoisonError::into_inner);
        if let Err(words) = self.run(work) {
            assert!(!words.contains('\n'), "{words}");
            return false;
        }
        let Ok(written) = fs::read_to_string(self.folder.path().join("out/a.jsonl")) else { return true };
        if self.job.outputs.mode == RecordMode::Kept {
            let read = fs::read_to_string(self.folder.path().join("in/a.jsonl")).unwrap();
            let mut lines = read.lines();
            assert!(written.lines().all(|written| lines.any(|line| line == written)), "{written}");
        }
        true
    }
}

/// Writes the records of a file in another format, without equal ones.
fn copy(from: &Path, to: &Path) {
    let job = Job {
        inputs: Inputs { inputs: vec![from.to_owned()], ..Inputs::default() },
        rule: Rule::Keepers { keep: Order::First },
        outputs: Outputs { records: Some(to.to_owned()), ..Outputs::default() },
        ..Job::default()
    };
    jobs::run(&job, &Resources::default(), &Silent).unwrap();
}

/// A work folder in which `content` stands at `place` in one of the checkpoints, whose checksums are right, is gone on
/// from, or refused in one line. `which` chooses the checkpoint and `part` what is replaced: its small data, or a
/// section.
pub fn check_checkpoint(which: usize, part: usize, place: usize, content: &[u8]) {
    let finished = &FINISHED[which % FINISHED.len()];
    let chosen = which / FINISHED.len() % finished.checkpoints().count();
    let chosen = finished.checkpoints().nth(chosen).map(|(name, _)| name);
    let work = tempfile::tempdir().unwrap();
    for (name, bytes) in &finished.files {
        let bytes = if chosen == Some(name) { forged(bytes, part, place, content) } else { bytes.clone() };
        fs::write(work.path().join(name), bytes).unwrap();
    }
    finished.check(work.path());
}

/// The container with `content` at `place` of a part of it, and right checksums.
fn forged(bytes: &[u8], part: usize, place: usize, content: &[u8]) -> Vec<u8> {
    rewritten(bytes, |mut parts| {
        let part = part % (1 + parts.sections.len());
        match part.checked_sub(1) {
            Some(section) => splice(&mut parts.sections[section].1, place, content),
            None => {
                let mut text = parts.about.to_string().into_bytes();
                splice(&mut text, place, content);
                parts.about = serde_json::from_slice(&text).unwrap_or(parts.about);
            }
        }
        parts
    })
}

/// Content of a checkpoint.
struct Parts {
    provenance: Provenance,
    about: Value,
    sections: Vec<(&'static str, Vec<u8>)>,
}

/// The checkpoint with other parts, and right checksums.
fn rewritten(bytes: &[u8], change: impl FnOnce(Parts) -> Parts) -> Vec<u8> {
    let read = |range: Range<u64>| Ok(bytes[range.start as usize..range.end as usize].to_vec());
    let directory = Directory::read::<Damage>("checkpoint", bytes.len() as u64, read).unwrap();
    let content = |name| {
        let section = directory.section(name).ok()?;
        Some((name, bytes[section.offset() as usize..][..section.bytes() as usize].to_vec()))
    };
    let sections = CHECKPOINT_SECTIONS.into_iter().filter_map(content).collect();
    let provenance = directory.provenance().clone();
    let about = directory.about().unwrap();
    let Parts { provenance, about, sections } = change(Parts { provenance, about, sections });
    let mut file = Vec::new();
    let sink = |bytes: &[u8]| {
        file.extend_from_slice(bytes);
        Ok::<(), serde_json::Error>(())
    };
    let mut writer = Writer::new(sink).unwrap();
    sections.iter().for_each(|(name, section)| writer.section(name, [section]).unwrap());
    writer.finish("checkpoint", &provenance, &about).unwrap();
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

/// Progress of a job with forged arrays.
#[derive(Debug, Clone, Copy)]
pub enum Progress {
    /// Number of blocks of the inputs that were read.
    Reading(u64),
    /// Everything is read, and nothing is done with it.
    Read,
    /// Every checkpoint is there, and says that it is of these arrays.
    Compared,
}

/// A work folder whose corpus has the first `documents` documents, and then other `content` at a place of an array, for
/// each of `edits` (array, place, content), is gone on from, or refused in one line. All checksums are right. Returns
/// whether it was gone on from.
pub fn check_arrays(which: usize, documents: usize, progress: Progress, edits: &[(usize, usize, &[u8])]) -> bool {
    let finished = &FINISHED[which % FINISHED.len()];
    let mut arrays = first_documents(finished, documents);
    for (array, place, content) in edits {
        splice(&mut arrays[array % ARRAYS.len()], *place, content);
    }
    let work = tempfile::tempdir().unwrap();
    for (name, bytes) in &finished.files {
        fs::write(work.path().join(name), bytes).unwrap();
    }
    for ((name, _), bytes) in ARRAYS.iter().zip(&arrays) {
        fs::write(work.path().join(format!("corpus-{name}")), bytes).unwrap();
    }
    for (name, bytes) in finished.checkpoints() {
        let path = work.path().join(name);
        let is_reading = name == Path::new("reading.checkpoint");
        match progress {
            _ if is_reading => fs::write(path, with_arrays(bytes, &arrays, progress)).unwrap(),
            Progress::Compared => fs::write(path, of_corpus(bytes, &arrays)).unwrap(),
            Progress::Reading(_) | Progress::Read => fs::remove_file(path).unwrap(),
        }
    }
    finished.check(work.path())
}

/// The arrays as they were when so many documents were read.
fn first_documents(finished: &Finished, documents: usize) -> [Vec<u8>; 9] {
    let array = |name: &str| finished.file(&format!("corpus-{name}"));
    let ends = |name: &str| -> Vec<usize> {
        let numbers = array(name).chunks_exact(8).map(|bytes| u64::from_le_bytes(bytes.try_into().unwrap()) as usize);
        std::iter::once(0).chain(numbers).collect()
    };
    let id_ends = ends("id-ends");
    let set_ends = ends("set-ends");
    let documents = documents.min(id_ends.len() - 1);
    ARRAYS.map(|(name, width)| {
        let bytes = match name {
            "ids" => id_ends[documents],
            "elements" => 8 * set_ends[documents],
            "scores" => array(name).split_inclusive(|&byte| byte == b'\n').take(documents).map(<[u8]>::len).sum(),
            _ => width.unwrap_or_default() * documents,
        };
        array(name)[..bytes].to_vec()
    })
}

/// The checkpoint of a reading that has come so far and has these arrays.
fn with_arrays(checkpoint: &[u8], arrays: &[Vec<u8>; 9], progress: Progress) -> Vec<u8> {
    rewritten(checkpoint, |mut parts| {
        for ((name, _), bytes) in ARRAYS.iter().zip(arrays) {
            let state = json!({ "bytes": bytes.len(), "checksum": xxh3_64(bytes) });
            parts.about["columns"][name.replace('-', "_")] = state;
        }
        if let Progress::Reading(blocks) = progress {
            (parts.about["blocks"], parts.about["is_done"]) = (blocks.into(), false.into());
        }
        parts
    })
}

/// The checkpoint of a later stage that depends on these arrays.
fn of_corpus(checkpoint: &[u8], arrays: &[Vec<u8>; 9]) -> Vec<u8> {
    rewritten(checkpoint, |mut parts| {
        let mut facts = serde_json::to_value(&parts.provenance).unwrap();
        let checksum = hash_sequence(0, arrays.iter().map(|bytes| xxh3_64(bytes)));
        facts["the corpus"] = format!("{checksum:016x}").into();
        parts.provenance = serde_json::from_value(facts).unwrap();
        parts
    })
}
