//! The inputs of a job, and how documents are read from them.

use super::carried::Carried;
use super::encoding::TextEncoding;
use super::field_names::{DEFAULT_ID, FieldNames, MainContent, OwnFields, RecordRole};
use super::given::{Fingerprints, GivenVectors, ImageFeatures, ItemCounts, ItemSeparator, MAX_REPEATS, points_of};
use crate::base::details::PointKind;
use crate::base::{FileSelection, GitignoreFiles, Result};
use crate::formats::{JsonFiles, Layout, Quotes, Texts};
use lookalike_core::comparison::Features;
use lookalike_core::documents::Multiplicity;
use lookalike_core::serialize_paths;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// The inputs of a job, and how documents are read from them.
///
/// Paths are stored as text; bytes that are no UTF-8 as `\xFF` ([`lookalike_core::printed_path`]).
///
/// ```
/// use lookalike_io::{Inputs, sources::discover};
///
/// let inputs = Inputs { inputs: vec!["no-such-file.jsonl".into()], ..Inputs::default() };
/// assert!(discover(&inputs.inputs).is_err());
/// assert_eq!(inputs.fields().text, "text");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Inputs {
    /// Files, folders, patterns and URLs to read, in order; `-` is standard input.
    #[serde(serialize_with = "serialize_paths")]
    pub inputs: Vec<PathBuf>,
    /// The reference documents: compared against, never removed or written.
    #[serde(serialize_with = "serialize_paths")]
    pub against: Vec<PathBuf>,
    /// Patterns of files that are left out, as in `.gitignore` files ([`FileSelection`]).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub exclude: Vec<String>,
    /// Effect of `.gitignore` files.
    #[serde(skip_serializing_if = "is_unread")]
    pub gitignore: GitignoreFiles,
    /// Layout of all files and of standard input; `None` for what their names say, or their content.
    pub input_format: Option<Layout>,
    /// Meaning of files named `.json` in folders.
    #[serde(skip_serializing_if = "JsonFiles::are_texts")]
    pub json_files: JsonFiles,
    /// Name of the field with the text.
    pub text_field: String,
    /// Name of the field with the id.
    pub id_field: String,
    /// Names of these fields in the references, where they are others.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub against_text_field: Option<String>,
    /// Name of the field with the id in the references, where it is another.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub against_id_field: Option<String>,
    /// Name of the field that orders documents.
    pub score_field: Option<String>,
    /// Names of the fields that order documents of which this one has the same value, in turn.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub more_score_fields: Vec<String>,
    /// Name of a field that records must not have, because it will be added.
    pub reserved_field: Option<String>,
    /// Separator of items in strings, if documents are sets of items.
    pub items: Option<ItemSeparator>,
    /// Presence of counts beside these items.
    #[serde(skip_serializing_if = "ItemCounts::is_absent")]
    pub item_counts: ItemCounts,
    /// Name of a field whose values name groups: the rows with one value are one document, of the items of all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group_by: Option<String>,
    /// Name of the field that says how often the items of a row of a group occur; once without it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub count_field: Option<String>,
    /// Width and digits of fingerprints, if documents are given such.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fingerprints: Option<Fingerprints>,
    /// Kind of the vectors, or signatures, that documents are given.
    #[serde(skip_serializing_if = "GivenVectors::are_absent")]
    pub vectors: GivenVectors,
    /// Number of components that vectors must have; `None` for that of the first one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub components: Option<usize>,
    /// Features by which images are compared, if documents are such: fingerprints and vectors then follow from it
    /// ([`Inputs::of_images`]).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub images: Option<ImageFeatures>,
    /// Treatment of ids that occur again.
    pub repeated_ids: RepeatedIds,
    /// Encoding of tables and text files; `None` for UTF-8, and UTF-16 by its byte order mark.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub encoding: Option<TextEncoding>,
    /// Meaning of quotation marks in tables of text; `None` for quotes, but in tab-separated values for what their
    /// marks tell.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quotes: Option<Quotes>,
    /// Treatment of bad records.
    pub on_error: OnError,
    /// Maximum size of a record in bytes; larger ones are bad records. `None` for no limit.
    pub max_document_bytes: Option<u64>,
    /// Parts that travel along with the documents into an index; other jobs read none of them.
    #[serde(skip_serializing_if = "Carried::is_nothing")]
    pub carried: Carried,
}

impl Default for Inputs {
    fn default() -> Self {
        Self {
            inputs: Vec::new(),
            against: Vec::new(),
            exclude: Vec::new(),
            gitignore: GitignoreFiles::Unread,
            input_format: None,
            json_files: JsonFiles::Texts,
            text_field: "text".to_owned(),
            id_field: DEFAULT_ID.to_owned(),
            against_text_field: None,
            against_id_field: None,
            score_field: None,
            more_score_fields: Vec::new(),
            reserved_field: None,
            items: None,
            item_counts: ItemCounts::Absent,
            group_by: None,
            count_field: None,
            fingerprints: None,
            vectors: GivenVectors::Absent,
            components: None,
            images: None,
            repeated_ids: RepeatedIds::Qualified,
            encoding: None,
            quotes: None,
            on_error: OnError::Stop,
            max_document_bytes: Some(64 << 20),
            carried: Carried::default(),
        }
    }
}

