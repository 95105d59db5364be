//! Outputs that appear whole or not at all: written to a staging file or folder, then renamed or uploaded.
//!
//! ```text
//! atomic_file     a file that appears when it is complete
//! output_folder   a folder that appears when it is complete
//! copy_file       copies of files
//! sealed          complete outputs, published together
//! staging         staging of outputs, and removal of what killed jobs left
//! descriptor      outputs that name a descriptor of this process
//! array_of_lines  lines of JSON as one array
//! terminal_text   text that cannot control a terminal
//! ```
//!
//! This covers errors and a killed process. A power failure is left to the file system: forcing the bytes to disk would
//! cost more than finding the duplicates.
//!
//! Pipes, devices and descriptors are written to directly: nothing takes their place.
//!
//! An output to a URL is written to a temporary file and uploaded when it is published. Each object appears whole or
//! not at all; if one of several fails, those before it have appeared. All preparation is done before the first one
//! appears: by then the bytes of large objects are at the store.

mod array_of_lines;
mod atomic_file;
mod copy_file;
mod descriptor;
mod output_folder;
mod sealed;
mod staging;
mod terminal_text;

pub use atomic_file::AtomicFile;
pub use copy_file::{copy_file, copy_left_out};
pub use output_folder::OutputFolder;
pub use sealed::{Sealed, publish_all};
pub use staging::{StagingFolder, remove_leftovers};

#[cfg(test)]
mod tests;
