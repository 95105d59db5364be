//! The inner loops of dense vectors.
//!
//! ```text
//! dot, squared_distance   of two vectors: sums of 64 bits, in one order on all processors
//! products                of four rows and 64 vectors side by side: sums of 32 bits
//! ```
//!
//! *Sums of 64 bits* decide whether a pair is near, so their order is fixed: sixteen running sums, of which sum i takes
//! the components i, i + 16, i + 32, ..., are added by halves: i and i + 8, i and i + 4, and so on. The product of two
//! floats of 32 bits has at most 48 bits and so is exact in 64; a squared difference is rounded before it is added.
//!
//! *Sums of 32 bits* either place a vector on one side of a plane, or only refuse pairs. The first must be the same
//! everywhere ([`Rounding::Separate`]): each sum takes one dimension after the other, the product rounded and then the
//! sum. The second may be as fast as it can ([`Rounding::Free`]).

mod bodies;
mod dispatch;
mod tile;
#[cfg(target_arch = "x86_64")]
mod x86;

pub(crate) use tile::{ROWS, Rounding, TILE_LANES, Tile};
