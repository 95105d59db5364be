//! Jobs that are killed, and whose work folder is damaged: the answer of a whole run or a clear refusal, never another
//! answer, never a panic or a signal.
//!
//! `LOOKALIKE_DAMAGE_CASES=500 cargo test --release -p lookalike-cli --test cli damage` tries more.

use crate::common::{Random, Run, Sandbox};
use std::fs;
use std::process::{Child, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Cases if the environment does not say.
const CASES: u64 = 50;

/// A job with its outputs. Together they make every kind of file that a work folder can hold.
struct DamagedJob {
    command: &'static str,
    /// Beginning of the names of its outputs.
    outputs: &'static str,
}

const JOBS: [DamagedJob; 3] = [
    DamagedJob { command: "dedup in -o out --removed out.csv --keep max:score --memory 32MiB", outputs: "out" },
    DamagedJob { command: "pairs in -o out.jsonl --method minhash --threshold 0.6", outputs: "out" },
    DamagedJob { command: "clusters in -o out.json --method exact --memory 32MiB", outputs: "out" },
];

/// A folder of records and texts, a third of them near-copies.
fn corpus() -> Sandbox {
    let sandbox = Sandbox::new();
    let mut random = Random(42);
    let mut words: Vec<u64> = Vec::new();
    let mut lines = String::new();
    for number in 0..1500 {
        if number % 3 == 2 {
            let place = random.below(words.len() as u64) as usize;
            words[place] = random.below(30_000);
        } else {
            words = (0..100 + random.below(200)).map(|_| random.below(30_000)).collect();
        }
        let text = words.iter().map(|word| format!("w{word}")).collect::<Vec<_>>().join(" ");
        if number % 10 == 0 {
            sandbox.write(&format!("in/{number}.txt"), &text);
        }
        let record = serde_json::json!({ "id": format!("page-{number}"), "text": text, "score": random.below(100) });
        lines += &format!("{record}\n");
    }
    sandbox.write("in/a.jsonl", lines);
    sandbox
}

impl DamagedJob {
    fn resumed(&self) -> String {
        format!("{} --work-dir work --progress never --threads 2", self.command)
    }

    fn begin(&self, sandbox: &Sandbox) -> Child {
        sandbox.command(&self.resumed()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
    }

    /// Its outputs, by name.
    fn answer(&self, sandbox: &Sandbox) -> Vec<(String, Vec<u8>)> {
        let names = sandbox.names().into_iter().filter(|name| name.starts_with(self.outputs));
        names.map(|name| (name.clone(), sandbox.bytes(&name))).collect()
    }

    /// The answer of an undisturbed run, and its duration in milliseconds.
    fn whole(&self, sandbox: &Sandbox) -> (Vec<(String, Vec<u8>)>, u64) {
        let begun = Instant::now();
        sandbox.succeed(&format!("{} --work-dir work --threads 2", self.command));
        let milliseconds = begun.elapsed().as_millis() as u64;
        let answer = self.answer(sandbox);
        clean_up(sandbox);
        (answer, milliseconds)
    }
}

/// Removes all but the inputs.
fn clean_up(sandbox: &Sandbox) {
    for entry in fs::read_dir(sandbox.path("")).unwrap() {
        let path = entry.unwrap().path();
        if path == sandbox.path("in") {
            continue;
        }
        if path.is_dir() {
            fs::remove_dir_all(path).unwrap();
        } else {
            fs::remove_file(path).unwrap();
        }
    }
}

/// Changes or cuts a file of the work folder, if there is one; says what was done.
fn damage(sandbox: &Sandbox, random: &mut Random) -> String {
    let names = sandbox.names_in("work/");
    if names.is_empty() {
        return "nothing".to_owned();
    }
    let name = &names[random.below(names.len() as u64) as usize];
    // It may be renamed while a job is at work.
    let Ok(file) = fs::File::options().read(true).write(true).open(sandbox.path(name)) else { return String::new() };
    let bytes = file.metadata().unwrap().len();
    if bytes == 0 {
        return format!("nothing: {name} is empty");
    }
    let place = random.below(bytes);
    match random.below(3) {
        0 => {
            file.set_len(place).unwrap();
            format!("{name} cut at {place} of {bytes}")
        }
        _ => {
            let bit = random.below(8);
            flip(&file, place, 1 << bit);
            format!("{name}: bit {bit} of byte {place} of {bytes}")
        }
    }
}

#[cfg(unix)]
fn flip(file: &fs::File, place: u64, mask: u8) {
    use std::os::unix::fs::FileExt;
    let mut byte = [0];
    // Another process may have cut it since.
    if file.read_at(&mut byte, place).unwrap() == 1 {
        file.write_at(&[byte[0] ^ mask], place).unwrap();
    }
}

#[cfg(not(unix))]
fn flip(mut file: &fs::File, place: u64, mask: u8) {
    use std::io::{Read, Seek, SeekFrom, Write};
    let mut byte = [0];
    file.seek(SeekFrom::Start(place)).unwrap();
    if file.read(&mut byte).unwrap() == 1 {
        file.seek(SeekFrom::Start(place)).unwrap();
        file.write_all(&[byte[0] ^ mask]).unwrap();
    }
}

/// Asserts that a run ended with the whole answer or with a refusal.
fn assert_safe(run: &Run, found: &[(String, Vec<u8>)], expected: &[(String, Vec<u8>)], story: &str) {
    let Run { code, stderr, .. } = run;
    assert!(matches!(code, Some(0 | 2)), "{story}: {code:?} {stderr}");
    assert!(!stderr.contains("panicked"), "{story}: {stderr}");
    if *code == Some(0) {
        let names = |files: &[(String, Vec<u8>)]| files.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
        assert_eq!(names(found), names(expected), "{story}");
        assert!(found == expected, "{story}: another answer");
    } else {
        let refusal: Vec<&str> = stderr.lines().filter(|line| !line.starts_with("resumed: ")).collect();
        let is_clear = refusal.len() == 1 && refusal[0].starts_with("lookalike: ");
        assert!(is_clear, "{story}: {stderr}");
        // What has appeared is right.
        assert!(found.iter().all(|file| expected.contains(file)), "{story}: another answer beside a refusal");
    }
}

/// Kills a job at a random moment, damages its folder, and lets the next run end, which may be damaged on its way.
fn disturb(
    job: &DamagedJob,
    sandbox: &Sandbox,
    whole: &(Vec<(String, Vec<u8>)>, u64),
    random: &mut Random,
) -> (Run, String) {
    let (expected, milliseconds) = whole;
    let milliseconds = *milliseconds;
    let mut story = job.command.to_owned();
    for _ in 0..1 + random.below(2) {
        let pause = random.below(milliseconds + milliseconds / 4);
        sandbox.kill_after(&job.resumed(), Duration::from_millis(pause));
        // What was published appeared whole, though its companion may be missing.
        let is_right = job.answer(sandbox).iter().all(|file| expected.contains(file));
        assert!(is_right, "{story}; killed after {pause} ms: another answer is there");
        story += &format!("; killed after {pause} ms; {}", damage(sandbox, random));
    }
    let child = job.begin(sandbox);
    if random.below(2) == 0 {
        let pause = random.below(milliseconds);
        sleep(Duration::from_millis(pause));
        story += &format!("; on its way after {pause} ms {}", damage(sandbox, random));
    }
    (Run::from(child.wait_with_output().unwrap()), story)
}

#[test]
fn killed_and_damaged_jobs_end_with_the_same_bytes_or_a_refusal() {
    let cases = std::env::var("LOOKALIKE_DAMAGE_CASES").map_or(CASES, |cases| cases.parse().unwrap());
    let sandbox = corpus();
    let mut random = Random(11);
    let whole = JOBS.map(|job| job.whole(&sandbox));
    let mut done = 0;
    let mut refused = 0;
    for case in 0..cases {
        let which = case as usize % JOBS.len();
        let job = &JOBS[which];
        let (run, story) = disturb(job, &sandbox, &whole[which], &mut random);
        assert_safe(&run, &job.answer(&sandbox), &whole[which].0, &format!("case {case}: {story}"));
        if run.code == Some(0) {
            done += 1;
        } else {
            refused += 1;
        }
        clean_up(&sandbox);
    }
    eprintln!("{done} ended with the same bytes, {refused} with a refusal");
    assert!(done > refused, "most damage is mended: {done} of {cases}");
}
