//! The classes of `lookalike.compat.datasketch`, for programs that were written for datasketch.
//!
//! ```text
//! families   MinHash functions, hashes of elements
//! weighted   samples of weighted sets
//! tables     indexes by bands, and by their prefixes; Bloom filters of bands
//! plans      bands, rows and partitions
//! arrays     numbers as bytes
//! ```

mod arrays;
mod families;
mod plans;
mod tables;
mod weighted;

pub(crate) use families::{MinHashFamily, hash32, sha1_hash32_of};
pub(crate) use plans::{least_area, least_containment_areas, partitions_by_size};
pub(crate) use tables::{PyBandTables, PyBloomFilter};
pub(crate) use weighted::PyConsistentSampler;
