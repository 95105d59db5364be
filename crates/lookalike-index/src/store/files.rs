//! The names of the files of an index.

pub(super) fn segment_name(number: u64) -> String {
    format!("segment-{number:06}")
}

pub(super) fn order_name(number: u64) -> String {
    format!("order-{number:06}")
}

pub(super) fn log_name(number: u64) -> String {
    format!("log-{number:06}")
}

/// Whether a file is one that an index writes by number.
pub(super) fn is_numbered(name: &str) -> bool {
    let digits = ["segment-", "order-", "log-"].into_iter().find_map(|kind| name.strip_prefix(kind));
    digits.is_some_and(|digits| digits.len() >= 6 && digits.bytes().all(|byte| byte.is_ascii_digit()))
}

pub(super) const FREQUENCIES: &str = "frequencies";
