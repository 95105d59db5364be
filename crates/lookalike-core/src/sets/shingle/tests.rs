use super::*;
use crate::base::hash::{HashKey, SplitMix64, hash_token};
use crate::base::{DocId, Error};
use crate::sets::{HashBits, ShingleSize};
use crate::similarity::Overlap;
use crate::text::{TextOptions, TextUnit};
use proptest::prelude::{any, prop_assert, prop_assert_eq, proptest};
use std::collections::{BTreeMap, BTreeSet};

const MONTOYA: &str = "My name is Inigo Montoya. You killed my father. Prepare to die";
const FISH: &str = "Tropical fish include fish found in tropical environments around the world, including both \
    freshwater and salt water species.";

fn shingler(options: ShingleOptions) -> Shingler {
    Shingler::new(options, Tokenizer::new(TextOptions::default()))
}

fn jaccard(options: ShingleOptions, a: &str, b: &str) -> f64 {
    let mut shingler = shingler(options);
    let mut sets = ElementSets::new();
    for text in [a, b] {
        shingler.push(text, &mut sets).unwrap();
    }
    Overlap::new(sets.get(DocId(0)), sets.get(DocId(1))).jaccard()
}

fn hash_of(tokens: &[&str]) -> u64 {
    let hashes: Vec<u64> = tokens.iter().map(|token| hash_token(token.as_bytes())).collect();
    ShingleHasher::new(tokens.len(), &HashKey::BATCH).hash(&hashes)
}

fn set_of<const N: usize>(shingles: &[[&str; N]]) -> Vec<u64> {
    shingles.iter().map(|tokens| hash_of(tokens)).collect::<BTreeSet<_>>().into_iter().collect()
}

/// Set of all runs of `N` of these words.
fn windows_of<const N: usize>(words: &str) -> Vec<u64> {
    let words: Vec<&str> = words.split(' ').collect();
    set_of::<N>(&words.windows(N).map(|window| window.try_into().unwrap()).collect::<Vec<_>>())
}

#[test]
fn character_pairs_of_abcab_are_three_and_ab_comes_twice() {
    let set = shingler(ShingleOptions::characters(2)).shingle("abcab").unwrap();
    assert_eq!(set, set_of(&[["a", "b"], ["b", "c"], ["c", "a"]]));
    let bag = ShingleOptions { multiplicity: Multiplicity::Bag, ..ShingleOptions::characters(2) };
    let bag = shingler(bag).shingle("abcab").unwrap();
    assert_eq!(bag.len(), 4);
    assert!(bag.contains(&hash_occurrence(hash_of(&["a", "b"]), 2)));
    assert!(set.iter().all(|shingle| bag.contains(shingle)));
}

#[test]
fn inigo_montoya_has_nine_four_word_shingles() {
    let words = "my name is inigo montoya you killed my father prepare to die";
    let expected = windows_of::<4>(words);
    assert_eq!(expected.len(), 9);
    assert_eq!(shingler(ShingleOptions::words(4)).shingle(MONTOYA).unwrap(), expected);
}

#[test]
fn a_rose_has_three_distinct_four_grams() {
    let rose = "a rose is a rose is a rose";
    let set = shingler(ShingleOptions::words(4)).shingle(rose).unwrap();
    let expected = [["a", "rose", "is", "a"], ["rose", "is", "a", "rose"], ["is", "a", "rose", "is"]];
    assert_eq!(set, set_of(&expected));
    let bag = ShingleOptions { multiplicity: Multiplicity::Bag, ..ShingleOptions::words(4) };
    assert_eq!(shingler(bag).shingle(rose).unwrap().len(), 5);
}

#[test]
fn tropical_fish_has_sixteen_three_grams() {
    let words = "tropical fish include fish found in tropical environments around the world including both freshwater \
        and salt water species";
    let expected = windows_of::<3>(words);
    assert_eq!(expected.len(), 16);
    assert_eq!(shingler(ShingleOptions::words(3)).shingle(FISH).unwrap(), expected);
}

#[test]
fn textbook_similarities_are_met() {
    assert_eq!(
        jaccard(ShingleOptions::words(1), "the black cat ate a mouse", "the black dog chased the cat"),
        3.0 / 8.0
    );
    let dog = "The dog chased the cat";
    let cat = "The cat chased the dog";
    assert_eq!(jaccard(ShingleOptions::words(1), dog, cat), 1.0);
    assert_eq!(jaccard(ShingleOptions::words(2), dog, cat), 3.0 / 5.0);
}

#[test]
fn short_documents_are_one_shingle_and_empty_ones_none() {
    let mut words = shingler(ShingleOptions::words(5));
    assert_eq!(words.shingle("Out of stock").unwrap(), set_of(&[["out", "of", "stock"]]));
    assert_eq!(words.shingle("...").unwrap().len(), 0);
    assert_eq!(shingler(ShingleOptions::characters(5)).shingle("ab").unwrap().len(), 1);
}

