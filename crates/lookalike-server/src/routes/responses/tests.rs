use super::*;

/// The fields of a `TypedDict` of the client of Python, with their types.
fn client_class(name: &str) -> Vec<(String, String)> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../lookalike-python/python/lookalike/_client.py");
    let client = std::fs::read_to_string(path).unwrap();
    let class = client.split(&format!("\nclass {name}(TypedDict")).nth(1).unwrap();
    let fields = class.split("\nclass ").next().unwrap().lines().filter_map(|line| {
        let (name, kind) = line.strip_prefix("    ")?.split_once(": ")?;
        let is_field = name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
        is_field.then(|| (name.to_owned(), kind.to_owned()))
    });
    fields.collect()
}

/// A column in Python: its name and type.
fn in_python(column: &Column) -> (String, String) {
    let kind = match column.kind {
        ColumnKind::Id { .. } | ColumnKind::Text | ColumnKind::Bytes(_) => "str",
        ColumnKind::Json => "dict[str, Any]",
        ColumnKind::Share | ColumnKind::Number => "float",
        ColumnKind::Count | ColumnKind::Count32 => "int",
        ColumnKind::Flag => "bool",
    };
    (column.name.to_owned(), kind.to_owned())
}

/// Properties of a schema by name.
fn properties<T: PartialSchema>() -> Vec<String> {
    let schema = serde_json::to_value(T::schema()).unwrap();
    schema["properties"].as_object().unwrap().keys().cloned().collect()
}

#[test]
fn the_client_knows_the_columns_of_answers() {
    let answer = AnswerRow::all_columns().map(|(column, _)| column).filter(|column| is_of_answers(column));
    let mut columns: Vec<_> = answer.map(in_python).collect();
    let mut known = client_class("Near");
    columns.sort();
    known.sort();
    assert_eq!(known, columns, "class Near of _client.py has other fields than answers have columns");
    let passage = PassageRow::default();
    let columns: Vec<_> = passage.place_cells().map(|(column, _)| in_python(column)).collect();
    assert_eq!(client_class("FoundPassage"), columns);
}

#[test]
fn the_interface_tells_the_columns_of_rows() {
    let mut columns: Vec<String> = AnswerRow::all_columns().map(|(column, _)| column.name.to_owned()).collect();
    columns.retain(|name| name != "query");
    let mut names = properties::<AnswerJson>();
    columns.sort();
    names.sort();
    assert_eq!(names, columns);
    assert!(properties::<Member>().contains(&"euclidean_distance".to_owned()));
    assert_eq!(properties::<PassageJson>().len(), 9);
}
