//! A corpus as the documents of an index.

use crate::base::{Contradiction, Error, Result, Stage};
use crate::corpus::{CarriedRows, Corpus};
use crate::run::Session;
use lookalike_core::DocId;
use lookalike_core::documents::{CONTENT_NAME, TextHash};
use lookalike_index::{DocAddress, Documents, Durability, Facts, IndexWriter, SetBuffer, Settings, View};
use lookalike_io::base::details::Action;
use std::collections::HashMap;
use tempfile::TempDir;

/// Ids that an error names.
const MAX_SHOWN_IDS: usize = 10;

/// `true` if documents may take the place of others of an index that have the same ids.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Replacing {
    /// Documents may take the place of others.
    #[default]
    Allowed,
    /// An id that is there ends the job.
    Refused,
}

/// Documents that were left out of a [`StoredCorpus`], because an index knows their contents.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Known {
    /// Number of documents that are there already.
    pub(crate) documents: u64,
    /// Number of those that are put again, because they would be gone earlier.
    pub(crate) renewed: u64,
}

/// Some documents of a corpus, with the counts of terms and not their weights.
pub(crate) struct StoredCorpus<'a> {
    corpus: &'a Corpus,
    session: &'a Session<'a>,
    documents: Vec<DocId>,
    /// The second since 1970 from which on they are gone.
    expires: Option<u64>,
}

impl<'a> StoredCorpus<'a> {
    /// The first `count` documents.
    pub(crate) fn of_first(corpus: &'a Corpus, count: usize, session: &'a Session<'a>) -> Self {
        Self::new(corpus, DocId::all(count).collect(), session)
    }

    /// Some documents of a corpus.
    pub(crate) fn new(corpus: &'a Corpus, documents: Vec<DocId>, session: &'a Session<'a>) -> Self {
        Self { corpus, session, documents, expires: None }
    }

    /// The session that they are put in.
    pub(crate) fn session(&self) -> &Session<'_> {
        self.session
    }

    /// The document of the corpus with this number here, and its id there.
    pub(crate) fn record(&self, number: usize) -> (DocId, &str) {
        let document = self.documents[number];
        (document, self.corpus.listing.ids.get(document))
    }

    /// Leaves out the documents that are known by their content and are there: in the index as it is, for as long as
    /// these would be, or here before them.
    ///
    /// # Errors
    /// [`Contradiction::ContentNameTaken`] if a document with other content has the name of one of them as its id;
    /// if the index is damaged.
    pub(crate) fn without_known(self, view: &View) -> Result<(Self, Known)> {
        // An id of a record may be such a name: of a document of another index.
        let named = self.documents.iter().filter(|&&document| self.corpus.content_name(document).is_none());
        let ids = named.map(|&document| (self.corpus.listing.ids.get(document), document));
        let mut seen: HashMap<&str, DocId> = ids.filter(|(id, _)| id.starts_with(CONTENT_NAME)).collect();
        let mut known = Known::default();
        let mut documents = Vec::new();
        for &document in &self.documents {
            let Some(name) = self.corpus.content_name(document) else {
                documents.push(document);
                continue;
            };
            let place = view.find(name);
            let first = *seen.entry(name).or_insert(document);
            let is_new = first == document;
            if !is_new && !self.is_same(document, first) || !self.is_stored(document, view, place)? {
                let record = self.corpus.listing.ids.get(document).to_owned();
                return Err(Contradiction::ContentNameTaken { record, id: name.to_owned() }.into());
            }
            let there = place.map(|place| view.facts(place).expires());
            known.documents += u64::from(!is_new || there.is_some());
            let ends_earlier = |there: Option<u64>| there.is_some_and(|end| self.expires.is_none_or(|new| new > end));
            if is_new && there.is_none_or(ends_earlier) {
                known.renewed += u64::from(there.is_some());
                documents.push(document);
            }
        }
        Ok((Self { documents, ..self }, known))
    }

    /// Returns whether two documents have the same content: the same text, or, where that is not known or a fingerprint
    /// has several spellings, the same elements.
    fn is_same(&self, document: DocId, other: DocId) -> bool {
        self.has_content(document, self.corpus.text_hash(other), Some(self.corpus.sets.get(other).elements()))
    }

    /// Returns whether a document has the same content as one of the index, if there is one.
    fn is_stored(&self, document: DocId, view: &View, place: Option<DocAddress>) -> Result<bool> {
        let Some(place) = place else { return Ok(true) };
        let mut set = SetBuffer::default();
        let elements = match view.read_set(place, &mut set) {
            Ok(()) => Some(&set.elements[..]),
            Err(lookalike_index::Error::SignaturesOnly) => None,
            Err(error) => return Err(error.into()),
        };
        Ok(self.has_content(document, view.facts(place).text_hash, elements))
    }

    /// Returns whether a document has this content; `elements` are `None` if they are not known.
    fn has_content(&self, document: DocId, text_hash: TextHash, elements: Option<&[u64]>) -> bool {
        let own = self.corpus.text_hash(document);
        if own.is_same(text_hash) {
            return true;
        }
        let are_known = own != TextHash::UNKNOWN && text_hash != TextHash::UNKNOWN;
        match elements {
            Some(elements) if !(are_known && elements.is_empty()) => {
                self.corpus.sets.get(document).elements() == elements
            }
            // Nothing but the name is left, or nothing but the texts, which differ.
            Some(_) | None => !are_known,
        }
    }

    /// Checks that none takes the place of a document of the index.
    ///
    /// # Errors
    /// [`Contradiction::IdsInIndex`].
    pub(crate) fn check_new(&self, view: &View) -> Result<()> {
        let named = self.documents.iter().filter(|&&document| self.corpus.content_name(document).is_none());
        let ids = named.map(|&document| self.corpus.listing.ids.get(document));
        let mut there = ids.filter(|id| view.find(id).is_some());
        let first: Vec<String> = there.by_ref().take(MAX_SHOWN_IDS).map(str::to_owned).collect();
        let count = (first.len() + there.count()) as u64;
        if count > 0 { Err(Contradiction::IdsInIndex { first, count }.into()) } else { Ok(()) }
    }

    /// Sets the moment at which the documents will be gone.
    pub(crate) fn expiring(self, expires: Option<u64>) -> Self {
        Self { expires, ..self }
    }

    /// Stored fields and texts, and the row of a document in them; `None` if nothing is stored.
    fn carried(&self, document: usize) -> Option<(&CarriedRows, usize)> {
        let row = self.documents[document].index().checked_sub(self.corpus.listing.references)?;
        self.corpus.carried.as_deref().map(|carried| (carried, row))
    }
}