#[test]
fn copies_in_scripts_without_blanks_are_identical_and_edits_are_near() {
    for (text, edited) in [
        ("今天的天气很好，我们一起去公园散步吧。", "今天的天气很好，我们一起去公园散步呢。"),
        ("วันนี้อากาศดีมากเราไปเดินเล่นที่สวนกันเถอะ", "วันนี้อากาศดีมากเราไปเดินเล่นที่สวนกันนะ"),
        ("الطقس جميل اليوم فلنذهب إلى الحديقة معا", "الطقس جميل اليوم فلنذهب إلى الحديقة سويا"),
    ] {
        assert_eq!(jaccard(ShingleOptions::words(2), text, text), 1.0);
        let similarity = jaccard(ShingleOptions::words(2), text, edited);
        assert!((0.5..1.0).contains(&similarity), "{edited}: {similarity}");
    }
}

#[test]
fn strides_leave_no_token_out() {
    let without_overlap = ShingleOptions { stride: 2, ..ShingleOptions::words(2) };
    assert_eq!(shingler(without_overlap).shingle("a b c d").unwrap(), set_of(&[["a", "b"], ["c", "d"]]));
    let with_rest = shingler(without_overlap).shingle("a b c d e").unwrap();
    assert_eq!(with_rest.len(), 3);
    assert!(with_rest.contains(&hash_of(&["e"])));
    assert_eq!(
        shingler(ShingleOptions { stride: 2, ..ShingleOptions::words(3) }).shingle("a b c d e").unwrap().len(),
        2
    );
}

#[test]
fn shingles_of_text_units_are_consecutive_text_units() {
    let log = "a b\nc d\n\ne f\ng h\n";
    let moved = "E, F!\nG H\nA B\nC D";
    assert_eq!(shingler(ShingleOptions::text_units(TextUnit::Line, 1)).shingle(log).unwrap().len(), 4);
    assert_eq!(jaccard(ShingleOptions::text_units(TextUnit::Line, 1), log, moved), 1.0);
    assert_eq!(jaccard(ShingleOptions::text_units(TextUnit::Line, 2), log, moved), 2.0 / 4.0);
    let line = |tokens: &[&str]| hash_of(tokens);
    let shingle = ShingleHasher::new(2, &HashKey::BATCH).hash(&[line(&["a", "b"]), line(&["c", "d"])]);
    assert!(shingler(ShingleOptions::text_units(TextUnit::Line, 2)).shingle(log).unwrap().contains(&shingle));
}

#[test]
fn hashes_of_32_bits_are_the_upper_half() {
    let narrow = ShingleOptions { hash_bits: HashBits::Bits32, ..ShingleOptions::words(4) };
    let wide: BTreeSet<u64> =
        shingler(ShingleOptions::words(4)).shingle(MONTOYA).unwrap().iter().map(|hash| hash & !0 << 32).collect();
    assert!(shingler(narrow).shingle(MONTOYA).unwrap().into_iter().eq(wide));
}

#[test]
fn wrong_options_are_named() {
    for text in ["", "word", "word:", "word:0", "char:-1", "page:3", "line:0", "line", "word:five"] {
        assert!(text.parse::<ShingleSize>().is_err(), "{text}");
    }
    assert_eq!("char:7".parse::<ShingleSize>().unwrap().to_string(), "char:7");
    let stemmed = TextOptions { stem: Some("de".parse().unwrap()), ..TextOptions::default() };
    assert_eq!(ShingleOptions::characters(3).check(&stemmed), Err(Error::WordsNeeded));
    for shingle in [ShingleOptions::characters(3), ShingleOptions::items()] {
        assert_eq!(shingle.check(&TextOptions::code()), Err(Error::CodeWithoutTokens));
    }
    let stemmed_code = TextOptions { stem: Some("de".parse().unwrap()), ..TextOptions::code() };
    assert_eq!(ShingleOptions::words(3).check(&stemmed_code), Err(Error::WordsNeeded));
    let keywords = TextOptions { keywords: Some(BTreeSet::new()), ..TextOptions::default() };
    assert_eq!(ShingleOptions::words(3).check(&keywords), Err(Error::CodeNeeded));
    assert_eq!(ShingleOptions::text_units(TextUnit::Line, 3).check(&stemmed), Ok(()));
    assert_eq!(ShingleOptions::text_units(TextUnit::Line, 3).check(&TextOptions::code()), Ok(()));
    assert!(ShingleOptions { stride: 0, ..ShingleOptions::words(3) }.check(&TextOptions::default()).is_err());
}

