//! The machine resources of a job. No answer depends on them.

use crate::base::{Result, check_range, serialize_path};
use crate::kernel::Kernel;
use serde::{Deserialize, Serialize};
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// The machine resources that a job may use. The output is the same for every choice, byte for byte.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Resources {
    /// Number of threads; `None` for one per core.
    pub threads: Option<NonZeroUsize>,
    /// Target for the resident size of the process in bytes; `None` for half of what machine, container and resource
    /// limits allow, which bound any number.
    pub memory_bytes: Option<u64>,
    /// Folder for spilled data and for downloads; `None` for the work folder if there is one, else the temporary folder
    /// of the system.
    #[serde(serialize_with = "serialize_path")]
    pub temporary_folder: Option<PathBuf>,
    /// Folder for checkpoints, from which an interrupted job resumes; `None` for no checkpoints.
    #[serde(serialize_with = "serialize_path")]
    pub work_folder: Option<PathBuf>,
    /// Version of the inner loops; `None` for the fastest version that this processor supports.
    pub kernel: Option<Kernel>,
}

impl Resources {
    /// Less memory does not hold the blocks that are being read.
    pub const MIN_MEMORY_BYTES: u64 = 32 << 20;
    /// Maximum number of threads.
    pub const MAX_THREADS: usize = 1024;

    /// Checks the numbers that users give.
    ///
    /// # Errors
    /// [`Error::OutOfRange`](crate::Error::OutOfRange).
    pub fn check(&self) -> Result<()> {
        if let Some(threads) = self.threads {
            check_range("threads", threads.get() as u64, 1..=Self::MAX_THREADS as u64)?;
        }
        let memory_bytes = self.memory_bytes.unwrap_or(Self::MIN_MEMORY_BYTES);
        check_range("memory", memory_bytes, Self::MIN_MEMORY_BYTES..=u64::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stored_names_are_frozen() {
        let json = serde_json::to_string(&Resources::default()).unwrap();
        let expected =
            r#"{"threads":null,"memory_bytes":null,"temporary_folder":null,"work_folder":null,"kernel":null}"#;
        assert_eq!(json, expected);
        let some: Resources = serde_json::from_str(r#"{"threads":3,"kernel":"avx512"}"#).unwrap();
        assert_eq!((some.threads.map(NonZeroUsize::get), some.kernel), (Some(3), Some(Kernel::Avx512)));
    }
}
