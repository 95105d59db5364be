//! `lookalike snapshot`: the ids and shingle sets of documents, saved.

use crate::args::{ExistingArgs, InputArgs, JobInputs, ResourceArgs, TextArgs};
use crate::messages::{Voice, counted, say_numbers};
use crate::outcome::ExitStatus;
use crate::progress::run_job;
use anyhow::Result;
use clap::Args;
use lookalike::jobs::StoredParameters;
use lookalike::{Data, Inputs, Job, Outputs, jobs, outputs::SnapshotTokens, texts::Multiplicity};
use std::path::PathBuf;

/// Arguments of `lookalike snapshot`.
#[derive(Debug, Args)]
#[command(
    after_help = "\
Examples:
  lookalike snapshot crawl-2024/*.jsonl.zst -o 2024.snapshot
  lookalike dedup crawl-2025/*.jsonl.zst --against 2024.snapshot -o new/",
    after_long_help = "\
A snapshot stands for its documents wherever they are only compared: as INPUT of pairs, clusters, dedup --dry-run and \
snapshot, and as REF of dedup --against. Flags for text and shingles follow from it. Several \
snapshots, or snapshots and documents, become one by making a snapshot of them. With --passages it is REF of sources, \
too; snapshots that become one then have passages, too.

Examples:
  lookalike snapshot crawl-2024/*.jsonl.zst -o 2024.snapshot
  lookalike dedup crawl-2025/*.jsonl.zst --against 2024.snapshot -o new/
  lookalike snapshot 2024.snapshot 2025.snapshot -o both.snapshot
  lookalike snapshot library/ -o library.snapshot --passages
  lookalike sources essay.txt --against library.snapshot"
)]
pub(crate) struct SnapshotArgs {
    #[command(flatten)]
    input: InputArgs,
    #[command(flatten)]
    existing: ExistingArgs,
    /// File for the snapshot
    #[arg(short, long, value_name = "FILE.snapshot", help_heading = "Output")]
    output: PathBuf,
    /// Field by which copies will be chosen (--keep max:FIELD, min:FIELD) [default: none]
    #[arg(long, value_name = "FIELD", help_heading = "Output")]
    score_field: Option<String>,
    /// Save how often each shingle or item occurs, too, for --measure cosine
    #[arg(
        long,
        help_heading = "Output",
        conflicts_with_all = ["bag", "bits", "vector", "signature", "features", "identical"]
    )]
    counts: bool,
    /// Save the tokens with their places, too, for passages: as REF of sources
    ///
    /// Twelve bytes a token, about. Texts are read twice for it.
    #[arg(long, help_heading = "Output", conflicts_with_all = ["items", "bits", "group_by", "identical"])]
    passages: bool,
    #[command(flatten)]
    text: TextArgs,
    #[command(flatten)]
    resources: ResourceArgs,
}

/// Runs the command.
pub(crate) fn run(args: &SnapshotArgs, voice: Voice) -> Result<ExitStatus> {
    let inputs = Inputs { score_field: args.score_field.clone(), ..args.input.inputs()? };
    let stored = StoredParameters::of_first(&inputs.inputs)?;
    let parameters = JobInputs::from_flags(&args.input, None, &args.text, inputs, stored)?;
    let job = Job {
        inputs: parameters.inputs,
        features: if args.counts {
            parameters.features.with_multiplicity(Multiplicity::Counted)
        } else {
            parameters.features
        },
        outputs: Outputs {
            snapshot: Some(args.output.clone()),
            snapshot_tokens: if args.passages { SnapshotTokens::Saved } else { SnapshotTokens::Omitted },
            spared: args.text.files(),
            existing: args.existing.files(),
            ..Outputs::default()
        },
        ..Job::default()
    };
    let report = run_job(&args.resources, voice, |resources, progress| {
        jobs::snapshot(&job, &Data::default(), resources, progress)
    })?;
    let documents = counted(report.corpus.documents, "document");
    let numbers = match (job.inputs.fingerprints, job.inputs.points()) {
        (None, Some(points)) => format!("{documents}: {points}"),
        (None, None) => format!("{documents} with {}", counted(report.corpus.tokens, "token")),
        (Some(fingerprints), _) => {
            format!("{documents} with fingerprints of {}", counted(fingerprints.width.into(), "bit"))
        }
    };
    say_numbers(&report, numbers, voice);
    Ok(ExitStatus::Done)
}
