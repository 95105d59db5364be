use super::*;
use lookalike_core::rule::Reason;
use lookalike_core::similarity::{Figure, Metric};

const FIGURES: [Figure; 6] = [
    Figure::Similarity,
    Figure::Containment,
    Figure::Common,
    Figure::Distance { width: 64 },
    Figure::VectorDistance(Metric::Euclidean),
    Figure::EstimatedSimilarity,
];

fn figures(figure: Figure) -> Figures {
    let interval = (figure == Figure::EstimatedSimilarity).then_some((0.25, 0.75));
    Figures::new(figure, Verified { similarity: 0.5, containments: Some([0.5, 0.25]), interval })
}

/// Checks that rows are written with these columns, in values of their types.
fn check(row: &impl Row, header: &[Column]) {
    assert_eq!(row.columns(), header);
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.serialize(Serialized { row, json: JsonForm::Text }).unwrap();
    let text = String::from_utf8(writer.into_inner().unwrap()).unwrap();
    assert_eq!(text.lines().next().unwrap(), names(header));
    let values = serde_json::to_value(Serialized { row, json: JsonForm::Value }).unwrap();
    for column in header {
        let value = &values[column.name];
        let fits = match column.kind {
            ColumnKind::Id { .. } | ColumnKind::Text | ColumnKind::Bytes(_) => value.is_string(),
            ColumnKind::Json => value.is_object(),
            ColumnKind::Share | ColumnKind::Number => value.is_f64(),
            ColumnKind::Count | ColumnKind::Count32 => value.is_u64(),
            ColumnKind::Flag => value.is_boolean(),
        };
        assert!(fits, "{}: {value}", column.name);
    }
}

fn names(columns: &[Column]) -> String {
    columns.iter().map(|column| column.name).collect::<Vec<_>>().join(",")
}

#[test]
fn rows_are_written_as_their_headers_say() {
    let source = Some("f".into());
    let other = Some("g".into());
    let sources = [source, other];
    for figure in FIGURES {
        let pair = PairRow::new(["x", "y"], figures(figure), Reason::Near);
        check(&pair, &PairRow::header(figure, RowSources::Absent));
        let pair = PairRow { sources: sources.clone(), ..pair };
        check(&pair, &PairRow::header(figure, RowSources::Named));
        let removal = RemovalRow::new(["y", "x"], figures(figure), Reason::Near);
        check(&removal, &RemovalRow::header(figure, RowSources::Absent));
        let removal = RemovalRow { sources: sources.clone(), ..removal };
        check(&removal, &RemovalRow::header(figure, RowSources::Named));
        let answer = AnswerRow::new("q", 1, "a", figures(figure), Reason::Near);
        check(&answer, &AnswerRow::header(figure, AnswerFields::Absent));
        let answer = AnswerRow { fields: Some(StoredFields::new("")), ..answer };
        check(&answer, &AnswerRow::header(figure, AnswerFields::Present));
        let all: Vec<&Column> = AnswerRow::all_columns().map(|(column, _)| column).collect();
        assert!(answer.columns().iter().all(|column| all.contains(&column)));
    }
    let cluster = ClusterRow { cluster: 1, id: "x".into(), source: None };
    check(&cluster, &ClusterRow::header(RowSources::Absent));
    check(&ClusterRow { source: Some("f".into()), ..cluster }, &ClusterRow::header(RowSources::Named));
    check(&CopyRow { group: 0, id: "x".into(), equal: CopyKind::Bytes, checksum: "00".into() }, &CopyRow::header());
    check(&SourceRow::Passage(PassageRow::default()), &SourceRow::header());
    let kept = Some("b".into());
    let cut = CutRow { kept, kept_start: Some(1), kept_end: Some(3), ..CutRow::default() };
    check(&CutRow { kept_line: Some(1), kept_end_line: Some(1), ..cut }, &CutRow::header());
}

