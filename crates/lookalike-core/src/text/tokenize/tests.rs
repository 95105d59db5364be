use super::*;
use proptest::prelude::{Strategy, any, prop_assert, prop_oneof, proptest};
use unicode_normalization::UnicodeNormalization;

mod kinds;

fn tokens(text: &str, unit: TokenUnit, options: TextOptions) -> Vec<String> {
    let mut found = Vec::new();
    Tokenizer::new(options).tokenize(text, unit, |token| found.push(token.text.to_owned()));
    found
}

fn words(text: &str) -> Vec<String> {
    tokens(text, TokenUnit::Word, TextOptions::default())
}

#[test]
fn words_are_normalized_and_cut() {
    assert_eq!(words("The CAT's naïve ＦＵＬＬ ﬁt"), ["the", "cat's", "naïve", "full", "fit"]);
    assert_eq!(
        words("Gesetz über die Prägung der 1-DM-Münze"),
        ["gesetz", "über", "die", "prägung", "der", "1", "dm", "münze"]
    );
}

#[test]
fn texts_without_words_have_no_tokens() {
    for text in ["", " \n\t", "... !!! ---", "😀🎉", "\u{301}", "___"] {
        assert_eq!(words(text), Vec::<String>::new(), "{text:?}");
    }
}

#[test]
fn options_turn_each_step_off() {
    let cased = TextOptions { lowercase: false, ..TextOptions::default() };
    assert_eq!(tokens("Ab Éc ﬁ", TokenUnit::Word, cased), ["Ab", "Éc", "fi"]);
    let plain = TextOptions { nfkc: false, ..TextOptions::default() };
    assert_eq!(tokens("Ab ﬁ", TokenUnit::Word, plain.clone()), ["ab", "ﬁ"]);
    // A cedilla and a narrow blank, which belong to words without normalization, become blanks under it.
    assert_eq!(tokens("1\u{b8} a\u{202f}b", TokenUnit::Word, plain), ["1\u{b8}", "a\u{202f}b"]);
    assert_eq!(words("1\u{b8} a\u{202f}b"), ["1", "a", "b"]);
}

#[test]
fn stop_words_are_dropped_in_any_case_and_words_are_stemmed() {
    let stop_words = ["The".to_owned(), "über".to_owned()].into();
    let options = TextOptions { stop_words, stem: Some("en".parse().unwrap()), ..TextOptions::default() };
    assert_eq!(tokens("THE fishing boats, Über the waves", TokenUnit::Word, options), ["fish", "boat", "wave"]);
    assert!("klingon".parse::<super::super::StemLanguage>().is_err());
}

#[test]
fn characters_fold_white_space() {
    let characters = tokens("  A b\n\n ﬁ ", TokenUnit::Character, TextOptions::default());
    assert_eq!(characters.concat(), "a b fi");
}

#[test]
fn html_is_stripped_before_tokenizing() {
    let mut tokenizer = Tokenizer::new(TextOptions { strip_html: true, ..TextOptions::default() });
    let visible = tokenizer.visible_text("<p class=x>One<br>two</p>").into_owned();
    let mut found = Vec::new();
    tokenizer.tokenize(&visible, TokenUnit::Word, |token| found.push(token.text.to_owned()));
    assert_eq!(found, ["one", "two"]);
}

#[test]
fn tokens_point_at_their_source() {
    let text = "Ein ﬁeser  Ärger, e\u{301}gal ⑴x";
    let mut sources = Vec::new();
    Tokenizer::new(TextOptions::default()).tokenize(text, TokenUnit::Word, |token| sources.push(&text[token.source]));
    assert_eq!(sources, ["Ein", "ﬁeser", "Ärger", "e\u{301}gal", "⑴", "x"]);
}

/// Checks that the words of a text equal those of the full rules for its whole normal form, except for a blank before a
/// mark: the full rules attach the blank to the mark, and if the mark is also a letter, both form a word.
fn check_against_full_rules(text: &str, nfkc: bool, lowercase: bool) {
    let options = TextOptions { nfkc, lowercase, ..TextOptions::default() };
    let found = tokens(text, TokenUnit::Word, options.clone());
    let normal: String = if nfkc { text.nfkc().collect() } else { text.to_owned() };
    let lower = |c: char| c.to_lowercase().map(|c| if c == 'ς' { 'σ' } else { c });
    let whole = if lowercase { normal.chars().flat_map(lower).collect() } else { normal };
    let mut expected = Vec::new();
    cut_unicode(&whole, |range| expected.push(whole[range].trim_start()));
    assert_eq!(found.iter().map(|word| word.trim_start()).collect::<Vec<_>>(), expected, "{text:?} {nfkc} {lowercase}");
    let mut hashes = Vec::new();
    Tokenizer::new(options).hash_tokens(text, TokenUnit::Word, &mut hashes);
    assert!(hashes.into_iter().eq(found.iter().map(|word| HashKey::BATCH.token(word.as_bytes()))));
}

