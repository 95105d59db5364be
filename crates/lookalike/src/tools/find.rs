//! Documents by their names: files, and ids as answers show them.
//!
//! ```text
//! name                 document
//! essay.txt            a file with one document
//! -                    the one at standard input
//! news.jsonl:ID        what a job of this file calls ID; also FOLDER:ID, ARCHIVE:ID and -:ID
//! noid.jsonl:7         its line 7, if its records have no ids
//! essays.zip/ben.txt   a file in an archive
//! ID                   what a job of the inputs calls ID, if inputs are given
//! ```
//!
//! Ids are given anew, by the rule of the corpus ([`qualified_id`]), so an id that a job of the same inputs has printed
//! is found again. The ids of a job of more inputs name sources by more folders, and are recognized as far as they say
//! by themselves which document of this source is meant ([`RequestedDocument::may_mean`]).

use crate::base::{Error, Result};
use crate::corpus::{check_gitignore, check_settings_used, fields_of_first, row_count};
use lookalike_core::comparison::Features;
use lookalike_core::documents::Content;
use lookalike_core::text::Items;
use lookalike_core::{path_of_printed, printed_path};
use lookalike_io::{
    BadRecord, Blocks, Document, Inputs, Place, Problem, Source,
    base::NearestNames,
    remote::local_path,
    sources::{
        Discovered, Discovery, FieldNames, IdOccurrence, MAX_COPIES, RecordRole, SourceKind, discover_with,
        is_qualified, qualified_id,
    },
};
use std::cell::{Cell, OnceCell, RefCell};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// The name of standard input.
const STDIN: &str = "-";

/// Finds documents by their names.
pub(super) struct Finder<'a> {
    inputs: &'a Inputs,
    fields: FieldNames,
    /// The inputs among which names are ids; `None` if none are given.
    corpus: Option<Discovered>,
    /// Standard input, once it was read.
    stdin: OnceCell<Discovered>,
    /// The sources that were looked into.
    seen: RefCell<Vec<Source>>,
    /// True if `.gitignore` files were looked for.
    may_have_gitignore: Cell<bool>,
}

impl<'a> Finder<'a> {
    /// Finds documents whose fields are called `fields`, among the inputs if there are any.
    ///
    /// # Errors
    /// If an input cannot be read.
    pub(super) fn new(inputs: &'a Inputs, fields: FieldNames) -> Result<Self> {
        let stdin = OnceCell::new();
        let seen = RefCell::default();
        let may_have_gitignore = Cell::new(false);
        let mut finder = Self { inputs, fields, corpus: None, stdin, seen, may_have_gitignore };
        if !inputs.inputs.is_empty() {
            finder.corpus = Some(finder.discover(&inputs.inputs)?);
        }
        Ok(finder)
    }

