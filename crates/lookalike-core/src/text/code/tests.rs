use super::*;
use crate::text::{TextOptions, TokenUnit, Tokenizer};
use proptest::prelude::{prop_assert, prop_assert_eq, proptest};

fn tokens(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    cut_code(text, |range, _| found.push(&text[range]));
    found
}

/// Five lines: cuts by trying all prefixes of what is left, longest first.
fn by_definition(text: &str) -> Vec<&str> {
    let is_name =
        |token: &str| (token.starts_with('_') || token.starts_with(is_xid_start)) && token.chars().all(is_xid_continue);
    let is_token = |token: &str| token.chars().count() == 1 || OPERATORS.contains(&token) || is_name(token);
    let Some(rest) = Some(text.trim_start()).filter(|rest| !rest.is_empty()) else { return Vec::new() };
    let ends = rest.char_indices().map(|(at, character)| at + character.len_utf8());
    let end = ends.filter(|&end| is_token(&rest[..end])).max().unwrap_or(rest.len());
    [vec![&rest[..end]], by_definition(&rest[end..])].concat()
}

#[test]
fn operators_are_sorted_and_cross_no_boundary() {
    assert!(OPERATORS.is_sorted_by(|one, next| one < next) && PACKED_OPERATORS.is_sorted());
    for operator in OPERATORS {
        assert!((2..=MAX_OPERATOR_BYTES).contains(&operator.len()), "{operator}");
        let shorter = &operator[..operator.len() - 1];
        assert!(shorter.len() == 1 || OPERATORS.contains(&shorter), "{operator} is found by way of {shorter}");
        assert_eq!(tokens(operator), [operator]);
        assert!(operator.bytes().all(|byte| byte.is_ascii_punctuation() && !SEPARATORS.contains(&byte)), "{operator}");
    }
}

#[test]
fn source_is_cut_into_names_numbers_operators_and_signs() {
    assert_eq!(tokens("if(a==b)return x>>=1;"), ["if", "(", "a", "==", "b", ")", "return", "x", ">>=", "1", ";"]);
    assert_ne!(tokens("a == b"), tokens("a != b"));
    assert_eq!(tokens("a<=b a=>b a->b A::b a&&!b a||b"), by_definition("a<=b a=>b a->b A::b a&&!b a||b"));
    assert_eq!(tokens("s = \"it's\\n\"; // né"), ["s", "=", "\"", "it", "'", "s", "\\", "n", "\"", ";", "//", "né"]);
    assert_eq!(tokens("größe_1 + 变量 \u{1f600}\u{301}"), ["größe_1", "+", "变量", "\u{1f600}", "\u{301}"]);
    assert_eq!(tokens("$a @b #c `d` ~e"), ["$", "a", "@", "b", "#", "c", "`", "d", "`", "~", "e"]);
    assert_eq!(tokens(" \t\r\n\u{2028}"), Vec::<&str>::new());
}

#[test]
fn numbers_have_prefix_fraction_exponent_and_suffix() {
    for number in ["0", "1_000u32", "0x1F", "0b101", "2.5", "1e5", "1e-5", "2.5E+10f", "1_0e+3", "0x1p-3", "٣٤", "10px"]
    {
        assert_eq!(tokens(number), [number]);
    }
    assert_eq!(tokens("1..2"), ["1", "..", "2"]);
    assert_eq!(tokens("1.max(2)"), ["1", ".", "max", "(", "2", ")"]);
    assert_eq!(tokens("0xE+1 0x1e-1"), ["0xE", "+", "1", "0x1e", "-", "1"]);
    assert_eq!(tokens("12px-3 1e-x 1.e3"), ["12px", "-", "3", "1e", "-", "x", "1", ".", "e3"]);
    assert_eq!(tokens("x.5 192.168.0.1"), ["x", ".", "5", "192.168", ".", "0.1"]);
}

proptest! {
    #[test]
    fn code_without_numbers_is_cut_as_defined(text in "([a-c_é变 \n\"';(){}\\[\\],$]|[!-/:-@^|~?]{1,5}){0,40}") {
        prop_assert_eq!(tokens(&text), by_definition(&text));
    }

    #[test]
    fn tokens_and_white_space_are_the_whole_text(text in "[0-9a-fpx.+_eE -]{0,30}|\\PC{0,60}") {
        let mut at = 0;
        let mut rest = String::new();
        cut_code(&text, |range, _| {
            assert!(range.start >= at && !range.is_empty());
            rest.push_str(&text[at..range.start]);
            at = range.end;
        });
        rest.push_str(&text[at..]);
        prop_assert!(rest.trim().is_empty(), "{:?}", rest);
    }

    /// Any boundary of a piece, wherever it is looked for, leaves the tokens as they are.
    #[test]
    fn halves_have_the_tokens_of_the_whole(
        text in "([a-b1.eé\u{301}\u{640}\u{654}ﬁ;,(=+<>:-]|[ \n]){0,40}", from in 0usize..40,
    ) {
        let boundary = code_boundary_beyond(&text, from.min(text.len()));
        let options = TextOptions { nfkc: true, lowercase: true, strip_marks: true, ..TextOptions::code() };
        let cut = |text: &str| {
            let mut found = Vec::new();
            Tokenizer::new(options.clone()).tokenize(text, TokenUnit::Word, |token| found.push(token.text.to_owned()));
            found
        };
        let (first, second) = text.split_at(boundary);
        prop_assert_eq!([cut(first), cut(second)].concat(), cut(&text));
    }
}
