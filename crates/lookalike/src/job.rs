//! A job: what is read, the four parameters that decide about the answer, and where the answers go.

mod outputs;

pub use outputs::{ClusterLayout, ExistingFiles, LeftOut, Outputs, RecordMode, SideFiles, SnapshotTokens};

use crate::base::details::{
    GroupConflict, InsteadOfPoints, MemoryConflict, OfTexts, SignatureConflict, Textless, WholeTextConflict,
};
use crate::base::{Contradiction, Error, Result, SignatureError};
use lookalike_core::comparison::{Features, Measure, Method, SearchPlan};
use lookalike_core::documents::Multiplicity;
use lookalike_core::rule::{Order, Rule};
use lookalike_core::sets::{ShingleOptions, Side};
use lookalike_core::similarity::Weights;
use lookalike_core::stored::Provenance;
use lookalike_core::text::TextOptions;
use lookalike_io::base::details::PointKind;
use lookalike_io::{
    Inputs,
    formats::{RowFormat, ids_of_array},
    rows::Annotation,
    sources::{Fingerprints, GivenVectors, InMemory, RepeatedIds},
};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// A job. With the same job, the answers are the same bytes, whatever [`lookalike_core::Resources`] it is run with.
///
/// ```
/// use lookalike::{Inputs, Job, Measure, Outputs};
///
/// let job = Job {
///     inputs: Inputs { inputs: vec!["news.jsonl".into()], ..Inputs::default() },
///     measure: Measure::jaccard("0.9".parse()?),
///     outputs: Outputs { records: Some("clean.jsonl".into()), ..Outputs::default() },
///     ..Job::default()
/// };
/// # Ok::<(), lookalike::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Job {
    /// Inputs, and the form of their records.
    pub inputs: Inputs,
    /// Features of documents.
    pub features: Features,
    /// Measure, with its threshold.
    pub measure: Measure,
    /// The file with the document frequencies by which terms are weighted; `None` for those of the documents.
    pub idf: Option<PathBuf>,
    /// Method that finds candidates.
    pub method: Method,
    /// The files of MinHash signatures by which candidates are found, in place of those that would be made.
    pub signatures: Option<Inputs>,
    /// Rule for what follows from pairs.
    pub rule: Rule,
    /// On what answers are checked.
    pub check: Check,
    /// Outputs for the answers.
    pub outputs: Outputs,
}

impl Job {
    /// The job with all that follows from its parameters: which field orders the records, which one they must not have,
    /// and that sets of items have features of items, fingerprints are bits, and vectors are vectors.
    ///
    /// # Errors
    /// If the parameters do not fit each other, or the data.
    pub(crate) fn completed(&self, data: &Data) -> Result<Self> {
        self.check_data(data)?;
        // Of the features that were requested: those of items say nothing of shingles.
        self.check_groups()?;
        self.check_whole_texts()?;
        let mut job = Self { outputs: self.outputs.clone().with_local_paths()?, ..self.clone() };
        let mut fields = self.rule.order().map(Order::score_fields).unwrap_or_default().into_iter().map(str::to_owned);
        if let Some(field) = fields.next() {
            job.inputs.score_field = Some(field);
            job.inputs.more_score_fields = fields.collect();
        }
        if self.outputs.mode == RecordMode::Annotated {
            job.inputs.reserved_field = Some(Annotation::NAME.to_owned());
        }
        job.features = self.inputs.features(&job.features);
        if let Measure::Cosine(cosine) = self.measure {
            if self.features.shingle().multiplicity == Multiplicity::Bag {
                return Err(Contradiction::BagAndWeights.into());
            }
            // With a weight of 1, counts of items do not count.
            job.features = job.features.with_multiplicity(cosine.weights.multiplicity());
        }
        if self.signatures.is_some() {
            job.method = self.method_by_signatures()?;
        }
        if let Some(points) = self.inputs.points().filter(|_| self.inputs.items.is_some()) {
            return Err(Contradiction::PointsAndItems { points }.into());
        }
        if let Some(images) = self.inputs.images {
            job.inputs = job.inputs.of_images(images);
        }
        if let Some(Fingerprints { width, .. }) = job.inputs.fingerprints {
            job.features = Features::Bits { width };
        }
        match job.inputs.vectors {
            GivenVectors::Absent => {}
            GivenVectors::Signatures => job.features = Features::Signature,
            GivenVectors::Any | GivenVectors::WithDirection => {
                job.features = Features::Vector;
                job.inputs.vectors = GivenVectors::compared_by(self.measure);
            }
        }
        job.check_parameters(data)?;
        Ok(job)
    }

