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
        RowKind::Text | RowKind::Bytes(_) => "text",
        RowKind::Count | RowKind::Count32 => "count",
        RowKind::Number => "number",
        RowKind::Flag => "flag",
    };
    fields.iter().map(|field| (field.name.to_owned(), kind(field.kind))).collect()
}

#[test]
fn rows_are_written_as_their_headers_say() {
    let distance = Figure::Distance { width: 64 };
    for figure in [Figure::Similarity, Figure::Containment, Figure::Common, distance] {
        let value = PairFigure::of(figure, 0.5);
        let pair = PairRow::new(["x", "y"], value, Reason::Near);
        let pair = if figure == Figure::Containment { pair.with_containments([0.5, 0.1]) } else { pair };
        assert_eq!(serialized(&pair), header(&PairRow::header(figure, RowSources::Absent)));
        let sources = || [Some("f".into()), Some("g".into())];
        assert_eq!(
            serialized(&pair.clone().with_sources(sources())),
            header(&PairRow::header(figure, RowSources::Named))
        );
        assert_eq!(pair.figure(), Some(value));
        assert_eq!(value.similarity(figure).map(|back| PairFigure::of(figure, back)), Some(value));
        let removal = RemovalRow::new(["y", "x"], value, Reason::Near);
        assert_eq!(serialized(&removal), header(&RemovalRow::header(figure, RowSources::Absent)));
        let removal = removal.with_sources(sources());
        assert_eq!(serialized(&removal), header(&RemovalRow::header(figure, RowSources::Named)));
    }
    let estimate = PairFigure::of(Figure::EstimatedSimilarity, 0.5);
    let estimated = PairRow::new(["x", "y"], estimate, Reason::Near).with_interval((0.25, 0.75));
    assert_eq!(serialized(&estimated), header(&PairRow::header(Figure::EstimatedSimilarity, RowSources::Absent)));
    assert_eq!(estimated.figure(), Some(estimate));
    let cluster = ClusterRow { cluster: 1, id: "x".into(), source: None };
    assert_eq!(serialized(&cluster), header(&ClusterRow::header(RowSources::Absent)));
    let cluster = ClusterRow { source: Some("f".into()), ..cluster };
    assert_eq!(serialized(&cluster), header(&ClusterRow::header(RowSources::Named)));
    let copy = CopyRow { group: 0, id: "x".into(), equal: CopyKind::Bytes, checksum: "00".into() };
    assert_eq!(serialized(&copy), header(CopyRow::HEADER));
}

#[test]
fn names_in_files_are_frozen() {
    let names = |fields: &[RowField]| fields.iter().map(|field| field.name).collect::<Vec<_>>().join(",");
    assert_eq!(names(&PairRow::header(Figure::Similarity, RowSources::Absent)), "a,b,similarity,reason");
    let containment = "a,b,similarity,containment_of_a,containment_of_b,reason";
    assert_eq!(names(&PairRow::header(Figure::Containment, RowSources::Absent)), containment);
    assert_eq!(names(&PairRow::header(Figure::Common, RowSources::Absent)), "a,b,common,reason");
    assert_eq!(names(&RemovalRow::header(Figure::Similarity, RowSources::Absent)), "id,kept,similarity,reason");
    assert_eq!(names(&RemovalRow::header(Figure::Containment, RowSources::Absent)), "id,kept,similarity,reason");
    assert_eq!(names(&RemovalRow::header(Figure::Common, RowSources::Absent)), "id,kept,common,reason");
    assert_eq!(names(&PairRow::header(Figure::Distance { width: 64 }, RowSources::Absent)), "a,b,distance,reason");
    assert_eq!(
        names(&RemovalRow::header(Figure::Distance { width: 64 }, RowSources::Absent)),
        "id,kept,distance,reason"
    );
    let estimates = "a,b,estimated_similarity,interval_low,interval_high,reason";
    assert_eq!(names(&PairRow::header(Figure::EstimatedSimilarity, RowSources::Absent)), estimates);
    assert_eq!(names(&ClusterRow::header(RowSources::Absent)), "cluster,id");
    let named = PairRow::header(Figure::Similarity, RowSources::Named);
    assert_eq!(names(&named), "a,b,similarity,reason,a_source,b_source");
    let named = RemovalRow::header(Figure::Similarity, RowSources::Named);
    assert_eq!(names(&named), "id,kept,similarity,reason,source,kept_source");
    assert_eq!(names(&ClusterRow::header(RowSources::Named)), "cluster,id,source");
    assert_eq!(names(CopyRow::HEADER), "group,id,equal,checksum");
    assert_eq!(json!([CopyKind::Bytes, CopyKind::Text]), json!(["bytes", "text"]));
}

#[test]
fn rows_come_back_and_unknown_fields_are_refused() {
    let row = ClusterRow { cluster: 7, id: "a\"b".into(), source: None };
    let text = serde_json::to_string(&row).unwrap();
    assert_eq!(serde_json::from_str::<ClusterRow<'static>>(&text).unwrap(), row);
    assert!(serde_json::from_str::<ClusterRow<'_>>(r#"{"cluster":7,"id":"a","x":1}"#).is_err());
}
