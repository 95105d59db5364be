//! Base of all other modules: errors, progress, and facts of the system about this process.
//!
//! ```text
//! error              errors that end a job
//! contradiction      parameters that do not go together
//! work_folder_error  errors of work folders
//! signature_error    errors of jobs over MinHash signatures
//! unused_setting     settings that concern none of the inputs
//! details            values that errors carry in place of words
//! outputs            kinds of outputs; files that two outputs cannot share
//! progress           progress of a job, by callbacks
//! limits             limits on the memory of this process
//! process            memory that this process uses; a random number
//! ```

mod contradiction;
pub(crate) mod details;
mod error;
mod limits;
mod outputs;
mod process;
mod progress;
mod signature_error;
mod unused_setting;
mod work_folder_error;

pub use contradiction::Contradiction;
pub use error::{Error, Result};
pub(crate) use limits::memory_limits;
pub use limits::{LimitKind, MemoryLimit};
pub use outputs::{FileInUse, OutputKind};
pub(crate) use process::peak_bytes;
pub use process::resident_bytes;
pub(crate) use process::{MappedMemory, address_bytes, available_threads, random_number};
pub use progress::{LeftOutFate, LeftOutReport, Progress, Silent, Stage, StageNumber, StageTime, TextOrder, Unit};
pub use signature_error::SignatureError;
pub use unused_setting::UnusedSetting;
pub use work_folder_error::WorkFolderError;
