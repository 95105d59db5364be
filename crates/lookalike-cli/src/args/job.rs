//! The parameters that flags mean together: what they leave open follows from an index or a snapshot among the files of
//! the job.

use super::output::{ReportArgs, check_page_name};
use super::run::ResourceArgs;
use super::{InputArgs, References, SearchArgs, TextArgs, TextsArgs};
use anyhow::Result;
use clap::Args;
use lookalike::jobs::StoredParameters;
use lookalike::{Features, Inputs, Job, Measure, Outputs, measures::Subject, rows::RowSources};
use std::path::PathBuf;

/// The inputs of a job and the features of its documents.
#[derive(Debug)]
pub(crate) struct JobInputs {
    pub(crate) inputs: Inputs,
    /// The signatures by which candidates are found, if texts are given beside them.
    signatures: Option<Inputs>,
    pub(crate) features: Features,
    /// The index or snapshot from which they follow.
    pub(crate) stored: Option<StoredParameters>,
    subject: Subject,
}

impl JobInputs {
    /// The parameters for `inputs`, of which `stored` is the first index or snapshot. `texts` are the flags for texts
    /// beside signatures, in jobs that take signatures.
    ///
    /// # Errors
    /// If flags do not fit each other, or differ from what the stored file was made for.
    pub(crate) fn from_flags(
        input: &InputArgs,
        texts: Option<&TextsArgs>,
        text: &TextArgs,
        inputs: Inputs,
        stored: Option<StoredParameters>,
    ) -> Result<Self> {
        let (mut inputs, signatures) = match texts {
            Some(texts) => texts.split(inputs, input.text_field())?,
            None => (inputs, None),
        };
        if let Some(stored) = &stored {
            inputs = stored.inputs(inputs)?;
            if let Some(fingerprints) = &mut inputs.fingerprints {
                input.bits().complete(fingerprints, stored)?;
            }
        }
        let features = text.features_beside(stored.as_ref())?;
        let subject = match features {
            Features::WholeText => Subject::WholeTexts,
            _ => text.subject(Subject::from_inputs(&inputs))?,
        };
        Ok(Self { inputs, signatures, features, stored, subject })
    }

    /// The measure that the flags name.
    ///
    /// # Errors
    /// As [`SearchArgs::measure`].
    pub(crate) fn measure(&self, search: &SearchArgs, references: References) -> Result<Measure> {
        search.measure(references, self.subject, self.stored.as_ref().and_then(|stored| stored.measure))
    }
}

/// Flags of the jobs that look for near-duplicates among their inputs: dedup, pairs, clusters.
#[derive(Debug, Args)]
pub(crate) struct JobArgs {
    /// Name the file of each document in rows of pairs, clusters and removals: a_source and b_source, source,
    /// kept_source
    #[arg(long, hide_short_help = true, help_heading = "Output")]
    with_source: bool,
    #[command(flatten)]
    search: SearchArgs,
    #[command(flatten)]
    text: TextArgs,
    #[command(flatten)]
    pub(crate) resources: ResourceArgs,
    /// Write a page to read in a browser, with texts [default: none]
    ///
    /// One file that loads nothing: figures, a histogram, a sample of what was found by a rule that it states, with
    /// both texts side by side, common passages coloured and differences marked.
    #[arg(id = "report", long = "report", value_name = "FILE.html", help_heading = "Output")]
    page: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) report: ReportArgs,
}

impl JobArgs {
    /// The job over `inputs` that these flags mean, without the rule and the outputs of the command.
    ///
    /// # Errors
    /// If flags do not fit each other or a stored file.
    pub(crate) fn job(
        &self,
        input: &InputArgs,
        texts: &TextsArgs,
        inputs: Inputs,
        references: References,
    ) -> Result<Job> {
        let Self { search, text, .. } = self;
        self.page.as_deref().map_or(Ok(()), check_page_name)?;
        let stored = StoredParameters::of_first(inputs.against.iter().chain(&inputs.inputs))?;
        let parameters = JobInputs::from_flags(input, Some(texts), text, inputs, stored)?;
        Ok(Job {
            measure: parameters.measure(search, references)?,
            inputs: parameters.inputs,
            features: parameters.features,
            method: search.method()?,
            signatures: parameters.signatures,
            check: search.check(),
            idf: search.idf.clone(),
            outputs: Outputs {
                row_sources: if self.with_source { RowSources::Named } else { RowSources::Absent },
                summary: self.report.summary.clone(),
                report: self.page.clone(),
                idf: search.save_idf.clone(),
                side_files: self.report.side_files(),
                spared: text.files(),
                ..Outputs::default()
            },
            ..Job::default()
        })
    }
}
