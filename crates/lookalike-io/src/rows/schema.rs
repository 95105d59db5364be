//! The rows that files hold, each a struct with its header beside it.
//!
//! ```text
//! PairRow     a, b, similarity, reason                   every verified pair
//! RemovalRow  id, kept, similarity, reason               every removed document
//! ClusterRow  cluster, id                                every member of a cluster
//! CopyRow     group, id, equal, checksum                 every member of a group of exact copies
//! Annotation  duplicate, kept, similarity, cluster_size  added to records: a JSON object, or columns
//! ```
//!
//! Writers serialize the structs under the names of the headers, readers look for these names. A test keeps struct and
//! header alike; a macro that makes one from the other would hide both.

use super::field::RowField;
use arrow_schema::Field;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// A verified pair of documents.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PairRow<'a> {
    /// Id of the earlier document.
    pub a: Cow<'a, str>,
    /// Id of the later document.
    pub b: Cow<'a, str>,
    /// Their similarity, above 0 and at most 1.
    pub similarity: f64,
    /// What they have in common: `identical`, `equal` or `near`. Files of version 0.1.0 do not say it.
    #[serde(default)]
    pub reason: Option<Cow<'a, str>>,
}

impl PairRow<'_> {
    /// The fields, in order.
    pub const HEADER: &'static [RowField; 4] =
        &[RowField::text("a"), RowField::text("b"), RowField::number("similarity"), Self::REASON];
    /// The field that files of version 0.1.0 do not have.
    pub(crate) const REASON: RowField = RowField::text("reason");
}

/// A removed document.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RemovalRow<'a> {
    /// Its id.
    pub id: Cow<'a, str>,
    /// Id of its keeper.
    pub kept: Cow<'a, str>,
    /// Their similarity.
    pub similarity: f64,
    /// Why it was removed: `identical`, `equal` or `near`.
    pub reason: Cow<'a, str>,
}

impl RemovalRow<'_> {
    /// The fields, in order.
    pub const HEADER: &'static [RowField; 4] =
        &[RowField::text("id"), RowField::text("kept"), RowField::number("similarity"), RowField::text("reason")];
}

/// A member of a cluster.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClusterRow<'a> {
    /// Number of the cluster, from 0.
    pub cluster: u64,
    /// Id of the document.
    pub id: Cow<'a, str>,
}

impl ClusterRow<'_> {
    /// The fields, in order.
    pub const HEADER: &'static [RowField; 2] = &[RowField::count("cluster"), RowField::text("id")];
}

/// A member of a group of exact copies.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CopyRow<'a> {
    /// Number of the group, from 0, in input order of the first members.
    pub group: u64,
    /// Id of the document.
    pub id: Cow<'a, str>,
    /// The content in which the members are equal.
    pub equal: CopyKind,
    /// Checksum of that content, in hexadecimal.
    pub checksum: Cow<'a, str>,
}

impl CopyRow<'_> {
    /// The fields, in order.
    pub const HEADER: &'static [RowField; 4] =
        &[RowField::count("group"), RowField::text("id"), RowField::text("equal"), RowField::text("checksum")];
}

/// The content in which the members of a group of copies are equal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CopyKind {
    /// The bytes of their texts.
    Bytes,
    /// Their normalized texts, or sorted items, but not the bytes of all of them.
    Text,
}

/// The decision on a record, added to it.
///
/// JSON records get an object with the name [`Annotation::NAME`], tables a column per field.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Annotation<'a> {
    /// Whether the record is a duplicate of its keeper.
    pub duplicate: bool,
    /// Id of its keeper, or its own id.
    pub kept: &'a str,
    /// Similarity to its keeper.
    pub similarity: f64,
    /// Number of records with this keeper, the keeper included.
    pub cluster_size: u32,
}

