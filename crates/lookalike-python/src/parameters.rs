//! Keywords to parameters: the one place where names of Python become fields of a job.
//!
//! A keyword that is absent has the default of its parameter. What does not fit together is refused by the job itself;
//! here only what would be ignored in silence.

mod measure;
mod method;

pub(crate) use self::measure::{measure_alone, measure_of};
pub(crate) use self::method::method_of;
use crate::errors::{exception, refused};
use crate::keywords::{Keywords, one_of};
use lookalike::jobs::StoredParameters;
use lookalike::{
    Features, Inputs, Job, Measure, Order, Outputs, Resources, Rule,
    inputs::{
        Digits, Fingerprints, GitignoreFiles, GivenVectors, ImageFeatures, ItemCounts, ItemSeparator, JsonFiles,
        Layout, OnError, Quotes, RepeatedIds,
    },
    measures::{Check, Jaccard, Threshold},
    methods::HashBits,
    texts::{Mask, Multiplicity, ShingleOptions, TextOptions, TokenKind, keywords, stop_words},
};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::{Borrowed, Bound, FromPyObject, PyAny, PyAnyMethods, PyErr, PyResult, pyfunction};
use pyo3::types::PyDict;
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// Keywords that say how tokens or items become elements.
const OF_ELEMENTS: [&str; 2] = ["bag", "hash_bits"];

/// Keywords that say how a text is cut into tokens and shingles.
const OF_TEXTS: [&str; 13] = [
    "shingle",
    "tokens",
    "rename_blind",
    "keywords",
    "stride",
    "lowercase",
    "nfkc",
    "strip_html",
    "main_content",
    "stop_words",
    "stem",
    "mask",
    "strip_marks",
];

/// Result of a job, by the name that the Python code of the package gives it.
#[derive(Clone, Copy)]
pub(crate) enum RuleKind {
    Pairs,
    Clusters,
    Against,
    /// Keepers, or one document of each component, as the keyword `cluster` says.
    Keepers,
}

impl<'py> FromPyObject<'_, 'py> for RuleKind {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let kinds = [
            ("pairs", Self::Pairs),
            ("clusters", Self::Clusters),
            ("against", Self::Against),
            ("keepers", Self::Keepers),
        ];
        one_of("rule", &object.extract::<String>()?, &kinds)
    }
}

/// The job that keywords mean, and what it may use.
pub(crate) fn job_of(rule: RuleKind, keywords: Keywords<'_>) -> PyResult<(Job, Resources)> {
    job_beside(None, rule, keywords)
}

/// The job that keywords mean beside a stored one: what they leave open follows from an index that is open, or else
/// from the first index or snapshot among the files.
pub(crate) fn job_beside(
    open: Option<StoredParameters>,
    rule: RuleKind,
    mut keywords: Keywords<'_>,
) -> PyResult<(Job, Resources)> {
    let text = keywords.peek("text")?;
    let has_width = keywords.has("width")?;
    let has_digits = keywords.has("digits")?;
    let inputs = inputs_of(&mut keywords)?;
    let texts = keywords.take("texts")?;
    let signature_id = keywords.take("signature_id")?;
    let (inputs, signatures) = split_texts(inputs, text, texts, signature_id)?;
    let stored = match open {
        None => StoredParameters::of_first(inputs.against.iter().chain(&inputs.inputs)).map_err(exception)?,
        open => open,
    };
    let mut inputs = match &stored {
        Some(stored) => stored.inputs(inputs).map_err(exception)?,
        None => inputs,
    };
    let width = stored.as_ref().and_then(|stored| stored.features.width());
    if let (Some(fingerprints), Some(width), false) = (&mut inputs.fingerprints, width, has_width) {
        fingerprints.width = width;
    }
    if let (Some(fingerprints), Some(stored), false) = (&mut inputs.fingerprints, &stored, has_digits) {
        fingerprints.digits = stored.notation.digits;
    }
    let base = stored.as_ref().map_or_else(Features::default, |stored| stored.features.clone());
    let features = features_of(&mut keywords, &base)?;
    if let Some(stored) = &stored {
        stored.check(&features).map_err(exception)?;
    }
    let of_index = stored.and_then(|stored| stored.measure);
    let measure = match (&features, measure_of(&mut keywords, &inputs, of_index)?) {
        (Features::WholeText, Measure::Jaccard(jaccard)) => {
            Measure::Jaccard(Jaccard { threshold: Threshold::ONE, ..jaccard })
        }
        (_, measure) => measure,
    };
    let method = method_of(&mut keywords)?;
    let rule = rule_of(rule, &mut keywords)?;
    let check = if keywords.is_true("check_texts")? { Check::Texts } else { Check::Hashes };
    let outputs = Outputs {
        summary: keywords.take("summary")?,
        idf: keywords.take("save_idf")?,
        report: keywords.take("report")?,
        max_pairs: keywords.take("max_pairs")?,
        ..Outputs::default()
    };
    let idf = keywords.take("idf")?;
    let threads = keywords.take::<usize>("threads")?;
    let resources = Resources {
        threads: threads
            .map(|threads| NonZeroUsize::new(threads).ok_or_else(|| refused("threads: expected 1 or more")))
            .transpose()?,
        memory_bytes: keywords.bytes("memory")?,
        temporary_folder: keywords.take("temp_dir")?,
        work_folder: keywords.take("work_dir")?,
        kernel: None,
    };
    resources.check().map_err(refused)?;
    keywords.finish()?;
    Ok((Job { inputs, features, measure, idf, method, signatures, rule, check, outputs }, resources))
}

