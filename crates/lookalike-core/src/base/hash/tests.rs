use super::*;
use proptest::prelude::{any, prop_assert, prop_assert_eq, proptest};
use std::collections::HashSet;

#[test]
fn stored_hash_values_are_frozen() {
    assert_eq!(hash_token(b""), FROZEN[0]);
    assert_eq!(hash_token(b"a"), FROZEN[1]);
    assert_eq!(hash_token("straße".as_bytes()), FROZEN[2]);
    assert_eq!(hash_token(b"a token of more than sixteen bytes"), FROZEN[3]);
    assert_eq!(ShingleHasher::new(3, &HashKey::BATCH).hash(&[1, 2, 3]), FROZEN[4]);
    assert_eq!(hash_sequence(7, [1, 2, 3]), FROZEN[5]);
    assert_eq!(hash_occurrence(42, 2), FROZEN[6]);
}
const FROZEN: [u64; 7] = [
    0x0000_0000_0000_0000,
    0x2EC7_0064_A9C1_235A,
    0xD314_7402_5A81_8D8E,
    0xCD7D_616A_3588_AF49,
    0x1999_7272_7B74_001B,
    0xE832_B02C_7AF6_0705,
    0x8AB6_D848_4CA9_972F,
];

#[test]
fn short_and_long_strings_have_the_same_sha1() {
    let text: Vec<u8> = (0..200).map(|number| number as u8).collect();
    for end in 0..=text.len() {
        let digest = Sha1::digest(&text[..end]);
        assert_eq!(sha1_hash32(&text[..end]).to_le_bytes(), digest[..4], "{end} bytes");
    }
}

#[test]
fn splitmix64_gives_the_published_sequence() {
    let mut random = SplitMix64::new(1_234_567);
    let expected = [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423];
    assert_eq!(expected, [(); 3].map(|()| random.next_u64()));
}

#[test]
fn rolled_hashes_equal_those_of_each_window() {
    let tokens: Vec<u64> = (0..50).map(|i| mix64(i % 7)).collect();
    for size in 1..8 {
        let hasher = ShingleHasher::new(size, &HashKey::BATCH);
        let mut rolled = Vec::new();
        hasher.roll(&tokens, |hash| rolled.push(hash));
        let each: Vec<u64> = tokens.windows(size).map(|window| hasher.hash(window)).collect();
        assert_eq!(rolled, each, "size {size}");
    }
}

#[test]
fn sequences_hash_like_one_window_of_all_tokens() {
    let mut sequence = SequenceHasher::new(&HashKey::BATCH);
    assert_eq!(sequence.finish(), None);
    let tokens: Vec<u64> = (0..20).map(mix64).collect();
    for (number, &token) in tokens.iter().enumerate() {
        sequence.push(token);
        let window = ShingleHasher::new(3, &HashKey::BATCH).hash(&tokens[..=number]);
        assert_eq!(sequence.finish(), Some(window));
    }
}

#[test]
fn powers_are_repeated_products() {
    let mut product = 1u64;
    let base = HashKey::BATCH.shingle_base;
    for exponent in 0..200 {
        assert_eq!(power(base, exponent), product, "exponent {exponent}");
        product = product.wrapping_mul(base);
    }
    let hash = |size| ShingleHasher::new(size, &HashKey::BATCH).hash(&[1]);
    assert_eq!(hash(usize::MAX), hash(1));
}

#[test]
fn short_tokens_never_collide_and_fill_all_bits() {
    let mut seen = HashSet::new();
    let mut ones = [0u32; 64];
    let letters = b"abcdefghijklmnopqrstuvwxyz0123456789'_";
    for &a in letters {
        for &b in letters {
            for &c in letters {
                let hash = hash_token(&[a, b, c]);
                assert!(seen.insert(hash));
                for (bit, count) in ones.iter_mut().enumerate() {
                    *count += (hash >> bit & 1) as u32;
                }
            }
        }
    }
    // 54,872 fair coins: standard deviation 117; six of them leave one false alarm in 10^7 runs of 64 bits.
    let half = seen.len() as f64 / 2.0;
    assert!(ones.iter().all(|&count| (f64::from(count) - half).abs() < 6.0 * 117.2));
}

#[test]
fn tokens_in_a_text_hash_like_tokens_alone() {
    let text: Vec<u8> = (0..200u8).collect();
    for length in 0..=40 {
        for start in [0, 1, 7, 100] {
            let alone = hash_token(&text[start..start + length]);
            assert_eq!(HashKey::BATCH.padded_token(&text, start..start + length), alone, "{length}");
        }
    }
    assert_eq!(HashKey::BATCH.padded_token(b"short", 2..5), hash_token(b"ort"));
}

/// The attack on token hash 1: the first 16 bytes made a factor of the next block 0.
#[test]
fn texts_that_token_hash_1_took_for_equal_differ() {
    let hash = |word: &str| hash_token(format!("isyenkcsygtfsmti{word}t1v2b4gm").as_bytes());
    assert_ne!(hash("pancakes"), hash("elephant"));
    let ids: HashSet<u64> = (0..40_000).map(|number| hash(&format!("{number:08}d"))).collect();
    assert_eq!(ids.len(), 40_000);
}

proptest! {
    /// No key and no text make a factor that is 0, nor one with a small upper byte.
    #[test]
    fn factors_are_large_for_every_text(words in any::<[u64; 4]>(), text in r"\PC{0,16}") {
        let key = HashKey::from_words(words);
        for block in text.as_bytes().chunks(8) {
            for factor in key.factors {
                prop_assert!((load(block) ^ factor) >> 56 >= 0x0B);
            }
        }
    }

    /// Every word of a token counts, wherever it stands.
    #[test]
    fn every_word_of_a_token_counts(words in any::<[u64; 4]>(), text in r"[a-z]{8,80}", other in r"[a-z]{8}") {
        let key = HashKey::from_words(words);
        for start in (0..=text.len() - 8).step_by(8) {
            let mut changed = text.clone();
            changed.replace_range(start..start + 8, &other);
            prop_assert_eq!(key.token(changed.as_bytes()) == key.token(text.as_bytes()), changed == text);
        }
    }
}

#[test]
fn words_that_change_places_are_another_token() {
    let words = ["abcdefgh", "ijklmnop", "qrstuvwx", "yzabcdef"];
    let mut seen = HashSet::new();
    for first in 0..4 {
        for second in (0..4).filter(|&second| second != first) {
            let rest: String = (0..4).filter(|&word| word != first && word != second).map(|word| words[word]).collect();
            let text = format!("{}{}{rest}", words[first], words[second]);
            assert!(seen.insert(hash_token(text.as_bytes())));
        }
    }
    // Blocks 64 places apart too: a sum with rotations would repeat itself there.
    let blocks: Vec<String> = (0..66).map(|block| format!("{block:016}")).collect();
    let mut swapped = blocks.clone();
    swapped.swap(0, 64);
    assert_ne!(hash_token(blocks.concat().as_bytes()), hash_token(swapped.concat().as_bytes()));
}

#[test]
fn keys_hash_differently() {
    let other = HashKey::from_words([1, 2, 3, 4]);
    assert_ne!(other.token(b"word"), hash_token(b"word"));
    let shingle = |key| ShingleHasher::new(2, key).hash(&[1, 2]);
    assert_ne!(shingle(&other), shingle(&HashKey::BATCH));
}

#[test]
fn zero_padding_is_distinguished_from_zero_bytes() {
    assert_ne!(hash_token(b"a"), hash_token(b"a\0"));
    assert_ne!(hash_token(&[b'a'; 16]), hash_token(&[b'a'; 17]));
}
