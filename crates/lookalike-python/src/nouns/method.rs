//! Keywords to a method.

use crate::errors::refused;
use crate::keywords::Keywords;
use lookalike::{
    Method,
    methods::{Banding, Fingerprint, MinHash, Projections, Selection, SimHash},
};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::PyResult;

/// Kinds of methods, by name.
#[derive(Clone, Copy)]
enum MethodKind {
    Auto,
    Exact,
    MinHash,
    SimHash,
    Fingerprint,
    BitSampling,
    Hyperplanes,
    PStable,
}

/// The method that keywords mean.
pub(crate) fn method_of(keywords: &mut Keywords<'_>) -> PyResult<Method> {
    let kinds = [
        ("auto", MethodKind::Auto),
        ("exact", MethodKind::Exact),
        ("minhash", MethodKind::MinHash),
        ("simhash", MethodKind::SimHash),
        ("fingerprint", MethodKind::Fingerprint),
        ("bit-sampling", MethodKind::BitSampling),
        ("hyperplanes", MethodKind::Hyperplanes),
        ("p-stable", MethodKind::PStable),
    ];
    Ok(match keywords.choice("method", &kinds)?.unwrap_or(MethodKind::Auto) {
        MethodKind::Exact => Method::Exact,
        MethodKind::Auto => Method::Auto(minhash_of(keywords)?),
        MethodKind::MinHash => Method::MinHash(minhash_of(keywords)?),
        MethodKind::BitSampling => Method::BitSampling(minhash_of(keywords)?),
        MethodKind::Hyperplanes => Method::Hyperplanes(projections_of(keywords)?),
        MethodKind::PStable => Method::PStable(projections_of(keywords)?),
        MethodKind::Fingerprint => {
            let default = Fingerprint::default();
            Method::Fingerprint(Fingerprint {
                select: keywords.parse::<Selection>("select")?.unwrap_or(default.select),
                recall: keywords.take("recall")?.unwrap_or(default.recall),
                seed: keywords.take("seed")?.unwrap_or(default.seed),
            })
        }
        MethodKind::SimHash => {
            let default = SimHash::default();
            Method::SimHash(SimHash {
                recall: keywords.take("recall")?.unwrap_or(default.recall),
                fingerprint_bits: keywords.take("fingerprint_bits")?,
                seed: keywords.take("seed")?.unwrap_or(default.seed),
            })
        }
    })
}

fn projections_of(keywords: &mut Keywords<'_>) -> PyResult<Projections> {
    let default = Projections::default();
    let banding = match (keywords.take("bands")?, keywords.take("rows")?) {
        (None, None) => None,
        (Some(bands), Some(rows)) => Some(Banding::new(bands, rows).map_err(refused)?),
        _ => return Err(PyTypeError::new_err("`bands` and `rows` are given together")),
    };
    let recall = keywords.take("recall")?.unwrap_or(default.recall);
    Ok(Projections { recall, banding, seed: keywords.take("seed")?.unwrap_or(default.seed) })
}

fn minhash_of(keywords: &mut Keywords<'_>) -> PyResult<MinHash> {
    let default = MinHash::default();
    let permutations = keywords.take("permutations")?.unwrap_or(default.permutations);
    let banding = match (keywords.take("bands")?, keywords.take("rows")?) {
        (None, None) => None,
        (Some(bands), Some(rows)) => Some(Banding::within(bands, rows, permutations).map_err(refused)?),
        _ => return Err(PyTypeError::new_err("`bands` and `rows` are given together")),
    };
    let recall = keywords.take("recall")?.unwrap_or(default.recall);
    Ok(MinHash { recall, permutations, banding, seed: keywords.take("seed")?.unwrap_or(default.seed) })
}
