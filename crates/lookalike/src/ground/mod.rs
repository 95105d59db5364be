//! What every other room stands on: errors, progress, and what the system says of this process.

mod error;
mod limits;
mod process;
mod progress;

pub use error::{Error, FileInUse, OutputKind, Result};
pub(crate) use limits::memory_limits;
pub use limits::{LimitKind, MemoryLimit};
pub(crate) use process::{address_bytes, random_number, resident_file_bytes};
pub use process::{peak_bytes, resident_bytes};
pub use progress::{Progress, Silent, Stage, StageNumber, StageTime, Unit};
