//! The algebra of the measures that count common elements of two sets, each with its bounds for filters.

mod common_elements;
mod containment;
mod jaccard;
mod signature_agreement;

pub use common_elements::CommonElements;
pub use containment::{Containment, Side};
pub use jaccard::Jaccard;
pub use signature_agreement::SignatureAgreement;
