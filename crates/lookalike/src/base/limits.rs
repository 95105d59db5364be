//! Memory that this process may have: limits of the machine, of its control groups, of its resource limits.
//!
//! A process is bounded by the limit of its own control group and by those of all groups around it. Where these groups
//! are mounted is in `mountinfo`: in a container the mount shows a part of the tree only, and machines that use both
//! versions of control groups have two trees. All files are read below a folder that is `/`, or a made-up one in tests.
//!
//! ```text
//! /proc/self/cgroup      4:memory:/jobs/nightly          0::/jobs/nightly            the group of the process
//! /proc/self/mountinfo   ... /jobs /mnt/memory ... - cgroup cgroup rw,memory        where which part of the tree is
//! /mnt/memory/nightly    memory.limit_in_bytes (version 1) or memory.max, memory.high (version 2), and of each parent
//! ```
//!
//! The crate sysinfo looks into `/sys/fs/cgroup` itself, which is the group at the root of the mount and seldom that of
//! the process; cgroups-rs makes groups, and procfs-core would spare the splitting of three kinds of lines only.

use super::process::Recent;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;
use sysinfo::{MemoryRefreshKind, RefreshKind, System};

/// Kind of a limit on the memory of a process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LimitKind {
    /// The memory of the machine.
    Machine,
    /// The control group of the process or one around it.
    ControlGroup,
    /// Addresses (`ulimit -v`): of maps, stacks and what allocators reserve, in use or not.
    AddressSpace,
    /// Private writable memory (`ulimit -d`).
    Data,
    /// Resident pages (`ulimit -m`).
    ResidentSize,
}

/// A limit on the memory of this process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MemoryLimit {
    /// Its kind.
    pub kind: LimitKind,
    /// Its size.
    pub bytes: u64,
}

impl fmt::Display for MemoryLimit {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mebibytes = self.bytes >> 20;
        match self.kind {
            LimitKind::Machine => write!(formatter, "the machine has {mebibytes} MiB"),
            LimitKind::ControlGroup => write!(formatter, "its control group has {mebibytes} MiB"),
            LimitKind::AddressSpace => write!(formatter, "ulimit -v allows {mebibytes} MiB of addresses"),
            LimitKind::Data => write!(formatter, "ulimit -d allows {mebibytes} MiB"),
            LimitKind::ResidentSize => write!(formatter, "ulimit -m allows {mebibytes} MiB"),
        }
    }
}

/// Limits on the memory of this process, in no order, as they were within the last second.
pub(crate) fn memory_limits() -> Vec<MemoryLimit> {
    static RECENT: Recent<Vec<MemoryLimit>> = Recent::new(Duration::from_secs(1));
    RECENT.get(limits_now)
}

fn limits_now() -> Vec<MemoryLimit> {
    let memory = RefreshKind::nothing().with_memory(MemoryRefreshKind::nothing().with_ram());
    let bytes = System::new_with_specifics(memory).total_memory();
    let mut limits = limits_below(Path::new("/"));
    // On systems that it does not support, sysinfo returns 0.
    limits.extend((bytes > 0).then_some(MemoryLimit { kind: LimitKind::Machine, bytes }));
    limits
}

fn limits_below(root: &Path) -> Vec<MemoryLimit> {
    let mut limits = resource_limits(&read(&root.join("proc/self/limits")));
    let groups = read(&root.join("proc/self/cgroup"));
    let mounts = read(&root.join("proc/self/mountinfo"));
    for folder in group_folders(&groups, &mounts) {
        let folder = root.join(folder.strip_prefix("/").unwrap_or(&folder));
        limits.extend(group_limits(&folder).map(|bytes| MemoryLimit { kind: LimitKind::ControlGroup, bytes }));
    }
    limits
}

/// Limits in the files of a control group.
fn group_limits(folder: &Path) -> impl Iterator<Item = u64> {
    let stat = read(&folder.join("memory.stat"));
    let above = stat.lines().find_map(|line| line.strip_prefix(LIMIT_FROM_ABOVE)?.trim().parse().ok());
    GROUP_FILES.iter().filter_map(|name| read(&folder.join(name)).trim().parse().ok()).chain(above)
}

