//! Repeated passages cut out of texts: their first occurrence stays.

use super::checks::{check_features, check_texts};
use crate::corpus::{Listing, Records, TextsAgain};
use crate::ground::{Contradiction, OutputKind, Progress, Result};
use crate::job::{Data, Job, RecordMode};
use crate::jobs::basis::{basis_of, without_paths};
use crate::jobs::counts::{CorpusCounts, CutCounts};
use crate::jobs::dedup::writing;
use crate::jobs::report::{Found, Report};
use crate::jobs::running::{Command, Running};
use crate::passages::{CutSpans, Cuts, Cutting, LocatedCut, TextCutter, cut_spans, find_cuts, locate_cuts};
use crate::run::Session;
use crate::write::{CutRecords, Outcome, RecordOutput, check_annotations, check_editable, write_records};
use lookalike_core::Resources;
use lookalike_core::features::{Features, ShingleOptions, ShingleSize};
use lookalike_core::passages::TokenSpan;
use lookalike_core::rule::{Order, Rule};
use lookalike_core::text::TokenUnit;
use lookalike_io::{CutRow, Discovered, RowWriter, Sealed};

/// What is cut, and what is left.
#[derive(Debug, Clone, PartialEq)]
pub struct Cut {
    /// Shingles of its features are the runs that are cut; the order of its rule says which occurrence is the first.
    /// With references, what stands in them is cut, and nothing else. Measure and method are not looked at.
    pub job: Job,
    /// What stands in the place of each cut between two tokens that stay; `None` for what separated them.
    pub separator: Option<String>,
    /// Documents of which fewer tokens are left go as a whole. Those without a cut stay.
    pub min_left: u32,
}

impl Cut {
    /// The shortest run that is cut, if nothing else is said: fifty words. Lee et al. 2022 ("Deduplicating Training
    /// Data Makes Language Models Better", section 4.1) take fifty tokens.
    pub const SHINGLE: ShingleSize = ShingleSize { unit: TokenUnit::Word, tokens: 50 };
    /// Tokens that must be left, if nothing else is said: an empty text is no document.
    pub const MIN_LEFT: u32 = 1;
}

impl Default for Cut {
    fn default() -> Self {
        let shingle = ShingleOptions { size: Self::SHINGLE, ..ShingleOptions::default() };
        let job = Job { features: Features::shingles(shingle), ..Job::default() };
        Self { job, separator: None, min_left: Self::MIN_LEFT }
    }
}

/// Cuts out of the texts of documents what occurred before.
///
/// # Errors
/// As [`crate::jobs::run()`]; if an input has no texts, or none that can be written again.
pub fn cut(cut: &Cut, resources: &Resources, progress: &dyn Progress) -> Result<Report> {
    let outputs = &cut.job.outputs;
    let is_located = outputs.removed.is_some() || outputs.mode == RecordMode::Annotated;
    let writes = &[OutputKind::Records, OutputKind::Removed, OutputKind::Summary];
    let stages = 2 + usize::from(is_located) + usize::from(outputs.records.is_some());
    let command = Command { name: "cut", writes, stages };
    let rule = if cut.job.inputs.against.is_empty() { cut.job.rule.clone() } else { Rule::Against };
    let job = Job { rule, ..cut.job.clone() };
    check_features(&job)?;
    if job.inputs.group_by.is_some() {
        return Err(Contradiction::NotForGroups { found: "cuts, which are made in texts" }.into());
    }
    let running = Running::begin_with(command, (&job, &Data::default()), resources, progress)?;
    let (job, session) = (&running.job, &running.session);
    let provenance = job
        .records_provenance()?
        .with_fact("separator", cut.separator.clone())
        .with_fact("tokens that must be left", cut.min_left);
    let records = job.outputs.records.as_deref();
    let was_published = records.map_or(Ok(false), |path| session.has_published(path, &provenance))?;
    let found = running.discover()?;
    let mut outputs = CutOutputs::create(&found, job, !was_published, session)?;
    outputs.records = outputs.records.map(|output| output.depending_on(provenance));
    let found = running.with_references(found)?;
    check_texts(found.references.sources.iter().chain(&found.inputs.sources))?;
    let (listing, records) = running.read_ids(&found.references, &found.inputs)?;
    let keep = job.rule.order().cloned().unwrap_or(Order::First);
    let (listing, records) = (&listing, &records);
    let (inputs, features, min_left) = (&job.inputs, &job.features, cut.min_left);
    let cuts = find_cuts(&Cutting { listing, records, inputs, features, keep: &keep, min_left }, session)?;
    let writing = Writing { cut, job, listing, records, cuts: &cuts, session };
    let written = writing.write(outputs, &without_paths(&basis_of("cut", job, None)?)?)?;
    let found = Found::Cut { counts: CutCounts::new(listing, &cuts), was_published };
    running.finish(written, found, CorpusCounts::of_listed(listing, records))
}