fn inputs_of(keywords: &mut Keywords<'_>) -> PyResult<Inputs> {
    let default = Inputs::default();
    let paths = |paths: Option<Vec<PathBuf>>| paths.unwrap_or_default();
    let bits: Option<String> = keywords.take("bits")?;
    if bits.is_some() {
        refuse_features(keywords, "bits")?;
    }
    let fingerprints = match &bits {
        None => None,
        Some(_) => Some(Fingerprints {
            width: keywords.take("width")?.unwrap_or(64),
            digits: keywords
                .choice("digits", &[("hex", Digits::Hex), ("decimal", Digits::Decimal)])?
                .unwrap_or_default(),
        }),
    };
    let (vector, vectors) = vectors_of(keywords)?;
    let has_items = keywords.has("items")? && !keywords.has("texts")?;
    if vector.is_some() && (bits.is_some() || has_items) {
        return Err(PyTypeError::new_err(
            "documents are vectors, or signatures, or fingerprints, or items: give one of the keywords",
        ));
    }
    let images = images_of(keywords, bits.is_some() || vector.is_some())?;
    let text: Option<String> = keywords.take("text")?;
    let (items, item_counts) = items_of(keywords)?;
    let repeated_ids = if keywords.is_true("unique_ids")? { RepeatedIds::Refused } else { RepeatedIds::Qualified };
    let max_document_bytes = keywords.bytes("max_document")?.or(default.max_document_bytes);
    let text_field = bits.or(vector).or(text).unwrap_or_else(|| default.text_field.clone());
    let id_field = keywords.take("id")?.unwrap_or_else(|| default.id_field.clone());
    let names_fields = text_field != default.text_field || id_field != default.id_field || keywords.has("group_by")?;
    let inputs = Inputs {
        inputs: paths(keywords.take("inputs")?),
        against: paths(keywords.take("against")?),
        exclude: patterns_of(keywords)?,
        gitignore: if keywords.is_true("gitignore")? { GitignoreFiles::Obeyed } else { GitignoreFiles::Unread },
        input_format: keywords.take::<String>("input_format")?.map(|name| format_of(&name)).transpose()?,
        json_files: if names_fields { JsonFiles::Records } else { JsonFiles::Texts },
        text_field,
        id_field,
        against_text_field: keywords.take("against_text")?,
        against_id_field: keywords.take("against_id")?,
        items,
        item_counts,
        group_by: keywords.take("group_by")?,
        count_field: keywords.take("count_field")?,
        fingerprints,
        vectors,
        repeated_ids,
        encoding: keywords.parse("encoding")?,
        quotes: keywords.choice("quote", &[("double", Quotes::Double), ("none", Quotes::None)])?,
        on_error: keywords.choice("on_error", &[("stop", OnError::Stop), ("skip", OnError::Skip)])?.unwrap_or_default(),
        max_document_bytes,
        ..Inputs::default()
    };
    Ok(match images {
        Some(features) => inputs.of_images(features),
        None => inputs,
    })
}

/// Refuses keywords of texts and their elements beside one for documents that have none.
fn refuse_features(keywords: &Keywords<'_>, given: &str) -> PyResult<()> {
    keywords.refuse(&OF_TEXTS, given)?;
    keywords.refuse(&OF_ELEMENTS, given)
}

/// The patterns of files that are left out: a list, or one.
fn patterns_of(keywords: &mut Keywords<'_>) -> PyResult<Vec<String>> {
    match keywords.take::<Patterns>("exclude")? {
        None => Ok(Vec::new()),
        Some(Patterns::One(pattern)) => Ok(vec![pattern]),
        Some(Patterns::Several(patterns)) => Ok(patterns),
    }
}

