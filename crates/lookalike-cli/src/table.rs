//! Pairs and clusters as tables for a reader at a terminal; programs get rows.
//!
//! Ids are never cut, for the next command takes them: a pair that is too wide for the terminal has its documents below
//! each other, and a cluster names as many members as three lines hold, two at least.

use crate::messages::{FAINT, STRONG, counted, styled};
use anyhow::Result;
use lookalike::jobs::ListedCluster;
use lookalike::rows::all_columns::REASON;
use lookalike::{
    doors::{escaped, percent},
    rows::{AnswerRow, ClusterRow, Column, ColumnKind, PairRow, PassageRow, Row, SourceRow, Value},
};
use std::cmp::Reverse;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use terminal_size::{Width, terminal_size_of};
use unicode_width::UnicodeWidthStr;

/// Between two columns.
const GAP: &str = "  ";
/// Lines that the members of one cluster may take.
const LINES_OF_CLUSTER: usize = 3;
/// Members that are named however wide they are: one alone is no cluster.
const MIN_MEMBERS: usize = 2;

/// Prints the pairs that are listed of `all`; nothing if there are none.
pub(crate) fn print_pairs(listed: &[PairRow<'_>], all: u64) -> Result<()> {
    print(&pair_lines(listed, width()), rest(listed.len(), all, "pair"))
}

/// Prints the clusters that are listed of `all`; nothing if there are none.
pub(crate) fn print_clusters(listed: &[ListedCluster], all: u64) -> Result<()> {
    print(&cluster_lines(listed, width()), rest(listed.len(), all, "cluster"))
}

/// Answers by query, these below each other, in one table that may be printed piece by piece.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum AnswerTable {
    /// One table with all answers: a single query is not named.
    #[default]
    Whole,
    /// Answers as they come, before the first one was printed.
    First,
    /// Answers as they come, below printed ones.
    Following,
}

impl AnswerTable {
    /// The form of answers to queries from `inputs`.
    pub(crate) fn from_inputs(inputs: &[PathBuf]) -> Self {
        if inputs == [Path::new("-")] { Self::First } else { Self::Whole }
    }

