//! The walk through folders, and what is left out of them: by patterns, and by `.gitignore` files.

mod gitignore;
mod selection;
mod walk;

pub use selection::{GitignoreFiles, Selection};
pub use walk::PassedOver;
pub(crate) use walk::{Admission, Depth, Entry, Walk};
