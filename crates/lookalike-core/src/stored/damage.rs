//! The reasons for which a stored file is refused.

/// The reason for which a stored file is refused. In the messages, "it" is the file, whose path the caller adds.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Damage {
    /// The file lacks the magic bytes of a container at its start or end.
    #[error("it is not a complete lookalike file")]
    NotAContainer,
    /// The file has the format of another version.
    #[error("it has format {found}, and this version reads format {expected}")]
    Version {
        /// The format that this version reads.
        expected: u32,
        /// The format of the file.
        found: u32,
    },
    /// The container is of another kind.
    #[error("it is a {found}, not a {expected}")]
    Kind {
        /// The requested kind.
        expected: &'static str,
        /// The kind of the file.
        found: String,
    },
    /// The directory is inconsistent or differs from its checksum.
    #[error("its directory is damaged")]
    Directory,
    /// The container lacks a section.
    #[error("it has no section `{name}`")]
    NoSection {
        /// Name of the section.
        name: &'static str,
    },
    /// The bytes of a section differ from its checksum or are invalid.
    #[error("its section `{name}` is damaged")]
    Section {
        /// Name of the section.
        name: String,
    },
}
