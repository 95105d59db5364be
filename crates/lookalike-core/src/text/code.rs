//! Tokens of source code, the same for all languages: identifiers, numbers, operators, and every other sign by itself.
//!
//! ```text
//! source  if (a_1 >>= 0x1F) s = "x!=y";  // 1.5e-3
//! tokens  if ( a_1 >>= 0x1F ) s = " x != y " ; // 1.5e-3
//! ```
//!
//! No language is parsed: what stands in a string or a comment is cut like the rest, so a damaged or unknown source is
//! as good as another. White space separates tokens and is none. Identifiers are those of Unicode Standard Annex 31
//! (unicode-ident), with `_`. We turned down lexers of single languages: a corpus of code has files of many, and
//! snippets of none.
//!
//! Code is cut from pieces that end behind white space or a sign that belongs to no operator. Its tokens are neither
//! normalized nor lower-cased unless that is requested, since a compiler distinguishes such names and literals.
//! Renaming and masks change single tokens behind the cut, so both leave places and neighbours as they are.

use crate::text::characters::{MASKED, Mask, is_digit, may_go, without_digits};
use crate::text::normalize::begins_segment;
use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Range;
use unicode_ident::{is_xid_continue, is_xid_start};

/// Operators of more than one character: those of C, C++, C#, Go, Haskell, Java, JavaScript, Kotlin, Perl, PHP, Python,
/// Ruby, Rust, SQL, Swift and TypeScript. Sorted. None contains a [`SEPARATORS`] sign.
const OPERATORS: [&str; 61] = [
    "!=", "!==", "!~", "%=", "&&", "&&=", "&=", "&^", "&^=", "**", "**=", "*/", "*=", "++", "+=", "--", "-=", "->",
    "->*", "..", "...", "..<", "..=", "/*", "/**", "//", "///", "//=", "/=", "::", ":=", "<-", "<<", "<<-", "<<<",
    "<<=", "<=", "<=>", "<>", "==", "===", "=>", "=~", ">=", ">>", ">>=", ">>>", ">>>=", "?.", "?:", "??", "??=", "@=",
    "^=", "^^", "|=", "|>", "||", "||=", "~=", "~>",
];
const MAX_OPERATOR_BYTES: usize = 4;

/// ASCII signs behind which every token ends, whatever follows.
const SEPARATORS: &[u8] = b";,(){}[]";

/// Kind of a token of code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::text) enum CodeToken {
    /// A name or a keyword.
    Identifier,
    /// A literal with its prefix, fraction, exponent and suffix.
    Number,
    /// An operator, or any other character.
    Sign,
}

/// Calls `emit` with the range of each token of a source text.
pub(in crate::text) fn cut_code(text: &str, mut emit: impl FnMut(Range<usize>, CodeToken)) {
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        if first.is_whitespace() {
            at += first.len_utf8();
            continue;
        }
        let (length, kind) = first_token(&text[at..], first);
        emit(at..at + length, kind);
        at += length;
    }
}

/// Length and kind of the token that a text begins with.
fn first_token(rest: &str, first: char) -> (usize, CodeToken) {
    if first == '_' || is_xid_start(first) {
        (identifier_length(rest), CodeToken::Identifier)
    } else if is_digit(first) {
        (number_length(rest), CodeToken::Number)
    } else if first.is_ascii() {
        (operator_length(rest), CodeToken::Sign)
    } else {
        (first.len_utf8(), CodeToken::Sign)
    }
}

/// Length of the letters, digits and underscores at the beginning.
fn identifier_length(rest: &str) -> usize {
    rest.find(|character| !is_xid_continue(character)).unwrap_or(rest.len())
}

/// Length of the number at the beginning: `1_000u32`, `0x1F`, `2.5`, `1e-5`, `0x1.8p+3`.
fn number_length(rest: &str) -> usize {
    let mut end = identifier_length(rest);
    end += exponent_length(rest, 0..end);
    // A point without a digit behind it is a range (`1..2`) or a call (`1.max(2)`).
    let fraction = rest[end..].strip_prefix('.').filter(|fraction| fraction.starts_with(is_digit));
    if let Some(fraction) = fraction {
        let start = end;
        end += 1 + identifier_length(fraction);
        end += exponent_length(rest, start + 1..end);
    }
    end
}

