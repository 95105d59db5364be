//! Paths as text. A path need not be UTF-8, and what names it in ids, rows and stored files must be.
//!
//! A path of UTF-8 is printed as it is. In another one each byte that is none stands as `\xFF`: two such paths do not
//! become one, as they would with U+FFFD, and the path can be found again.

use serde::Serializer;
use std::borrow::Cow;
use std::path::{Path, PathBuf};

/// A path as text.
///
/// ```
/// use lookalike_core::{path_of_printed, printed_path};
/// use std::path::Path;
///
/// assert_eq!(printed_path(Path::new("a/ä.txt")), "a/ä.txt");
/// # #[cfg(unix)] {
/// use std::{ffi::OsStr, os::unix::ffi::OsStrExt};
/// let path = Path::new(OsStr::from_bytes(b"caf\xe9.txt"));
/// assert_eq!(printed_path(path), r"caf\xe9.txt");
/// assert_eq!(path_of_printed(r"caf\xe9.txt"), path);
/// # }
/// ```
pub fn printed_path(path: &Path) -> Cow<'_, str> {
    path.to_str().map_or_else(|| Cow::Owned(printed(path)), Cow::Borrowed)
}

/// The path that is printed so, if it is one that is no UTF-8; the path of that name otherwise.
pub fn path_of_printed(text: &str) -> PathBuf {
    unprinted(text).unwrap_or_else(|| PathBuf::from(text))
}

/// Serializes paths as text.
///
/// # Errors
/// Those of the serializer.
pub fn serialize_paths<S: Serializer>(paths: &[PathBuf], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(paths.iter().map(|path| printed_path(path)))
}

/// Serializes a path as text, if there is one.
///
/// # Errors
/// Those of the serializer.
pub fn serialize_path<P: AsRef<Path>, S: Serializer>(path: &Option<P>, serializer: S) -> Result<S::Ok, S::Error> {
    match path {
        Some(path) => serializer.serialize_some(&printed_path(path.as_ref())),
        None => serializer.serialize_none(),
    }
}

#[cfg(unix)]
fn printed(path: &Path) -> String {
    use std::fmt::Write;
    use std::os::unix::ffi::OsStrExt;
    let mut text = String::new();
    for chunk in path.as_os_str().as_bytes().utf8_chunks() {
        text.push_str(chunk.valid());
        for byte in chunk.invalid() {
            // Writing to a string does not fail.
            let _ = write!(text, r"\x{byte:02x}");
        }
    }
    text
}

#[cfg(not(unix))]
fn printed(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

/// The path with the printed bytes in place; `None` if there are none.
#[cfg(unix)]
fn unprinted(text: &str) -> Option<PathBuf> {
    use std::ffi::OsString;
    use std::os::unix::ffi::OsStringExt;
    let mut bytes = Vec::new();
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once(r"\x") {
        bytes.extend_from_slice(before.as_bytes());
        let byte = behind.get(..2).and_then(|digits| u8::from_str_radix(digits, 16).ok()).filter(|byte| *byte > 0x7f);
        match byte {
            Some(byte) => {
                bytes.push(byte);
                rest = &behind[2..];
            }
            None => {
                bytes.extend_from_slice(br"\x");
                rest = behind;
            }
        }
    }
    bytes.extend_from_slice(rest.as_bytes());
    std::str::from_utf8(&bytes).is_err().then(|| PathBuf::from(OsString::from_vec(bytes)))
}

#[cfg(not(unix))]
fn unprinted(_text: &str) -> Option<PathBuf> {
    None
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    #[test]
    fn printed_paths_are_distinct_and_found_again() {
        for bytes in [&b"\xff"[..], b"\xfe", b"a\xff/b\xc3", b"\xff\xff.txt", b"\\x41\xe9", b"\xc3\xa4\xe4"] {
            let path = Path::new(OsStr::from_bytes(bytes));
            assert_eq!(path_of_printed(&printed_path(path)), path, "{path:?}");
        }
        assert_ne!(printed_path(Path::new(OsStr::from_bytes(b"\xff"))), printed_path(Path::new("\u{fffd}")));
        for text in ["a", r"\x41", r"\x", r"\xzz", r"\xc3\xa4", "ä", ""] {
            assert_eq!(path_of_printed(text), Path::new(text));
        }
    }
}
