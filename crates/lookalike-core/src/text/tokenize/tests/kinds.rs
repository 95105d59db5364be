//! Tokens of code, text_units, masks and points through the whole tokenizer.

use super::tokens;
use crate::base::hash::{HashKey, ShingleHasher};
use crate::kernel::Kernel;
use crate::text::characters::{is_ignorable, is_point};
use crate::text::{Mask, TextOptions, TextUnit, TokenKind, TokenUnit, Tokenizer};
use proptest::prelude::{any, prop_assert_eq, prop_oneof, proptest};
use proptest::strategy::{Just, Strategy};
use unicode_normalization::UnicodeNormalization;

fn rename_blind(keywords: &[&str]) -> TextOptions {
    let keywords = keywords.iter().map(|&word| word.to_owned()).collect();
    TextOptions { keywords: Some(keywords), ..TextOptions::code() }
}

fn masked() -> TextOptions {
    TextOptions { mask: Some(Mask::Numbers), ..TextOptions::default() }
}

fn unpointed() -> TextOptions {
    TextOptions { strip_marks: true, ..TextOptions::default() }
}

#[test]
fn code_keeps_case_and_compatible_characters_unless_configured_otherwise() {
    let code = |options| tokens("Ab.ﬁ=1", TokenUnit::Word, options);
    assert_eq!(code(TextOptions::code()), ["Ab", ".", "ﬁ", "=", "1"]);
    let folded = TextOptions { nfkc: true, lowercase: true, ..TextOptions::code() };
    assert_eq!(code(folded), ["ab", ".", "fi", "=", "1"]);
}

#[test]
fn tokens_of_code_point_at_their_source() {
    for options in [TextOptions::code(), TextOptions { nfkc: true, ..TextOptions::code() }] {
        let text = "x ≥= ﬁn;\n  y!=e\u{301}1";
        let mut sources = Vec::new();
        Tokenizer::new(options).tokenize(text, TokenUnit::Word, |token| sources.push(&text[token.source]));
        assert_eq!(sources, ["x", "≥", "=", "ﬁn", ";", "y", "!=", "e\u{301}1"]);
    }
}

#[test]
fn all_identifiers_but_keywords_are_one() {
    let code = |text: &str| tokens(text, TokenUnit::Word, rename_blind(&["if", "return"]));
    assert_eq!(code("if (a1 == b) return a1 + 1;"), code("if (left==right)\n\treturn other + 1;"));
    assert_ne!(code("if (a == b)"), code("if (a != b)"));
    assert_ne!(code("if a"), code("return a"));
    assert_ne!(code("a 1"), code("a 2"));
    let lower = TextOptions { lowercase: true, ..rename_blind(&["SELECT"]) };
    assert_eq!(tokens("Select x", TokenUnit::Word, lower)[0], "select");
}

#[test]
fn masked_numbers_are_one_sign() {
    let lines = ["[2024-01-05 10:07] GET /a/17 took 3.5 ms", "[1999-12-31 23:59] GET /a/4 took 120.25 ms"];
    for unit in [TokenUnit::Word, TokenUnit::Character, TokenUnit::TextUnit(TextUnit::Line)] {
        let [one, other] = lines.map(|line| tokens(line, unit, masked()));
        assert_eq!(one, other);
        assert_ne!(one, tokens("[2024-01-05 10:07] PUT /a/17 took 3.5 ms", unit, masked()));
    }
    let code = TextOptions { mask: Some(Mask::Numbers), ..TextOptions::code() };
    let code = |text: &str| tokens(text, TokenUnit::Word, code.clone());
    assert_eq!(code("x1 = 0x1F + 2.5e-3"), code("x22 = 7 + 1"));
    assert_ne!(code("x1 = 7"), code("x = 7"));
}

