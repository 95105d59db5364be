//! Jobs that write what stands for each document elsewhere: its SimHash, its MinHash signature.

mod fingerprint;
mod signatures;

pub use fingerprint::{SimHashFingerprints, fingerprint};
pub use signatures::{Signatures, signatures};
