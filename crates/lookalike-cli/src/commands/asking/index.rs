//! `lookalike index`: documents that come and go in a folder, to be asked with `search`.

mod info;

use self::info::{InfoArgs, print_info};
use crate::args::{
    FormatArg, InputArgs, NounFlags, References, ResourceArgs, SearchArgs, TextArgs, document_name, local_name,
};
use crate::messages::{Voice, added_to_index, counted, say, say_numbers, thousands};
use crate::outcome::Outcome;
use crate::progress::{Terminal, watch_interrupts};
use anyhow::{Context, Result, bail};
use bytesize::ByteSize;
use clap::builder::NonEmptyStringValueParser;
use clap::{Args, Subcommand, ValueEnum};
use lookalike::index::{self, Change, Durability, Index, IndexInfo, IndexWriter, Storage};
use lookalike::jobs::{self, Additions, Found, IndexChange, Keying, Replacing, Report, StoredNouns};
use lookalike::{
    Data, Inputs, Job, Outputs,
    doors::{escaped, remove_leftovers, without_mark},
    inputs::Carried,
    measures::Threshold,
    rows::StoredFields,
};
use serde::Serialize;
use std::collections::BTreeSet;
use std::io::{self, BufRead, Write};
use std::path::{Path, PathBuf};

/// Arguments of `lookalike index`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lookalike index create news.idx news.jsonl -t 0.5
  lookalike search today.jsonl --in news.idx -k 3
  lookalike index add news.idx today.jsonl --unless-near 0.8
  lookalike index remove news.idx a17 a18
  lookalike index verify news.idx")]
pub(crate) struct IndexArgs {
    #[command(subcommand)]
    command: IndexCommand,
}

#[derive(Debug, Subcommand)]
enum IndexCommand {
    /// Make an index of documents, or an empty one
    Create(Box<CreateArgs>),
    /// Add documents, in place of those with the same ids
    Add(Box<AddArgs>),
    /// Remove documents by their ids
    Remove(RemoveArgs),
    /// Show documents by their ids
    Get(GetArgs),
    /// Write all documents anew, without what was removed
    Compact(OneIndexArgs),
    /// Compare each byte with its checksum, and each document with what leads to it
    Verify(OneIndexArgs),
    /// Tell what the index was made for, and its sizes
    Info(InfoArgs),
    /// Copy an index, also while it is written to
    Backup(BackupArgs),
}

/// An index alone.
#[derive(Debug, Args)]
struct OneIndexArgs {
    /// Folder of the index
    #[arg(value_name = "IDX", value_parser = local_name())]
    index: PathBuf,
}

/// What acknowledged changes survive.
#[derive(Debug, Clone, Copy, Default, ValueEnum)]
pub(super) enum DurabilityArg {
    /// The loss of power: every change is synced
    #[default]
    Power,
    /// The end of the process: the system writes when it likes
    Process,
}

impl From<DurabilityArg> for Durability {
    fn from(argument: DurabilityArg) -> Self {
        match argument {
            DurabilityArg::Power => Self::PowerLoss,
            DurabilityArg::Process => Self::Process,
        }
    }
}

/// How documents come into an index.
#[derive(Debug, Args)]
struct ComingArgs {
    /// What a change that was acknowledged survives: the loss of power, or the end of the process
    #[arg(
        long,
        hide_short_help = true,
        value_name = "WHAT",
        value_enum,
        default_value_t,
        hide_possible_values = true,
        help_heading = "Index"
    )]
    durability: DurabilityArg,
    /// Remove them after this time, as 12h, 30d [default: never]
    #[arg(long, value_name = "TIME", value_parser = seconds, help_heading = "Index")]
    ttl: Option<u64>,
    /// Write counts, parameters and times as JSON
    #[arg(long, hide_short_help = true, value_name = "FILE.json", help_heading = "Run")]
    summary: Option<PathBuf>,
}

