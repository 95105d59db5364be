//! Values that errors carry in place of words: each has its words here, and nowhere else.

/// Action on a file or folder that failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum DiskAction {
    /// Reading it.
    #[error("read")]
    Read,
    /// Writing it.
    #[error("write")]
    Write,
    /// Creating it.
    #[error("create")]
    Create,
    /// Removing it.
    #[error("remove")]
    Remove,
    /// Locking it.
    #[error("lock")]
    Lock,
    /// Drawing a random number for it.
    #[error("draw a random number for")]
    DrawNumber,
    /// Starting a thread for it.
    #[error("begin a thread for")]
    BeginThread,
}

/// Damaged part of a stored document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum DocumentPart {
    /// The id.
    #[error("its id leads to another")]
    Id,
    /// The text.
    #[error("its text")]
    Text,
    /// The elements.
    #[error("its elements")]
    Elements,
    /// The counts of the elements.
    #[error("its counts")]
    Counts,
    /// The signature.
    #[error("its signature")]
    Signature,
}