    /// The method that takes the signatures that are given.
    fn method_by_signatures(&self) -> Result<Method> {
        let found = match (self.method, self.measure, &self.rule) {
            (_, _, Rule::Against | Rule::Beside { .. }) => SignatureConflict::References,
            (_, Measure::Jaccard(_), _) if self.inputs.points().is_some() => SignatureConflict::Points,
            (_, Measure::Jaccard(_), _) if self.features == Features::WholeText => SignatureConflict::WholeTexts,
            (Method::Auto(minhash) | Method::MinHash(minhash), Measure::Jaccard(_), _) => {
                return Ok(Method::MinHash(minhash));
            }
            (_, Measure::Jaccard(_), _) => SignatureConflict::Method,
            _ => SignatureConflict::Measure,
        };
        Err(SignatureError::NotByThem { found }.into())
    }

    fn check_idf(&self) -> Result<()> {
        let has_use = self.measure.weighted().is_some_and(|cosine| cosine.weights == Weights::TfIdf);
        match (&self.idf, &self.outputs.idf) {
            (Some(_), Some(_)) => Err(Contradiction::FrequenciesLoadedAndSaved.into()),
            (None, None) => Ok(()),
            (Some(_), None) | (None, Some(_)) if has_use => Ok(()),
            (Some(_), None) | (None, Some(_)) => Err(Contradiction::FrequenciesWithoutUse.into()),
        }
    }

    /// Checks that nothing but the bytes of texts is needed of whole texts.
    fn check_whole_texts(&self) -> Result<()> {
        let Inputs { items, group_by, .. } = &self.inputs;
        if self.features != Features::WholeText {
            return Ok(());
        }
        let points = self.inputs.points();
        let found = if items.is_some() || group_by.is_some() {
            WholeTextConflict::Textless(Textless::Items)
        } else if let Some(points) = points {
            WholeTextConflict::Textless(Textless::Points(points))
        } else if !matches!(self.measure, Measure::Jaccard(_)) {
            WholeTextConflict::Measure
        } else if !matches!(self.method, Method::Auto(_) | Method::Exact) {
            WholeTextConflict::Method
        } else {
            return Ok(());
        };
        Err(Contradiction::NotForWholeTexts { found }.into())
    }

    /// Provenance of the records that the job writes: its parameters, and how records are written.
    pub(crate) fn records_provenance(&self) -> Result<Provenance> {
        let Self { features, measure, method, rule, outputs, .. } = self;
        let inputs = self.inputs.without_paths();
        let provenance = Provenance::new().with(&inputs)?.with(features)?.with(measure)?.with(method)?.with(rule)?;
        let mode = match outputs.mode {
            RecordMode::Kept => "kept",
            RecordMode::Annotated => "annotated",
        };
        let format = outputs.format.map_or("as read", RowFormat::name);
        let check = match self.check {
            Check::Hashes => "hashes",
            Check::Texts => "texts",
        };
        let provenance = match &self.signatures {
            None => provenance,
            Some(Inputs { inputs, .. }) => {
                // An array has its ids beside it.
                let files = inputs.iter().cloned().chain(inputs.iter().filter_map(|path| ids_of_array(path)));
                let states: Vec<String> = files.map(|path| state_of(&path)).collect();
                provenance.with_fact("signatures", states.join("; "))
            }
        };
        let provenance = match &self.idf {
            None => provenance,
            Some(path) => provenance.with_fact("document frequencies", state_of(path)),
        };
        Ok(provenance.with_fact("records", mode).with_fact("format of records", format).with_fact("check", check))
    }

