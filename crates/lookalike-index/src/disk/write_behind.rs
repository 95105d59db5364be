//! Writes a file behind the work that makes its bytes: a thread of its own writes, and has the disk begin early.

use super::DiskFile;
use crate::base::details::DiskAction;
use crate::base::{Error, Result};
use std::io::ErrorKind;
use std::path::Path;
use std::sync::mpsc::{Receiver, Sender, channel, sync_channel};

const BUFFER_BYTES: usize = 1 << 20;
/// Buffers that are filled and not written yet, at most.
const MAX_WAITING: usize = 32;
/// Bytes after which the disk is given what was written. Otherwise the system keeps gigabytes until the last sync.
const SYNC_BYTES: usize = 1 << 26;

/// Writes what `make` passes to its argument, and syncs it.
///
/// # Errors
/// Those of the file, which come first, and those of `make`.
pub(crate) fn write_behind(
    file: &mut dyn DiskFile,
    make: impl FnOnce(&mut dyn FnMut(&[u8]) -> Result<()>) -> Result<()>,
) -> Result<()> {
    let (full, waiting) = sync_channel::<Vec<u8>>(MAX_WAITING);
    let (emptied, empty) = channel();
    std::thread::scope(|scope| {
        let writing = scope.spawn(move || write_all(file, &waiting, &emptied));
        let mut buffer = Vec::with_capacity(BUFFER_BYTES);
        // The receiver ends only with an error, which is reported in place of this one.
        let stopped = || Error::io(DiskAction::Write, Path::new(""), ErrorKind::BrokenPipe.into());
        let made = make(&mut |mut bytes| {
            while !bytes.is_empty() {
                let (some, others) = bytes.split_at(bytes.len().min(BUFFER_BYTES - buffer.len()));
                buffer.extend_from_slice(some);
                bytes = others;
                if buffer.len() == BUFFER_BYTES {
                    let next = empty.try_recv().unwrap_or_else(|_| Vec::with_capacity(BUFFER_BYTES));
                    full.send(std::mem::replace(&mut buffer, next)).map_err(|_| stopped())?;
                }
            }
            Ok(())
        });
        let sent = full.send(buffer).map_err(|_| stopped());
        drop(full);
        writing.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
        made.and(sent)
    })
}

fn write_all(file: &mut dyn DiskFile, waiting: &Receiver<Vec<u8>>, emptied: &Sender<Vec<u8>>) -> Result<()> {
    let mut unsynced = 0;
    for mut buffer in waiting {
        file.write(&buffer)?;
        unsynced += buffer.len();
        if unsynced >= SYNC_BYTES {
            file.sync()?;
            unsynced = 0;
        }
        buffer.clear();
        // The receiver is gone once all is written.
        let _ = emptied.send(buffer);
    }
    file.sync()
}