/// The outputs, in their staging files until they are published.
struct CutOutputs {
    records: Option<RecordOutput>,
    removed: Option<RowWriter>,
}

impl CutOutputs {
    fn create(found: &Discovered, job: &Job, writes_records: bool, session: &Session<'_>) -> Result<Self> {
        let (outputs, staging) = (&job.outputs, session.staging());
        let records = outputs.records.as_deref().filter(|_| writes_records);
        match (outputs.mode, &outputs.records) {
            (RecordMode::Annotated, _) => check_annotations(found, job, outputs.format)?,
            (RecordMode::Kept, Some(path)) => check_editable(found, path, job)?,
            (RecordMode::Kept, None) => {}
        }
        let records = records.map(|path| RecordOutput::create(found, path, job, &staging)).transpose()?;
        let removed = outputs.removed.as_deref();
        let removed = removed.map(|path| RowWriter::create_with(path, None, CutRow::HEADER, &staging));
        Ok(Self { records, removed: removed.transpose()? })
    }
}

/// All that is known when outputs are written.
struct Writing<'a> {
    cut: &'a Cut,
    job: &'a Job,
    listing: &'a Listing,
    records: &'a Records,
    cuts: &'a Cuts,
    session: &'a Session<'a>,
}

impl Writing<'_> {
    fn write(&self, outputs: CutOutputs, basis: &str) -> Result<Vec<Sealed>> {
        let mut written = Vec::new();
        if let Some(mut removed) = outputs.removed {
            removed.describe(basis);
            written.push(self.write_removed(removed)?);
        }
        if let Some(mut records) = outputs.records {
            records.describe(basis.to_owned());
            let spans = match self.job.outputs.mode {
                RecordMode::Kept => None,
                RecordMode::Annotated => Some(cut_spans(self.cuts, self.texts(), self.session)?),
            };
            written.push(self.write_records(records, spans.as_ref())?);
        }
        Ok(written)
    }

    fn texts(&self) -> TextsAgain<'_> {
        let Job { inputs, features, .. } = self.job;
        TextsAgain { stage: "locating", records: self.records, inputs, features, wanted: &[] }
    }

    /// Writes a row for each piece that is cut.
    fn write_removed(&self, mut writer: RowWriter) -> Result<Sealed> {
        let id = |document| self.listing.ids.get(document);
        locate_cuts(self.cuts, self.texts(), self.session, |located| {
            let LocatedCut { document, kept, tokens, here, there, is_dropped } = located;
            let TokenSpan { start, end, line, end_line } = here;
            Ok(writer.write(&CutRow {
                id: id(document).into(),
                tokens: tokens.into(),
                start,
                end,
                line,
                end_line,
                kept: id(kept).into(),
                kept_start: there.start,
                kept_end: there.end,
                kept_line: there.line,
                kept_end_line: there.end_line,
                document_removed: is_dropped,
            })?)
        })?;
        Ok(writer.seal()?)
    }

    fn write_records(&self, output: RecordOutput, spans: Option<&CutSpans>) -> Result<Sealed> {
        let Self { cut, job, listing, records, cuts, session } = *self;
        let cutter = TextCutter::new(cuts, &job.features, cut.separator.as_deref(), session);
        let outcome = Outcome::Cut(CutRecords { cuts, cutter, spans });
        session.stage(writing(records), || write_records((listing, records), &outcome, output, job, session))
    }
}
