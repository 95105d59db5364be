//! URLs of objects, folders of objects and patterns of them.
//!
//! Everything after the bucket is the key, verbatim, as in the tools of the stores: `?`, `#` and `%41` belong to a
//! name. Only after `https://` they have their meaning in URLs.

use crate::base::details::UrlFault;
use crate::base::{Error, Result, path_of_bytes};
use glob::{MatchOptions, Pattern};
use percent_encoding::percent_decode_str;
use std::path::{Path, PathBuf};

/// Kinds of stores.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StoreKind {
    S3,
    GoogleCloud,
    Azure,
    /// Web servers: single files, no listing.
    Http,
}

const SCHEMES: [(&str, StoreKind); 8] = [
    ("s3", StoreKind::S3),
    ("s3a", StoreKind::S3),
    ("gs", StoreKind::GoogleCloud),
    ("az", StoreKind::Azure),
    ("abfs", StoreKind::Azure),
    ("abfss", StoreKind::Azure),
    ("https", StoreKind::Http),
    ("http", StoreKind::Http),
];

/// The URL of an object, of a folder or of a pattern of keys.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RemoteUrl {
    pub(crate) kind: StoreKind,
    /// Scheme and bucket or host: `s3://bucket`.
    pub(crate) base: String,
    /// Everything after the slash that follows.
    pub(crate) key: String,
}

/// The scheme of URLs that name local files.
const FILE: &str = "file";

/// The local path that an input or output names: that of `file:///path` and `file:/path`, and any path that is no URL.
/// A URL that names an object is itself.
///
/// # Errors
/// [`Error::Url`] for a URL of another scheme or machine.
pub fn local_path(path: &Path) -> Result<PathBuf> {
    let Some((scheme, rest)) = path.to_str().and_then(|text| text.split_once(":/")) else {
        return Ok(path.to_owned());
    };
    let host_and_path = rest.strip_prefix('/');
    // A drive has one letter, and an id may follow the name of a file: `press.jsonl:/2026/a`.
    let shortest = if host_and_path.is_some() { 1 } else { 2 };
    let is_scheme = scheme.len() >= shortest
        && scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c) && host_and_path.is_some());
    if !is_scheme || is_url(path) || is_in_folder(path, scheme) {
        return Ok(path.to_owned());
    }
    let wrong = |fault| Error::Url { url: path.display().to_string(), fault };
    if SCHEMES.iter().any(|(known, _)| scheme.eq_ignore_ascii_case(known)) {
        return Err(wrong(UrlFault::OneSlash));
    }
    if !scheme.eq_ignore_ascii_case(FILE) {
        return Err(wrong(UrlFault::UnknownScheme));
    }
    let path = match host_and_path {
        None => &path.to_str().unwrap_or_default()[scheme.len() + 1..],
        Some(rest) => rest.strip_prefix("localhost").unwrap_or(rest),
    };
    if !path.starts_with('/') {
        return Err(wrong(UrlFault::OtherMachine));
    }
    // Special characters stand as `%20` and the like (RFC 8089; RFC 3986, section 2.1); what is no such code is itself.
    Ok(path_of_bytes(percent_decode_str(if cfg!(windows) { &path[1..] } else { path }).collect()))
}

/// Returns whether a path that begins as a URL of this scheme is there, or in a folder that is called `x:`.
fn is_in_folder(path: &Path, scheme: &str) -> bool {
    std::fs::symlink_metadata(path).is_ok() || Path::new(&format!("{scheme}:")).is_dir()
}

/// Returns whether an input or output is a URL of an object.
pub(crate) fn is_url(path: &Path) -> bool {
    split(path).is_some()
}

fn split(path: &Path) -> Option<(StoreKind, &str, &str)> {
    let (scheme, rest) = path.to_str()?.split_once("://")?;
    let (scheme, kind) = SCHEMES.iter().find(|(known, _)| scheme.eq_ignore_ascii_case(known))?;
    Some((*kind, scheme, rest))
}

#[cfg_attr(not(feature = "remote"), expect(dead_code, reason = "used by transfers only"))]
impl RemoteUrl {
    /// Parses a URL; `None` for a path.
    ///
    /// # Errors
    /// [`Error::Url`] for a URL that cannot be used.
    pub(crate) fn parse(path: &Path) -> Result<Option<Self>> {
        let Some((kind, scheme, rest)) = split(path) else { return Ok(None) };
        let (host, key) = rest.split_once('/').unwrap_or((rest, ""));
        let wrong = |url: String, fault| Err(Error::Url { url, fault });
        if kind == StoreKind::Http {
            if let Some((_, host)) = host.rsplit_once('@') {
                // The message must not show the password.
                return wrong(format!("{scheme}://{host}/{key}"), UrlFault::Password);
            }
            if let Some(at) = key.find(['?', '#']) {
                return wrong(format!("{scheme}://{host}/{}", &key[..at]), UrlFault::Query);
            }
        }
        if host.is_empty() {
            return wrong(format!("{scheme}://{rest}"), UrlFault::NoBucket);
        }
        Ok(Some(Self { kind, base: format!("{scheme}://{host}"), key: key.to_owned() }))
    }

