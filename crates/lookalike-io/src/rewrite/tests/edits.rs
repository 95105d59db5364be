//! Texts that are changed while records are converted.

use super::*;

/// Puts a sign before the texts of documents with even numbers, and makes the fourth one empty.
fn change(document: DocId, text: &str) -> Option<String> {
    match document.0 {
        4 => Some(String::new()),
        even if even % 2 == 0 => Some(format!("+{text}")),
        _ => None,
    }
}

impl Sandbox {
    fn edit(&self, from: &str, to: &str, text: &str, records: &[SelectedRecord<'_>]) {
        let rewriting = Rewriting { text: Some(text), edit: Some(TextEdit(&change)), ..Rewriting::default() };
        self.rewrite_all(&[from], to, records, &rewriting).unwrap();
    }
}

/// The column of texts of a file.
fn texts(sandbox: &Sandbox, name: &str, format: RecordFormat) -> Vec<Option<String>> {
    let texts = |batch: RecordBatch| {
        let column = batch.column_by_name("text").unwrap();
        let column = arrow_cast::cast(column, &DataType::Utf8).unwrap();
        column.as_string::<i32>().iter().map(|text| text.map(str::to_owned)).collect::<Vec<_>>()
    };
    sandbox.batches(name, format).into_iter().flat_map(texts).collect()
}

#[test]
fn columns_of_texts_change_and_others_do_not() {
    let (batch, file) = table();
    let sandbox = Sandbox::with("in.parquet", &file);
    let selected = rows(&[1, 2, 4, 5, 6, 8]);
    sandbox.edit("in.parquet", "out.parquet", "text", &selected);
    sandbox.edit("in.parquet", "out.arrow", "text", &selected);
    sandbox.edit("out.arrow", "again.arrow", "text", &rows(&[1, 3]));
    let text = |text: &str| Some(text.to_owned());
    // The text of row 6 is null.
    let expected = vec![text("text 0"), text("+text 1"), text(""), text("text 4"), None, text("+text 7")];
    assert_eq!(texts(&sandbox, "out.parquet", RecordFormat::Parquet), expected);
    assert_eq!(texts(&sandbox, "out.arrow", RecordFormat::Arrow), expected);
    assert_eq!(texts(&sandbox, "again.arrow", RecordFormat::Arrow), [text("text 0"), text("")]);
    let written = sandbox.batches("out.parquet", RecordFormat::Parquet);
    let days: Vec<i64> = written
        .iter()
        .flat_map(|batch| {
            let days = batch.column_by_name("day").unwrap();
            days.as_primitive::<arrow_array::types::TimestampMicrosecondType>().values().to_vec()
        })
        .collect();
    assert_eq!(days, [0, 1, 3, 4, 5, 7].map(|day| day * 86_400_000_000));
    assert_eq!(written[0].schema_ref().fields(), batch.schema_ref().fields());
}

#[test]
fn texts_without_nulls_and_in_structs_change() {
    let texts: ArrayRef = Arc::new(StringArray::from_iter_values(["a", "b", "c"]));
    let inner = arrow_array::StructArray::from(vec![(
        Arc::new(arrow_schema::Field::new("text", DataType::Utf8, false)),
        Arc::clone(&texts),
    )]);
    let columns: Vec<(&str, ArrayRef)> = vec![("text", texts), ("doc", Arc::new(inner))];
    let batch = RecordBatch::try_from_iter_with_nullable(columns.into_iter().map(|(name, array)| (name, array, false)));
    let file = parquet_of(&[batch.unwrap()], WriterProperties::builder());
    let sandbox = Sandbox::with("in.parquet", &file);
    for (field, format) in [("text", "parquet"), ("doc.text", "parquet"), ("doc.text", "arrow"), ("doc.text", "jsonl")]
    {
        let name = format!("out.{format}");
        sandbox.edit("in.parquet", &name, field, &rows(&[1, 2, 3]));
        let as_lines = match format {
            "jsonl" => sandbox.text(&name),
            _ => {
                sandbox.rewrite(&name, "lines.jsonl", &rows(&[1, 2, 3])).unwrap();
                sandbox.text("lines.jsonl")
            }
        };
        let line = |[text, inner]: [&str; 2]| format!("{{\"text\":\"{text}\",\"doc\":{{\"text\":\"{inner}\"}}}}\n");
        let changed = if field == "text" { ["+b", "b"] } else { ["b", "+b"] };
        assert_eq!(as_lines, [["a", "a"], changed, ["c", "c"]].map(line).concat(), "{field} {format}");
    }
}

#[test]
fn texts_of_lines_tables_and_files_change() {
    let lines_of = "{\"id\":1,\"text\":\"a\"}\n{\"id\":2,\"text\":\"b\"}\n";
    let sandbox = Sandbox::with("in.jsonl", lines_of.as_bytes());
    sandbox.edit("in.jsonl", "out.csv", "text", &lines(lines_of));
    assert_eq!(sandbox.text("out.csv"), "id,text\n1,a\n2,+b\n");
    sandbox.edit("out.csv", "out.jsonl", "text", &lines(&sandbox.text("out.csv"))[1..]);
    let expected = "{\"id\":\"1\",\"text\":\"+a\"}\n{\"id\":\"2\",\"text\":\"+b\"}\n";
    assert_eq!(sandbox.text("out.jsonl"), expected);
    fs::create_dir(sandbox.path("texts")).unwrap();
    fs::write(sandbox.path("texts/a.txt"), "a").unwrap();
    let folder = vec![SelectedRecord { document: DocId(2), ..selected(0, Span { offset: 0, length: 1 }) }];
    sandbox.edit("texts", "texts.jsonl", "text", &folder);
    assert_eq!(sandbox.text("texts.jsonl"), "{\"id\":\"a.txt\",\"text\":\"+a\"}\n");
}