    /// The compared content of the document with this name.
    ///
    /// # Errors
    /// [`Error::NotADocument`], [`Error::IdNeeded`]; [`Error::NoSuchDocument`], [`Error::NoneButUnusable`] and
    /// [`Error::Unusable`] for an id; errors of reading.
    pub(super) fn content_of(&self, name: &str) -> Result<Content<'static>> {
        let Some(corpus) = &self.corpus else { return self.by_path(name) };
        let shown: Vec<_> = self.inputs.inputs.iter().map(|input| printed_path(input)).collect();
        let found = self.by_id(corpus, Path::new(&shown.join(", ")), name);
        match found {
            Err(missing @ Error::NoSuchDocument { .. }) => match self.by_path(name) {
                Err(Error::NotADocument { .. }) => Err(missing),
                found => found,
            },
            found => found,
        }
    }

    /// Checks that what is said of inputs is about some source that a document was looked for in.
    ///
    /// # Errors
    /// The errors of [`check_settings_used`].
    pub(super) fn check_settings_used(&self, features: &Features) -> Result<()> {
        check_gitignore(self.may_have_gitignore.get(), self.inputs)?;
        check_settings_used(&[], &self.seen.borrow(), self.inputs, features)
    }

    /// A document that a path names, or a path and an id.
    fn by_path(&self, name: &str) -> Result<Content<'static>> {
        let path = &existing_path(name);
        if name == STDIN {
            return self.only_document(self.stdin()?, path);
        }
        if let Some(id) = name.strip_prefix(STDIN).and_then(|rest| rest.strip_prefix(':')) {
            return self.by_id(self.stdin()?, Path::new("standard input"), id);
        }
        if path.exists() && !path.is_dir() {
            return self.only_document(&self.discover(&[path.to_owned()])?, path);
        }
        // Both file names and ids may hold colons: the first split whose left side exists is meant.
        let split = name.match_indices(':').map(|(at, _)| (existing_path(&name[..at]), name[at + 1..].to_owned()));
        let in_archive = path.ancestors().skip(1).find(|parent| parent.is_file());
        let in_archive = in_archive.and_then(|archive| {
            let member = path.strip_prefix(archive).ok()?;
            Some((archive.to_owned(), printed_path(member).into_owned()))
        });
        let (file, id) = split
            .into_iter()
            .find(|(file, _)| file.exists())
            .or(in_archive)
            .ok_or_else(|| Error::NotADocument { found: name.to_owned() })?;
        match file_in(&file, &id) {
            Some(path) => self.only_document(&self.discover(std::slice::from_ref(&path))?, &path),
            None => self.by_id(&self.discover(std::slice::from_ref(&file))?, &file, &id),
        }
    }

    fn discover(&self, inputs: &[PathBuf]) -> Result<Discovered> {
        let Inputs { input_format: format, json_files: json, max_document_bytes: limit, quotes, .. } = *self.inputs;
        let texts = self.inputs.texts();
        let column = self.inputs.text_field.as_str();
        let selection = self.inputs.selection()?;
        let discovery = Discovery { texts, format, json, column, quotes, limit, selection, ..Discovery::default() };
        let found = discover_with(inputs, &discovery)?;
        self.may_have_gitignore.set(self.may_have_gitignore.get() || found.may_have_gitignore);
        self.seen.borrow_mut().extend_from_slice(&found.sources);
        Ok(found)
    }

    /// The sources in standard input, which can be read once.
    fn stdin(&self) -> Result<&Discovered> {
        if self.stdin.get().is_none() {
            let found = self.discover(&[PathBuf::from(STDIN)])?;
            return Ok(self.stdin.get_or_init(|| found));
        }
        Ok(self.stdin.get_or_init(Discovered::nothing))
    }

    /// The document of a file with only one.
    fn only_document(&self, found: &Discovered, path: &Path) -> Result<Content<'static>> {
        if path == Path::new(STDIN) && found.sources.iter().all(|source| source.bytes() == 0) {
            return Ok(if self.fields.items.is_some() { Items::default().into() } else { "".into() });
        }
        let is_one = |source: &Source| matches!(&source.kind, SourceKind::TextFiles { files } if files.len() == 1);
        let mut content = Err(Error::IdNeeded { path: path.to_owned() });
        if found.sources.len() == 1 && found.sources.iter().all(is_one) {
            // The header of a small file may claim any number of pixels.
            let limit = self.inputs.images.and(self.inputs.max_document_bytes);
            for block in Blocks::new(&found.sources, &self.fields, limit) {
                block?.for_each_document(&self.fields, |document| {
                    let read = document.map(|document| document.content.into_compared().into_owned());
                    content = read.map_err(|record| Error::Unusable { record });
                });
            }
        }
        content
    }

    /// The document with an id among those of some sources, which the user knows as `shown`.
    fn by_id(&self, found: &Discovered, shown: &Path, id: &str) -> Result<Content<'static>> {
        let wanted = RequestedDocument { id, is_only_source: found.sources.len() == 1, fields: &self.fields };
        let mut search = DocumentSearch::default();
        let mut failed = None;
        for block in Blocks::new(&found.sources, &self.fields, self.inputs.max_document_bytes) {
            let block = block?;
            let index = block.source;
            let source = &found.sources[index];
            block.for_each_document(&self.fields, |document| {
                let looked = match document {
                    Ok(row) if self.fields.record == RecordRole::OfGroup => search.look_at_row(&row, &wanted, source),
                    Ok(document) => search.look_at(document, &wanted, index, source),
                    Err(record) => {
                        search.bad.add(record, id, &source.label);
                        Ok(())
                    }
                };
                failed = failed.take().or(looked.err());
            });
            if let Some(error) = failed {
                return Err(error);
            }
            if search.exact.is_some() {
                break;
            }
        }
        let has_ids = search.has_ids;
        search.finish(shown, id).map_err(|error| match error {
            // Where no record has an id, the fields of the first one say more than names that are near.
            Error::NoSuchDocument { path, id, nearest } if !has_ids => {
                let field = self.fields.id.clone();
                match fields_of_first(&found.sources, &self.fields, self.inputs.max_document_bytes, &field) {
                    Some(found) => Error::NoIds { path, id, field, found: Box::new(found) },
                    None => Error::NoSuchDocument { path, id, nearest },
                }
            }
            error => error,
        })
    }
}

