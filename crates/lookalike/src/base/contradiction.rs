//! Parameters of a job that do not go together.

use super::details::{GroupConflict, InsteadOfPoints, MemoryConflict, Textless, WholeTextConflict};
use super::outputs::{FileInUse, OutputKind, describe_collision};
use lookalike_core::comparison::Measure;
use lookalike_core::rule::Rule;
use lookalike_core::similarity::Weights;
use lookalike_core::{counted, printed_path, thousands};
use lookalike_io::base::details::PointKind;
use lookalike_io::{base::shown, sources::ItemSeparator};
use std::path::PathBuf;

/// Parts of a job, or of a question, that do not go together; nothing was read yet.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Contradiction {
    /// Checksums of what is compared in another way than byte for byte.
    #[error("a checksum is that of a text or of items, not of {found}")]
    ChecksumOfPoints {
        /// The kind of the documents.
        found: PointKind,
    },
    /// Passages are looked for in what has no order of tokens.
    #[error("only texts have passages")]
    NoPassages,
    /// The job lacks an output that it cannot do without.
    #[error("the job {command} needs an output for its {output}")]
    MissingOutput {
        /// Name of the job.
        command: &'static str,
        /// The missing output.
        output: OutputKind,
    },
    /// The job is asked for an output that it does not have.
    #[error("the job {command} writes no {output}")]
    UnknownOutput {
        /// Name of the job.
        command: &'static str,
        /// The request.
        output: OutputKind,
    },
    /// Text and id are to be read from the same field.
    #[error("text and id are both the field `{field}`")]
    TextIsId {
        /// Name of the field.
        field: String,
    },
    /// The order is to follow from the field with the text.
    #[error("records cannot be ordered by their text field `{field}`")]
    OrderedByText {
        /// Name of the field.
        field: String,
    },
    /// Features of items were asked for, of inputs that hold texts.
    #[error("the features are made of items, and the inputs are to be read as texts")]
    ItemsNeeded,
    /// Another separator of items than an index or a snapshot was made with.
    #[error("{} was made of items with {expected} between them, and {found} was given", path.display())]
    OtherSeparator {
        /// The index or snapshot.
        path: PathBuf,
        /// The separator of its items.
        expected: ItemSeparator,
        /// The one that was given.
        found: ItemSeparator,
    },
    /// The inputs are to be compared with fingerprints or vectors, and nothing says where theirs are.
    #[error("{} holds {points}, and nothing says where those of the inputs are", path.display())]
    UnnamedPoints {
        /// The index or snapshot.
        path: PathBuf,
        /// Its content.
        points: PointKind,
        /// `true` if inputs are named as images.
        are_images: bool,
    },
    /// Groups of rows cannot be had with something else that the job asks for.
    #[error("documents that are groups of rows do not go with {found}")]
    NotForGroups {
        /// The conflict.
        found: GroupConflict,
    },
    /// Documents in memory cannot be had with something else that the job asks for.
    #[error("documents in memory do not go with {found}")]
    NotInMemory {
        /// The conflict.
        found: MemoryConflict,
    },
    /// Two roles of a row of a group are to be read from the same field.
    #[error("the field `{field}` has two roles in the rows of groups")]
    FieldOfGroupsTwice {
        /// Name of the field.
        field: String,
    },
    /// Counts of rows were asked for without groups.
    #[error("the field `{field}` is to hold counts of rows, and rows are not grouped")]
    GroupsNeeded {
        /// Name of the field.
        field: String,
    },
    /// Images cannot be written as records.
    #[error(
        "{} would hold records, and the documents are images: what stays of them goes to a folder",
        printed_path(path)
    )]
    ImagesAsRecords {
        /// The output.
        path: PathBuf,
    },
    /// Documents cannot be what two flags say.
    #[error("documents are {points} or sets of items, and not both")]
    PointsAndItems {
        /// Their kind but for the items.
        points: PointKind,
    },
    /// Two vectors cannot be compared.
    #[error("the vectors have {} and {} dimensions: only those with equally many are compared", found[0], found[1])]
    DimensionsOfTwo {
        /// Their numbers of dimensions.
        found: [usize; 2],
    },
    /// No projections within the maximum number have the recall.
    #[error("no bands of random projections find {recall} of the pairs at this threshold or distance")]
    NoProjections {
        /// The recall.
        recall: f64,
    },
    /// A measure of fingerprints or vectors was asked for, of inputs that hold texts.
    #[error("the measure {} compares {expected}, and the inputs are to be read as texts", measure.name())]
    PointsNeeded {
        /// The measure.
        measure: Measure,
        /// The kind of documents that it compares.
        expected: PointKind,
    },
    /// Fingerprints or vectors are to be compared by a measure of sets, or by one of fingerprints of another width.
    #[error("the measure {} does not compare these {found}: {instead}", measure.name())]
    PointsAndMeasure {
        /// The measure.
        measure: Measure,
        /// The kind of the documents.
        found: PointKind,
        /// The alternative.
        instead: InsteadOfPoints,
    },
    /// Answers are to be checked on texts, and the documents are fingerprints or vectors.
    #[error("{found} have no texts, on which answers are to be checked; they are compared themselves")]
    NoTextsToCheck {
        /// The kind of the documents.
        found: PointKind,
    },
    /// Documents are to be ordered by length, and they are fingerprints or vectors.
    #[error("{found} have no length, by which documents are to be ordered")]
    NoLength {
        /// The kind of the documents.
        found: PointKind,
    },
    /// Winnowed fingerprints are needed and the texts of the corpus were not winnowed.
    #[error("the texts of this corpus were not winnowed: a job does it while it reads; mod:P needs no texts")]
    NotWinnowed,
    /// Files without a document are to be copied or dropped, and the input is a file of records.
    #[error("the input is a file of records: no file is left out that could be copied or dropped")]
    NothingLeftOut,
    /// Documents are to take the place of none, and the index has these ids.
    #[error("the index has {} of these documents already: {}", counted(*count, "id"), listed(first, *count))]
    IdsInIndex {
        /// The first of them.
        first: Vec<String>,
        /// Number of them.
        count: u64,
    },
    /// The name of a record without an id, which is made of its content, is the id of a document with other content.
    #[error(
        "{} has no id and is called `{}` by its content, which another document has as its id: give that one another \
         id",
        shown(record),
        shown(id)
    )]
    ContentNameTaken {
        /// The record, by file and line.
        record: String,
        /// Its name.
        id: String,
    },
    /// References belong to the rules `against` and `beside`, and to pairs that are not written; and these to them.
    #[error(
        "the rule `{}` does not fit the references: `against` and `beside` need them, all other rules have none",
        rule.name()
    )]
    RuleAndReferences {
        /// The rule.
        rule: Rule,
    },
    /// A file is an input and a reference.
    #[error(
        "{} is an input and a reference: all of it would be removed or paired because of itself",
        printed_path(path)
    )]
    InputIsReference {
        /// The file.
        path: PathBuf,
    },
    /// A job does not know the rule that it is to follow.
    #[error("the job {command} knows no rule `{}`", rule.name())]
    UnknownRule {
        /// Name of the job.
        command: &'static str,
        /// The rule.
        rule: Rule,
    },
    /// An output is to be written into the folder of another one.
    #[error("the {output} would be written into {}, which is the folder of another output", printed_path(folder))]
    OutputInOutput {
        /// The output.
        output: OutputKind,
        /// The folder.
        folder: PathBuf,
    },
    /// Saved pairs tell the input order of their documents, and nothing else that another order could compare.
    #[error("the order `{order}` needs the documents: pairs only tell first and last")]
    DocumentsNeeded {
        /// The order.
        order: String,
    },
    /// An output would overwrite an input or another output.
    #[error("{}", describe_collision(*output, path, other))]
    OutputInUse {
        /// Content of the output.
        output: OutputKind,
        /// The output.
        path: PathBuf,
        /// The input or output that it would overwrite.
        other: FileInUse,
    },
    /// Rows are to have a file beside them that says what they depend on, but there is no file of rows.
    #[error("there is no file of rows to say beside it what they depend on")]
    NoSideFile,
    /// An output, or the work folder, would land in a folder that is read.
    #[error("{} lies in the input folder {}", printed_path(path), printed_path(folder))]
    OutputInInput {
        /// The output.
        path: PathBuf,
        /// The input.
        folder: PathBuf,
    },
    /// An output, or the work folder, would land where a pattern finds it the next time.
    #[error("{} fits the input {}, and would be read by the next run", printed_path(path), printed_path(pattern))]
    OutputFitsPattern {
        /// The output.
        path: PathBuf,
        /// The pattern.
        pattern: PathBuf,
    },
    /// The displayed text of HTML is compared, so places in it are not those of the source.
    #[error("only what HTML displays is looked at: it cannot be cut out between its tags")]
    CutInHtml,
    /// An index is to store texts of documents that have none.
    #[error("{found} have no texts, which the index stores")]
    NoTextsToStore {
        /// The kind of the documents.
        found: Textless,
    },
    /// Pairs are to be read from standard input, which has no extension that says their format.
    #[error("pairs cannot be read from standard input; name their file")]
    PairsFromStdin,
    /// Something that copies of whole texts do not have.
    #[error("identical texts are found by their bytes alone, without {found}")]
    NotForWholeTexts {
        /// The request.
        found: WholeTextConflict,
    },
    /// A containment of one side without references.
    #[error("which of two documents must contain the other can be said of inputs and references only")]
    SideWithoutReferences,
    /// The terms of a corpus were not weighed as the measure wants it.
    #[error("the terms of the corpus were not weighed for this measure: `Corpus::weigh` comes first")]
    NotWeighed,
    /// A number of bits that fingerprints do not have.
    #[error("fingerprints have 64, 128, 256, 512 or 1024 bits; found {found}")]
    FingerprintBits {
        /// The number.
        found: usize,
    },
    /// Copies of shingles were to be elements of their own, under a measure that counts them.
    #[error("a bag does not fit the measure cosine, whose weights say what repetitions count")]
    BagAndWeights,
    /// Answers were to be checked on texts, which are compared as sets.
    #[error(
        "checking on texts does not fit the measure cosine with weights {}: texts are compared as sets",
        weights.name()
    )]
    CheckAndWeights {
        /// The weights.
        weights: Weights,
    },
    /// Document frequencies for a measure that has no use for them.
    #[error("document frequencies fit the measure cosine with weights tfidf only")]
    FrequenciesWithoutUse,
    /// Document frequencies are to be read and written.
    #[error("document frequencies that are given are not counted: there are none to save")]
    FrequenciesLoadedAndSaved,
    /// The features have counts, and the measure has no use for them.
    #[error("features with counts fit the measure cosine with weights tf or tfidf only")]
    CountsWithoutWeights,
    /// Standard input is gone after an interruption.
    #[error("a job that is to go on after an interruption cannot read standard input or a pipe")]
    StdinCannotResume,
}

/// The first of `count` ids as messages show them.
fn listed(first: &[String], count: u64) -> String {
    let ids = first.iter().map(|id| format!("`{}`", shown(id))).collect::<Vec<_>>().join(", ");
    match count.saturating_sub(first.len() as u64) {
        0 => ids,
        more => format!("{ids} and {} more", thousands(more)),
    }
}
