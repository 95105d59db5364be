//! Repeated passages cut out of texts: their first occurrence stays.

use super::{check_features, check_texts};
use crate::base::details::GroupConflict;
use crate::base::{OutputKind, Progress, Result, Stage};
use crate::corpus::{Listing, Records, TextsAgain};
use crate::job::{Job, RecordMode};
use crate::jobs::basis::without_paths;
use crate::jobs::dedup::{RemovalOutputs, writing};
use crate::jobs::running::{JobCommand, Running};
use crate::pages::{AttributedAs, CutSample, SourcesOf, sealed_page};
use crate::passages::{CutSpans, Cuts, Cutting, LocatedCut, TextCutter, cut_spans, find_cuts, locate_cuts};
use crate::report::{CorpusCounts, CutCounts, Found, Report};
use crate::run::Session;
use crate::write::{CutRecords, Outcome, RecordOutput, check_annotations, check_editable, write_records};
use lookalike_core::comparison::Features;
use lookalike_core::passages::{CutLimits, TokenSpan};
use lookalike_core::rule::{Order, Rule};
use lookalike_core::sets::{ShingleOptions, ShingleSize};
use lookalike_core::text::TokenUnit;
use lookalike_core::{Resources, counted, thousands};
use lookalike_io::{AtomicFile, RowWriter, outputs::Sealed, rows::CutRow};

/// A cut of repeated passages.
#[derive(Debug, Clone, PartialEq)]
pub struct PassageCut {
    /// Shingles of its features are the runs that are cut; the order of its rule says which occurrence is the first.
    /// With references, what stands in them is cut, and nothing else. Measure and method are not looked at.
    pub job: Job,
    /// Text in the place of each cut between two tokens that stay; `None` for what separated them.
    pub separator: Option<String>,
    /// Documents of which fewer words are left go as a whole. Those without a cut stay. Where tokens are characters,
    /// these are counted.
    pub min_left: u32,
    /// Runs of fewer words stay, and headings at the end of a run; `None` for [`PassageCut::MIN_UNIT_WORDS`] where
    /// tokens are lines, sentences or paragraphs, else for 0.
    pub min_cut: Option<u32>,
    /// Words between two cuts that go as well, at most.
    pub min_between: u32,
}

impl PassageCut {
    /// The shortest run that is cut, if nothing else is said: fifty words. Lee et al. 2022 ("Deduplicating Training
    /// Data Makes Language Models Better", section 4.1) take fifty tokens.
    pub const SHINGLE: ShingleSize = ShingleSize { unit: TokenUnit::Word, tokens: 50 };
    /// Words that must be left, if nothing else is said: an empty text is no document.
    pub const MIN_LEFT: u32 = 1;
    /// Words of the shortest run of text units that is cut, if nothing else is said: 99 % of the headings in the
    /// documentation of programs are shorter (`bench/results/passages.md`).
    pub const MIN_UNIT_WORDS: u32 = 8;

    /// Limits of the runs that are cut.
    fn limits(&self) -> CutLimits {
        let usual = match self.job.features.shingle().size.unit {
            TokenUnit::TextUnit(_) => Self::MIN_UNIT_WORDS,
            TokenUnit::Word | TokenUnit::Character | TokenUnit::Item => 0,
        };
        CutLimits { min_cut: self.min_cut.unwrap_or(usual), min_between: self.min_between }
    }
}

impl Default for PassageCut {
    fn default() -> Self {
        let shingle = ShingleOptions { size: Self::SHINGLE, ..ShingleOptions::default() };
        let job = Job { features: Features::shingles(shingle), ..Job::default() };
        Self { job, separator: None, min_left: Self::MIN_LEFT, min_cut: None, min_between: 0 }
    }
}

/// Cuts out of the texts of documents what occurred before.
///
/// # Errors
/// As [`crate::jobs::run()`]; if an input has no texts, or none that can be written again.
pub fn cut(cut: &PassageCut, resources: &Resources, progress: &dyn Progress) -> Result<Report> {
    let outputs = &cut.job.outputs;
    let is_located = outputs.removed.is_some() || outputs.report.is_some() || outputs.mode == RecordMode::Annotated;
    let writes =
        &[OutputKind::Records, OutputKind::LeftOut, OutputKind::Removed, OutputKind::Summary, OutputKind::Report];
    let mut stages = vec![Stage::READING, Stage::FINDING_REPEATS];
    stages.extend(is_located.then_some(Stage::LOCATING));
    stages.extend(outputs.records.iter().map(|_| Stage::WRITING));
    let command = JobCommand { name: "cut", writes, stages };
    let rule = if cut.job.inputs.against.is_empty() { cut.job.rule.clone() } else { Rule::Against };
    let job = Job { rule, ..cut.job.clone() };
    check_features(&job)?;
    job.check_no_groups(GroupConflict::Cuts)?;
    let running = Running::begin(command, &job, resources, progress)?;
    let job = &running.job;
    let session = &running.session;
    let limits = cut.limits();
    let provenance = job
        .records_provenance()?
        .with_fact("separator", cut.separator.clone())
        .with_fact("words that must be left", cut.min_left)
        .with_fact("words of the shortest cut", limits.min_cut)
        .with_fact("words between cuts", limits.min_between);
    let records = job.outputs.records.as_deref();
    let was_published = records.map_or(Ok(false), |path| session.has_published(path, &provenance))?;
    let found = running.discover()?;
    match (job.outputs.mode, records) {
        (RecordMode::Annotated, _) => check_annotations(&found, job, job.outputs.format)?,
        (RecordMode::Kept, Some(path)) => check_editable(&found, path, job)?,
        (RecordMode::Kept, None) => {}
    }
    let records = records.filter(|_| !was_published);
    let mut outputs = RemovalOutputs::begin(&found, records, &CutRow::header(), job, session)?;
    outputs.records = outputs.records.map(|output| output.depending_on(provenance));
    let report = running.report_file()?;
    let found = running.with_references(found)?;
    check_texts(found.all())?;
    let (listing, records) = running.read_ids(&found.references, &found.inputs)?;
    let keep = job.rule.order().cloned().unwrap_or(Order::First);
    let cutting = Cutting {
        listing: &listing,
        records: &records,
        inputs: &job.inputs,
        features: &job.features,
        keep: &keep,
        limits,
        min_left: cut.min_left,
    };
    let cuts = find_cuts(&cutting, session)?;
    let counts = CutCounts::new(&listing, &cuts);
    let writing = Writing { cut, job, listing: &listing, records: &records, cuts: &cuts, counts, session };
    let written = writing.write(outputs, report, &running.basis(None)?)?;
    let found = Found::Cut { counts, was_published };
    running.finish(written, found, CorpusCounts::of_listed(&listing, &records))
}

