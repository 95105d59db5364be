use super::*;
use crate::text::characters::{is_ignorable, plain_quote, push_folded};
use proptest::prelude::{Strategy, any, prop_assert_eq, prop_oneof, proptest};
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

/// Texts that look the same, with the words that they have in common.
#[test]
fn what_looks_alike_is_one_word() {
    for (texts, expected) in [
        (
            ["L’été d‘une eau", "l'e\u{301}te\u{301} dʼune eau", "L`e\u{301}té d´une eau", "l′été d＇une eau"],
            "l'été|d'une|eau",
        ),
        (["צה״ל ג׳ירפה", "צה\"ל ג'ירפה", "צה”ל ג’ירפה", "צה״ל ג‘ירפה"], "צה\"ל|ג'ירפה"),
        (
            [
                "soft hyphen",
                "so\u{ad}ft hy\u{ad}phen",
                "\u{feff}soft\u{200b} hy\u{2060}phen",
                "so\u{200d}ft hyphen\u{200f}",
            ],
            "soft|hyphen",
        ),
        (["Straße", "STRASSE", "STRAẞE", "ſtraſſe"], "strasse"),
        (["ὈΔΟΣ", "ὀδος", "ὀδοσ", "Ο\u{313}ΔΟΣ"], "ὀδοσ"),
        (["می\u{200c}خواهم", "میخواهم", "می\u{200d}خواهم", "\u{202b}میخواهم\u{202c}"], "میخواهم"),
        (["1️⃣ 葛\u{e0100}", "1⃣ 葛", "1\u{fe0e}⃣ 葛\u{fe00}", "1\u{200b}⃣\u{200b} 葛"], "1⃣|葛"),
        // A blank that is not seen separates words of Thai and Khmer, whose characters are words by themselves.
        (["ไทย\u{200b}ดี", "ไทยดี", "ไท\u{200b}ยดี", "\u{200b}ไทยดี\u{200b}"], "ไ|ท|ย|ดี"),
        (["it's 1'000", "it’s 1’000", "it`s 1`000", "it\u{ad}'s 1′000"], "it's|1'000"),
        (["‘so’ ‛be’ it", "'so' 'be' it", "`so´ `be` it", "«so» “be” it"], "so|be|it"),
        (["ŉ don’t", "ʼn don't", "'n don't", "`n don`t"], "n|don't"),
    ] {
        for text in texts {
            assert_eq!(words(text).join("|"), expected, "{text:?}");
        }
    }
}

#[test]
fn folded_words_point_at_their_source() {
    let text = "«L’eau s’en va» aujourd’hui ’’ l’a’b Maß so\u{ad}ft\u{200b}, \u{200b}x ŉa";
    let sources = |unit: TokenUnit| {
        let mut sources = Vec::new();
        Tokenizer::new(TextOptions::default()).tokenize(text, unit, |token| sources.push(&text[token.source]));
        sources
    };
    let expected = ["L’eau", "s’en", "va", "aujourd’hui", "l’a’b", "Maß", "so\u{ad}ft\u{200b}", "x", "ŉa"];
    let found = sources(TokenUnit::Word);
    assert_eq!(found, expected);
    assert_eq!(words(text), ["l'eau", "s'en", "va", "aujourd'hui", "l'a'b", "mass", "soft", "x", "na"]);
    assert_eq!(sources(TokenUnit::Character)[..4], ["«", "L", "’", "e"]);
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
    assert_eq!(tokens("Ab Éc ﬁ", TokenUnit::Word, cased.clone()), ["Ab", "Éc", "fi"]);
    let plain = TextOptions { nfkc: false, ..TextOptions::default() };
    assert_eq!(tokens("Ab ①", TokenUnit::Word, plain.clone()), ["ab", "①"]);
    // Without normalization, letters are folded, and nothing else changes.
    assert_eq!(
        tokens("Maß l’a so\u{ad}ft a`b", TokenUnit::Word, plain.clone()),
        ["mass", "l’a", "so\u{ad}ft", "a", "b"]
    );
    assert_eq!(tokens("Maß l’a so\u{ad}ft a`b", TokenUnit::Word, cased.clone()), ["Maß", "l'a", "soft", "a'b"]);
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

/// The normal form of a whole text, by its definition.
fn normal_form(text: &str, nfkc: bool, lowercase: bool) -> String {
    let mut normal = text.to_owned();
    if nfkc {
        let seen = text.chars().filter(|&character| !is_ignorable(character));
        normal = seen.nfd().map(plain_quote).nfkc().collect();
    }
    if lowercase {
        let mut folded = String::new();
        push_folded(&normal, &mut folded);
        normal = folded;
    }
    if nfkc { normal.nfkc().map(plain_quote).collect() } else { normal }
}

/// Checks that the words of a text equal those of the full rules for its whole normal form, except for a blank before a
/// mark: the full rules attach the blank to the mark, and if the mark is also a letter, both form a word.
fn check_against_full_rules(text: &str, nfkc: bool, lowercase: bool) {
    let options = TextOptions { nfkc, lowercase, ..TextOptions::default() };
    let found = tokens(text, TokenUnit::Word, options.clone());
    let whole = normal_form(text, nfkc, lowercase);
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
    let apostrophes_at_the_end_of_a_block = "a".repeat(59) + "’b’c’d " + &"e".repeat(54) + "’’f ’g";
    let long_without_blanks = "ä".repeat(20_000) + "漢’a";
    let texts = [
        "a_゛_a a_゠_a ヸ_a_ヸ_",
        "ක\u{dda}\u{334}x q\u{c48}\u{c4d}'b",
        "漢\u{20dd}_b:c 🅰\u{fe0f}b",
        "ש＂ש ש\u{5b0}'ש צה\"ל",
        "1︐1 a\u{301}．b _．a 1，2，x",
        "น้ำ人々ですabc漢_1東",
        "l’a l`a `a` ’’a’’ a’’a 1’1 a’1 é’é’é 漢’a a’漢 ’ש ש’ש ש״ש ש“ש ʼa ´a ´\u{301}a a´\u{327}b ㄇㄚˊ",
        "a\u{ad}’b a’\u{ad}b \u{ad}a so\u{ad}ft 漢\u{200b}字 漢\u{fe00}\u{301}a \u{200b}\u{301}x Maß ẞa ᾳ ẖ ǰa",
        &at_the_end_of_a_block,
        &apostrophes_at_the_end_of_a_block,
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
            \u{ad}|\u{a0}|\u{200d}|ß|İ|ǅ|🔬|한|、|™|\u{fe0f}|\u{1f3fb}|②|’|‘|״|`|´|ʼ|′|“|ẞ|ẖ|ᾳ|\u{345}|᾿){0,120}",
        "([a-b1_:.'’`· ]|é|ж|ʼ|ß){0,80}",
        "\\PC{0,80}",
        "[\u{80}-\u{600}a1 .,:']{0,80}",
        "[\u{5b0}-\u{669}a1 .,:'\"_＇＂’]{0,80}",
        "([a1 .,_:'\u{e00}-\u{e5a}\u{900}-\u{97f}\u{1780}-\u{17df}]|\
            [\u{3000}-\u{3100}\u{ff00}-\u{ffa0}\u{1000}-\u{10a0}\u{600}-\u{66f}]|\
            東|京|タ|か|\u{3099}|\u{301}|\u{323}|é|𠀋|ﬁ|，|：|．|\u{200d}|ー|้|ำ|ิ){0,100}",
    ]
}

