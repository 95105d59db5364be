//! Keywords to a method.

use crate::errors::refused;
use crate::keywords::Keywords;
use lookalike::{
    Method,
    methods::{Banding, Fingerprint, MinHash, Projections, Selection, SimHash},
};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::PyResult;

/// The method that keywords mean.
pub(crate) fn method_of(keywords: &mut Keywords<'_>) -> PyResult<Method> {
    type Parameters<'py> = fn(&mut Keywords<'py>) -> PyResult<Method>;
    let kinds: [(&str, Parameters<'_>); 8] = [
        ("auto", |keywords| minhash_of(keywords).map(Method::Auto)),
        ("exact", |_| Ok(Method::Exact)),
        ("minhash", |keywords| minhash_of(keywords).map(Method::MinHash)),
        ("simhash", |keywords| simhash_of(keywords).map(Method::SimHash)),
        ("fingerprint", |keywords| fingerprint_of(keywords).map(Method::Fingerprint)),
        ("bit-sampling", |keywords| minhash_of(keywords).map(Method::BitSampling)),
        ("hyperplanes", |keywords| projections_of(keywords).map(Method::Hyperplanes)),
        ("p-stable", |keywords| projections_of(keywords).map(Method::PStable)),
    ];
    let parameters = keywords.choice("method", &kinds)?.unwrap_or(kinds[0].1);
    parameters(keywords)
}

fn fingerprint_of(keywords: &mut Keywords<'_>) -> PyResult<Fingerprint> {
    let default = Fingerprint::default();
    Ok(Fingerprint {
        select: keywords.parse::<Selection>("select")?.unwrap_or(default.select),
        recall: keywords.take("recall")?.unwrap_or(default.recall),
        seed: keywords.take("seed")?.unwrap_or(default.seed),
    })
}

fn simhash_of(keywords: &mut Keywords<'_>) -> PyResult<SimHash> {
    let default = SimHash::default();
    Ok(SimHash {
        recall: keywords.take("recall")?.unwrap_or(default.recall),
        fingerprint_bits: keywords.take("fingerprint_bits")?,
        seed: keywords.take("seed")?.unwrap_or(default.seed),
    })
}

fn projections_of(keywords: &mut Keywords<'_>) -> PyResult<Projections> {
    let default = Projections::default();
    let banding = banding_of(keywords, usize::MAX)?;
    let recall = keywords.take("recall")?.unwrap_or(default.recall);
    Ok(Projections { recall, banding, seed: keywords.take("seed")?.unwrap_or(default.seed) })
}

fn minhash_of(keywords: &mut Keywords<'_>) -> PyResult<MinHash> {
    let default = MinHash::default();
    let permutations = keywords.take("permutations")?.unwrap_or(default.permutations);
    let banding = banding_of(keywords, permutations)?;
    let recall = keywords.take("recall")?.unwrap_or(default.recall);
    Ok(MinHash { recall, permutations, banding, seed: keywords.take("seed")?.unwrap_or(default.seed) })
}

/// Bands and rows, of at most `max_components` together.
fn banding_of(keywords: &mut Keywords<'_>, max_components: usize) -> PyResult<Option<Banding>> {
    match (keywords.take("bands")?, keywords.take("rows")?) {
        (None, None) => Ok(None),
        (Some(bands), Some(rows)) => Banding::within(bands, rows, max_components).map(Some).map_err(refused),
        _ => Err(PyTypeError::new_err("`bands` and `rows` are given together")),
    }
}