#[test]
fn names_in_files_are_frozen() {
    let pairs = |figure| names(&PairRow::header(figure, RowSources::Absent));
    let removals = |figure| names(&RemovalRow::header(figure, RowSources::Absent));
    let distance = Figure::Distance { width: 64 };
    assert_eq!(pairs(Figure::Similarity), "a,b,similarity,reason");
    assert_eq!(pairs(Figure::Containment), "a,b,similarity,containment_of_a,containment_of_b,reason");
    assert_eq!(pairs(Figure::Common), "a,b,common,reason");
    assert_eq!(pairs(distance), "a,b,distance,reason");
    assert_eq!(pairs(Figure::VectorDistance(Metric::Euclidean)), "a,b,euclidean_distance,reason");
    assert_eq!(pairs(Figure::EstimatedSimilarity), "a,b,estimated_similarity,interval_low,interval_high,reason");
    assert_eq!(removals(Figure::Similarity), "id,kept,similarity,reason");
    assert_eq!(removals(Figure::Containment), "id,kept,similarity,reason");
    assert_eq!(removals(Figure::Common), "id,kept,common,reason");
    assert_eq!(removals(distance), "id,kept,distance,reason");
    assert_eq!(removals(Figure::VectorDistance(Metric::Euclidean)), "id,kept,euclidean_distance,reason");
    assert_eq!(names(&ClusterRow::header(RowSources::Absent)), "cluster,id");
    let named = PairRow::header(Figure::Similarity, RowSources::Named);
    assert_eq!(names(&named), "a,b,similarity,reason,a_source,b_source");
    let named = RemovalRow::header(Figure::Similarity, RowSources::Named);
    assert_eq!(names(&named), "id,kept,similarity,reason,source,kept_source");
    assert_eq!(names(&ClusterRow::header(RowSources::Named)), "cluster,id,source");
    assert_eq!(names(&CopyRow::header()), "group,id,equal,checksum");
    let answers = |figure| names(&AnswerRow::header(figure, AnswerFields::Present));
    assert_eq!(answers(Figure::VectorDistance(Metric::Euclidean)), "query,rank,id,euclidean_distance,reason,fields");
    let containment = "query,rank,id,similarity,containment_of_query,containment_of_id,reason,fields";
    assert_eq!(answers(Figure::Containment), containment);
    let passages = "id,share_in_all,rank,source,share,tokens,start,end,line,end_line,source_start,source_end,\
                    source_line,source_end_line";
    assert_eq!(names(&SourceRow::header()), passages);
    let cuts = "id,tokens,start,end,line,end_line,kept,kept_start,kept_end,kept_line,kept_end_line,document_removed";
    assert_eq!(names(&CutRow::header()), cuts);
    assert_eq!([CopyKind::Bytes, CopyKind::Text].map(CopyKind::name), ["bytes", "text"]);
}

#[test]
fn numbers_of_records_stand_before_ids() {
    let pair = PairRow::new(["x", "y"], figures(Figure::Common), Reason::Near);
    let numbered_pair = NumberedRow { row: pair, numbers: [Some(3), None] };
    let header = numbered(&PairRow::header(Figure::Common, RowSources::Absent));
    assert_eq!(numbered_pair.columns(), header);
    assert_eq!(names(&header), "a_row,a,b_row,b,common,reason");
    let cells: Vec<Value<'_>> = numbered_pair.cells().map(|(_, value)| value).take(3).collect();
    assert_eq!(cells, [Value::Count(3), Value::text("x"), Value::Null]);
}

#[test]
fn fields_of_an_index_are_values_in_json_and_strings_in_columns() {
    let answer = AnswerRow::new("q", 1, "a", figures(Figure::Common), Reason::Near);
    let answer = AnswerRow { fields: Some(StoredFields::new(r#"{"n": 1}"#)), ..answer };
    let shown_fields = |json| serde_json::to_value(Serialized { row: &answer, json }).unwrap()["fields"].clone();
    assert_eq!(shown_fields(JsonForm::Value), serde_json::json!({"n": 1}));
    assert_eq!(shown_fields(JsonForm::Text), serde_json::json!(r#"{"n": 1}"#));
}
