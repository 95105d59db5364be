//! Bodies with a JSON object on each line.

use super::json::parse;
use crate::problem::{Problem, Result};
use serde::de::DeserializeOwned;

/// The object on each line; empty lines say nothing.
///
/// # Errors
/// The first line that is no such object, by its number.
pub(crate) fn lines<T: DeserializeOwned>(body: &[u8]) -> Result<Vec<T>> {
    let numbered = (1..).zip(body.split(|&byte| byte == b'\n'));
    let full = numbered.filter(|(_, line)| !line.trim_ascii().is_empty());
    full.map(|(number, line)| parse(line).map_err(|told| Problem::bad(told).of_record(number))).collect()
}