impl Default for FieldNames {
    /// The names `text` and `id`.
    fn default() -> Self {
        Inputs::default().fields()
    }
}

impl Inputs {
    /// Selection of the files that are read among those that inputs and references name.
    ///
    /// # Errors
    /// [`Error::Pattern`](crate::Error::Pattern).
    pub fn selection(&self) -> Result<FileSelection> {
        FileSelection::new(&self.exclude, self.gitignore)
    }

    /// Returns whether patterns or `.gitignore` files leave files out.
    pub fn leaves_out(&self) -> bool {
        !self.exclude.is_empty() || self.gitignore == GitignoreFiles::Obeyed
    }

    /// Inputs without paths, and without what chooses among them: sources are known by their states, however their
    /// paths were typed.
    #[must_use]
    pub fn without_paths(&self) -> Self {
        let inputs = Vec::new();
        let against = Vec::new();
        let exclude = Vec::new();
        Self { inputs, against, exclude, gitignore: GitignoreFiles::Unread, ..self.clone() }
    }

    /// Contents of text files.
    pub fn texts(&self) -> Texts {
        match self.images {
            Some(_) => Texts::Images,
            None if self.items.is_some() || self.group_by.is_some() => Texts::ItemLines,
            None => Texts::Documents,
        }
    }

    /// Takes the files of these inputs for images that are compared by these features.
    #[must_use]
    pub fn of_images(self, features: ImageFeatures) -> Self {
        let fingerprints = features.fingerprints();
        let vectors = features.vectors();
        Self { images: Some(features), fingerprints, vectors, ..self }
    }

    /// The inputs that these paths name as the texts of the documents whose signatures these inputs are, and the
    /// signatures alone: ids stand in `id`, and the notation of the records of texts does not concern them.
    pub fn with_texts(self, texts: Vec<PathBuf>, text_field: String) -> (Self, Self) {
        let Self { text_field: signature, vectors, on_error, max_document_bytes, .. } = self.clone();
        let signatures = Self {
            inputs: self.inputs.clone(),
            exclude: self.exclude.clone(),
            gitignore: self.gitignore,
            text_field: signature,
            vectors,
            on_error,
            max_document_bytes,
            ..Self::default()
        };
        (Self { inputs: texts, text_field, vectors: GivenVectors::Absent, ..self }, signatures)
    }

    /// Kind of the documents, if they have no texts.
    pub fn points(&self) -> Option<PointKind> {
        points_of(self.fingerprints, self.vectors)
    }

    /// The features of what is read: of items, if documents are sets of them, and in bags, if items have counts that
    /// are not kept beside them.
    pub fn features(&self, features: &Features) -> Features {
        if self.items.is_none() && self.group_by.is_none() {
            return features.clone();
        }
        let items = features.clone().of_items();
        let has_counts = self.item_counts == ItemCounts::Written || self.count_field.is_some();
        if has_counts && items.shingle().multiplicity == Multiplicity::Set { items.in_bags() } else { items }
    }

    /// The names of fields that references have for themselves; `None` if they are those of the inputs.
    pub fn own_fields_of_references(&self) -> Option<OwnFields> {
        let text = self.against_text_field.clone();
        let id = self.against_id_field.clone();
        (text.is_some() || id.is_some()).then_some(OwnFields { text, id })
    }

    /// The names of the fields to read: in rows of groups the group is the id, and the count stands for the score.
    pub fn fields(&self) -> FieldNames {
        let of_groups = self.group_by.as_ref().map(|_| ItemSeparator::Whole);
        FieldNames {
            text: self.text_field.clone(),
            id: self.group_by.as_ref().unwrap_or(&self.id_field).clone(),
            score: self.count_field.as_ref().or(self.score_field.as_ref()).cloned(),
            more_scores: self.more_score_fields.clone(),
            reserved: self.reserved_field.clone(),
            items: self.items.or(of_groups),
            item_counts: self.item_counts,
            max_repeats: None,
            fingerprints: self.fingerprints,
            vectors: self.vectors,
            images: self.images,
            encoding: self.encoding,
            record: if self.group_by.is_some() { RecordRole::OfGroup } else { RecordRole::Document },
            main_content: MainContent::Whole,
            carried: Vec::new(),
        }
    }