/// The ids that earlier documents have, with the index of the source of each.
#[derive(Default)]
struct TakenIds(HashMap<String, usize>);

/// The name of a document.
struct UniqueId {
    id: String,
    /// Returns whether no earlier document of its source has its own id.
    is_first_of_source: bool,
}

impl TakenIds {
    /// Names the next document.
    fn name(&mut self, document: &Document<'_>, index: usize, source: &Source) -> Result<UniqueId> {
        let own: &str = &document.id;
        let is_of_source = |id: &str| self.0.get(id) == Some(&index);
        let is_first_of_source = !is_of_source(own);
        let id = if self.0.contains_key(own) {
            let occurrence = IdOccurrence { label: &source.label, number: document.number, is_first_of_source };
            qualified_id(own, &occurrence, |name| Ok::<_, Error>(self.0.contains_key(name)))?
        } else {
            own.to_owned()
        };
        let by_source = format!("{own}@{}", source.label);
        let is_first_of_source = is_first_of_source && (id == by_source || !is_of_source(&by_source));
        self.0.insert(id.clone(), index);
        Ok(UniqueId { id, is_first_of_source })
    }
}

/// The id of a document, and its surroundings.
struct RequestedDocument<'a> {
    id: &'a str,
    /// True if there is no other source.
    is_only_source: bool,
    fields: &'a FieldNames,
}

impl RequestedDocument<'_> {
    /// True if a document that is called otherwise here may be meant: by a job of more inputs, or by a person.
    fn may_mean(&self, document: &Document<'_>, named: &UniqueId, source: &Source) -> bool {
        let id = self.id;
        let label = &*source.label;
        let occurrence = IdOccurrence { label, number: document.number, is_first_of_source: named.is_first_of_source };
        // Behind more folders, `file:7` of a record without an id, and the path of a text file.
        let has_own_id = document.has_own_id && !matches!(source.kind, SourceKind::TextFiles { .. });
        let is_behind_folders =
            || !has_own_id && id.strip_suffix(&named.id).is_some_and(|folders| folders.ends_with('/'));
        let is_line = || {
            !document.has_own_id && self.is_only_source && id.parse() == Ok(document.number) && named.id.ends_with(id)
        };
        let is_below_label = || id.strip_prefix(label).and_then(|rest| rest.strip_prefix(':')) == Some(&named.id);
        is_qualified(id, &document.id, &occurrence) || is_line() || is_behind_folders() || is_below_label()
    }
}

/// The documents that were looked at.
#[derive(Default)]
struct DocumentSearch {
    ids: TakenIds,
    /// The document with the id.
    exact: Option<Content<'static>>,
    /// The first document that may be meant by it.
    possible: Option<Content<'static>>,
    group: Option<RowGroup>,
    /// True if a record has an id of its own.
    has_ids: bool,
    bad: BadRecords,
    nearest: NearestNames,
}

impl DocumentSearch {
    fn look_at(
        &mut self,
        document: Document<'_>,
        wanted: &RequestedDocument<'_>,
        index: usize,
        source: &Source,
    ) -> Result<()> {
        if self.exact.is_some() {
            return Ok(());
        }
        self.has_ids |= document.has_own_id;
        let named = self.ids.name(&document, index, source)?;
        if named.id == wanted.id {
            self.exact = Some(document.content.into_compared().into_owned());
        } else if self.possible.is_none() && wanted.may_mean(&document, &named, source) {
            self.possible = Some(document.content.into_compared().into_owned());
        } else {
            self.nearest.look_at(wanted.id, &named.id);
        }
        Ok(())
    }