    /// Checks that documents in memory stand for files, not beside them, and have no records that can be written.
    fn check_data(&self, data: &Data) -> Result<()> {
        let has_inputs = data.inputs.is_some();
        let has_references = data.references.is_some();
        let found = if has_inputs && !self.inputs.inputs.is_empty() {
            MemoryConflict::Inputs
        } else if has_references && !self.inputs.against.is_empty() {
            MemoryConflict::References
        } else if has_inputs && self.inputs.against.is_empty() && self.inputs.leaves_out() {
            MemoryConflict::LeftOut
        } else if has_inputs && self.outputs.records.is_some() {
            MemoryConflict::Records
        } else if (has_inputs || has_references) && self.inputs.images.is_some() {
            MemoryConflict::Images
        } else {
            return Ok(());
        };
        Err(Contradiction::NotInMemory { found }.into())
    }

    /// Checks what does not go with groups of rows.
    fn check_groups(&self) -> Result<()> {
        let Inputs { text_field, group_by, count_field, repeated_ids, .. } = &self.inputs;
        let Some(group) = group_by else {
            return count_field
                .as_ref()
                .map_or(Ok(()), |field| Err(Contradiction::GroupsNeeded { field: field.clone() }.into()));
        };
        if text_field == group || count_field.as_ref().is_some_and(|count| count == text_field || count == group) {
            let field = if text_field == group { group } else { count_field.as_ref().unwrap_or(group) };
            return Err(Contradiction::FieldOfGroupsTwice { field: field.clone() }.into());
        }
        let has_other_order = |order: &Order| !matches!(order, Order::First | Order::Last);
        let found = if self.inputs.points().is_some() {
            GroupConflict::Points
        } else if self.check == Check::Texts {
            GroupConflict::CheckOnTexts
        } else if self.rule.order().is_some_and(has_other_order) {
            GroupConflict::Order
        } else if *repeated_ids == RepeatedIds::Refused {
            GroupConflict::UniqueIds
        } else if has_text_options(&self.features) {
            GroupConflict::TextOptions
        } else {
            return Ok(());
        };
        Err(Contradiction::NotForGroups { found }.into())
    }

    fn check_parameters(&self, data: &Data) -> Result<()> {
        let Inputs { text_field, id_field, score_field, more_score_fields, items, .. } = &self.inputs;
        if text_field == id_field && self.inputs.group_by.is_none() {
            return Err(Contradiction::TextIsId { field: text_field.clone() }.into());
        }
        if score_field.iter().chain(more_score_fields).any(|field| field == text_field) {
            return Err(Contradiction::OrderedByText { field: text_field.clone() }.into());
        }
        // The length of an image is the number of its pixels.
        if let Some(found) = self.inputs.points().filter(|_| self.inputs.images.is_none())
            && self.rule.order().is_some_and(Order::compares_lengths)
        {
            return Err(Error::Contradiction(Contradiction::NoLength { found }));
        }
        let has_references = !self.inputs.against.is_empty() || data.references.is_some();
        let takes_references = self.rule.takes_references() || self.rule == Rule::Pairs && has_references;
        if has_references != takes_references {
            return Err(Contradiction::RuleAndReferences { rule: self.rule.clone() }.into());
        }
        if self.features.are_of_items() && items.is_none() && self.inputs.group_by.is_none() {
            return Err(Contradiction::ItemsNeeded.into());
        }
        let are_records = self.outputs.format.is_some() || self.outputs.mode == RecordMode::Annotated;
        let is_of_records = |path: &Path| {
            are_records || path == Path::new("-") || path.extension().is_some() && RowFormat::from_path(path).is_ok()
        };
        if let Some(path) = self.outputs.records.as_deref().filter(|path| is_of_records(path))
            && self.inputs.images.is_some()
        {
            return Err(Contradiction::ImagesAsRecords { path: path.to_owned() }.into());
        }
        if self.features.width().is_some() && self.inputs.fingerprints.is_none() {
            let expected = PointKind::Fingerprints;
            return Err(Contradiction::PointsNeeded { measure: self.measure, expected }.into());
        }
        if let Measure::Containment(containment) = self.measure
            && containment.contained != Side::Either
            && !self.rule.takes_references()
        {
            return Err(Contradiction::SideWithoutReferences.into());
        }
        if let Some(cosine) = self.measure.weighted()
            && self.check == Check::Texts
        {
            return Err(Contradiction::CheckAndWeights { weights: cosine.weights }.into());
        }
        self.check_idf()?;
        self.measure.check()?;
        self.features.check()?;
        SearchPlan::new(self.measure, self.method)?;
        if let Method::Fingerprint(fingerprint) = self.method {
            fingerprint.select.check(self.features.shingle())?;
        }
        Ok(())
    }