    /// The names of the fields to read where documents become these features: of pages, what is compared is read, too;
    /// where copies of items are elements, too many of them are refused.
    pub fn fields_compared(&self, features: &Features) -> FieldNames {
        let text = features.text();
        let main_content = match (text.main_content, text.strip_html) {
            (true, _) if features.are_of_items() => MainContent::Whole,
            (true, true) => MainContent::OfTexts,
            (true, false) => MainContent::OfPages,
            (false, _) => MainContent::Whole,
        };
        let are_elements =
            self.item_counts == ItemCounts::Written && features.shingle().multiplicity == Multiplicity::Bag;
        let max_repeats = are_elements.then_some(MAX_REPEATS);
        FieldNames { main_content, max_repeats, ..self.fields() }
    }

    /// The names of the fields to read, with those that travel along.
    pub fn fields_carried(&self, features: &Features) -> FieldNames {
        FieldNames { carried: self.carried.fields.clone(), ..self.fields_compared(features) }
    }
}

/// Returns whether `.gitignore` files have no effect, which is not stored.
fn is_unread(files: &GitignoreFiles) -> bool {
    *files == GitignoreFiles::Unread
}

/// Treatment of ids that occur again, among the inputs or among the references.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RepeatedIds {
    /// The later document is called `ID@SOURCE`, by the label of its source, or `ID@SOURCE:LINE` if the source has the
    /// id before.
    #[default]
    Qualified,
    /// The job ends before any output appears.
    Refused,
}

/// Treatment of bad records.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OnError {
    /// The job ends before any output appears.
    #[default]
    Stop,
    /// The record is reported, counted and left out.
    Skip,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::RecordFormat;
    use crate::sources::Digits;

    #[test]
    fn stored_names_are_frozen() {
        let json = serde_json::to_string(&Inputs::default()).unwrap();
        let expected = concat!(
            r#"{"inputs":[],"against":[],"input_format":null,"text_field":"text","id_field":"id","score_field":null,"#,
            r#""reserved_field":null,"items":null,"repeated_ids":"qualified","on_error":"stop","#,
            r#""max_document_bytes":67108864}"#
        );
        assert_eq!(json, expected);
        let inputs = Inputs {
            inputs: vec!["a.jsonl".into(), "-".into()],
            against: vec!["s3://b/c".into()],
            input_format: Some(Layout::Records(RecordFormat::JsonLines)),
            score_field: Some("date".to_owned()),
            reserved_field: Some("lookalike".to_owned()),
            items: Some(ItemSeparator::Character(',')),
            repeated_ids: RepeatedIds::Refused,
            on_error: OnError::Skip,
            max_document_bytes: None,
            ..Inputs::default()
        };
        let json = serde_json::to_string(&inputs).unwrap();
        let expected = concat!(
            r#"{"inputs":["a.jsonl","-"],"against":["s3://b/c"],"input_format":"jsonl","text_field":"text","#,
            r#""id_field":"id","score_field":"date","reserved_field":"lookalike","items":{"character":","},"#,
            r#""repeated_ids":"refused","on_error":"skip","max_document_bytes":null}"#
        );
        assert_eq!(json, expected);
        assert_eq!(serde_json::from_str::<Inputs>(&json).unwrap(), inputs);
        assert!(serde_json::from_str::<Inputs>(r#"{"input":[]}"#).is_err());
        let fingerprints = Some(Fingerprints { width: 64, digits: Digits::Hex });
        let json = serde_json::to_string(&Inputs { fingerprints, ..Inputs::default() }).unwrap();
        assert!(json.contains(r#""items":null,"fingerprints":{"width":64,"digits":"hex"},"repeated_ids""#), "{json}");
    }

    #[test]
    fn absent_names_have_their_defaults() {
        let inputs: Inputs = serde_json::from_str(r#"{"inputs":["x"],"items":"blanks"}"#).unwrap();
        let items = Some(ItemSeparator::Blanks);
        assert_eq!(inputs, Inputs { inputs: vec!["x".into()], items, ..Inputs::default() });
        assert_eq!(inputs.fields(), FieldNames { items, ..FieldNames::default() });
    }

    #[test]
    fn names_of_formats_are_frozen() {
        use RecordFormat::{
            Arrow, Csv, ItemLines, JsonArray, JsonLines, Npy, Parquet, PipeCsv, SemicolonCsv, Snapshot, Tsv, Warc,
        };
        let formats =
            [JsonLines, JsonArray, Csv, SemicolonCsv, PipeCsv, Tsv, ItemLines, Warc, Snapshot, Parquet, Arrow, Npy];
        let json = serde_json::to_string(&formats).unwrap();
        assert_eq!(
            json,
            concat!(
                r#"["jsonl","json","csv","semicolon-csv","pipe-csv","tsv","items","warc","snapshot","parquet","#,
                r#""arrow","npy"]"#
            )
        );
        assert_eq!(serde_json::from_str::<[RecordFormat; 12]>(&json).unwrap(), formats);
        let layouts = [Layout::Text, Layout::Records(Tsv)];
        let json = serde_json::to_string(&layouts).unwrap();
        assert_eq!(json, r#"["text","tsv"]"#);
        assert_eq!(serde_json::from_str::<[Layout; 2]>(&json).unwrap(), layouts);
    }
}