    /// Adds a row to the group that is looked for, if it is one of it.
    fn look_at_row(&mut self, row: &Document<'_>, wanted: &RequestedDocument<'_>, source: &Source) -> Result<()> {
        let count = match row_count(row, wanted.fields) {
            Ok(count) => count,
            Err(problem) => {
                self.bad.add(BadRecord { place: row.place.clone(), problem }, wanted.id, &source.label);
                return Ok(());
            }
        };
        self.has_ids = true;
        if row.id == wanted.id {
            self.group.get_or_insert_with(|| RowGroup::new(row.place.clone())).add(&row.content.compared(), count)
        } else {
            self.nearest.look_at(wanted.id, &row.id);
            Ok(())
        }
    }

    /// The document, or why there is none.
    fn finish(self, shown: &Path, id: &str) -> Result<Content<'static>> {
        let found = self.exact.or(self.possible).or(self.group.map(|group| group.items.into()));
        found.ok_or_else(|| self.bad.explain(shown, id, self.nearest))
    }
}

/// The rows of a group.
struct RowGroup {
    items: Items<'static>,
    copies: HashMap<String, u64>,
    place: Place,
}

impl RowGroup {
    fn new(place: Place) -> Self {
        Self { items: Items::default(), copies: HashMap::new(), place }
    }

    fn add(&mut self, row: &Content<'_>, count: u32) -> Result<()> {
        for item in row.items()?.iter() {
            let added = item.count.saturating_mul(count);
            let copies = self.copies.entry(item.text.to_owned()).or_default();
            *copies += u64::from(added);
            let unusable = |problem| Error::Unusable { record: BadRecord { place: self.place.clone(), problem } };
            if *copies > MAX_COPIES.into() {
                return Err(unusable(Problem::GroupTooLarge { copies: *copies, max: MAX_COPIES.into() }));
            }
            self.items.push(item.text, added).map_err(|nul| unusable(nul.into()))?;
        }
        Ok(())
    }
}

/// Records that cannot be used. They are not asked about, unless the wanted one is not among the others: their ids are
/// not known.
#[derive(Default)]
struct BadRecords {
    count: u64,
    /// The one whose place is the id, else the first.
    record: Option<BadRecord>,
    is_named: bool,
}

impl BadRecords {
    fn add(&mut self, record: BadRecord, id: &str, label: &str) {
        self.count += 1;
        let line = record.place.line_number();
        let is_named = line.is_some_and(|line| id == line.to_string() || id == format!("{label}:{line}"));
        if self.record.is_none() || is_named {
            self.record = Some(record);
        }
        self.is_named |= is_named;
    }

    /// Why no document has this id.
    fn explain(self, path: &Path, id: &str, nearest: NearestNames) -> Error {
        let path = path.to_owned();
        let id = id.to_owned();
        match self.record {
            None => Error::NoSuchDocument { path, id, nearest },
            Some(record) if self.is_named => Error::Unusable { record },
            Some(record) => Error::NoneButUnusable { path, id, count: self.count, record: Box::new(record) },
        }
    }
}

/// The path of this name, or the one that is printed so and no UTF-8.
pub(crate) fn existing_path(name: &str) -> PathBuf {
    let path = PathBuf::from(name);
    let local = || local_path(&path).ok().filter(|local| local.exists());
    if path.exists() { path } else { local().unwrap_or_else(|| path_of_printed(name)) }
}

/// The file that an id names in a folder; it does not lead out of it, by dots or by a link.
fn file_in(folder: &Path, id: &str) -> Option<PathBuf> {
    let plain = folder.join(id);
    let path = if plain.exists() { plain } else { folder.join(path_of_printed(id)) };
    let is_within = path.canonicalize().ok()?.starts_with(folder.canonicalize().ok()?);
    (folder.is_dir() && path.is_file() && is_within).then_some(path)
}

#[cfg(test)]
mod tests;