/// Whether documents may take the place of others.
#[derive(Debug, Args)]
struct ReplacingArgs {
    /// Refuse documents with ids that the index has
    ///
    /// Nothing is added then. Without it they take the place of those with the same ids. A record without an id is
    /// known by its content: it takes the place of none, and is not added where the content is there.
    #[arg(long, help_heading = "Index")]
    no_replace: bool,
}

impl ReplacingArgs {
    fn replacing(&self) -> Replacing {
        if self.no_replace { Replacing::Refused } else { Replacing::Allowed }
    }
}

/// What an index stores beside the sets.
#[derive(Debug, Args)]
#[command(next_help_heading = "Index")]
struct StoredArgs {
    /// Store these fields, as url,date [default: none]
    ///
    /// `search` and `index get` tell them. A value of JSON, Parquet or Arrow is stored as JSON, one of CSV or TSV as a
    /// string. In WARC files a field is url, date or a header. A record may lack a field.
    #[arg(long, value_name = "FIELDS", value_delimiter = ',', value_parser = NonEmptyStringValueParser::new())]
    store: Vec<String>,
    /// Store the texts, too, compressed
    ///
    /// `index get` tells them.
    #[arg(long)]
    store_texts: bool,
    /// Store signatures, not sets: answers are estimates
    ///
    /// About 400 bytes a document at 0.8. A signature has a byte for each row of the bands of --method minhash.
    /// `search` then tells an estimated similarity with its interval; commands that verify, `dedup` among them, refuse
    /// the index.
    #[arg(long)]
    signatures: bool,
    /// Hash shingles by a secret of this index
    ///
    /// For texts of strangers, who could otherwise search for texts that collide with those of others and so seem
    /// similar. Snapshots, other indexes and `dedup --against` do not fit such an index; `search`, `index add` and
    /// `serve` do.
    #[arg(long, hide_short_help = true)]
    keyed: bool,
}

impl StoredArgs {
    fn storage(&self) -> Storage {
        if self.signatures { Storage::Signatures } else { Storage::Sets }
    }

    fn carried(&self) -> Carried {
        Carried { texts: self.store_texts, ..Carried::of_fields(self.store.iter().cloned()) }
    }
}