    /// Prints more answers; nothing if there are none.
    pub(crate) fn print(&mut self, listed: &[AnswerRow<'_>]) -> Result<()> {
        let lines = answer_lines(listed, *self);
        if *self == Self::First && !lines.is_empty() {
            *self = Self::Following;
        }
        print(&lines, None)
    }
}

/// Passages of a source that are printed.
const MAX_PASSAGES: usize = 3;

/// Prints the sources of each document, with their longest passages.
pub(crate) fn print_passages(listed: &[SourceRow<'_>]) -> Result<()> {
    print(&passage_lines(listed), None)
}

/// Lines of documents with their shares, below each its sources, and below these their longest passages.
fn passage_lines(listed: &[SourceRow<'_>]) -> Vec<String> {
    let mut lines = Vec::new();
    for document in listed.chunk_by(|a, b| a.id() == b.id()) {
        let passages: Vec<&PassageRow<'_>> = document.iter().filter_map(SourceRow::passage).collect();
        let sources: Vec<&[&PassageRow<'_>]> = passages.chunk_by(|a, b| a.rank == b.rank).collect();
        let share = percent(passages.first().map_or(0.0, |first| first.share_in_all));
        let name = styled(STRONG, escaped(document[0].id()));
        let count = counted(sources.len() as u64, "source");
        lines.push(format!("{name}: {count}, {share} covered"));
        for passages in sources {
            lines.push(format!("  {:>4}  {}", percent(passages[0].share), escaped(&passages[0].source)));
            let mut longest: Vec<&PassageRow<'_>> = passages.to_vec();
            longest.sort_by_key(|passage| Reverse(passage.tokens));
            let rest = longest.len().saturating_sub(MAX_PASSAGES);
            longest.truncate(MAX_PASSAGES);
            lines.extend(longest.into_iter().map(passage_line));
            lines.extend((rest > 0).then(|| {
                styled(
                    FAINT,
                    format_args!("        and {} (-o FILE writes all)", counted(rest as u64, "shorter passage")),
                )
            }));
        }
    }
    lines
}

fn passage_line(passage: &PassageRow<'_>) -> String {
    let lines = |first: u64, last: u64| {
        if first == last { format!("line {first}") } else { format!("lines {first} to {last}") }
    };
    let here = lines(passage.line, passage.end_line);
    let there = lines(passage.source_line, passage.source_end_line);
    format!("        {}: {here}, there {there}", counted(passage.tokens, "token"))
}

/// The columns of the terminal; 80 if it does not tell.
pub(crate) fn width() -> usize {
    terminal_size_of(io::stdout()).map_or(80, |(Width(columns), _)| columns.into())
}

fn print(lines: &[String], rest: Option<String>) -> Result<()> {
    let mut stdout = anstream::AutoStream::auto(io::stdout().lock());
    for line in lines.iter().chain(&rest) {
        writeln!(stdout, "{line}")?;
    }
    stdout.flush()?;
    Ok(())
}

/// Note that more were found than are listed.
fn rest(listed: usize, all: u64, noun: &str) -> Option<String> {
    let rest = all.saturating_sub(listed as u64);
    let rest = (listed > 0 && rest > 0).then(|| counted(rest, &format!("more {noun}")));
    rest.map(|rest| styled(FAINT, format_args!("... and {rest} (--top N lists more, -o FILE writes all)")))
}

/// The name of a document, with its file if files are named.
fn document(id: &str, source: Option<&str>) -> String {
    source.map_or_else(|| escaped(id), |source| format!("{} ({})", escaped(id), escaped(source)))
}

/// A heading and its cells, one a row.
struct TableColumn {
    heading: &'static str,
    cells: Vec<String>,
    is_number: bool,
}

/// The columns of rows that are numbers, and what documents have in common; ids and files stand apart.
fn columns_of<R: Row>(rows: &[R]) -> Vec<TableColumn> {
    let columns = rows.first().map(R::columns).unwrap_or_default();
    let column_of = |column: &Column| {
        let cell = |row: &R| shown(column, &row.cells().find(|(known, _)| known.name == column.name)?.1);
        // A column that some row lacks is left out.
        let cells = rows.iter().map(cell).collect::<Option<Vec<String>>>()?;
        Some(TableColumn { heading: column.heading, cells, is_number: column.name != REASON.name })
    };
    columns.iter().filter_map(column_of).collect()
}

/// A value as it is shown; `None` where the table has no such column.
fn shown(column: &Column, value: &Value<'_>) -> Option<String> {
    match (value, column.kind) {
        (Value::Number(share), ColumnKind::Share) => Some(three_digits(*share)),
        (Value::Number(number), _) => Some(format!("{number:.6}")),
        (Value::Count(count), _) => Some(count.to_string()),
        (Value::Text(text), _) if column.name == REASON.name => Some(text.to_string()),
        (Value::Text(_) | Value::Json(_) | Value::Flag(_) | Value::Null, _) => None,
    }
}

impl TableColumn {
    fn texts(heading: &'static str, cells: impl Iterator<Item = String>) -> Self {
        Self { heading, cells: cells.collect(), is_number: false }
    }

    fn numbers(heading: &'static str, cells: impl Iterator<Item = String>) -> Self {
        Self { heading, cells: cells.collect(), is_number: true }
    }

    fn width(&self) -> usize {
        self.cells.iter().map(|cell| cell.width()).max().unwrap_or(0).max(self.heading.width())
    }

    fn aligned(&self, cell: &str) -> String {
        let blanks = " ".repeat(self.width().saturating_sub(cell.width()));
        if self.is_number { blanks + cell } else { cell.to_owned() + &blanks }
    }
}

/// A line for each pair below a heading, or two lines for each if some pair is too wide.
fn pair_lines(pairs: &[PairRow<'_>], width: usize) -> Vec<String> {
    let before = columns_of(pairs);
    if before.is_empty() {
        return Vec::new();
    }
    let documents = |heading, side: fn(&PairRow<'_>) -> String| TableColumn::texts(heading, pairs.iter().map(side));
    let a = documents("a", |pair| document(&pair.a, pair.sources[0].as_deref()));
    let b = documents("b", |pair| document(&pair.b, pair.sources[1].as_deref()));
    let indent: usize = before.iter().map(|column| column.width() + GAP.len()).sum();
    let is_wide = indent + a.width() + GAP.len() + b.width() > width;
    let line = |cell: &dyn Fn(&TableColumn) -> String| -> String {
        before.iter().map(|column| column.aligned(&cell(column)) + GAP).collect()
    };
    let heading = line(&|column| column.heading.to_owned())
        + &if is_wide { "documents".into() } else { a.aligned("a") + GAP + "b" };
    let mut lines = vec![styled(FAINT, heading)];
    for row in 0..pairs.len() {
        let start = line(&|column| column.cells[row].clone());
        if is_wide {
            lines.extend([start + &a.cells[row], " ".repeat(indent) + &b.cells[row]]);
        } else {
            lines.push(start + &a.aligned(&a.cells[row]) + GAP + &b.cells[row]);
        }
    }
    lines
}

/// A line for each answer below a heading; the query stands before its first answer, if there are several.
fn answer_lines(answers: &[AnswerRow<'_>], shown: AnswerTable) -> Vec<String> {
    let Some(first) = answers.first() else { return Vec::new() };
    let columns = columns_of(answers);
    let line = |cell: &dyn Fn(&TableColumn) -> String| -> String {
        columns.iter().map(|column| column.aligned(&cell(column)) + GAP).collect()
    };
    let has_many = shown != AnswerTable::Whole || answers.iter().any(|row| row.query != first.query);
    let heading = || styled(FAINT, line(&|column| column.heading.to_owned()) + "id");
    let mut lines: Vec<String> = (shown != AnswerTable::Following).then(heading).into_iter().collect();
    for (number, row) in answers.iter().enumerate() {
        if has_many && row.rank == 1 {
            lines.push(styled(STRONG, escaped(&row.query)));
        }
        lines.push(line(&|column| column.cells[number].clone()) + &escaped(&row.id));
    }
    lines
}

/// A similarity in three digits; only 1 is called 1.
fn three_digits(similarity: f64) -> String {
    let text = format!("{similarity:.3}");
    if text == "1.000" && similarity < 1.0 { "0.999".to_owned() } else { text }
}

/// Some lines for each cluster below a heading: its size, and its first members.
fn cluster_lines(clusters: &[ListedCluster], width: usize) -> Vec<String> {
    if clusters.is_empty() {
        return Vec::new();
    }
    let sizes = TableColumn::numbers("documents", clusters.iter().map(|cluster| cluster.documents.to_string()));
    let indent = sizes.width() + GAP.len();
    let mut lines = vec![styled(FAINT, sizes.aligned(sizes.heading) + GAP + "members")];
    for (cluster, size) in clusters.iter().zip(&sizes.cells) {
        let members = member_lines(cluster, width.saturating_sub(indent));
        let starts =
            std::iter::once(styled(STRONG, sizes.aligned(size)) + GAP).chain(std::iter::repeat(" ".repeat(indent)));
        lines.extend(starts.zip(members).map(|(start, members)| start + &members));
    }
    lines
}

/// The first members in lines of this width, and how many more there are.
fn member_lines(cluster: &ListedCluster, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    let mut named = 0;
    for ClusterRow { id, source, .. } in &cluster.first {
        let name = document(id, source.as_deref());
        let more = cluster.documents - named - 1;
        let count = lines.len();
        // A line ends with a comma, the last one with the rest.
        let end = match more {
            0 => String::new(),
            _ if count < LINES_OF_CLUSTER => ",".to_owned(),
            _ => format!(" and {more} more"),
        };
        let Some(line) = lines.last_mut() else { break };
        let separator = if line.is_empty() { "" } else { ", " };
        let fits = line.width() + separator.len() + name.width() + end.len() <= width;
        if line.is_empty() || fits {
            *line += separator;
            *line += &name;
        } else if count < LINES_OF_CLUSTER || named < MIN_MEMBERS as u64 {
            line.push(',');
            lines.push(name);
        } else {
            break;
        }
        named += 1;
    }
    if let Some(line) = lines.last_mut().filter(|_| named < cluster.documents) {
        *line += &format!(" and {} more", cluster.documents - named);
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use lookalike::{
        Reason,
        measures::Figure,
        rows::{Figures, Verified},
    };

    fn pair<'a>(ids: [&'a str; 2], similarity: f64) -> PairRow<'a> {
        PairRow::new(ids, Figures::new(Figure::Similarity, Verified::from_similarity(similarity)), Reason::Near)
    }

    fn plain(lines: &[String]) -> String {
        anstream::adapter::strip_str(&lines.join("\n")).to_string()
    }

    #[test]
    fn columns_are_aligned_and_only_one_is_called_one() {
        let pairs = [pair(["b.txt", "a.txt"], 0.99996), pair(["数据", "a longer one"], 0.5)];
        let expected = "\
similarity  reason  a      b
     0.999  near    b.txt  a.txt
     0.500  near    数据   a longer one";
        assert_eq!(plain(&pair_lines(&pairs, 80)), expected);
        assert_eq!(pair_lines(&[], 80), Vec::<String>::new());
    }

    #[test]
    fn wide_pairs_have_their_documents_below_each_other() {
        let long = "a/path/that/goes/on/and/on/for/nearly/as/many/columns/as/a/terminal/has.md";
        let expected =
            format!("similarity  reason  documents\n     0.800  near    {long}\n                    x\\ny (f.jsonl)");
        let sources = [None, Some("f.jsonl".into())];
        let pair = PairRow { sources, ..pair([long, "x\ny"], 0.8) };
        assert_eq!(plain(&pair_lines(&[pair], 80)), expected);
    }

    #[test]
    fn clusters_name_as_many_members_as_fit_and_two_at_least() {
        let cluster = |documents, ids: &[&str]| {
            let first = ids.iter().map(|id| ClusterRow { cluster: 0, id: id.to_string().into(), source: None });
            ListedCluster { documents, first: first.collect() }
        };
        let names: Vec<String> = (0..100).map(|number| format!("document-{number}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let long = "l".repeat(60);
        let clusters = [cluster(1000, &names), cluster(2, &["a", "b"]), cluster(5, &[&long, &long, &long, "a", "b"])];
        let expected = format!(
            "\
documents  members
     1000  document-0, document-1, document-2,
           document-3, document-4, document-5,
           document-6, document-7 and 992 more
        2  a, b
        5  {long},
           {long},
           {long} and 2 more"
        );
        assert_eq!(plain(&cluster_lines(&clusters, 50)), expected);
    }

    #[test]
    fn what_is_not_listed_is_counted() {
        assert_eq!(rest(50, 50, "pair"), None);
        assert_eq!(rest(0, 0, "pair"), None);
        let rest = rest(50, 1234, "pair").unwrap();
        assert!(rest.contains("... and 1,184 more pairs (--top N lists more, -o FILE writes all)"), "{rest}");
    }
}