    /// Checks that documents are no groups of rows, which do not go with the job.
    ///
    /// # Errors
    /// [`Contradiction::NotForGroups`].
    pub(crate) fn check_no_groups(&self, found: GroupConflict) -> Result<()> {
        match self.inputs.group_by {
            Some(_) => Err(Contradiction::NotForGroups { found }.into()),
            None => Ok(()),
        }
    }

    /// Checks that documents are no signatures, where the job needs the texts.
    ///
    /// # Errors
    /// [`SignatureError::TextsNeeded`].
    pub(crate) fn check_no_signatures(&self, asked: OfTexts) -> Result<()> {
        match self.features {
            Features::Signature => Err(SignatureError::TextsNeeded { asked }.into()),
            _ => Ok(()),
        }
    }

    /// Checks that documents are not removed by what signatures estimate.
    ///
    /// # Errors
    /// [`SignatureError::Removal`].
    pub(crate) fn check_removal(&self) -> Result<()> {
        match (&self.features, &self.rule) {
            (Features::Signature, Rule::Against) => Err(SignatureError::Removal.into()),
            (Features::Signature, rule) if rule.order().is_some() => Err(SignatureError::Removal.into()),
            _ => Ok(()),
        }
    }

    /// Checks that counts of terms are compared by weights: of a job as it is given, because [`Job::completed`] takes
    /// counts that do not count out of the features.
    ///
    /// # Errors
    /// [`Contradiction::CountsWithoutWeights`].
    pub(crate) fn check_counts(&self) -> Result<()> {
        let has_counts = self.features.shingle().multiplicity == Multiplicity::Counted;
        if has_counts && self.measure.weighted().is_none() {
            return Err(Contradiction::CountsWithoutWeights.into());
        }
        Ok(())
    }

    /// Checks that documents of these features can be compared by the measure.
    ///
    /// # Errors
    /// [`Contradiction::CountsWithoutWeights`], [`Contradiction::PointsNeeded`], [`Contradiction::PointsAndMeasure`],
    /// [`Contradiction::NoTextsToCheck`].
    pub(crate) fn check_comparison(&self) -> Result<()> {
        self.check_counts()?;
        let measure = self.measure;
        let (found, fits, instead) = match &self.features {
            Features::Bits { width } => {
                let fits = self.measure.hamming().is_some_and(|hamming| hamming.width == *width);
                (PointKind::Fingerprints, fits, InsteadOfPoints::Hamming)
            }
            Features::Vector => (PointKind::Vectors, measure.is_of_vectors(), InsteadOfPoints::OfVectors),
            Features::Signature => {
                let fits = matches!(self.measure, Measure::Signature(_));
                (PointKind::Signatures, fits, InsteadOfPoints::Agreement)
            }
            Features::Set { .. } | Features::Spelled { .. } | Features::WholeText => {
                let Some(expected) = measure.points() else { return Ok(()) };
                return Err(Contradiction::PointsNeeded { measure, expected }.into());
            }
        };
        if self.check == Check::Texts {
            return Err(Contradiction::NoTextsToCheck { found }.into());
        }
        if fits { Ok(()) } else { Err(Contradiction::PointsAndMeasure { measure, found, instead }.into()) }
    }
}