/// Arguments of `lookalike index create`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lookalike index create news.idx news.jsonl -t 0.5
  lookalike index create laws.idx laws/*.parquet --measure containment
  lookalike index create old.idx old.snapshot
  lookalike index create web.idx pages.jsonl --store url,date --store-texts

The threshold is the lowest that `search` can ask for. All of this is kept.")]
struct CreateArgs {
    /// Folder of the index, which is not there yet
    #[arg(value_name = "IDX", value_parser = local_name())]
    index: PathBuf,
    #[command(flatten)]
    input: InputArgs,
    #[command(flatten)]
    stored: StoredArgs,
    #[command(flatten)]
    coming: ComingArgs,
    #[command(flatten)]
    search: SearchArgs,
    #[command(flatten)]
    text: TextArgs,
    #[command(flatten)]
    resources: ResourceArgs,
}

/// Arguments of `lookalike index add`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lookalike index add news.idx today.jsonl
  lookalike index add news.idx today.jsonl --unless-near 0.8 -o near.jsonl")]
struct AddArgs {
    /// Folder of the index
    #[arg(value_name = "IDX", value_parser = local_name())]
    index: PathBuf,
    #[command(flatten)]
    input: InputArgs,
    /// Add only documents to which none is near, in the index or before them, at T or above [default of T: that of the
    /// index]
    #[arg(long, value_name = "T", num_args = 0..=1, allow_negative_numbers = true, help_heading = "Index")]
    unless_near: Option<Option<Threshold>>,
    /// File for those that were not added, each with the nearest document [default: none]
    #[arg(short, long, value_name = "FILE", requires = "unless_near", help_heading = "Output")]
    output: Option<PathBuf>,
    /// Format of these rows [default: by the extension of FILE, else jsonl]
    #[arg(long, value_name = "FORMAT", value_enum, requires = "output", help_heading = "Output")]
    format: Option<FormatArg>,
    #[command(flatten)]
    replacing: ReplacingArgs,
    #[command(flatten)]
    coming: ComingArgs,
    #[command(flatten)]
    text: TextArgs,
    #[command(flatten)]
    resources: ResourceArgs,
}

/// Arguments of `lookalike index remove`.
#[derive(Debug, Args)]
struct RemoveArgs {
    /// Folder of the index
    #[arg(value_name = "IDX", value_parser = local_name())]
    index: PathBuf,
    /// Ids of the documents; - for one a line from stdin
    #[arg(value_name = "ID", required = true, value_parser = document_name())]
    ids: Vec<String>,
    /// What a change that was acknowledged survives: the loss of power, or the end of the process
    #[arg(long, value_name = "WHAT", value_enum, default_value_t, hide_possible_values = true)]
    durability: DurabilityArg,
}

/// Arguments of `lookalike index get`.
#[derive(Debug, Args)]
struct GetArgs {
    /// Folder of the index
    #[arg(value_name = "IDX", value_parser = local_name())]
    index: PathBuf,
    /// Ids of the documents; - for one a line from stdin
    #[arg(value_name = "ID", required = true, value_parser = document_name())]
    ids: Vec<String>,
}

/// Arguments of `lookalike index backup`.
#[derive(Debug, Args)]
struct BackupArgs {
    /// Folder of the index
    #[arg(value_name = "IDX", value_parser = local_name())]
    index: PathBuf,
    /// Folder of the copy, which is not there yet
    #[arg(value_name = "COPY", value_parser = local_name())]
    copy: PathBuf,
}

/// A time in seconds.
fn seconds(text: &str) -> Result<u64, String> {
    let error = || "expected a number with s, m, h or d behind it, as 30d".to_owned();
    let (number, unit) = text.split_at_checked(text.len().saturating_sub(1)).ok_or_else(error)?;
    let unit = match unit {
        "s" => 1,
        "m" => 60,
        "h" => 60 * 60,
        "d" => 24 * 60 * 60,
        _ => return Err(error()),
    };
    let number: u64 = number.parse().map_err(|_| error())?;
    number.checked_mul(unit).filter(|&seconds| seconds > 0).ok_or_else(error)
}

/// Runs the command.
pub(crate) fn run(args: &IndexArgs, voice: Voice) -> Result<Outcome> {
    match &args.command {
        IndexCommand::Create(args) => create(args, voice)?,
        IndexCommand::Add(args) => add(args, voice)?,
        IndexCommand::Remove(args) => remove(args, voice)?,
        IndexCommand::Get(args) => get(args, voice)?,
        IndexCommand::Compact(args) => {
            let mut writer = open_to_write(&args.index, Durability::PowerLoss, voice)?;
            writer.compact().map_err(lookalike::Error::from)?;
            remove_leftovers(&args.index);
            remove_leftovers(&parent_of(&args.index));
            say_size(&writer.index().info(), voice);
        }
        IndexCommand::Verify(args) => verify(args, voice)?,
        IndexCommand::Info(args) => print_info(&open(&args.index, voice)?.info(), args.json)?,
        IndexCommand::Backup(args) => {
            remove_leftovers(&parent_of(&args.copy));
            let torn_bytes = index::backup(&args.index, &args.copy).map_err(lookalike::Error::from)?;
            say_interrupted_write(&args.index, torn_bytes, voice);
            say_size(&open(&args.copy, voice)?.info(), voice);
        }
    }
    Ok(Outcome::Done)
}

fn create(args: &CreateArgs, voice: Voice) -> Result<()> {
    let CreateArgs { index, input, stored, coming, search, text, resources } = args;
    search.check_to_make()?;
    let inputs = if input.are_known() { input.inputs()? } else { input.inputs_without_files() };
    let inputs = Inputs { carried: stored.carried(), ..inputs };
    let made_of = StoredNouns::of_first(&inputs.inputs)?;
    let nouns = NounFlags { input, texts: None, text }.nouns(inputs, made_of)?;
    let job = Job {
        measure: nouns.measure(search, References::Given)?,
        inputs: nouns.inputs,
        features: nouns.features,
        method: search.method()?,
        idf: search.idf.clone(),
        outputs: Outputs { summary: coming.summary.clone(), spared: text.files(), ..Outputs::default() },
        ..Job::default()
    };
    let keying = if stored.keyed { Keying::Secret } else { Keying::Public };
    let change = IndexChange { storage: stored.storage(), keying, ..change(job, index, coming, Additions::All) };
    let report = with_progress(resources, voice, |resources, progress| {
        jobs::create_index(&change, &Data::default(), resources, progress)
    })?;
    say_changed(&report, voice);
    Ok(())
}

fn add(args: &AddArgs, voice: Voice) -> Result<()> {
    let AddArgs { index, input, unless_near, output, format, replacing, coming, text, resources } = args;
    let additions = match unless_near {
        None => Additions::All,
        Some(None) => Additions::UnlessNear(None),
        Some(Some(threshold)) => {
            let measure = open(index, voice)?.settings().measure;
            let Some(measure) = measure.with_threshold(*threshold) else {
                bail!("the index answers by {}, which has no threshold: say --unless-near alone", measure.name());
            };
            Additions::UnlessNear(Some(measure))
        }
    };
    let outputs = Outputs {
        rows: output.clone(),
        row_format: format.map(Into::into),
        summary: coming.summary.clone(),
        spared: text.files(),
        ..Outputs::default()
    };
    // The index reads documents by its own features: flags may only agree.
    let nouns = NounFlags { input, texts: None, text }.nouns(input.inputs()?, StoredNouns::of_first([index])?)?;
    let job = Job { inputs: nouns.inputs, outputs, ..Job::default() };
    let change = IndexChange { replacing: replacing.replacing(), ..change(job, index, coming, additions) };
    let report = with_progress(resources, voice, |resources, progress| {
        jobs::add_to_index(&change, &Data::default(), resources, progress)
    })?;
    say_changed(&report, voice);
    Ok(())
}

fn change(job: Job, index: &Path, coming: &ComingArgs, additions: Additions) -> IndexChange {
    let ComingArgs { durability, ttl, summary: _ } = coming;
    let index = index.to_owned();
    let durability = (*durability).into();
    let time_to_live = *ttl;
    IndexChange { job, index, durability, time_to_live, additions, ..IndexChange::default() }
}

fn with_progress(
    resources: &ResourceArgs,
    voice: Voice,
    job: impl FnOnce(&lookalike::Resources, &Terminal) -> lookalike::Result<Report>,
) -> Result<Report> {
    watch_interrupts();
    let progress = Terminal::new(resources.progress, voice);
    let report = job(&resources.resources()?, &progress);
    progress.finish();
    Ok(report?)
}

fn say_changed(report: &Report, voice: Voice) {
    if let Found::Index { counts, .. } = &report.found {
        say_numbers(report, added_to_index(counts), voice);
    }
}

fn open(path: &Path, voice: Voice) -> Result<Index> {
    let index = Index::open(path).map_err(lookalike::Error::from)?;
    say_interrupted_write(path, index.torn_bytes(), voice);
    Ok(index)
}

/// The folder in which a folder is.
fn parent_of(folder: &Path) -> PathBuf {
    match folder.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent.to_owned(),
        _ => PathBuf::from("."),
    }
}

fn say_interrupted_write(index: &Path, torn_bytes: u64, voice: Voice) {
    if torn_bytes > 0 {
        voice.say(format!("note: {}", index::interrupted_write_note(index, torn_bytes)));
    }
}

fn open_to_write(path: &Path, durability: Durability, voice: Voice) -> Result<IndexWriter> {
    let writer = IndexWriter::open(path, durability).map_err(lookalike::Error::from)?;
    if writer.torn_bytes() > 0 {
        let bytes = counted(writer.torn_bytes(), "byte");
        voice.say(format!("cut {bytes} off the log: a write that did not come to its end"));
    }
    Ok(writer)
}

/// The ids of the arguments, or of standard input, one a line.
fn ids(given: &[String]) -> Result<Vec<String>> {
    match given {
        [one] if one == "-" => {
            let lines = io::stdin().lock().lines().map(|line| Ok(without_mark(&line?).to_owned()));
            lines.collect::<io::Result<_>>().context("cannot read stdin")
        }
        _ => Ok(given.to_vec()),
    }
}

fn remove(args: &RemoveArgs, voice: Voice) -> Result<()> {
    let mut writer = open_to_write(&args.index, args.durability.into(), voice)?;
    let ids = ids(&args.ids)?;
    let view = writer.index().view();
    check_ids(&ids, |id| view.find(id).is_some(), &args.index)?;
    let ids: BTreeSet<String> = ids.into_iter().collect();
    let removed = counted(ids.len() as u64, "document");
    writer.commit(ids.into_iter().map(Change::Delete).collect()).map_err(lookalike::Error::from)?;
    let left = writer.index().view().len() as u64;
    voice.say(format!("{removed} removed; the index has {}", thousands(left)));
    Ok(())
}

fn check_ids(ids: &[String], is_there: impl Fn(&str) -> bool, index: &Path) -> Result<()> {
    match ids.iter().find(|id| !is_there(id)) {
        Some(id) => Err(lookalike::Error::NotInCorpus { path: index.to_owned(), id: id.clone() }.into()),
        None => Ok(()),
    }
}

fn get(args: &GetArgs, voice: Voice) -> Result<()> {
    let index = open(&args.index, voice)?;
    let ids = ids(&args.ids)?;
    let view = index.view();
    check_ids(&ids, |id| view.find(id).is_some(), &args.index)?;
    let settings = index.settings();
    let mut stdout = io::stdout().lock();
    for place in ids.iter().filter_map(|id| view.find(id)) {
        let facts = view.facts(place);
        let text = settings.texts.then(|| view.text(place)).transpose().map_err(lookalike::Error::from)?;
        let document = ShownDocument {
            id: view.id(place),
            elements: view.size(place),
            characters: facts.characters,
            expires: facts.expires(),
            fields: (!settings.fields.is_empty()).then(|| StoredFields::new(view.fields(place))),
            text,
        };
        writeln!(stdout, "{}", serde_json::to_string(&document)?)?;
    }
    Ok(())
}

/// A document as `index get` shows it.
#[derive(Debug, Serialize)]
struct ShownDocument<'a> {
    id: &'a str,
    elements: usize,
    characters: u64,
    expires: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fields: Option<StoredFields<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
}

fn verify(args: &OneIndexArgs, voice: Voice) -> Result<()> {
    let problems = index::verify(&args.index).map_err(lookalike::Error::from)?;
    for problem in &problems {
        say(format_args!("{}: {}", problem.file, escaped(&problem.what)));
    }
    match problems.len() {
        0 => voice.say(format!("{}: every byte is as it was written", args.index.display())),
        count => bail!("{} has {}", args.index.display(), counted(count as u64, "problem")),
    }
    Ok(())
}

fn say_size(info: &IndexInfo, voice: Voice) {
    let documents = counted(info.documents, "document");
    let segments = counted(info.segments.len() as u64, "segment");
    voice.say(format!("{documents} in {segments}, {}", ByteSize(info.bytes).display().iec()));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_units() {
        assert_eq!(["90s", "15m", "12h", "30d"].map(|text| seconds(text).unwrap()), [90, 900, 43_200, 2_592_000]);
        for wrong in ["", "d", "30", "-1d", "0s", "1w", "ü", "99999999999999999999d"] {
            assert!(seconds(wrong).is_err(), "{wrong}");
        }
    }
}
