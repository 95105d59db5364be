//! Bodies with a JSON object on each line.

use super::json::parse;
use crate::problem::{Problem, Result};
use serde::de::DeserializeOwned;

/// The object on each line, with the number of the line from 1; empty lines say nothing.
///
/// # Errors
/// The first line that is no such object, by its number.
pub(crate) fn lines<T: DeserializeOwned>(body: &[u8]) -> Result<Vec<(usize, T)>> {
    let numbered = (1..).zip(body.split(|&byte| byte == b'\n'));
    let full = numbered.filter(|(_, line)| !line.trim_ascii().is_empty());
    let object = |(number, line)| match parse(line) {
        Ok(object) => Ok((number, object)),
        Err(told) => Err(Problem::bad(told.replace("the body", "it")).of_line(number)),
    };
    full.map(object).collect()
}