/// Documents in the memory of the program that runs a job; `None` for those that the paths of the job name.
#[derive(Debug, Clone, Default)]
pub struct Data {
    /// The documents.
    pub inputs: Option<InMemory>,
    /// The references.
    pub references: Option<InMemory>,
}

/// Size and time of a file, by which a change of it is noticed.
fn state_of(path: &Path) -> String {
    let state = path.metadata().and_then(|data| Ok((data.len(), data.modified()?)));
    state.map_or_else(|_| "not readable".to_owned(), |(bytes, time)| format!("{bytes} bytes of {time:?}"))
}

/// Returns whether features differ from the default in what has no effect on items.
fn has_text_options(features: &Features) -> bool {
    let shingle = features.shingle();
    let default = ShingleOptions::default();
    let has_shingles = !features.are_of_items() && shingle.size != default.size;
    has_shingles || shingle.stride != default.stride || *features.text() != TextOptions::default()
}

/// On what answers are checked. Stored in lower case.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Check {
    /// On the element sets, which hold hashes: wrong only for texts that were made so that their hashes collide.
    #[default]
    Hashes,
    /// On the texts, too, which are read once more and compared by their tokens.
    Texts,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Resources, Silent, jobs};
    use lookalike_io::sources::ItemSeparator;

    fn job_with(rule: Rule, job: &Job) -> Job {
        Job { rule, ..job.clone() }
    }

    fn keeps_highest(field: &str) -> Job {
        Job { rule: Rule::Keepers { keep: Order::Highest { field: field.to_owned() } }, ..Job::default() }
    }

    #[test]
    fn what_follows_from_the_nouns_need_not_be_said_twice() {
        let outputs = Outputs { mode: RecordMode::Annotated, ..Outputs::default() };
        let inputs = Inputs { items: Some(ItemSeparator::Blanks), ..Inputs::default() };
        let job = Job { inputs, outputs, ..keeps_highest("date") }.completed(&Data::default()).unwrap();
        assert_eq!(job.inputs.score_field.as_deref(), Some("date"));
        assert_eq!(job.inputs.reserved_field.as_deref(), Some("lookalike"));
        assert!(job.features.are_of_items());
    }

    #[test]
    fn nouns_that_do_not_fit_each_other_are_refused() {
        let same = Inputs { id_field: "text".to_owned(), ..Inputs::default() };
        assert!(matches!(
            Job { inputs: same, ..Job::default() }.completed(&Data::default()),
            Err(Error::Contradiction(Contradiction::TextIsId { .. }))
        ));
        assert!(matches!(
            keeps_highest("text").completed(&Data::default()),
            Err(Error::Contradiction(Contradiction::OrderedByText { .. }))
        ));
        let inputs = Inputs { against: vec!["old.jsonl".into()], ..Inputs::default() };
        let job = Job { inputs, ..Job::default() };
        assert!(matches!(
            job.completed(&Data::default()),
            Err(Error::Contradiction(Contradiction::RuleAndReferences { rule: Rule::Keepers { .. } }))
        ));
        job_with(Rule::Against, &job).completed(&Data::default()).unwrap();
        let alone = job_with(Rule::Against, &Job::default());
        assert!(matches!(
            alone.completed(&Data::default()),
            Err(Error::Contradiction(Contradiction::RuleAndReferences { rule: Rule::Against }))
        ));
        let features = Features::shingles(ShingleOptions::items());
        assert!(matches!(
            Job { features, ..Job::default() }.completed(&Data::default()),
            Err(Error::Contradiction(Contradiction::ItemsNeeded))
        ));
    }

    #[test]
    fn an_output_that_a_job_does_not_have_is_refused_before_the_work() {
        let outputs = Outputs { snapshot: Some("s.snapshot".into()), ..Outputs::default() };
        let error = jobs::run(&Job { outputs, ..Job::default() }, &Resources::default(), &Silent).unwrap_err();
        assert_eq!(error.to_string(), "the job dedup writes no snapshot");
        let error = jobs::snapshot(&Job::default(), &Data::default(), &Resources::default(), &Silent).unwrap_err();
        assert_eq!(error.to_string(), "the job snapshot needs an output for its snapshot");
    }
}
