//! What saved work depends on, in words: what was saved under other facts belongs to another job.

use crate::options::Options;
use lookalike_core::shingle::{HashBits, Multiplicity};
use lookalike_core::text::{TextOptions, version_of_tokens};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt::{Debug, Display};

/// What something that was saved depends on, by name.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Facts(BTreeMap<String, String>);

impl Facts {
    pub(crate) fn add(&mut self, name: &str, value: impl Display) {
        self.0.insert(name.to_owned(), value.to_string());
    }

    /// The first name under which another value stands, with that value and ours.
    pub(crate) fn difference<'a>(&'a self, saved: &'a Self) -> Option<(&'a str, &'a str, &'a str)> {
        let names = self.0.keys().chain(saved.0.keys());
        let value = |facts: &'a Self, name: &String| facts.0.get(name).map_or("nothing", String::as_str);
        let mut values = names.map(|name| (name.as_str(), value(saved, name), value(self, name)));
        values.find(|(_, saved, present)| saved != present)
    }
}

/// All that the set of a document depends on.
pub(crate) fn set_facts(options: &Options) -> Facts {
    let mut facts = Facts::default();
    let TextOptions { nfkc, lowercase, strip_html, stop_words, stem } = &options.text;
    facts.add("--nfkc", nfkc);
    facts.add("--lowercase", lowercase);
    facts.add("--strip-html", strip_html);
    facts.add("--stem", stem.as_ref().map_or_else(|| "no language".to_owned(), |language| format!("{language:?}")));
    let mut stop_words: Vec<&str> = stop_words.iter().map(String::as_str).collect();
    stop_words.sort_unstable();
    facts.add("--stop-words", stop_words.join(" "));
    facts.add("--shingle", options.shingle.size);
    facts.add("--stride", options.shingle.stride);
    facts.add("--bag", options.shingle.multiplicity == Multiplicity::Bag);
    facts.add("--hash-bits", if options.shingle.hash_bits == HashBits::Bits32 { 32 } else { 64 });
    facts.add("version of the tokens", version_of_tokens());
    facts.add("--items", options.fields.items.is_some());
    facts
}

/// All that a search depends on beside the corpus.
pub(crate) fn search_facts(options: &Options) -> Facts {
    let mut facts = Facts::default();
    facts.add("--threshold", options.threshold);
    facts.add("--method", in_words(&options.method));
    facts.add("--permutations", options.minhash.permutations);
    let banding = options.minhash.banding;
    let banding = banding.map(|banding| format!("{} bands of {} rows", banding.bands(), banding.rows()));
    facts.add("--bands and --rows", banding.as_deref().unwrap_or("chosen"));
    facts.add("--recall", options.minhash.recall);
    facts.add("--seed", options.minhash.seed);
    facts.add("--empty", in_words(&options.empty));
    facts
}

/// A choice as a flag names it.
pub(crate) fn in_words(choice: &impl Debug) -> String {
    format!("{choice:?}").to_lowercase()
}
