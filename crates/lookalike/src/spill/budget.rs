//! How much memory there is.

use sysinfo::{MemoryRefreshKind, RefreshKind, System};

/// Half of what the machine has, or the container that the process runs in.
pub(super) fn default_bytes() -> u64 {
    let memory = RefreshKind::nothing().with_memory(MemoryRefreshKind::nothing().with_ram());
    let system = System::new_with_specifics(memory);
    let machine = system.total_memory();
    let container = system.cgroup_limits().map_or(machine, |limits| limits.total_memory);
    machine.min(container) / 2
}
