//! The input files of a corpus that was read into a work folder, so that a later run knows whether they still hold what
//! was read.
//!
//! A file whose size, times and number are those that were noted has not changed. Where only the size is the same (a
//! restored backup, `cp -p`, other rights), the checksum of its bytes decides. It is made in a pass of its own at the
//! end of the reading, by all threads: readers of columns skip bytes, and those of compressed files need not read the
//! last.

use crate::base::{Result, WorkFolderError};
use crate::corpus::Corpus;
use crate::corpus::records::Records;
use crate::run::{Checkpoint, SavedStage, SectionWriter, Session, Stored};
use crate::threads::ordered_map;
use bytemuck::{Pod, Zeroable};
use lookalike_core::hash::hash_sequence;
use lookalike_io::{
    Source,
    sources::{FileState, read_range},
};
use std::ops::Range;
use std::path::PathBuf;
use xxhash_rust::xxh3::xxh3_64;

/// Bytes that are read and summed at a time.
const PIECE_BYTES: u64 = 1 << 20;

/// Facts about an input file that a work folder keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub(in crate::corpus) struct KnownFile {
    stamp: u64,
    checksum: u64,
}

/// An input file as it was found by this run.
struct InputFile {
    path: PathBuf,
    /// Path as the user knows it.
    shown: PathBuf,
    state: FileState,
    stamp: u64,
}

fn files(sources: &[Source]) -> impl Iterator<Item = InputFile> {
    sources.iter().flat_map(|source| {
        source.files().map(|(path, state)| {
            if source.is_copy() {
                // Each run has new copies; their time is that of the version.
                InputFile { path, shown: source.path.to_path_buf(), state, stamp: state.version() }
            } else {
                InputFile { shown: path.clone(), path, state, stamp: state.stamp() }
            }
        })
    })
}

/// A number that changes with the stamp of any file.
pub(super) fn stamp_of(sources: &[Source]) -> u64 {
    hash_sequence(0, files(sources).map(|file| file.stamp))
}

/// The files that were just read.
///
/// # Errors
/// [`lookalike_io::Error::Changed`] if one has changed since it was found.
pub(super) fn known_files(sources: &[Source], session: &Session<'_>) -> Result<Vec<KnownFile>> {
    let checksums = checksums(files(sources), session)?;
    let known = files(sources).zip(checksums).map(|(file, checksum)| {
        file.check()?;
        Ok(KnownFile { stamp: file.stamp, checksum })
    });
    known.collect()
}

/// The files as they are now, if they hold what they held when they were `known`.
///
/// # Errors
/// [`WorkFolderError::InputChanged`] if one does not.
pub(super) fn still_known(known: &[KnownFile], sources: &[Source], session: &Session<'_>) -> Result<Vec<KnownFile>> {
    let touched = || files(sources).zip(known).filter(|(file, known)| file.stamp != known.stamp);
    let checksums = checksums(touched().map(|(file, _)| file), session)?;
    for ((file, known), checksum) in touched().zip(checksums) {
        if checksum != known.checksum {
            return Err(WorkFolderError::InputChanged { path: file.shown }.into());
        }
        file.check()?;
    }
    Ok(files(sources).zip(known).map(|(file, &known)| KnownFile { stamp: file.stamp, ..known }).collect())
}

/// The files of a reading that is done again in each run, as that of rows of groups: their sort is not saved.
struct Unsaved(Vec<KnownFile>);

impl Checkpoint for Unsaved {
    type About = ();

    fn about(&self) {}

    fn save(&self, sections: &mut SectionWriter<'_>) -> Result<()> {
        sections.slice("inputs", &self.0)
    }

    fn load((): (), stored: &Stored<'_>) -> Result<Option<Self>> {
        Ok(stored.array("inputs")?.map(|inputs| Self(inputs.into_vec())))
    }
}

/// Reads the sources once more in each run, from the same files as in the runs before. Later stages
/// know the corpus by the checksums of the files.
///
/// # Errors
/// Those of `read`; [`WorkFolderError::InputChanged`] if a file has other content than in the run before.
pub(super) fn with_known_inputs(
    sources: &[Source],
    saved: &SavedStage<'_>,
    session: &Session<'_>,
    read: impl FnOnce(&SavedStage<'_>) -> Result<(Corpus, Records)>,
) -> Result<(Corpus, Records)> {
    let unsaved = saved.without_folder();
    if saved.folder().is_none() {
        return read(&unsaved);
    }
    session.stages.is_repeated();
    if let Some(Unsaved(known)) = saved.load()?.filter(|Unsaved(known)| known.len() == files(sources).count()) {
        still_known(&known, sources, session)?;
    }
    let (corpus, records) = read(&unsaved)?;
    let known = known_files(sources, session)?;
    let checksum = hash_sequence(0, known.iter().map(|file| file.checksum));
    saved.save(&Unsaved(known))?;
    Ok((Corpus { checksum, ..corpus }, records))
}

impl InputFile {
    /// Checks that it is still as it was found.
    fn check(&self) -> Result<()> {
        if FileState::read(&self.path)? != self.state {
            return Err(lookalike_io::Error::Changed { path: self.shown.clone() }.into());
        }
        Ok(())
    }

    /// Ranges of its bytes; one of an empty file.
    fn pieces(&self) -> impl Iterator<Item = Range<u64>> + use<> {
        let starts = (0..self.state.bytes.max(1)).step_by(PIECE_BYTES as usize);
        starts.map(|start| start..start + PIECE_BYTES)
    }
}

/// The checksums of files: of each, the hash of the hashes (XXH3, 64 bits) of its pieces.
fn checksums(files: impl Iterator<Item = InputFile> + Send, session: &Session<'_>) -> Result<Vec<u64>> {
    let pieces = files.enumerate().flat_map(|(number, file)| {
        let pieces = file.pieces();
        pieces.map(move |range| (number, file.path.clone(), range))
    });
    let sum = |bytes: &mut Vec<u8>, (number, path, range): (usize, PathBuf, Range<u64>)| {
        read_range(&path, range, bytes).map(|()| (number, xxh3_64(bytes)))
    };
    let mut checksums: Vec<u64> = Vec::new();
    ordered_map(pieces, session.pace_for(PIECE_BYTES as usize), Vec::new, sum, |piece| {
        session.stages.check()?;
        let (number, hash) = piece?;
        checksums.resize(number + 1, 0);
        checksums[number] = hash_sequence(checksums[number], [hash]);
        Result::Ok(())
    })?;
    Ok(checksums)
}
