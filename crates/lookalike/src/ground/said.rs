//! What a user says of inputs.

use std::fmt;

/// Something that is said of inputs, of which none is of the kind that it is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Said {
    /// The format of files.
    Format,
    /// The field with the text.
    TextField(String),
    /// The field with the id.
    IdField(String),
    /// The field with a given fingerprint.
    Fingerprints(String),
    /// The field that orders documents.
    ScoreField(String),
    /// Names of the fields of references.
    ReferenceFields,
    /// The encoding of texts and tables.
    Encoding,
    /// What quotation marks are in tables.
    Quotes,
    /// That `.gitignore` files say what is left out.
    Gitignore,
    /// That texts are HTML: all inputs are pages, of which the text is taken in any case.
    Html,
    /// That the articles of pages are compared.
    MainContent,
}

impl fmt::Display for Said {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let field = |formatter: &mut fmt::Formatter<'_>, name: &str, what: &str| {
            write!(
                formatter,
                "no input has fields, and `{}` is to be that of {what}",
                lookalike_io::ground::shown(name)
            )
        };
        match self {
            Self::Format => formatter.write_str("no input is a file whose format could be said"),
            Self::TextField(name) => field(formatter, name, "the text"),
            Self::IdField(name) => field(formatter, name, "the id"),
            Self::Fingerprints(name) => field(formatter, name, "the fingerprint"),
            Self::ScoreField(name) => field(formatter, name, "the order"),
            Self::ReferenceFields => formatter.write_str("no reference has fields that could be named"),
            Self::Encoding => formatter.write_str("no input is a text or a table, which alone have encodings"),
            Self::Quotes => formatter.write_str("no input is a table of text, which alone has quotes"),
            Self::Gitignore => {
                formatter.write_str("no input is a folder, an archive or a pattern, in which .gitignore files hold")
            }
            Self::MainContent => formatter.write_str("no input is an HTML page, and only pages have articles"),
            Self::Html => formatter.write_str("all inputs are HTML files, which are read without their tags"),
        }
    }
}