proptest! {
    #[test]
    fn sets_and_bags_equal_their_definition(text in "([ab] |[a-d]{1,2} ){0,60}", size in 1usize..5) {
        let words: Vec<&str> = text.split_whitespace().collect();
        let mut counts = BTreeMap::new();
        let length = size.min(words.len());
        for window in words.windows(length.max(1)) {
            *counts.entry(hash_of(window)).or_insert(0u64) += 1;
        }
        let set = shingler(ShingleOptions::words(size)).shingle(&text).unwrap();
        prop_assert!(set.iter().eq(counts.keys()));
        let bag = ShingleOptions { multiplicity: Multiplicity::Bag, ..ShingleOptions::words(size) };
        let bag = shingler(bag).shingle(&text).unwrap();
        let expected: BTreeSet<u64> = counts.iter()
            .flat_map(|(&hash, &count)| (1..=count).map(move |i| if i == 1 { hash } else { hash_occurrence(hash, i) }))
            .collect();
        prop_assert!(bag.into_iter().eq(expected));
    }

    #[test]
    fn any_text_gives_a_strictly_ascending_set(text in any::<String>(), stride in 1usize..4, size in 1usize..4) {
        let options = ShingleOptions { stride, ..ShingleOptions::characters(size) };
        let set = shingler(options).shingle(&text).unwrap();
        prop_assert!(set.is_sorted_by(|a, b| a < b));
        prop_assert_eq!(set.is_empty(), text.trim().is_empty());
    }
}

#[test]
fn items_are_elements_as_they_stand() {
    let mut shingler = Shingler::new(ShingleOptions::items(), Tokenizer::new(TextOptions::default()));
    let mut set = |items: &str| shingler.shingle(Items::from_stored(items)).unwrap();
    assert_eq!(set("b\0a\0b\0"), set("a\0b\0"));
    assert_eq!(set(""), Vec::<u64>::new());
    let apart = ["a\0", "A\0", " a\0", "a b\0", "\0", "a,b\0", "<b>\0"];
    let mut all: Vec<u64> = apart.iter().flat_map(|item| set(item)).collect();
    all.sort_unstable();
    all.dedup();
    assert_eq!(all.len(), apart.len());
    assert_eq!(set(&apart.concat()), all);
    let bag = ShingleOptions { multiplicity: Multiplicity::Bag, ..ShingleOptions::items() };
    let mut shingler = Shingler::new(bag, Tokenizer::new(TextOptions::default()));
    assert_eq!(shingler.shingle(Items::from_stored("b\0a\0b\0")).unwrap().len(), 3);
}

#[test]
fn any_size_and_stride_make_one_shingle_of_a_short_text() {
    for stride in [1, 2, usize::MAX] {
        let options = ShingleOptions { stride, ..ShingleOptions::words(usize::MAX) };
        let mut elements = Vec::new();
        shingler(options).append("one two three", &mut elements);
        assert_eq!(elements.len(), 1, "stride {stride}");
    }
}

#[test]
fn counted_words_are_a_set_with_their_numbers() {
    let counted = ShingleOptions { multiplicity: Multiplicity::Counted, ..ShingleOptions::words(1) };
    let mut sets = ElementSets::new();
    let mut shingler = shingler(counted);
    for text in ["to be or not to be", "", "to be or not"] {
        shingler.push(text, &mut sets).unwrap();
    }
    let counts = |document| {
        let mut counts: Vec<u32> = sets.weighted(DocId(document)).iter().map(|(_, count)| count).collect();
        counts.sort_unstable();
        counts
    };
    assert_eq!([counts(0), counts(1), counts(2)], [vec![1, 1, 2, 2], vec![], vec![1, 1, 1, 1]]);
    assert_eq!(sets.get(DocId(0)), sets.get(DocId(2)));
    assert!(!sets.are_equal(DocId(0), DocId(2)));
    assert_eq!(sets.weighted(DocId(0)).squared_norm(), 10);
}

#[test]
fn counts_of_items_are_those_of_their_copies() {
    let options = ShingleOptions { multiplicity: Multiplicity::Counted, ..ShingleOptions::items() };
    let mut shingler = shingler(options);
    let mut random = SplitMix64::new(5);
    for items in 0..40 {
        let mut counted = Items::default();
        let mut copied = Items::default();
        for _ in 0..items {
            let item = format!("\u{1}{}", random.next_below(9));
            let count = random.next_below(4) as u32;
            counted.push(&item, count).unwrap();
            (0..count).for_each(|_| copied.push(&item, 1).unwrap());
        }
        let mut made = || {
            let mut elements = vec![7];
            let mut counts = Vec::new();
            let found = shingler.append_items(&counted, &mut elements, &mut counts).unwrap();
            counted = std::mem::take(&mut copied);
            (elements, counts, found)
        };
        assert_eq!(made(), made(), "{items} items");
    }
    let mut large = Items::default();
    (0..2).for_each(|_| large.push("a", u32::MAX).unwrap());
    let error = shingler.append_items(&large, &mut Vec::new(), &mut Vec::new()).unwrap_err();
    assert!(matches!(error, Error::CountTooLarge { found: 8_589_934_590 }), "{error}");
}
