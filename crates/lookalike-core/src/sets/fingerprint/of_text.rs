//! The fingerprints of one text.

use super::{Selection, Winnower, winnow_text};
use crate::documents::Content;
use crate::ground::Result;
use crate::sets::Shingler;

impl Selection {
    /// The fingerprints of a text, ascending, each once.
    ///
    /// # Errors
    /// Those of [`Selection::check`]; [`crate::Error::OtherContent`].
    pub fn of_text<'c>(self, text: impl Into<Content<'c>>, shingler: &mut Shingler) -> Result<Vec<u64>> {
        self.check(*shingler.options())?;
        match self {
            Self::Winnow(window) => winnow_text(text, shingler, &mut Winnower::new(window)),
            Self::Mod(_) => {
                let mut elements = shingler.shingle(text)?;
                elements.retain(|&element| self.takes(element));
                Ok(elements)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::comparison::Features;
    use crate::ground::Error;
    use crate::kernel::Kernel;
    use crate::sets::ShingleOptions;
    use std::num::NonZeroUsize;

    /// A text that is shingled in several pieces has the fingerprints of all its windows together.
    #[test]
    fn a_long_text_is_winnowed_as_a_whole() {
        let words = (0..200_000u32).map(|number| format!("w{} ", number.wrapping_mul(2_654_435_761) % 5_000));
        let text: String = words.collect();
        let features = Features::shingles(ShingleOptions::words(3));
        let mut shingler = features.shingler(Kernel::detect());
        let mut winnower = Winnower::new(NonZeroUsize::new(20).unwrap());
        let mut hashes = Vec::new();
        let mut pieces = 0;
        let hashed = shingler.hash_shingles(&text, &mut hashes, |_| {
            pieces += 1;
            Ok::<_, Error>(())
        });
        let mut expected: Vec<u64> = hashes.windows(20).filter_map(|window| window.iter().min().copied()).collect();
        expected.sort_unstable();
        expected.dedup();
        assert!(hashed.is_ok() && pieces > 1, "{pieces}");
        assert_eq!(winnow_text(&text, &mut shingler, &mut winnower).unwrap(), expected);
        assert_eq!("winnow:20".parse::<Selection>().unwrap().of_text(&text, &mut shingler).unwrap(), expected);
        assert!(winnow_text("too few words here", &mut shingler, &mut winnower).unwrap().is_empty());
    }

    #[test]
    fn fingerprints_by_remainder_are_those_of_the_set() {
        let features = Features::shingles(ShingleOptions::words(1));
        let text = (0..2000).map(|number| format!("w{number} ")).collect::<String>();
        let mut shingler = features.shingler(Kernel::detect());
        let found = "mod:8".parse::<Selection>().unwrap().of_text(&text, &mut shingler).unwrap();
        assert!(found.iter().all(|hash| hash % 8 == 0));
        // 250 expected, with a standard deviation of 15.
        assert!((175..325).contains(&found.len()), "{}", found.len());
        let mut of_bags = features.in_bags().shingler(Kernel::detect());
        assert!("winnow:8".parse::<Selection>().unwrap().of_text(&text, &mut of_bags).is_err());
    }
}