/// Length of the sign and the digits behind an `e` of a decimal number or a `p` of a hexadecimal one, with which `part`
/// ends; 0 if it does not.
fn exponent_length(number: &str, part: Range<usize>) -> usize {
    let is_hexadecimal = number.starts_with("0x") || number.starts_with("0X");
    let digits = match (number[part.clone()].strip_suffix(['p', 'P']), number[part.clone()].strip_suffix(['e', 'E'])) {
        (Some(digits), _) if is_hexadecimal => Some(digits),
        (_, Some(digits)) if !is_hexadecimal => {
            Some(digits).filter(|digits| digits.chars().all(|character| character == '_' || is_digit(character)))
        }
        _ => None,
    };
    let exponent = digits.and_then(|_| number[part.end..].strip_prefix(['+', '-']));
    exponent.filter(|exponent| exponent.starts_with(is_digit)).map_or(0, |exponent| 1 + identifier_length(exponent))
}

/// Length of the longest operator at the beginning; 1 if there is none.
///
/// Operators are prefixes of each other: one of n characters begins with one of n - 1. So the length grows as long as
/// it is an operator, and most signs take one search.
fn operator_length(rest: &str) -> usize {
    let mut bytes = rest.bytes();
    let mut packed = pack(0, bytes.next().unwrap_or_default(), 0);
    for (byte, length) in bytes.zip(1..MAX_OPERATOR_BYTES) {
        packed = pack(packed, byte, length);
        if !byte.is_ascii_punctuation() || PACKED_OPERATORS.binary_search(&packed).is_err() {
            return length;
        }
    }
    rest.len().min(MAX_OPERATOR_BYTES)
}

/// Adds the byte at `index` to packed ones: the first is the highest, so packed texts sort like the texts.
const fn pack(packed: u32, byte: u8, index: usize) -> u32 {
    packed | (byte as u32) << (8 * (MAX_OPERATOR_BYTES - 1 - index))
}

/// The operators, packed: a search compares integers.
const PACKED_OPERATORS: [u32; OPERATORS.len()] = {
    let mut all = [0; OPERATORS.len()];
    let mut at = 0;
    while at < OPERATORS.len() {
        let bytes = OPERATORS[at].as_bytes();
        let mut index = 0;
        while index < bytes.len() {
            all[at] = pack(all[at], bytes[index], index);
            index += 1;
        }
        at += 1;
    }
    all
};

/// The first offset from `from` on that neither a token nor a segment of the normalization crosses, or the end.
pub(in crate::text) fn code_boundary_beyond(text: &str, from: usize) -> usize {
    let is_end = |&(at, byte): &(usize, &u8)| {
        (byte.is_ascii_whitespace() || SEPARATORS.contains(byte))
            && text[at + 1..].chars().next().is_none_or(|next| begins_segment(next) && !may_go(next))
    };
    let found = text.as_bytes().iter().enumerate().skip(from).find(is_end);
    found.map_or(text.len(), |(at, _)| at + 1)
}

/// The token that stands for all identifiers: one that no source contains, for tokens of code have no blanks.
const RENAMED: &str = "any identifier";

/// Renames identifiers and masks numbers in source code.
#[derive(Debug)]
pub(in crate::text) struct CodeFilter {
    keywords: Option<HashSet<String>>,
    mask: Option<Mask>,
}

impl CodeFilter {
    /// A filter that makes one token of all identifiers but `keywords`, which are in normal form; none of them if there
    /// is no list.
    pub(in crate::text) fn new(keywords: Option<HashSet<String>>, mask: Option<Mask>) -> Self {
        Self { keywords, mask }
    }

    /// Returns the part of a token that counts.
    pub(in crate::text) fn apply<'a>(&self, token: &'a str, kind: CodeToken) -> Cow<'a, str> {
        match (kind, &self.keywords, self.mask) {
            (CodeToken::Identifier, Some(keywords), _) if !keywords.contains(token) => Cow::Borrowed(RENAMED),
            (CodeToken::Identifier, _, Some(Mask::Numbers)) => without_digits(Cow::Borrowed(token)),
            (CodeToken::Number, _, Some(Mask::Numbers)) => Cow::Borrowed(MASKED),
            (CodeToken::Identifier | CodeToken::Number, _, None) | (CodeToken::Sign, ..) => Cow::Borrowed(token),
        }
    }
}

#[cfg(test)]
mod tests;