#[test]
fn points_are_dropped_from_words_and_characters_and_code() {
    for (pointed, plain) in [
        ("كَتَبَ الوَلَدُ", "كتب الولد"),
        ("مـــرحبا", "مرحبا"),
        ("שָׁלוֹם", "שלום"),
        ("ש\u{5c1}", "\u{fb2a}"),
        ("مسـ\u{654}ول", "مس\u{654}ول"),
        ("\u{64b}", ""),
        ("ـ", ""),
    ] {
        for unit in [TokenUnit::Word, TokenUnit::Character] {
            assert_eq!(tokens(pointed, unit, unpointed()), tokens(plain, unit, unpointed()), "{pointed}");
        }
        let code = TextOptions { tokens: TokenKind::Code, ..unpointed() };
        assert_eq!(tokens(pointed, TokenUnit::Word, code.clone()), tokens(plain, TokenUnit::Word, code), "{pointed}");
    }
    // Hamza, madda, and the marks of other scripts distinguish letters.
    assert_ne!(tokens("آ أ إ", TokenUnit::Word, unpointed()), tokens("ا ا ا", TokenUnit::Word, unpointed()));
    assert_eq!(tokens("e\u{308} คำ", TokenUnit::Word, unpointed()), ["ë", "ค\u{e4d}", "า"]);
}

#[test]
fn pointed_words_point_at_their_source() {
    let text = "قال: كَتَبَ (الوَلَدُ)";
    let mut sources = Vec::new();
    Tokenizer::new(unpointed()).tokenize(text, TokenUnit::Word, |token| sources.push(&text[token.source]));
    assert_eq!(sources, ["قال", "كَتَبَ", "الوَلَدُ"]);
}

#[test]
fn segments_are_their_tokens_in_order() {
    let text = "One,  TWO.\n\n...\nThree (four)\r\n five";
    let lines = tokens(text, TokenUnit::TextUnit(TextUnit::Line), TextOptions::default());
    assert_eq!(lines, ["one\ntwo", "three\nfour", "five"]);
    let paragraphs = tokens(text, TokenUnit::TextUnit(TextUnit::Paragraph), TextOptions::default());
    assert_eq!(paragraphs, ["one\ntwo", "three\nfour\nfive"]);
    let mut sources = Vec::new();
    Tokenizer::new(TextOptions::default()).tokenize(text, TokenUnit::TextUnit(TextUnit::Line), |line| {
        sources.push(&text[line.source]);
    });
    assert_eq!(sources, ["One,  TWO", "Three (four", "five"]);
    let code = tokens("a == b;\n\n a!=b;", TokenUnit::TextUnit(TextUnit::Line), TextOptions::code());
    assert_eq!(code, ["a\n==\nb\n;", "a\n!=\nb\n;"]);
}

#[test]
fn code_of_several_pieces_has_the_tokens_of_its_parts() {
    for unit in ["fn f(a: &str) -> u8 { a.len() >>= 0x1F }\n", "var a=1.5e-3;b=[1,2];", "é ﬁ\u{301} _x1; "] {
        for options in [TextOptions::code(), TextOptions { nfkc: true, ..TextOptions::code() }] {
            let times = 300_000 / unit.len();
            let found = tokens(&unit.repeat(times), TokenUnit::Word, options.clone());
            let parts = vec![tokens(unit, TokenUnit::Word, options); times];
            assert_eq!(found, parts.concat(), "{unit}");
        }
    }
}

/// Text units by their definition: the tokens of each substring, found alone.
fn text_units_by_definition(text: &str, kind: TextUnit, options: &TextOptions) -> Vec<Vec<String>> {
    let places = crate::text::text_units::text_units(text, kind);
    let alone = |place| tokens(&text[place], TokenUnit::Word, options.clone());
    places.map(alone).filter(|tokens: &Vec<String>| !tokens.is_empty()).collect()
}

fn kind() -> impl Strategy<Value = TextUnit> {
    prop_oneof![Just(TextUnit::Line), Just(TextUnit::Sentence), Just(TextUnit::Paragraph)]
}

