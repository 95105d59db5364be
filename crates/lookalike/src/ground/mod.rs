//! What every other room stands on: errors, progress, and what the system says of this process.

mod error;
mod process;
mod progress;

pub use error::{Error, FileInUse, OutputKind, Result};
pub use process::{peak_bytes, resident_bytes};
pub(crate) use process::{random_number, resident_file_bytes};
pub use progress::{Progress, Silent, Stage, StageNumber, StageTime, Unit};
