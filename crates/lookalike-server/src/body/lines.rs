//! Bodies with a JSON object on each line, of which some are parsed at a time.

use super::json::parse;
use crate::problem::{Problem, Result};
use serde::de::DeserializeOwned;

/// The lines of a body that are not parsed yet.
#[derive(Debug)]
pub(crate) struct Lines {
    body: Vec<u8>,
    /// Begin of the next line.
    at: usize,
    /// Its number, from 1.
    number: usize,
}

impl Lines {
    pub(crate) fn new(body: Vec<u8>) -> Self {
        Self { body, at: 0, number: 1 }
    }

    /// Bytes of the lines of the next objects, as many as `count`.
    pub(crate) fn next_bytes(&self, count: usize) -> usize {
        // Behind a last line without an end there is nothing, not even an empty line.
        let rest = self.body.get(self.at..).unwrap_or_default();
        let lines = rest.split(|&byte| byte == b'\n').filter(|line| !line.trim_ascii().is_empty());
        lines.take(count).map(<[u8]>::len).sum()
    }

    /// The objects on the next lines, as many as `count`, with the numbers of their lines; empty lines say nothing.
    ///
    /// # Errors
    /// The first line that is no such object, by its number.
    pub(crate) fn next_objects<T: DeserializeOwned>(&mut self, count: usize) -> Result<Vec<(usize, T)>> {
        let mut objects = Vec::new();
        while objects.len() < count && self.at < self.body.len() {
            let rest = &self.body[self.at..];
            let line = rest.split(|&byte| byte == b'\n').next().unwrap_or(rest);
            let number = self.number;
            self.at += line.len() + 1;
            self.number += 1;
            if line.trim_ascii().is_empty() {
                continue;
            }
            match parse(line) {
                Ok(object) => objects.push((number, object)),
                Err(told) => return Err(Problem::bad(told.replace("the body", "it")).of_line(number)),
            }
        }
        Ok(objects)
    }
}
