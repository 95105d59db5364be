//! Two sets of items side by side: the common ones, and those of one set only.

use super::lines::omitted;
use lookalike::{doors::escaped, evidence::ComparedItem};
use serde::Serialize;
use std::io::{self, Write};

/// Maximum number of items shown of a list.
const MAX_SHOWN_ITEMS: usize = 40;

#[derive(Debug, Serialize)]
pub(super) struct ItemsReport<'a> {
    common: Vec<CommonItem<'a>>,
    only_left: Vec<UnsharedItem<'a>>,
    only_right: Vec<UnsharedItem<'a>>,
}

#[derive(Debug, Serialize)]
struct CommonItem<'a> {
    item: &'a str,
    left: u64,
    right: u64,
}

#[derive(Debug, Serialize)]
struct UnsharedItem<'a> {
    item: &'a str,
    count: u64,
}

impl<'a> ItemsReport<'a> {
    pub(super) fn new(items: &'a [ComparedItem]) -> Self {
        let mut report = Self { common: Vec::new(), only_left: Vec::new(), only_right: Vec::new() };
        for ComparedItem { item, left, right } in items {
            match (*left, *right) {
                (count, 0) => report.only_left.push(UnsharedItem { item, count }),
                (0, count) => report.only_right.push(UnsharedItem { item, count }),
                (left, right) => report.common.push(CommonItem { item, left, right }),
            }
        }
        report
    }
}

/// Writes a heading with the number of different items for each list, and its items with their counts.
pub(super) fn write_items(report: &ItemsReport<'_>, out: &mut impl Write) -> io::Result<()> {
    let common = report.common.iter().map(|CommonItem { item, left, right }| match (left, right) {
        (1, 1) => shown(item),
        _ => format!("{}  ({left} in A, {right} in B)", shown(item)),
    });
    write_list("common items", common, out)?;
    for (heading, items) in [("only in A", &report.only_left), ("only in B", &report.only_right)] {
        let items = items.iter().map(|UnsharedItem { item, count }| match count {
            1 => shown(item),
            _ => format!("{}  ({count})", shown(item)),
        });
        write_list(heading, items, out)?;
    }
    Ok(())
}

fn write_list(heading: &str, items: impl ExactSizeIterator<Item = String>, out: &mut impl Write) -> io::Result<()> {
    let all = items.len();
    writeln!(out, "{heading}: {all}")?;
    items.take(MAX_SHOWN_ITEMS).try_for_each(|item| writeln!(out, "    {item}"))?;
    if all > MAX_SHOWN_ITEMS {
        writeln!(out, "    {}", omitted(format_args!("{} more", all - MAX_SHOWN_ITEMS)))?;
    }
    Ok(())
}

/// An item on one line: as it stands, in quotes with escapes if a terminal would not show it so.
fn shown(item: &str) -> String {
    let is_plain = !item.is_empty() && item.trim() == item && escaped(item) == item;
    if is_plain { item.to_owned() } else { format!("{item:?}") }
}
