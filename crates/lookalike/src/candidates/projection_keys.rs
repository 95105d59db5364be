//! Blocking keys of vectors: bands of random projections, chosen for how far the vectors of the corpus lie apart.

use super::chunks::DocumentChunks;
use super::dictionary::Positions;
use super::keys::{DocumentChunk, KeyDealing, KeySource};
use super::method::{AllPairsFallback, MethodKeys, MethodUsed, UsedProjections};
use crate::base::{Contradiction, Result};
use crate::run::Session;
use crate::spill::{Location, Share, SpillColumn};
use crate::threads::{Pace, ordered_map};
use lookalike_core::DocId;
use lookalike_core::documents::{ElementSets, Vector};
use lookalike_core::vectors::{PlaneBits, Projected, ProjectionKeys, ProjectionPlan, Projections, Spread};
use std::ops::Range;

/// Documents whose sides are made at a time.
const CHUNK_DOCUMENTS: usize = 1 << 10;

impl KeySource<'_> {
    /// The bands of projections of all vectors, or none where all pairs are compared.
    pub(super) fn projection_keys(self, projections: Projections, all_pairs: AllPairsFallback) -> Result<MethodKeys> {
        let Some(measure) = self.verifier.measure().by_products() else {
            return Ok(MethodKeys::without(MethodUsed::AllVectors));
        };
        let kernel = self.session.kernel();
        let documents = self.groups.representatives();
        let spread = Spread::sample(self.sets(), documents, measure, projections.seed, kernel);
        let plan = ProjectionPlan::choose(projections, measure, &spread);
        let may_be_all = all_pairs == AllPairsFallback::IfQuick;
        let is_outdone = |plan: &ProjectionPlan| may_be_all && plan.is_outdone_by_all_pairs(&spread);
        let Some(plan) = plan.filter(|plan| !is_outdone(plan)) else {
            if may_be_all || documents.is_empty() {
                return Ok(MethodKeys::without(MethodUsed::AllVectors));
            }
            return Err(Contradiction::NoProjections { recall: projections.recall }.into());
        };
        let method = MethodUsed::Projections(UsedProjections {
            banding: plan.banding,
            expected_recall: plan.expected_recall(),
            agreement: plan.agreement,
            width: if let Projected::Cell { width, .. } = plan.projected { Some(width) } else { None },
            mean_of_pairs: spread.mean_of_pairs(),
            is_from_mean: matches!(plan.projected, Projected::SideFromMean { .. }),
            max_differing: plan.max_differing(),
        });
        let maker = ProjectionKeys::new(plan, spread.dimensions(), kernel);
        let dealing = KeyDealing::new(self, documents.len() * maker.max_keys(), Positions::OfKeys);
        let keys = dealing.share(|| {
            let mut maker = maker.clone();
            move |chunk: &DocumentChunk<'_>| Ok(chunk.vector_keys(&mut maker))
        })?;
        Ok(MethodKeys::new(keys, method))
    }
}

/// The sides of planes by which candidates are refused before their vectors are read; the documents are all of a
/// corpus.
///
/// # Errors
/// If a temporary file cannot be written, or the job is cancelled.
pub(crate) fn plane_bits(
    sets: &ElementSets,
    seed: u64,
    max_differing: u32,
    session: &Session<'_>,
) -> Result<PlaneBits> {
    let words = |document| sets.get(document).elements();
    let dimensions =
        DocId::all(sets.len()).find_map(|document| Vector::from_words(words(document))).map_or(0, Vector::dimensions);
    let maker = ProjectionKeys::new(ProjectionPlan::of_sides(seed)?, dimensions, session.kernel());
    let bytes = sets.len() * size_of::<[u64; PlaneBits::WORDS]>();
    let fits = bytes <= session.spill.budget().share(Share::Sketches);
    let mut column = SpillColumn::at(if fits { Location::Memory } else { Location::File }, &session.spill)?;
    let make = |maker: &mut ProjectionKeys, chunk: Range<usize>| {
        session.stages.check()?;
        let mut sides = Vec::with_capacity(chunk.len());
        maker.append_sides(chunk.map(|index| words(DocId(index as u32))), &mut sides);
        Ok(sides)
    };
    let chunks = DocumentChunks::new(sets, CHUNK_DOCUMENTS);
    ordered_map(
        chunks,
        Pace::for_threads(session.threads()),
        || maker.clone(),
        make,
        |sides: Result<Vec<_>>| column.extend(&sides?, &session.spill),
    )?;
    Ok(PlaneBits::new(column.finish(&session.spill)?, max_differing))
}