/// Files that hold a number of bytes each; of a group without a limit a huge number, the word `max`, or no such file.
const GROUP_FILES: [&str; 3] = ["memory.max", "memory.high", "memory.limit_in_bytes"];

/// Begin of the line of `memory.stat` (version 1) with the lowest limit of the group and all its ancestors, also of
/// those that are not visible in a container.
const LIMIT_FROM_ABOVE: &str = "hierarchical_memory_limit ";

/// The content of a file of the system; empty if it cannot be read.
fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_default()
}

/// The soft limits that are set. A line is a name, two numbers or `unlimited`, and the unit.
fn resource_limits(text: &str) -> Vec<MemoryLimit> {
    const NAMES: [(&str, LimitKind); 3] = [
        ("Max address space", LimitKind::AddressSpace),
        ("Max data size", LimitKind::Data),
        ("Max resident set", LimitKind::ResidentSize),
    ];
    let limit = |line: &str| {
        let (values, kind) = NAMES.iter().find_map(|&(name, kind)| Some((line.strip_prefix(name)?, kind)))?;
        let bytes = values.split_whitespace().next()?.parse().ok()?;
        Some(MemoryLimit { kind, bytes })
    };
    text.lines().filter_map(limit).collect()
}

/// The folders of the control groups that bound the memory of the process: its own, and those around it.
fn group_folders(groups: &str, mounts: &str) -> Vec<PathBuf> {
    let mut folders = Vec::new();
    for group in groups.lines().filter_map(ControlGroup::parse) {
        for mount in mounts.lines().filter_map(Mount::parse).filter(|mount| mount.version == group.version) {
            // Of a group outside the mounted part of the tree only the root of the mount is visible.
            let inside = group.path.strip_prefix(&mount.root).unwrap_or(Path::new(""));
            let own = mount.mount_point.join(inside);
            let around = own.ancestors().take_while(|folder| folder.starts_with(&mount.mount_point));
            folders.extend(around.map(Path::to_owned));
        }
    }
    folders
}

/// Version of control groups.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Version {
    One,
    Two,
}

/// The control group of the process in one of the trees.
struct ControlGroup<'a> {
    version: Version,
    path: &'a Path,
}

impl<'a> ControlGroup<'a> {
    /// Parses a line like `4:memory:/jobs` or `0::/jobs`; `None` if the tree does not bound memory.
    fn parse(line: &'a str) -> Option<Self> {
        let mut fields = line.splitn(3, ':').skip(1);
        let controllers = fields.next()?;
        let path = Path::new(fields.next()?);
        let version = match controllers {
            "" => Version::Two,
            _ if controllers.split(',').any(|name| name == "memory") => Version::One,
            _ => return None,
        };
        Some(Self { version, path })
    }
}

/// A mounted tree of control groups.
struct Mount {
    version: Version,
    /// The group that is at the root of the mount.
    root: PathBuf,
    /// Folder at which the tree is mounted.
    mount_point: PathBuf,
}

impl Mount {
    /// Parses a line like `35 31 0:32 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory`.
    fn parse(line: &str) -> Option<Self> {
        let (mount, filesystem) = line.split_once(" - ")?;
        let mut mount = mount.split(' ').skip(3);
        let root = unescape(mount.next()?);
        let mount_point = unescape(mount.next()?);
        let mut filesystem = filesystem.split(' ');
        let kind = filesystem.next()?;
        let options = filesystem.nth(1)?;
        let version = match kind {
            "cgroup2" => Version::Two,
            "cgroup" if options.split(',').any(|option| option == "memory") => Version::One,
            _ => return None,
        };
        Some(Self { version, root: root.into(), mount_point: mount_point.into() })
    }
}

/// Decodes a path of `mountinfo`, in which white space and backslashes are written as three octal digits.
fn unescape(path: &str) -> String {
    // Backslashes last: a decoded one must not begin another escape.
    [("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\")]
        .iter()
        .fold(path.to_owned(), |path, (escaped, plain)| path.replace(escaped, plain))
}

#[cfg(test)]
mod tests;
