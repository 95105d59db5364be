//! Paths of bytes that come from elsewhere: archives, and URLs.

use std::path::PathBuf;

/// The path of these bytes, which need not be UTF-8.
#[cfg(unix)]
pub(crate) fn path_of_bytes(bytes: Vec<u8>) -> PathBuf {
    use std::os::unix::ffi::OsStringExt;
    PathBuf::from(std::ffi::OsString::from_vec(bytes))
}

/// The path of these bytes; what is no UTF-8 is replaced.
#[cfg(not(unix))]
pub(crate) fn path_of_bytes(bytes: Vec<u8>) -> PathBuf {
    PathBuf::from(String::from_utf8_lossy(&bytes).into_owned())
}