impl Annotation<'_> {
    /// Name of the JSON object; the names of the columns begin with it.
    pub const NAME: &'static str = "lookalike";

    /// The fields of the JSON object, in order.
    pub const HEADER: &'static [RowField; 4] = &[
        RowField::flag("duplicate"),
        RowField::text("kept"),
        RowField::number("similarity"),
        RowField::count32("cluster_size"),
    ];

    /// The names of the columns of an annotation called `name`, in order: `name_duplicate` and so on.
    pub fn columns(name: &str) -> [String; 4] {
        Self::HEADER.map(|field| column_name(name, field))
    }

    /// The columns that are added to tables. They have a null for records without a decision.
    pub(crate) fn column_fields() -> [Field; 4] {
        Self::HEADER.map(|field| Field::new(column_name(Self::NAME, field), field.kind.data_type(), true))
    }
}

fn column_name(annotation: &str, field: RowField) -> String {
    format!("{annotation}_{}", field.name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::RowKind;
    use serde_json::{Value, json};

    /// The names and types that a row is written with.
    fn serialized(row: &impl Serialize) -> Vec<(String, &'static str)> {
        let mut writer = csv::Writer::from_writer(Vec::new());
        writer.serialize(row).unwrap();
        let text = String::from_utf8(writer.into_inner().unwrap()).unwrap();
        let names = text.lines().next().unwrap().split(',').map(str::to_owned);
        let values = serde_json::to_value(row).unwrap();
        let kind = |name: &String| match &values[name] {
            Value::String(_) => "text",
            Value::Bool(_) => "flag",
            Value::Number(number) if number.is_u64() => "count",
            Value::Number(_) => "number",
            other => panic!("{name} is {other}"),
        };
        names.map(|name| (name.clone(), kind(&name))).collect()
    }

    fn header(fields: &[RowField]) -> Vec<(String, &'static str)> {
        let kind = |kind| match kind {
            RowKind::Text => "text",
            RowKind::Count | RowKind::Count32 => "count",
            RowKind::Number => "number",
            RowKind::Flag => "flag",
        };
        fields.iter().map(|field| (field.name.to_owned(), kind(field.kind))).collect()
    }

    #[test]
    fn rows_are_written_as_their_headers_say() {
        let pair = PairRow { a: "x".into(), b: "y".into(), similarity: 0.5, reason: Some("near".into()) };
        assert_eq!(serialized(&pair), header(PairRow::HEADER));
        let removal = RemovalRow { id: "y".into(), kept: "x".into(), similarity: 0.5, reason: "near".into() };
        assert_eq!(serialized(&removal), header(RemovalRow::HEADER));
        assert_eq!(serialized(&ClusterRow { cluster: 1, id: "x".into() }), header(ClusterRow::HEADER));
        let copy = CopyRow { group: 0, id: "x".into(), equal: CopyKind::Bytes, checksum: "00".into() };
        assert_eq!(serialized(&copy), header(CopyRow::HEADER));
        let annotation = Annotation { duplicate: true, kept: "x", similarity: 0.5, cluster_size: 2 };
        assert_eq!(serialized(&annotation), header(Annotation::HEADER));
    }

    #[test]
    fn names_in_files_are_frozen() {
        let names = |fields: &[RowField]| fields.iter().map(|field| field.name).collect::<Vec<_>>().join(",");
        assert_eq!(names(PairRow::HEADER), "a,b,similarity,reason");
        assert_eq!(names(RemovalRow::HEADER), "id,kept,similarity,reason");
        assert_eq!(names(ClusterRow::HEADER), "cluster,id");
        assert_eq!(names(CopyRow::HEADER), "group,id,equal,checksum");
        let columns = "lookalike_duplicate,lookalike_kept,lookalike_similarity,lookalike_cluster_size";
        assert_eq!(Annotation::columns(Annotation::NAME).join(","), columns);
        assert_eq!(json!([CopyKind::Bytes, CopyKind::Text]), json!(["bytes", "text"]));
    }

    #[test]
    fn rows_come_back_and_unknown_fields_are_refused() {
        let row = ClusterRow { cluster: 7, id: "a\"b".into() };
        let text = serde_json::to_string(&row).unwrap();
        assert_eq!(serde_json::from_str::<ClusterRow<'static>>(&text).unwrap(), row);
        assert!(serde_json::from_str::<ClusterRow<'_>>(r#"{"cluster":7,"id":"a","x":1}"#).is_err());
    }
}
