//! `lookalike index`: documents that come and go in a folder, to be asked with `search`.

mod info;

use self::info::{InfoArgs, print_info};
use crate::args::{
    InputArgs, JobInputs, References, ResourceArgs, SearchArgs, TextArgs, document_name, local_name, one_of,
    row_formats,
};
use crate::messages::{Voice, added_to_index, counted, say, say_numbers, thousands};
use crate::outcome::ExitStatus;
use crate::progress::run_job;
use anyhow::{Context, Result, bail};
use bytesize::ByteSize;
use clap::builder::{NonEmptyStringValueParser, TypedValueParser};
use clap::{Args, Subcommand};
use lookalike::index::{self, Change, Durability, Index, IndexInfo, IndexWriter, Storage, View};
use lookalike::jobs::{self, AdditionPolicy, Found, IndexChange, Keying, Replacing, Report, StoredParameters};
use lookalike::{
    Data, Inputs, Job, Outputs,
    doors::{escaped, remove_leftovers, without_mark},
    inputs::Carried,
    measures::Threshold,
    outputs::RowFormat,
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
    Get(DocumentArgs),
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

/// Parser of what acknowledged changes survive.
pub(super) fn durabilities() -> impl TypedValueParser<Value = Durability> {
    one_of([
        ("power", "The loss of power: every change is synced", Durability::PowerLoss),
        ("process", "The end of the process: the system writes when it likes", Durability::Process),
    ])
}

/// Changes that add documents to an index.
#[derive(Debug, Args)]
struct ComingArgs {
    /// Event that an acknowledged change survives: the loss of power, or the end of the process
    #[arg(
        long,
        hide_short_help = true,
        value_name = "WHAT",
        default_value = "power",
        value_parser = durabilities(),
        hide_possible_values = true,
        help_heading = "Index"
    )]
    durability: Durability,
    /// Remove them after this time, as 12h, 30d [default: never]
    #[arg(long, value_name = "TIME", value_parser = seconds, help_heading = "Index")]
    ttl: Option<u64>,
    /// Write counts, parameters and times as JSON
    #[arg(long, hide_short_help = true, value_name = "FILE.json", help_heading = "Run")]
    summary: Option<PathBuf>,
}

/// Contents of an index beside the sets.
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
    #[arg(long, value_name = "T", num_args = 0..=1, help_heading = "Index")]
    unless_near: Option<Option<Threshold>>,
    /// File for those that were not added, each with the nearest document [default: none]
    #[arg(short, long, value_name = "FILE", requires = "unless_near", help_heading = "Output")]
    output: Option<PathBuf>,
    /// Format of these rows [default: by the extension of FILE, else jsonl]
    #[arg(long, value_name = "FORMAT", value_parser = row_formats(), requires = "output", help_heading = "Output")]
    format: Option<RowFormat>,
    /// Refuse documents with ids that the index has
    ///
    /// Nothing is added then. Without it they take the place of those with the same ids. A record without an id is
    /// known by its content: it takes the place of none, and is not added where the content is there.
    #[arg(long, help_heading = "Index")]
    no_replace: bool,
    #[command(flatten)]
    coming: ComingArgs,
    #[command(flatten)]
    text: TextArgs,
    #[command(flatten)]
    resources: ResourceArgs,
}

/// Documents of an index.
#[derive(Debug, Args)]
struct DocumentArgs {
    /// Folder of the index
    #[arg(value_name = "IDX", value_parser = local_name())]
    index: PathBuf,
    /// Ids of the documents; - for one a line from stdin
    #[arg(value_name = "ID", required = true, value_parser = document_name())]
    ids: Vec<String>,
}

/// Arguments of `lookalike index remove`.
#[derive(Debug, Args)]
struct RemoveArgs {
    #[command(flatten)]
    documents: DocumentArgs,
    /// Event that an acknowledged change survives: the loss of power, or the end of the process
    #[arg(
        long,
        value_name = "WHAT",
        default_value = "power",
        value_parser = durabilities(),
        hide_possible_values = true
    )]
    durability: Durability,
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
pub(crate) fn run(args: &IndexArgs, voice: Voice) -> Result<ExitStatus> {
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
    Ok(ExitStatus::Done)
}

