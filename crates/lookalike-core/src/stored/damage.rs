//! Why a stored file cannot be used.

/// Why a stored file cannot be used; the caller knows which file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Damage {
    /// The file does not begin and end as a container does.
    #[error("it is no complete file of lookalike")]
    NotAContainer,
    /// Another version has written it.
    #[error("it has format {found}, and this version reads format {expected}")]
    Version {
        /// The format that is read.
        expected: u32,
        /// The format of the file.
        found: u32,
    },
    /// It holds something else than was looked for.
    #[error("it is a {found}, not a {expected}")]
    Kind {
        /// What was looked for.
        expected: &'static str,
        /// What it is.
        found: String,
    },
    /// The directory of the sections is not what was written.
    #[error("its directory is damaged")]
    Directory,
    /// A section is not there.
    #[error("it has no section `{name}`")]
    NoSection {
        /// Name of the section.
        name: &'static str,
    },
    /// A section is not what was written.
    #[error("its section `{name}` is damaged")]
    Section {
        /// Name of the section.
        name: String,
    },
}
