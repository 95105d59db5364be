//! Tokens, of which only hashes are kept; all are compared in the same time, whether one fits or none.

use lookalike::doors::without_mark;
use sha2::{Digest, Sha256};
use std::fmt;
use std::path::{Path, PathBuf};
use subtle::{Choice, ConditionallySelectable, ConstantTimeEq};

/// Rights of a token, or of its absence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum AccessRights {
    /// Queries.
    Read,
    /// Queries, and changes of the index.
    Write,
}

/// The number of a token among those of a server.
pub(crate) type TokenNumber = u32;

/// The tokens of a server.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct AccessTokens(Vec<(AccessRights, [u8; 32])>);

/// Characters that a token has at least: of random ones enough that nobody guesses it.
const MIN_LENGTH: usize = 16;

/// A file of tokens that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum TokenError {
    /// The file cannot be read.
    #[error("cannot read {}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The cause.
        source: std::io::Error,
    },
    /// A line is no token.
    #[error(
        "{}, line {line}: expected `read TOKEN` or `write TOKEN`, of {MIN_LENGTH} letters, digits or -._~+/= at least",
        path.display()
    )]
    Line {
        /// The file.
        path: PathBuf,
        /// Number of the line, from 1.
        line: usize,
    },
    /// There is no token in it.
    #[error("{} has no tokens", path.display())]
    Empty {
        /// The file.
        path: PathBuf,
    },
}

impl AccessTokens {
    /// Reads tokens from a file with a line for each, `read TOKEN` or `write TOKEN`; lines that are empty or begin with
    /// `#` say nothing.
    ///
    /// # Errors
    /// [`TokenError`], which never tells a token.
    pub fn from_file(path: &Path) -> Result<Self, TokenError> {
        let text =
            std::fs::read_to_string(path).map_err(|source| TokenError::Unreadable { path: path.to_owned(), source })?;
        let mut tokens = Self::default();
        for (number, line) in (1..).zip(text.lines().map(without_mark)) {
            if line.trim().is_empty() || line.starts_with('#') {
                continue;
            }
            let added = match line.split_whitespace().collect::<Vec<_>>()[..] {
                ["read", token] => tokens.add(AccessRights::Read, token),
                ["write", token] => tokens.add(AccessRights::Write, token),
                _ => false,
            };
            if !added {
                return Err(TokenError::Line { path: path.to_owned(), line: number });
            }
        }
        if tokens.0.is_empty() {
            return Err(TokenError::Empty { path: path.to_owned() });
        }
        Ok(tokens)
    }

    /// Adds a token; false if it is too short, or has other characters than those that a header can carry as a token.
    pub fn add(&mut self, access: AccessRights, token: &str) -> bool {
        let is_usable = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~+/=".contains(&byte);
        let is_token = token.len() >= MIN_LENGTH && token.bytes().all(is_usable);
        if is_token {
            self.0.push((access, Sha256::digest(token.as_bytes()).into()));
        }
        is_token
    }

    /// True if any of the tokens allows this.
    pub fn allow(&self, access: AccessRights) -> bool {
        self.0.iter().any(|&(allowed, _)| allowed >= access)
    }

    /// The rights of a token, and its number among these; `None` for an unknown one.
    pub(crate) fn find(&self, token: &str) -> Option<(AccessRights, TokenNumber)> {
        let given: [u8; 32] = Sha256::digest(token.as_bytes()).into();
        let mut reads = Choice::from(0);
        let mut writes = Choice::from(0);
        let mut found = TokenNumber::MAX;
        for (number, (access, hash)) in (0..).zip(&self.0) {
            let is_equal = hash.ct_eq(&given);
            found.conditional_assign(&number, is_equal);
            match access {
                AccessRights::Read => reads |= is_equal,
                AccessRights::Write => writes |= is_equal,
            }
        }
        match (bool::from(writes), bool::from(reads)) {
            (true, _) => Some((AccessRights::Write, found)),
            (false, true) => Some((AccessRights::Read, found)),
            (false, false) => None,
        }
    }
}

impl fmt::Debug for AccessTokens {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Tokens({})", self.0.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_allow_what_their_lines_say() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tokens");
        std::fs::write(&path, "# ours\n\nread  aaaaaaaaaaaaaaaa\nwrite bbbbbbbbbbbbbbbb\n").unwrap();
        let tokens = AccessTokens::from_file(&path).unwrap();
        assert_eq!(tokens.find("aaaaaaaaaaaaaaaa").map(|(access, _)| access), Some(AccessRights::Read));
        assert_eq!(tokens.find("bbbbbbbbbbbbbbbb").map(|(access, _)| access), Some(AccessRights::Write));
        for wrong in ["", "aaaaaaaaaaaaaaa", "aaaaaaaaaaaaaaaaa", "BBBBBBBBBBBBBBBB"] {
            assert_eq!(tokens.find(wrong).map(|(access, _)| access), None);
        }
        assert!(!format!("{tokens:?}").contains("aaaa"));
    }

    #[test]
    fn other_lines_are_refused_without_telling_them() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tokens");
        for text in ["read short", "admin aaaaaaaaaaaaaaaa", "read aaaaaaaa aaaaaaaa", "read aaaaaaaaaaaaaaaé"] {
            std::fs::write(&path, format!("# first\n{text}\n")).unwrap();
            let error = AccessTokens::from_file(&path).unwrap_err().to_string();
            assert!(error.contains("line 2") && !error.contains("aaaa"), "{error}");
        }
        std::fs::write(&path, "# none\n").unwrap();
        assert!(matches!(AccessTokens::from_file(&path), Err(TokenError::Empty { .. })));
    }
}