fn create(args: &CreateArgs, voice: Voice) -> Result<()> {
    let CreateArgs { index, input, stored, coming, search, text, resources } = args;
    search.check_to_make()?;
    let inputs = if input.are_known() { input.inputs()? } else { input.inputs_without_files() };
    let inputs = Inputs { carried: stored.carried(), ..inputs };
    let made_of = StoredParameters::of_first(&inputs.inputs)?;
    let parameters = JobInputs::from_flags(input, None, text, inputs, made_of)?;
    let job = Job {
        measure: parameters.measure(search, References::Given)?,
        inputs: parameters.inputs,
        features: parameters.features,
        method: search.method()?,
        idf: search.idf.clone(),
        outputs: Outputs { summary: coming.summary.clone(), spared: text.files(), ..Outputs::default() },
        ..Job::default()
    };
    let keying = if stored.keyed { Keying::Secret } else { Keying::Public };
    let change = IndexChange { storage: stored.storage(), keying, ..change(job, index, coming, AdditionPolicy::All) };
    let report = run_job(resources, voice, |resources, progress| {
        jobs::create_index(&change, &Data::default(), resources, progress)
    })?;
    say_changed(&report, voice);
    Ok(())
}

fn add(args: &AddArgs, voice: Voice) -> Result<()> {
    let AddArgs { index, input, unless_near, output, format, coming, text, resources, .. } = args;
    let additions = match unless_near {
        None => AdditionPolicy::All,
        Some(None) => AdditionPolicy::UnlessNear(None),
        Some(Some(threshold)) => {
            let measure = open(index, voice)?.settings().measure;
            let Some(measure) = measure.with_threshold(*threshold) else {
                bail!("the index answers by {}, which has no threshold: say --unless-near alone", measure.name());
            };
            AdditionPolicy::UnlessNear(Some(measure))
        }
    };
    let outputs = Outputs {
        rows: output.clone(),
        row_format: *format,
        summary: coming.summary.clone(),
        spared: text.files(),
        ..Outputs::default()
    };
    // The index reads documents by its own features: flags may only agree.
    let parameters = JobInputs::from_flags(input, None, text, input.inputs()?, StoredParameters::of_first([index])?)?;
    let job = Job { inputs: parameters.inputs, outputs, ..Job::default() };
    let replacing = if args.no_replace { Replacing::Refused } else { Replacing::Allowed };
    let change = IndexChange { replacing, ..change(job, index, coming, additions) };
    let report = run_job(resources, voice, |resources, progress| {
        jobs::add_to_index(&change, &Data::default(), resources, progress)
    })?;
    say_changed(&report, voice);
    Ok(())
}

fn change(job: Job, index: &Path, coming: &ComingArgs, additions: AdditionPolicy) -> IndexChange {
    IndexChange {
        job,
        index: index.to_owned(),
        durability: coming.durability,
        time_to_live: coming.ttl,
        additions,
        ..IndexChange::default()
    }
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

impl DocumentArgs {
    /// The ids, of the arguments or of standard input, one a line.
    ///
    /// # Errors
    /// If one is not in the index.
    fn ids_in(&self, view: &View) -> Result<Vec<String>> {
        let ids = match &self.ids[..] {
            [one] if one == "-" => {
                let lines = io::stdin().lock().lines().map(|line| Ok(without_mark(&line?).to_owned()));
                lines.collect::<io::Result<_>>().context("cannot read stdin")?
            }
            given => given.to_vec(),
        };
        match ids.iter().find(|id| view.find(id).is_none()) {
            Some(id) => Err(lookalike::Error::NotInCorpus { path: self.index.clone(), id: id.clone() }.into()),
            None => Ok(ids),
        }
    }
}

fn remove(RemoveArgs { documents, durability }: &RemoveArgs, voice: Voice) -> Result<()> {
    let mut writer = open_to_write(&documents.index, *durability, voice)?;
    let ids: BTreeSet<String> = documents.ids_in(&writer.index().view())?.into_iter().collect();
    let removed = counted(ids.len() as u64, "document");
    writer.commit(ids.into_iter().map(Change::Delete).collect()).map_err(lookalike::Error::from)?;
    let left = writer.index().view().len() as u64;
    voice.say(format!("{removed} removed; the index has {}", thousands(left)));
    Ok(())
}

fn get(args: &DocumentArgs, voice: Voice) -> Result<()> {
    let index = open(&args.index, voice)?;
    let view = index.view();
    let ids = args.ids_in(&view)?;
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