impl Documents for StoredCorpus<'_> {
    fn len(&self) -> usize {
        self.documents.len()
    }

    fn id(&self, document: usize) -> &str {
        let document = self.documents[document];
        self.corpus.content_name(document).unwrap_or_else(|| self.corpus.listing.ids.get(document))
    }

    fn size(&self, document: usize) -> usize {
        self.corpus.sets.size(self.documents[document])
    }

    fn set<'s>(&'s self, document: usize, _: &'s mut SetBuffer) -> lookalike_index::Result<(&'s [u64], &'s [u32])> {
        let document = self.documents[document];
        Ok((self.corpus.sets.get(document).elements(), self.corpus.counts_of(document)))
    }

    fn facts(&self, document: usize) -> Facts {
        let document = self.documents[document];
        Facts::new(self.corpus.text_hash(document), self.corpus.listing.characters(document), self.expires)
    }

    fn fields(&self, document: usize) -> &[u8] {
        self.carried(document).map_or(&[], |(carried, row)| carried.fields(row))
    }

    fn text(&self, document: usize) -> Vec<u8> {
        self.carried(document).map_or_else(Vec::new, |(carried, row)| carried.text(row).to_vec())
    }

    fn advance(&self, documents: usize) -> lookalike_index::Result<()> {
        self.session.stages.progress.advance(documents as u64);
        self.session.stages.check().map_err(|_| lookalike_index::Error::Stopped)
    }
}

/// Result of writing to an index in a stage: if it was stopped, because the job was.
pub(crate) fn written<T>(written: lookalike_index::Result<T>, session: &Session<'_>) -> Result<T> {
    if matches!(written, Err(lookalike_index::Error::Stopped)) {
        session.stages.check()?;
    }
    Ok(written?)
}

/// An index of the first `count` documents of a corpus, made in a stage. Its temporary folder is removed with it.
pub(crate) fn temporary_index(
    corpus: &Corpus,
    count: usize,
    settings: Settings,
    session: &Session<'_>,
) -> Result<(IndexWriter, TempDir)> {
    let folder = match &session.resources().temporary_folder {
        Some(folder) => tempfile::tempdir_in(folder),
        None => tempfile::tempdir(),
    };
    let folder = folder.map_err(|source| {
        let place = session.resources().temporary_folder.clone().unwrap_or_else(std::env::temp_dir);
        Error::from(lookalike_io::Error::io(Action::WriteInto, &place, source))
    })?;
    let mut writer = IndexWriter::create(&folder.path().join("index"), settings, Durability::Process)?;
    give_resources(&mut writer, session);
    session.stage(Stage::over_documents(Stage::INDEXING, count), || {
        written(writer.load(&StoredCorpus::of_first(corpus, count, session)), session)
    })?;
    Ok((writer, folder))
}

/// Lets a writer use the threads of a session, and a part of its memory for the keys that it sorts at a time.
pub(crate) fn give_resources(writer: &mut IndexWriter, session: &Session<'_>) {
    writer.use_resources(session.threads(), (session.spill.whole_budget().bytes() / 4) as usize);
}