/// The value of `exclude`.
#[derive(FromPyObject)]
enum Patterns {
    One(String),
    Several(Vec<String>),
}

/// The features of images, if documents are such.
fn images_of(keywords: &mut Keywords<'_>, has_others: bool) -> PyResult<Option<ImageFeatures>> {
    let kinds = [("image-hash", ImageFeatures::ImageHash), ("image-vector", ImageFeatures::ImageVector)];
    let images = keywords.choice("features", &kinds)?;
    if images.is_some() {
        refuse_features(keywords, "features")?;
        if has_others || keywords.has("items")? {
            return Err(PyTypeError::new_err("documents are images, or something else: give one of the keywords"));
        }
    }
    Ok(images)
}

/// The field with vectors or signatures, if documents are such.
fn vectors_of(keywords: &mut Keywords<'_>) -> PyResult<(Option<String>, GivenVectors)> {
    let has_texts = keywords.has("texts")?;
    let vector = keywords.take::<String>("vector")?;
    let signature = keywords.take::<String>("signature")?;
    match (&vector, &signature) {
        (None, None) => return Ok((None, GivenVectors::Absent)),
        (Some(_), Some(_)) => {
            return Err(PyTypeError::new_err("documents are vectors, or signatures: give one of the keywords"));
        }
        (Some(_), None) => refuse_features(keywords, "vector")?,
        (None, Some(_)) if !has_texts => refuse_features(keywords, "signature")?,
        (None, Some(_)) => {}
    }
    let given = if vector.is_some() { GivenVectors::Any } else { GivenVectors::Signatures };
    Ok((vector.or(signature), given))
}

/// The texts of the documents whose signatures are the inputs, if they are given, and those signatures.
fn split_texts(
    inputs: Inputs,
    text: Option<String>,
    texts: Option<Vec<PathBuf>>,
    signature_id: Option<String>,
) -> PyResult<(Inputs, Option<Inputs>)> {
    let Some(texts) = texts else {
        let is_lone = signature_id.is_some();
        let needed = || PyTypeError::new_err("the keyword `signature_id` needs the keyword `texts`");
        return if is_lone { Err(needed()) } else { Ok((inputs, None)) };
    };
    if inputs.vectors != GivenVectors::Signatures {
        return Err(PyTypeError::new_err("the keyword `texts` needs the keyword `signature`"));
    }
    let default = Inputs::default();
    let (of_texts, signatures) = inputs.with_texts(texts, text.unwrap_or(default.text_field));
    Ok((of_texts, Some(Inputs { id_field: signature_id.unwrap_or(default.id_field), ..signatures })))
}

fn format_of(name: &str) -> PyResult<Layout> {
    serde_json::from_value(serde_json::Value::from(name)).map_err(|error| refused(format!("input_format: {error}")))
}

/// The separator of items, and their counts. Options of texts have no effect on items.
fn items_of(keywords: &mut Keywords<'_>) -> PyResult<(Option<ItemSeparator>, ItemCounts)> {
    let counts = if keywords.is_true("item_counts")? { ItemCounts::Written } else { ItemCounts::Absent };
    let separator = separator_of(keywords)?;
    match separator {
        Some(_) => keywords.refuse(&OF_TEXTS, "items")?,
        None if counts == ItemCounts::Written && !keywords.has("group_by")? => {
            return Err(PyTypeError::new_err("the keyword `item_counts` needs the keyword `items`"));
        }
        None => {}
    }
    Ok((separator, counts))
}

/// `True` is blanks between items, in strings; a character is one in place of blanks.
fn separator_of(keywords: &mut Keywords<'_>) -> PyResult<Option<ItemSeparator>> {
    let Some(items) = keywords.any("items")? else { return Ok(None) };
    if let Ok(is_given) = items.extract::<bool>() {
        return Ok(is_given.then_some(ItemSeparator::Blanks));
    }
    let refused_type = |_| PyTypeError::new_err("items: expected True, or a str of one character");
    let separator: String = items.extract().map_err(refused_type)?;
    separator.parse().map(Some).map_err(|error| refused(format!("items: {error}")))
}

