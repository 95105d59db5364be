//! Statements of a user about inputs.

use lookalike_io::base::shown;

/// Statement about inputs, of which none is of the kind that it is about.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UnusedSetting {
    /// The format of files.
    #[error("no input is a file whose format could be said")]
    Format,
    /// The field with the text.
    #[error("no input has fields, and `{}` is to be that of the text", shown(.0))]
    TextField(String),
    /// The field with the id.
    #[error("no input has fields, and `{}` is to be that of the id", shown(.0))]
    IdField(String),
    /// The field with a given fingerprint.
    #[error("no input has fields, and `{}` is to be that of the fingerprint", shown(.0))]
    Fingerprints(String),
    /// The field that orders documents.
    #[error("no input has fields, and `{}` is to be that of the order", shown(.0))]
    ScoreField(String),
    /// Names of the fields of references.
    #[error("no reference has fields that could be named")]
    ReferenceFields,
    /// The encoding of texts and tables.
    #[error("no input is a text or a table, which alone have encodings")]
    Encoding,
    /// The meaning of quotation marks in tables.
    #[error("no input is a table of text, which alone has quotes")]
    Quotes,
    /// `.gitignore` files that choose files.
    #[error("no input is a folder, an archive or a pattern, in which .gitignore files hold")]
    Gitignore,
    /// HTML as the form of texts: all inputs are pages, of which the text is taken in any case.
    #[error("all inputs are HTML files, which are read without their tags")]
    Html,
    /// Articles of pages, which alone are compared.
    #[error("no input is an HTML page, and only pages have articles")]
    MainContent,
}
