//! A flood of at most 64 connections at a server: its memory stays below a gigabyte beside the index, a question of
//! another client by id is answered within a second, and all memory comes back.

mod client;

use crate::server::{ServerProcess, empty_folder};
use anyhow::{Context, Result, ensure};
use client::{Address, WRITE, body_of, compare, flood, get, stalled};
use std::fs;
use std::io::Write;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// A token of the client who asks beside the flood; the flood has none, but for changes.
const OTHER: &str = "other-other-other-other";

/// Memory beside the index.
const MAX_MIB: u64 = 1024;
/// Time of a question by id beside a flood, of 99 in a hundred.
const MAX_SECONDS: f64 = 1.0;
/// Time of each flood.
const FLOOD: Duration = Duration::from_secs(20);
/// Time in which memory comes back: an answer that nobody takes is given up when its connection is closed.
const AFTERWARDS: Duration = Duration::from_secs(60);

/// Starts the server, and lets all floods come, one after the other and at once.
pub(super) fn run_all() -> Result<String> {
    let folder = empty_folder("floods")?;
    write_documents(&folder.join("documents.jsonl"))?;
    let tokens = format!("read {OTHER}\nwrite {WRITE}\n");
    let server = ServerProcess::start(&folder, "documents.jsonl", &[], &tokens)?;
    let address: Address = server.address.parse()?;
    let before_mib = memory_mib(&server, "VmRSS")?;
    let mut rows = Vec::new();
    for (name, connections) in floods() {
        let slowest = slowest_beside(address, connections)?;
        let beside_mib = memory_mib(&server, "VmHWM")?.saturating_sub(before_mib);
        let row = format!("{name}: {slowest:.2} s, {beside_mib} MiB");
        println!("{row}");
        ensure!(beside_mib < MAX_MIB, "{name}: {beside_mib} MiB beside the index");
        ensure!(slowest < MAX_SECONDS, "{name}: a question by id took {slowest:.2} s");
        wait_until_all_is_back(address).with_context(|| name.to_owned())?;
        rows.push(row);
    }
    Ok(rows.iter().map(|row| format!("<br>{row}")).collect())
}

/// A line of the state of the process, in MiB.
fn memory_mib(server: &ServerProcess, name: &str) -> Result<u64> {
    let status = fs::read_to_string(format!("/proc/{}/status", server.id()))?;
    let line = status.lines().find_map(|line| line.strip_prefix(name)).context("no such line")?;
    let kib: u64 = line.trim_start_matches(':').trim().trim_end_matches("kB").trim().parse()?;
    Ok(kib / 1024)
}

/// A connection of a flood, which asks again and again until it is told to end.
type Connection = fn(Address, &AtomicBool);

/// The floods, of 64 connections at most.
fn floods() -> Vec<(&'static str, Vec<Connection>)> {
    let untaken: Connection = |address, ends| stalled(address, ends);
    let silent: Connection = client::silent;
    let bodies: [Connection; 4] = [
        |address, ends| flood(address, ends, &body_of("items", 16 << 20), client::Sending::Whole),
        |address, ends| flood(address, ends, &body_of("items", 16 << 20), client::Sending::Chunked),
        |address, ends| flood(address, ends, &body_of("text", 16 << 20), client::Sending::Slow),
        |address, ends| flood(address, ends, &body_of("fields", 16 << 20), client::Sending::Whole),
    ];
    let wide: [Connection; 2] = [
        |address, ends| flood(address, ends, &body_of("items", 4 << 20), client::Sending::Whole),
        |address, ends| flood(address, ends, &body_of("vector", 4 << 20), client::Sending::Chunked),
    ];
    let comparing: Connection = |address, ends| flood(address, ends, &compare(2_000_000), client::Sending::Whole);
    let of = |some: &[Connection], count: usize| some.iter().copied().cycle().take(count).collect::<Vec<_>>();
    let all = [of(&[untaken], 16), of(&bodies, 24), of(&wide, 8), of(&[comparing], 12), of(&[silent], 4)];
    vec![
        ("34 answers that nobody takes", of(&[untaken], 34)),
        ("32 bodies of 16 MiB", of(&bodies, 32)),
        ("64 sockets that send nothing", of(&[silent], 64)),
        ("32 bodies of wide JSON", of(&wide, 32)),
        ("16 comparisons of 2 MB", of(&[comparing], 16)),
        ("all of them, 64 connections", all.concat()),
    ]
}

/// The time of 99 in a hundred questions by id beside a flood, in seconds.
fn slowest_beside(address: Address, connections: Vec<Connection>) -> Result<f64> {
    let ends = AtomicBool::new(false);
    thread::scope(|scope| {
        for connection in connections {
            let ends = &ends;
            scope.spawn(move || connection(address, ends));
        }
        let asked = ask_for(address, FLOOD);
        ends.store(true, Ordering::Relaxed);
        asked
    })
}

fn ask_for(address: Address, time: Duration) -> Result<f64> {
    let begun = Instant::now();
    let mut times = Vec::new();
    while begun.elapsed() < time {
        let start = Instant::now();
        let (status, _) = get(address, "/v1/documents/d7", Some(OTHER))?;
        ensure!(status == 200, "a question by id is answered with {status}");
        times.push(start.elapsed().as_secs_f64());
        thread::sleep(Duration::from_millis(20));
    }
    times.sort_by(f64::total_cmp);
    times.get(times.len().saturating_sub(1) * 99 / 100).copied().context("no question was answered")
}

/// Waits until no memory is in flight.
fn wait_until_all_is_back(address: Address) -> Result<()> {
    let begun = Instant::now();
    loop {
        let (status, numbers) = get(address, "/metrics", Some(OTHER))?;
        ensure!(status == 200, "the server answers {status} after the flood");
        let line = numbers.lines().find_map(|line| line.strip_prefix("lookalike_in_flight_bytes "));
        let bytes = line.context("the server does not tell the memory in flight")?;
        if bytes == "0" {
            return Ok(());
        }
        ensure!(begun.elapsed() < AFTERWARDS, "{bytes} bytes did not come back");
        thread::sleep(Duration::from_millis(200));
    }
}

/// A thousand short documents, and one whose text is a large answer.
fn write_documents(path: &Path) -> Result<()> {
    let mut file = fs::File::create(path)?;
    for number in 0..1000 {
        let text: String = (0..100).map(|at| format!("w{} ", number * 71 + at)).collect();
        writeln!(file, r#"{{"id":"d{number}","text":"{text}"}}"#)?;
    }
    let text: String = (0..1_800_000).map(|at| format!("v{at} ")).collect();
    writeln!(file, r#"{{"id":"large","text":"{text}"}}"#)?;
    Ok(())
}
