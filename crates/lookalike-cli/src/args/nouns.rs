//! The nouns that the flags of a job mean together: what they leave open follows from an index or a snapshot among its
//! files.

use super::{InputArgs, References, SearchArgs, TextArgs, TextsArgs};
use anyhow::Result;
use lookalike::jobs::StoredNouns;
use lookalike::{Features, Inputs, Measure, measures::Subject};

/// The flags of a job.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NounFlags<'a> {
    pub(crate) input: &'a InputArgs,
    /// The flags of the texts of signatures, for jobs that take signatures.
    pub(crate) texts: Option<&'a TextsArgs>,
    pub(crate) text: &'a TextArgs,
}

/// The inputs of a job and the features of its documents.
#[derive(Debug)]
pub(crate) struct Nouns {
    pub(crate) inputs: Inputs,
    /// The signatures by which candidates are found, if texts are given beside them.
    pub(crate) signatures: Option<Inputs>,
    pub(crate) features: Features,
    /// The index or snapshot from which they follow.
    pub(crate) stored: Option<StoredNouns>,
    subject: Subject,
}

impl NounFlags<'_> {
    /// The nouns for these inputs, of which `stored` is the first index or snapshot.
    ///
    /// # Errors
    /// If flags do not fit each other, or say something else than the file was made for.
    pub(crate) fn nouns(self, inputs: Inputs, stored: Option<StoredNouns>) -> Result<Nouns> {
        let Self { input, texts, text } = self;
        let (inputs, signatures) = match texts {
            Some(texts) => texts.split(inputs, input.text_field())?,
            None => (inputs, None),
        };
        let mut inputs = match &stored {
            Some(stored) => stored.inputs(inputs)?,
            None => inputs,
        };
        let width = stored.as_ref().and_then(|stored| stored.features.width());
        if let (Some(fingerprints), Some(width), false) = (&mut inputs.fingerprints, width, input.has_width()) {
            fingerprints.width = width;
        }
        if let (Some(fingerprints), Some(stored), false) = (&mut inputs.fingerprints, &stored, input.has_digits()) {
            fingerprints.digits = stored.notation.digits;
        }
        if let (Some(stored), Some(fingerprints), Some(_)) = (&stored, inputs.fingerprints, width) {
            stored.check(&Features::Bits { width: fingerprints.width })?;
        }
        let features = text.features_beside(stored.as_ref())?;
        let subject = match features {
            Features::WholeText => Subject::WholeTexts,
            _ => text.subject(Subject::from_inputs(&inputs))?,
        };
        Ok(Nouns { inputs, signatures, features, stored, subject })
    }
}

impl Nouns {
    /// The measure that the flags name.
    ///
    /// # Errors
    /// As [`SearchArgs::measure`].
    pub(crate) fn measure(&self, search: &SearchArgs, references: References) -> Result<Measure> {
        search.measure(references, self.subject, self.stored.as_ref().and_then(|stored| stored.measure))
    }
}