    /// The whole URL.
    pub(crate) fn text(&self) -> String {
        format!("{}/{}", self.base, self.key)
    }

    /// The whole URL, in the place of a path.
    pub(crate) fn path(&self) -> PathBuf {
        PathBuf::from(self.text())
    }

    /// Another key of the same store.
    pub(crate) fn with_key(&self, key: &str) -> Self {
        Self { key: key.to_owned(), ..self.clone() }
    }

    /// The key of a file below this folder.
    pub(crate) fn below(&self, relative: &str) -> Self {
        let folder = self.folder();
        if folder.is_empty() { self.with_key(relative) } else { self.with_key(&format!("{folder}/{relative}")) }
    }

    /// Returns whether the URL has the form of a folder.
    pub(crate) fn is_folder(&self) -> bool {
        self.key.is_empty() || self.key.ends_with('/')
    }

    /// The key without the slash at its end.
    pub(crate) fn folder(&self) -> &str {
        self.key.trim_end_matches('/')
    }

    /// The last component of the key, or the bucket.
    pub(crate) fn name(&self) -> &str {
        let text = if self.folder().is_empty() { &self.base } else { self.folder() };
        text.rsplit_once('/').map_or(text, |(_, name)| name)
    }

    /// The deepest folder that contains all matches of the pattern, and the pattern; `None` without a `*`. A star
    /// matches no `/`, and a component `**` any number of folders.
    pub(crate) fn pattern(&self) -> Option<(&str, KeyPattern)> {
        let star = self.key.find('*')?;
        let folder = self.key[..star].rsplit_once('/').map_or("", |(folder, _)| folder);
        Some((folder, KeyPattern::parse(&self.key)?))
    }

    /// The folder that a pattern of all below it is; `None` for other patterns.
    pub(crate) fn whole_folder(&self) -> Option<Self> {
        let all = ["**/*", "**"].iter().find_map(|all| self.key.strip_suffix(all));
        let is_folder = |folder: &&str| !folder.contains('*') && (folder.is_empty() || folder.ends_with('/'));
        all.filter(is_folder).map(|folder| self.with_key(folder))
    }

    /// Returns whether `other` is read with this input.
    fn covers(&self, other: &Self) -> bool {
        let is_inside = match self.pattern() {
            Some((_, pattern)) => pattern.matches(&other.key),
            None => {
                let rest = other.key.strip_prefix(self.folder());
                self.key.is_empty() || rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
            }
        };
        is_inside && self.base == other.base
    }
}

/// A pattern of keys.
#[derive(Debug, Default)]
pub(crate) struct KeyPattern {
    whole: Pattern,
    /// The components that begin with a dot: hidden objects fit no others.
    #[cfg_attr(not(feature = "remote"), allow(dead_code, reason = "used by transfers only"))]
    dotted: Vec<Pattern>,
}

impl KeyPattern {
    /// The pattern with all but its stars taken literally; `None` if `**` is only a part of a component.
    fn parse(key: &str) -> Option<Self> {
        let compile = |text: &str| Pattern::new(&text.split('*').map(Pattern::escape).collect::<Vec<_>>().join("*"));
        // Objects below all folders below a folder are all objects below it.
        let whole = key.strip_suffix("/**").map_or_else(|| key.to_owned(), |folder| format!("{folder}/**/*"));
        let dotted =
            key.split('/').filter(|part| part.starts_with('.')).map(compile).collect::<std::result::Result<_, _>>();
        Some(Self { whole: compile(&whole).ok()?, dotted: dotted.ok()? })
    }

    pub(crate) fn matches(&self, key: &str) -> bool {
        let options = MatchOptions { case_sensitive: true, require_literal_separator: true, ..MatchOptions::new() };
        self.whole.matches_with(key, options)
    }

    /// Returns whether a component of the pattern names what has this hidden name.
    #[cfg_attr(not(feature = "remote"), allow(dead_code, reason = "used by transfers only"))]
    pub(crate) fn names(&self, hidden: &str) -> bool {
        self.dotted.iter().any(|part| part.matches(hidden))
    }
}

