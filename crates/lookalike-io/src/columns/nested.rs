//! What stands inside a nested type.

use arrow_schema::DataType;

/// A type inside another, with its name if it is a field of an object.
type Inner<'t> = (Option<&'t str>, &'t DataType);

/// The types directly inside a type; none for a union, which is looked at as a whole, and for a type without parts.
pub(super) fn inside(data_type: &DataType) -> Vec<Inner<'_>> {
    match data_type {
        DataType::Struct(fields) => {
            fields.iter().map(|field| (Some(field.name().as_str()), field.data_type())).collect()
        }
        DataType::List(item)
        | DataType::LargeList(item)
        | DataType::ListView(item)
        | DataType::LargeListView(item)
        | DataType::FixedSizeList(item, _)
        | DataType::Map(item, _)
        | DataType::RunEndEncoded(_, item) => vec![(None, item.data_type())],
        DataType::Dictionary(_, values) => vec![(None, values)],
        _ => Vec::new(),
    }
}

/// Whether a type, or one inside it, passes the test.
pub(super) fn has_type(data_type: &DataType, test: &dyn Fn(&DataType) -> bool) -> bool {
    test(data_type) || inside(data_type).into_iter().any(|(_, inner)| has_type(inner, test))
}

/// The first name that two of these columns or fields have.
pub(super) fn repeated<'n>(names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let mut seen = std::collections::HashSet::new();
    names.into_iter().find(|name| !seen.insert(*name))
}