#[test]
fn hard_texts_are_cut_as_the_full_rules_say() {
    let at_the_end_of_a_block = "a".repeat(61) + "漢\u{301}\u{20dd}b";
    let long_without_blanks = "ä".repeat(20_000) + "漢’a";
    let texts = [
        "a_゛_a a_゠_a ヸ_a_ヸ_",
        "ක\u{dda}\u{334}x q\u{c48}\u{c4d}'b",
        "漢\u{20dd}_b:c 🅰\u{fe0f}b",
        "ש＂ש ש\u{5b0}'ש צה\"ל",
        "1︐1 a\u{301}．b _．a 1，2，x",
        "น้ำ人々ですabc漢_1東",
        &at_the_end_of_a_block,
        &long_without_blanks,
    ];
    for text in texts {
        check_against_full_rules(text, true, true);
        check_against_full_rules(text, false, false);
    }
}

#[test]
fn every_character_is_cut_as_the_full_rules_say() {
    const SURROUNDINGS: &str =
        "? é?é_?’é 1?2,?3?， 東?か?\u{301}x? a\u{301}?b '?\"?. タ_?_タ ก?ิ้? ٣?٣،?٣ क?्?ष 한?한 ש?ש ?:?";
    let characters = ('\u{80}'..'\u{40000}').filter(|c| c.is_alphanumeric() || *c < '\u{20000}');
    // Of the many equivalent ideographs and syllables, a sample suffices.
    let characters = characters.filter(|&c| {
        !matches!(c, '\u{3400}'..='\u{d7a3}' | '\u{17000}'..='\u{18cff}' | '\u{20000}'..)
            || (c as u32).is_multiple_of(37)
    });
    for character in characters {
        let text = SURROUNDINGS.replace('?', character.encode_utf8(&mut [0; 4]));
        check_against_full_rules(&text, true, true);
        check_against_full_rules(&text, false, false);
    }
}

/// Texts of characters with special rules of normalization or word boundaries; each pattern is one kind of text.
fn hard_text() -> impl Strategy<Value = String> {
    prop_oneof![
        "([a-cA-C ,.':;1_\"]|é|É|e\u{301}|Σ|ς|ﬁ|東|\u{e01}|\n|ж|ש|ع|٣|…|§|–|·|\
            \u{ad}|\u{a0}|\u{200d}|ß|İ|ǅ|🔬|한|、|™|\u{fe0f}|\u{1f3fb}|②|’|‘|״){0,120}",
        "([a-b1_:.'’· ]|é|ж){0,80}",
        "\\PC{0,80}",
        "[\u{80}-\u{600}a1 .,:']{0,80}",
        "[\u{5b0}-\u{669}a1 .,:'\"_＇＂’]{0,80}",
        "([a1 .,_:'\u{e00}-\u{e5a}\u{900}-\u{97f}\u{1780}-\u{17df}]|\
            [\u{3000}-\u{3100}\u{ff00}-\u{ffa0}\u{1000}-\u{10a0}\u{600}-\u{66f}]|\
            東|京|タ|か|\u{3099}|\u{301}|\u{323}|é|𠀋|ﬁ|，|：|．|\u{200d}|ー|้|ำ|ิ){0,100}",
    ]
}

proptest! {
    #[test]
    fn stretches_give_the_words_of_the_whole(nfkc: bool, lowercase: bool, text in hard_text()) {
        check_against_full_rules(&text, nfkc, lowercase);
    }

    #[test]
    fn any_text_is_cut_without_fault(text in any::<String>()) {
        for unit in [TokenUnit::Word, TokenUnit::Character] {
            let mut last = 0;
            Tokenizer::new(TextOptions::default()).tokenize(&text, unit, |token| {
                assert!(token.source.start >= last && text.get(token.source.clone()).is_some());
                last = token.source.start;
            });
            prop_assert!(last <= text.len());
        }
    }
}
