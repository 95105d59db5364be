//! Files that hold no text: recognized by their first bytes (infer), so that they are not compared as one.
//!
//! Some of these marks are words of text, too ("BM", "MZ"), so a file counts as binary only if it also holds a zero
//! byte, which texts have in UTF-16 alone. The few formats that are written in characters begin with marks of their
//! own.

use memchr::memchr;

/// Bytes that tell the kind of a file.
const HEAD_BYTES: usize = 8192;
/// Marks of formats that may be made of characters alone and yet are no texts, with their names.
const OF_CHARACTERS: [(&[u8], &str); 4] = [
    (b"%PDF-", "a PDF document"),
    (b"{\\rtf", "an RTF document"),
    (b"%!PS-Adobe", "a PostScript document"),
    (b"Obj\x01", "an Avro file"),
];
/// The mark of ORC, which is a word of text as well: such a file holds zero bytes.
const ORC: &[u8] = b"ORC";

/// What a file of these bytes is, as the end of a sentence; `None` for what may be text.
pub(crate) fn binary_kind(bytes: &[u8]) -> Option<String> {
    if let Some((_, name)) = OF_CHARACTERS.iter().find(|(mark, _)| bytes.starts_with(mark)) {
        return Some((*name).to_owned());
    }
    let head = &bytes[..bytes.len().min(HEAD_BYTES)];
    let is_utf16 = head.starts_with(b"\xFF\xFE") || head.starts_with(b"\xFE\xFF");
    if is_utf16 || memchr(0, head).is_none() {
        return None;
    }
    if is_tar(head) {
        return Some("a tar archive".to_owned());
    }
    if head.starts_with(ORC) {
        return Some("an ORC file".to_owned());
    }
    let found = infer::get(head).filter(|kind| kind.matcher_type() != infer::MatcherType::Text)?;
    Some(match found.matcher_type() {
        infer::MatcherType::Image => format!("an image ({})", found.mime_type()),
        infer::MatcherType::Audio => format!("an audio file ({})", found.mime_type()),
        infer::MatcherType::Video => format!("a video ({})", found.mime_type()),
        infer::MatcherType::Font => format!("a font ({})", found.mime_type()),
        infer::MatcherType::Archive => format!("an archive or compressed file ({})", found.mime_type()),
        infer::MatcherType::Book | infer::MatcherType::Doc => {
            format!("a document in a packed form ({})", found.mime_type())
        }
        _ => format!("a binary file ({})", found.mime_type()),
    })
}

/// Whether a file is a tar archive: the format of POSIX and that of GNU tar say so behind the name of the first member.
pub(crate) fn is_tar(head: &[u8]) -> bool {
    head.get(257..262) == Some(b"ustar")
}

/// Whether a file is a zip archive of plain files, not a document in the form of one.
pub(crate) fn is_zip(head: &[u8]) -> bool {
    infer::get(head).is_some_and(|found| found.mime_type() == "application/zip")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn binary_files_are_known_by_kind() {
        let elf = [&b"\x7fELF\x02\x01\x01"[..], &[0; 60]].concat();
        for (bytes, kind) in [
            (&b"%PDF-1.7\n1 0 obj"[..], "a PDF document"),
            (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "an image (image/png)"),
            (b"\xFF\xD8\xFF\xE0\0\x10JFIF", "an image (image/jpeg)"),
            (b"PK\x03\x04\x14\0\0\0\x08\0", "an archive or compressed file (application/zip)"),
            (b"{\\rtf1\\ansi", "an RTF document"),
            (b"Obj\x01\x04\x14avro.codec", "an Avro file"),
            (b"ORC\x11\0\0\x0a", "an ORC file"),
            (&elf[..], "a binary file (application/x-executable)"),
        ] {
            assert_eq!(binary_kind(bytes).as_deref(), Some(kind));
        }
    }

    #[test]
    fn texts_that_begin_like_binary_files_are_texts() {
        for text in [
            "BMW builds cars",
            "MZ",
            "GIF89a is a format",
            "ID3 tags",
            "\u{feff}text",
            "",
            "%! no PostScript",
            "II*",
            "\u{1f600}",
        ] {
            assert_eq!(binary_kind(text.as_bytes()), None, "{text}");
        }
        assert_eq!(binary_kind(b"\xFF\xFEa\0b\0"), None, "UTF-16");
        // What is neither is reported as not being UTF-8, also where it begins like an image.
        for text in [&b"caf\xE9"[..], b"BM\xDCller;Stra\xDFe\n", b"MZ\xE9"] {
            assert_eq!(binary_kind(text), None);
        }
    }
}