/// The features that keywords mean; where they say nothing, those of `base`.
fn features_of(keys: &mut Keywords<'_>, base: &Features) -> PyResult<Features> {
    if keys.is_true("identical")? {
        for others in [&OF_TEXTS[..], &OF_ELEMENTS, &["threshold", "measure", "method"]] {
            keys.refuse(others, "identical")?;
        }
        return Ok(Features::WholeText);
    }
    let kinds: [(_, fn() -> TextOptions); 2] = [("words", TextOptions::default), ("code", TextOptions::code)];
    let kind = keys.choice("tokens", &kinds)?.map(|kind| kind()).filter(|kind| kind.tokens != base.text().tokens);
    let kind = kind.unwrap_or_else(|| base.text().clone());
    let is_renamed = keys.is_true("rename_blind")?;
    let names: Option<String> = keys.take("keywords")?;
    if is_renamed != names.is_some() || is_renamed && kind.tokens != TokenKind::Code {
        return Err(PyTypeError::new_err("tokens=\"code\", rename_blind=True and `keywords` are given together"));
    }
    let words = |list: Option<String>| list.map(|list| stop_words(&list)).transpose().map_err(exception);
    let text = TextOptions {
        tokens: kind.tokens,
        nfkc: keys.take("nfkc")?.unwrap_or(kind.nfkc),
        lowercase: keys.take("lowercase")?.unwrap_or(kind.lowercase),
        strip_html: keys.take("strip_html")?.unwrap_or(kind.strip_html),
        main_content: keys.take("main_content")?.unwrap_or(kind.main_content),
        stop_words: words(keys.take("stop_words")?)?.unwrap_or(kind.stop_words),
        stem: keys.parse("stem")?.or(kind.stem),
        keywords: names.map(|list| keywords(&list)).transpose().map_err(exception)?.or(kind.keywords),
        mask: keys.choice("mask", &[("numbers", Mask::Numbers)])?.or(kind.mask),
        strip_marks: keys.take("strip_marks")?.unwrap_or(kind.strip_marks),
    };
    let of_base = base.shingle();
    let hash_bits = match keys.take::<u32>("hash_bits")? {
        None => of_base.hash_bits,
        Some(32) => HashBits::Bits32,
        Some(64) => HashBits::Bits64,
        Some(_) => return Err(PyValueError::new_err("hash_bits: expected 32 or 64")),
    };
    let multiplicity = match keys.take("bag")? {
        None => of_base.multiplicity,
        Some(true) => Multiplicity::Bag,
        Some(false) => Multiplicity::Set,
    };
    let shingle = ShingleOptions {
        size: keys.parse("shingle")?.unwrap_or(of_base.size),
        stride: keys.take::<NonZeroUsize>("stride")?.map_or(of_base.stride, usize::from),
        multiplicity,
        hash_bits,
        hash_secret: None,
    };
    let are_given = (&text, shingle) != (base.text(), of_base);
    Ok(if are_given || matches!(base, Features::Set { .. }) { Features::Set { text, shingle } } else { base.clone() })
}

/// The features that keywords mean, all of them.
pub(crate) fn features_alone(keywords: Bound<'_, PyDict>) -> PyResult<Features> {
    let mut keywords = Keywords::new(keywords);
    keywords.refuse(&["identical"], "elements, which whole texts do not have")?;
    let features = features_of(&mut keywords, &Features::default())?;
    keywords.finish()?;
    Ok(features)
}

/// The features that keywords mean, all of them, and what is said of items.
pub(crate) fn items_and_features(keywords: Bound<'_, PyDict>) -> PyResult<(Inputs, Features)> {
    let mut keywords = Keywords::new(keywords);
    keywords.refuse(&["identical"], "elements, which whole texts do not have")?;
    let (items, item_counts) = items_of(&mut keywords)?;
    let features = features_of(&mut keywords, &Features::default())?;
    keywords.finish()?;
    Ok((Inputs { items, item_counts, ..Inputs::default() }, features))
}

/// The fields that an order compares.
#[pyfunction]
pub(crate) fn score_fields(keep: &str) -> PyResult<Vec<String>> {
    let order: Order = keep.parse().map_err(|error| PyValueError::new_err(format!("keep: {error}")))?;
    Ok(order.score_fields().into_iter().map(str::to_owned).collect())
}

fn rule_of(kind: RuleKind, keywords: &mut Keywords<'_>) -> PyResult<Rule> {
    Ok(match kind {
        RuleKind::Pairs => Rule::Pairs,
        RuleKind::Clusters => Rule::Clusters,
        RuleKind::Against => match keywords.parse::<Order>("keep")? {
            Some(keep) => Rule::Beside { keep },
            None => Rule::Against,
        },
        RuleKind::Keepers => {
            let keep = keywords.parse::<Order>("keep")?.unwrap_or_default();
            let are_connected = keywords.choice("cluster", &[("keepers", false), ("connected", true)])?;
            if are_connected == Some(true) { Rule::Connected { keep } } else { Rule::Keepers { keep } }
        }
    })
}
