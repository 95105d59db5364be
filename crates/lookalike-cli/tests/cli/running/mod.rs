//! Jobs under way: interrupted, resumed, within a budget of memory.

mod damage;
mod interrupts;
mod limits;
mod memory;
mod resume;
mod work_folder;
