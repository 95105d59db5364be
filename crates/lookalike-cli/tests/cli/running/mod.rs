//! Jobs under way: interrupted, resumed, within a budget of memory.

mod damage;
mod index_kills;
mod interrupts;
mod limits;
mod memory;
mod resume;
#[cfg(feature = "server")]
mod serve;
mod stages;
mod work_folder;