proptest! {
    #[test]
    fn segments_equal_their_definition_on_every_kernel(
        text in "([a-cA-C1-3.!? ,=é]|\n|\r\n|\n\n|漢|ك|َ|😀){0,60}", kind in kind(), is_code: bool,
    ) {
        let options = if is_code { TextOptions::code() } else { TextOptions::default() };
        let expected = text_units_by_definition(&text, kind, &options);
        let texts: Vec<String> = expected.iter().map(|tokens| tokens.join("\n")).collect();
        prop_assert_eq!(tokens(&text, TokenUnit::TextUnit(kind), options.clone()), texts);
        let hash = |tokens: &Vec<String>| {
            let hashes: Vec<u64> = tokens.iter().map(|token| HashKey::BATCH.token(token.as_bytes())).collect();
            ShingleHasher::new(1, &HashKey::BATCH).hash(&hashes)
        };
        for &kernel in Kernel::available() {
            let mut hashes = Vec::new();
            Tokenizer::with_kernel(options.clone(), kernel).hash_tokens(&text, TokenUnit::TextUnit(kind), &mut hashes);
            prop_assert_eq!(&hashes, &expected.iter().map(hash).collect::<Vec<_>>());
        }
    }

    /// Masking changes no word that has no digits, and what it makes of others does not depend on the digits.
    #[test]
    fn masks_are_runs_of_digits_of_each_word(text in "([a-c]|[0-9]{1,4}|[٠-٩]|[.,:'_ -]){0,60}") {
        let expected: Vec<String> = tokens(&text, TokenUnit::Word, TextOptions::default())
            .iter()
            .map(|word| {
                let signs: Vec<char> =
                    word.chars().map(|sign| if sign.is_numeric() { '0' } else { sign }).collect();
                signs.chunk_by(|a, b| *a == '0' && *b == '0').map(|run| run[0]).collect()
            })
            .collect();
        prop_assert_eq!(tokens(&text, TokenUnit::Word, masked()), expected);
        let characters: String = tokens(&text, TokenUnit::Character, TextOptions::default()).concat();
        let signs: Vec<char> = characters.chars().map(|sign| if sign.is_numeric() { '0' } else { sign }).collect();
        let runs: String = signs.chunk_by(|a, b| *a == '0' && *b == '0').map(|run| run[0]).collect();
        prop_assert_eq!(tokens(&text, TokenUnit::Character, masked()).concat(), runs);
    }

    #[test]
    fn dropping_points_is_as_if_they_were_not_there(
        text in "([a ,.'1é\n]|[\u{5d0}-\u{5ea}\u{5b0}-\u{5c7}]|[\u{620}-\u{670}]|\u{5f4}|漢|e\u{301}|\u{653}){0,60}",
        nfkc: bool,
    ) {
        let without: String = text.chars().filter(|&character| !is_point(character)).collect();
        let options = TextOptions { nfkc, ..TextOptions::default() };
        let pointed = TextOptions { strip_marks: true, ..options.clone() };
        for unit in [TokenUnit::Word, TokenUnit::Character] {
            let trimmed =
                |found: Vec<String>| found.iter().map(|word| word.trim_start().to_owned()).collect::<Vec<String>>();
            let expected = trimmed(tokens(&without, unit, options.clone()));
            prop_assert_eq!(trimmed(tokens(&text, unit, pointed.clone())), expected);
        }
    }

    #[test]
    fn any_text_is_cut_without_fault(text in any::<String>(), is_code: bool, nfkc: bool, strip_marks: bool) {
        let kind = if is_code { TokenKind::Code } else { TokenKind::Words };
        let options = TextOptions { tokens: kind, nfkc, strip_marks, mask: Some(Mask::Numbers), ..TextOptions::code() };
        let [sentences, paragraphs] = [TextUnit::Sentence, TextUnit::Paragraph].map(TokenUnit::TextUnit);
        for unit in [TokenUnit::Word, TokenUnit::Character, sentences, paragraphs] {
            let mut last = 0;
            Tokenizer::new(options.clone()).tokenize(&text, unit, |token| {
                assert!(token.source.start >= last && text.get(token.source.clone()).is_some());
                last = token.source.start;
            });
            assert!(last <= text.len());
        }
    }

    /// Tokens of code are the normal form without white space if no filter is set.
    #[test]
    fn tokens_of_code_are_the_whole_text(text in any::<String>()) {
        let options = TextOptions { nfkc: true, ..TextOptions::code() };
        let seen = text.chars().filter(|&character| !is_ignorable(character));
        let normal: String = seen.nfkc().filter(|character| !character.is_whitespace()).collect();
        prop_assert_eq!(tokens(&text, TokenUnit::Word, options).concat(), normal);
    }
}
