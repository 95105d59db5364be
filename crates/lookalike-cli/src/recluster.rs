//! `lookalike recluster`: another threshold or another choice of what is kept, from saved pairs.

use crate::Outcome;
use crate::args::{InputArgs, ItemsArg, OnErrorArg, When};
use crate::dedup::{KeepArg, print_report};
use crate::pairs::{ClusterOutput, format_of};
use crate::progress::{Terminal, watch_interrupts};
use crate::words::{counted, say, thousands};
use anyhow::{Result, bail};
use bytesize::ByteSize;
use clap::Args;
use lookalike::core::decide::Cluster;
use lookalike::{
    DedupOutputs, DedupReport, Discovered, KeepPolicy, Options, OutputPaths, RecordMode, SavedPairs, Session,
    Threshold, check_outputs, pipeline, publish_all,
};
use std::path::PathBuf;

/// Arguments of `lookalike recluster`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Run `pairs` once at the lowest threshold that may be wanted; any higher one then takes seconds. Of the documents only keys and \
lengths are read again, and only with --documents.

Examples:
  lookalike pairs news.jsonl --threshold 0.5 -o pairs.jsonl
  lookalike recluster pairs.jsonl --threshold 0.7 -o clusters.csv
  lookalike recluster pairs.jsonl --threshold 0.9 --removed removed.jsonl
  lookalike recluster pairs.jsonl --threshold 0.9 --documents news.jsonl --records clean.jsonl --keep longest")]
pub(crate) struct ReclusterArgs {
    /// File of `lookalike pairs` (.jsonl, .csv, .tsv, .parquet, .arrow)
    #[arg(value_name = "PAIRS", help_heading = "Input")]
    pairs: PathBuf,
    /// Least similarity, inclusive; not below the one that the pairs were found with
    #[arg(long, value_name = "T", allow_negative_numbers = true, help_heading = "Search")]
    threshold: Threshold,
    /// The documents that the pairs were found in [default: none]
    #[arg(long, value_name = "INPUT", num_args = 1.., help_heading = "Input")]
    documents: Vec<PathBuf>,
    /// Field with the text
    #[arg(long, hide_short_help = true, value_name = "FIELD", default_value = "text", help_heading = "Input")]
    text_field: String,
    /// Field with the key; records without it are named FILE:LINE
    #[arg(long, hide_short_help = true, value_name = "FIELD", default_value = "id", help_heading = "Input")]
    id_field: String,
    #[command(flatten)]
    items: ItemsArg,
    /// At a record that cannot be used: end without output, or report it, leave it out and exit with 2 at the end
    #[arg(long, value_name = "WHAT", value_enum, default_value_t, help_heading = "Input")]
    on_error: OnErrorArg,
    /// Longest record that is taken, as for `pairs`
    #[arg(long, hide_short_help = true, value_name = "SIZE", default_value = "64MiB", help_heading = "Input")]
    max_document: ByteSize,
    /// File for the connected groups (.jsonl, .csv, .tsv, .parquet, .arrow: a row a document; .json: groups) [default: stdout, if nothing
    /// else is asked for]
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    output: Option<PathBuf>,
    /// File for one row a document that dedup would remove: key, kept, similarity, reason
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    removed: Option<PathBuf>,
    /// File or folder for the records that dedup would keep
    #[arg(long, value_name = "OUT", requires = "documents", help_heading = "Output")]
    records: Option<PathBuf>,
    /// Which copy stays: first, last; with --documents also longest, shortest, max:FIELD, min:FIELD, source
    #[arg(long, value_name = "WHICH", default_value = "first", help_heading = "Output")]
    keep: KeepArg,
    /// Draw progress on stderr; auto means at a terminal
    #[arg(long, hide_short_help = true, value_name = "WHEN", value_enum, default_value_t, help_heading = "Run")]
    progress: When,
}

/// Runs the command.
pub(crate) fn run(args: &ReclusterArgs) -> Result<Outcome> {
    watch_interrupts();
    let options = args.options()?;
    let wanted = args.wanted_clusters();
    let inputs = [&args.documents[..], std::slice::from_ref(&args.pairs)].concat();
    check_outputs(&inputs, [&wanted, &args.removed, &args.records].into_iter().flatten())?;
    let progress = Terminal::new(args.progress, 2);
    let session = Session::new(&options, &progress)?;
    let found = if args.documents.is_empty() { None } else { Some(session.discover(&args.documents)?) };
    let aside = options.aside();
    let clusters_output = wanted.as_deref().map(|path| ClusterOutput::create(path, format_of(path), &aside));
    let clusters_output = clusters_output.transpose()?;
    let outputs = args.dedup_outputs(found.as_ref())?;

    let saved = match &found {
        Some(found) => SavedPairs::read_for(&args.pairs, args.threshold, pipeline::read_keys(found, &session)?)?,
        None => SavedPairs::read(&args.pairs, args.threshold)?,
    };
    let clusters = saved.clusters();
    let decisions = saved.decide(&args.keep.policy, args.keep.field.as_deref())?;
    let mut written = lookalike::write_dedup(&saved.corpus, &decisions, outputs, &session)?;
    if let Some(output) = clusters_output {
        written.push(output.write(&saved.corpus, &clusters, &session)?);
    }
    progress.finish();
    publish_all(written)?;
    say_pairs(&saved, &clusters, args.threshold);
    if found.is_some() {
        print_report(&DedupReport::new(&saved.corpus, &decisions), &saved.corpus, "");
    }
    Ok(if saved.corpus.bad_records > 0 { Outcome::BadRecords } else { Outcome::Done })
}

impl ReclusterArgs {
    fn options(&self) -> Result<Options> {
        let needs_documents = !matches!(self.keep.policy, KeepPolicy::First | KeepPolicy::Last);
        if needs_documents && self.documents.is_empty() {
            bail!("--keep: pairs only tell first and last; name the --documents for another choice");
        }
        let mut fields = InputArgs::field_names(&self.text_field, &self.id_field)?;
        fields.score.clone_from(&self.keep.field);
        fields.items = self.items.separator();
        let (on_error, most_record_bytes) = (self.on_error.into(), self.max_document.as_u64());
        Ok(Options { fields, on_error, most_record_bytes, threshold: self.threshold, ..Options::default() })
    }

    /// Where the groups go.
    fn wanted_clusters(&self) -> Option<PathBuf> {
        let is_alone = self.removed.is_none() && self.records.is_none();
        self.output.clone().or_else(|| is_alone.then(|| PathBuf::from("-")))
    }

    fn dedup_outputs(&self, found: Option<&Discovered>) -> Result<DedupOutputs> {
        let nothing = Discovered::nothing();
        let (records, removed) = (self.records.clone(), self.removed.clone());
        let paths = OutputPaths { records, removed, format: None, ..OutputPaths::default() };
        Ok(DedupOutputs::create(found.unwrap_or(&nothing), RecordMode::Kept, &paths)?)
    }
}

fn say_pairs(saved: &SavedPairs, clusters: &[Cluster], threshold: Threshold) {
    let members: usize = clusters.iter().map(|cluster| cluster.members.len()).sum();
    say(format_args!(
        "{} at {threshold} or above: {} with {} documents",
        counted(saved.len() as u64, "pair"),
        counted(clusters.len() as u64, "cluster"),
        thousands(members as u64)
    ));
    if threshold.as_f64() < saved.least_similarity && !saved.is_empty() {
        say(format_args!(
            "note: the least similarity in the file is {}: were the pairs found with a higher threshold than {threshold}?",
            saved.least_similarity
        ));
    }
}