/// Returns whether the URL `output` is read with the URL `input`, which may be a file, a folder or a pattern.
pub fn url_covers(input: &Path, output: &Path) -> bool {
    match (RemoteUrl::parse(input), RemoteUrl::parse(output)) {
        (Ok(Some(input)), Ok(Some(output))) => input.covers(&output),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(text: &str) -> RemoteUrl {
        RemoteUrl::parse(Path::new(text)).unwrap().unwrap()
    }

    #[test]
    fn urls_are_taken_apart() {
        let parts = url("s3://bucket/a b/c?d#e%20.jsonl");
        assert_eq!((parts.base.as_str(), parts.key.as_str()), ("s3://bucket", "a b/c?d#e%20.jsonl"));
        assert_eq!(parts.name(), "c?d#e%20.jsonl");
        assert_eq!(url("GS://bucket").name(), "bucket");
        assert!(url("gs://bucket").is_folder() && url("az://box/a/").is_folder() && !url("az://box/a").is_folder());
        for other in ["a.jsonl", "s3:/x/y", "c:/x", "ftp://host/x", "-", "file:///x"] {
            assert!(!is_url(Path::new(other)), "{other}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn urls_of_files_are_paths_and_other_schemes_are_named() {
        for (url, path) in [
            ("file:///a/b.txt", "/a/b.txt"),
            ("FILE://localhost/a%20b/%C3%A4%zz.txt", "/a b/ä%zz.txt"),
            ("file:///d/*.txt", "/d/*.txt"),
            ("file:/a/b.txt", "/a/b.txt"),
            ("c:/x", "c:/x"),
            ("press.jsonl:/x", "press.jsonl:/x"),
            ("a:b/c", "a:b/c"),
            ("a/b.txt", "a/b.txt"),
            ("-", "-"),
            ("s3://b/x", "s3://b/x"),
        ] {
            assert_eq!(local_path(Path::new(url)).unwrap(), Path::new(path), "{url}");
        }
        for url in ["hf://datasets/a/b", "ftp://host/x", "sftp://host/x", "gcs://b/x", "dbfs:/x"] {
            let error = local_path(Path::new(url)).unwrap_err().to_string();
            assert!(error.contains(url) && error.contains("none of s3, gs, az"), "{error}");
        }
        assert!(local_path(Path::new("s3:/b/x")).unwrap_err().to_string().contains("two slashes"));
        assert!(local_path(Path::new("file://host/x")).unwrap_err().to_string().contains("another machine"));
    }

    #[test]
    fn what_cannot_be_used_is_refused_without_its_secrets() {
        for bad in ["https://me:secret@host/x", "https://host/x?sig=secret", "http://host/x#secret", "s3:///x"] {
            let error = RemoteUrl::parse(Path::new(bad)).unwrap_err().to_string();
            assert!(!error.contains("secret") && error.contains("://"), "{error}");
        }
    }

    #[test]
    fn stars_stay_within_a_folder() {
        let crawl = url("s3://b/2025/[x]/*.jsonl");
        let (folder, pattern) = crawl.pattern().unwrap();
        assert_eq!(folder, "2025/[x]");
        assert!(pattern.matches("2025/[x]/a.jsonl"));
        assert!(!pattern.matches("2025/[x]/a/b.jsonl") && !pattern.matches("2025/x/a.jsonl"));
        for all in ["s3://b/in/**", "s3://b/in/**/*"] {
            let all = url(all);
            let (folder, pattern) = all.pattern().unwrap();
            assert!(
                folder == "in" && pattern.matches("in/a") && pattern.matches("in/b/c") && !pattern.matches("out/a")
            );
            assert!(!pattern.names(".git"));
            assert_eq!(all.whole_folder(), Some(url("s3://b/in/")));
        }
        assert_eq!(url("s3://b/**").whole_folder(), Some(url("s3://b/")));
        for part in ["s3://b/in/*", "s3://b/in/**/*.txt", "s3://b/*/**", "s3://b/in**"] {
            assert_eq!(url(part).whole_folder(), None, "{part}");
        }
        let hidden = url("s3://b/**/.github/*.md");
        let (_, pattern) = hidden.pattern().unwrap();
        assert!(pattern.matches("x/.github/a.md") && pattern.names(".github") && !pattern.names(".git"));
    }

    #[test]
    fn inputs_cover_what_would_be_read_with_them() {
        for (input, output, expected) in [
            ("s3://b/x.jsonl", "s3://b/x.jsonl", true),
            ("s3://b/in/", "s3://b/in/x.jsonl", true),
            ("s3://b/in", "s3://b/in/x.jsonl", true),
            ("s3://b/in", "s3://b/in2/x.jsonl", false),
            ("s3://b", "s3://b/x", true),
            ("s3://b", "s3://c/x", false),
            ("s3://b/*.jsonl", "s3://b/out.jsonl", true),
            ("s3://b/*.jsonl", "s3://b/out.csv", false),
            ("in", "in/x", false),
        ] {
            assert_eq!(url_covers(Path::new(input), Path::new(output)), expected, "{input} {output}");
        }
    }
}