/// Characters that are not seen: of all planes and categories that have some.
const IGNORABLE: &str = "\u{ad}\u{34f}\u{61c}\u{115f}\u{17b4}\u{180b}\u{200b}\u{200c}\u{200d}\u{200e}\u{2060}\u{2064}\
    \u{3164}\u{fe0f}\u{feff}\u{fff0}\u{1d173}\u{e0100}";

proptest! {
    #[test]
    fn stretches_give_the_words_of_the_whole(nfkc: bool, lowercase: bool, text in hard_text()) {
        check_against_full_rules(&text, nfkc, lowercase);
    }

    #[test]
    fn kernels_give_the_same_words(text in hard_text(), nfkc: bool, lowercase: bool) {
        let options = TextOptions { nfkc, lowercase, ..TextOptions::default() };
        let hashes = |kernel| {
            let mut hashes = Vec::new();
            Tokenizer::with_kernel(options.clone(), kernel).hash_tokens(&text, TokenUnit::Word, &mut hashes);
            hashes
        };
        for &kernel in Kernel::available() {
            prop_assert_eq!(hashes(kernel), hashes(Kernel::Scalar));
        }
    }

    #[test]
    fn what_is_not_seen_makes_no_difference(
        text in hard_text(), lowercase: bool,
        inserted in proptest::collection::vec(
            (any::<proptest::sample::Index>(), proptest::sample::select(IGNORABLE.chars().collect::<Vec<_>>())), 0..20,
        ),
    ) {
        let seen: String = text.chars().filter(|&character| !is_ignorable(character)).collect();
        let mut more: Vec<char> = text.chars().collect();
        inserted.iter().for_each(|(place, character)| more.insert(place.index(more.len() + 1), *character));
        let more: String = more.into_iter().collect();
        let options = TextOptions { lowercase, ..TextOptions::default() };
        let [lines, paragraphs] = [TextUnit::Line, TextUnit::Paragraph].map(TokenUnit::TextUnit);
        for unit in [TokenUnit::Word, TokenUnit::Character, lines, paragraphs] {
            let found = |text: &str| {
                let found = tokens(text, unit, options.clone());
                found.iter().map(|token| token.trim_start().to_owned()).collect::<Vec<_>>()
            };
            prop_assert_eq!(found(&more), found(&seen), "{:?}", unit);
        }
    }

}

#[test]
fn stop_words_of_several_tokens_match_nothing() {
    let words =
        ["The", "don\u{2019}t", "Straße", "new york", "c'est-à-dire", "etc.", "但是", "的", "และ", "\u{200b}of"];
    let options = TextOptions { stop_words: words.map(str::to_owned).into(), ..TextOptions::default() };
    let unmatched: BTreeSet<&str> = unmatched_stop_words(&options).into_iter().collect();
    assert_eq!(unmatched, ["new york", "c'est-à-dire", "etc.", "但是", "และ"].into());
    for word in words {
        let mut tokens = 0;
        Tokenizer::new(options.clone()).tokenize(word, TokenUnit::Word, |_| tokens += 1);
        assert_eq!(tokens > 0, unmatched.contains(word), "{word}");
    }
}
