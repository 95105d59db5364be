//! Files that hold no text: recognized by their first bytes (infer), so that they are not compared as one.
//!
//! Some of these marks are words of text, too ("BM", "MZ"), so a file counts as binary only if it also holds a zero
//! byte, which texts have in UTF-16 alone. The few formats that are written in characters begin with marks of their
//! own.

use crate::base::details::BinaryKind;
use memchr::memchr;

/// Bytes that tell the kind of a file.
const HEAD_BYTES: usize = 8192;
/// Marks of formats that may be made of characters alone and yet are no texts.
const OF_CHARACTERS: [(&[u8], BinaryKind); 4] = [
    (b"%PDF-", BinaryKind::Pdf),
    (b"{\\rtf", BinaryKind::Rtf),
    (b"%!PS-Adobe", BinaryKind::PostScript),
    (b"Obj\x01", BinaryKind::Avro),
];
/// The mark of ORC, which is a word of text as well: such a file holds zero bytes.
const ORC: &[u8] = b"ORC";
/// Media types of the images that are read.
const READ_IMAGES: [&str; 4] = ["image/gif", "image/jpeg", "image/png", "image/webp"];

/// The kind of a file of these bytes; `None` for what may be text.
pub(crate) fn binary_kind(bytes: &[u8]) -> Option<BinaryKind> {
    if let Some(&(_, kind)) = OF_CHARACTERS.iter().find(|(mark, _)| bytes.starts_with(mark)) {
        return Some(kind);
    }
    let head = &bytes[..bytes.len().min(HEAD_BYTES)];
    let is_utf16 = head.starts_with(b"\xFF\xFE") || head.starts_with(b"\xFE\xFF");
    if is_utf16 || memchr(0, head).is_none() {
        return None;
    }
    if is_tar(head) {
        return Some(BinaryKind::Tar);
    }
    if head.starts_with(ORC) {
        return Some(BinaryKind::Orc);
    }
    let found = infer::get(head).filter(|kind| kind.matcher_type() != infer::MatcherType::Text)?;
    let media_type = found.mime_type();
    Some(match found.matcher_type() {
        infer::MatcherType::Image if READ_IMAGES.contains(&media_type) => BinaryKind::ReadImage(media_type),
        infer::MatcherType::Image => BinaryKind::OtherImage(media_type),
        infer::MatcherType::Audio => BinaryKind::Audio(media_type),
        infer::MatcherType::Video => BinaryKind::Video(media_type),
        infer::MatcherType::Font => BinaryKind::Font(media_type),
        infer::MatcherType::Archive => BinaryKind::Archive(media_type),
        infer::MatcherType::Book | infer::MatcherType::Doc => BinaryKind::Document(media_type),
        _ => BinaryKind::Other(media_type),
    })
}

/// Returns whether a file is a tar archive: the format of POSIX and that of GNU tar say so behind the name of the first
/// member.
pub(crate) fn is_tar(head: &[u8]) -> bool {
    head.get(257..262) == Some(b"ustar")
}

/// Returns whether a file is a zip archive of plain files, not a document in the form of one.
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
            assert_eq!(binary_kind(bytes).unwrap().to_string(), kind);
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
        // Other bytes are reported as not being UTF-8, also where they begin like an image.
        for text in [&b"caf\xE9"[..], b"BM\xDCller;Stra\xDFe\n", b"MZ\xE9"] {
            assert_eq!(binary_kind(text), None);
        }
    }
}
