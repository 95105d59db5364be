//! Random projections of vectors: the blocking keys of the methods `hyperplanes` and `p-stable`.
//!
//! A vector is multiplied with random vectors of independent normal components. Of *hyperplanes* the sign of each
//! product is a bit: two vectors at angle a differ in it with probability a / pi (Charikar, "Similarity estimation
//! techniques from rounding algorithms", STOC 2002). Of *p-stable* projections the products are cut into cells of width
//! w, after a random shift: two vectors at distance d fall into the same cell with a probability that falls with d / w
//! (Datar, Immorlica, Indyk, Mirrokni, "Locality-sensitive hashing scheme based on p-stable distributions", SoCG 2004).
//! With r of them in each of b bands, a pair that agrees in one with probability p collides with 1 - (1 - p^r)^b.
//!
//! ```text
//! Projections      the parameters of the methods
//! Spread           how alike the vectors of a corpus are that are no near-duplicates: a sample
//! ProjectionPlan   bands, rows and width that are cheapest for that, by the curves of agreement
//! ProjectionKeys   vector -> products -> bits or cells -> band keys
//! ```
//!
//! # Vectors that are all alike
//!
//! Embeddings often lie in a cone: at a mean cosine of 0.5, random pairs agree in two of three bits, and most documents
//! would collide. Seen from their mean m they are apart again. With unit vectors x and y at the threshold t, at
//! distance D = sqrt(2 - 2t), the angle between x - m and y - m is at most
//!
//! ```text
//!            y              sin a <= D / |x - m|,   the tangent from m to the circle around x,
//!        D . |              if |x - m| > D; the same with y in place of x
//!      x ----+
//!        \ a |
//!          m
//! ```
//!
//! So a least distance from the mean, that nearly all vectors have, bounds the angle of every pair with one of these.
//! The few others, which are close to the mean, share one key and are compared with each other. The plan takes
//! whichever is cheaper, seen from 0 or from the mean, and the recall is promised by the larger angle.

mod keys;
mod plan;
mod spread;

pub use keys::ProjectionKeys;
pub use plan::{Projected, ProjectionPlan, Projections, cell_agreement, plane_agreement, sides_pass};
pub use spread::{ProductMeasure, Spread};

#[cfg(test)]
mod tests;