/// Parameters and answers of a cut whose outputs are written.
struct Writing<'a> {
    cut: &'a PassageCut,
    job: &'a Job,
    listing: &'a Listing,
    records: &'a Records,
    cuts: &'a Cuts,
    counts: CutCounts,
    session: &'a Session<'a>,
}

impl Writing<'_> {
    fn write(&self, outputs: RemovalOutputs, report: Option<AtomicFile>, basis: &str) -> Result<Vec<Sealed>> {
        let RemovalOutputs { records, mut removed } = outputs;
        let of_rows = without_paths(basis)?;
        if let Some(removed) = &mut removed {
            removed.describe(&of_rows);
        }
        let mut sample = report.as_ref().map(|_| CutSample::default());
        if removed.is_some() || sample.is_some() {
            self.visit_cuts(removed.as_mut(), sample.as_mut())?;
        }
        let mut written = removed.map(RowWriter::seal).transpose()?.into_iter().collect::<Vec<_>>();
        if let Some((file, sample)) = report.zip(sample) {
            let Self { job, listing, records, session, .. } = *self;
            let of = SourcesOf { job, listing, records, shown_as: AttributedAs::Cuts, about: self.about(), basis };
            written.push(sealed_page(file, &sample.page(&of, self.counts.documents, session)?)?);
        }
        if let Some(mut records) = records {
            records.describe(of_rows);
            let spans = match self.job.outputs.mode {
                RecordMode::Kept => None,
                RecordMode::Annotated => Some(cut_spans(self.cuts, self.texts(), self.session)?),
            };
            written.extend(self.write_records(records, spans.as_ref())?);
        }
        Ok(written)
    }

    /// Summary of the cuts, in sentences.
    fn about(&self) -> Vec<String> {
        let Self { cut, counts, .. } = self;
        let CutLimits { min_cut, min_between } = cut.limits();
        let size = cut.job.features.shingle().size;
        let cut_tokens = counted(counts.cut_tokens, "token");
        let mut sentences = vec![format!(
            "Cut: {cut_tokens} of {} in runs of {size} or more that occurred before. Colours say in which document \
             they stay.",
            thousands(counts.tokens)
        )];
        if counts.spared_tokens > 0 {
            let spared = counted(counts.spared_tokens, "token");
            sentences.push(format!(
                "{spared} occurred before and stay: a cut has at least {}.",
                counted(min_cut.into(), "word")
            ));
        }
        if min_between > 0 {
            sentences.push(format!("{} between two cuts, or fewer, go as well.", counted(min_between.into(), "word")));
        }
        sentences
    }

    fn texts(&self) -> TextsAgain<'_> {
        let Job { inputs, features, .. } = self.job;
        TextsAgain { stage: Stage::LOCATING, records: self.records, inputs, features, wanted: &[] }
    }

    /// Writes a row for each piece that is cut, and offers it to the page.
    fn visit_cuts(&self, mut rows: Option<&mut RowWriter>, mut sample: Option<&mut CutSample>) -> Result<()> {
        let Self { listing, cuts, .. } = *self;
        locate_cuts(cuts, self.texts(), self.session, |located| {
            if let Some(sample) = &mut sample {
                sample.add(&located, cuts);
            }
            let LocatedCut { document, tokens, here, kept, is_dropped } = located;
            let TokenSpan { start, end, line, end_line } = here;
            let there = kept.map(|(_, there)| there);
            let Some(rows) = &mut rows else { return Ok(()) };
            Ok(rows.write(&CutRow {
                id: listing.ids.get(document).into(),
                tokens: tokens.into(),
                start,
                end,
                line,
                end_line,
                kept: kept.map(|(kept, _)| listing.ids.get(kept).into()),
                kept_start: there.map(|there| there.start),
                kept_end: there.map(|there| there.end),
                kept_line: there.map(|there| there.line),
                kept_end_line: there.map(|there| there.end_line),
                document_removed: is_dropped,
            })?)
        })
    }

    fn write_records(&self, output: RecordOutput, spans: Option<&CutSpans>) -> Result<Vec<Sealed>> {
        let Self { cut, job, listing, records, cuts, session, .. } = *self;
        let cutter = TextCutter::new(cuts, &job.features, cut.separator.as_deref(), session);
        let outcome = Outcome::Cut(CutRecords { cuts, cutter, spans });
        session.stage(writing(records), || write_records((listing, records), &outcome, output, job, session))
    }
}
