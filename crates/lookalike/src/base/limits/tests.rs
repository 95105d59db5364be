use super::*;
use tempfile::TempDir;

const MIB: u64 = 1 << 20;
/// Value of version 1 where there is no limit.
const NO_LIMIT: &str = "9223372036854771712\n";

/// A made-up root of a file system.
fn root_with(files: &[(&str, &str)]) -> TempDir {
    let root = tempfile::tempdir().unwrap();
    for (path, content) in files {
        let path = root.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }
    root
}

fn least(files: &[(&str, &str)]) -> Option<MemoryLimit> {
    limits_below(root_with(files).path()).into_iter().min_by_key(|limit| limit.bytes)
}

fn group(mebibytes: u64) -> Option<MemoryLimit> {
    Some(MemoryLimit { kind: LimitKind::ControlGroup, bytes: mebibytes * MIB })
}

const V2_MOUNT: &str = "30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n";
const V1_MOUNTS: &str = "31 23 0:28 / /sys/fs/cgroup rw - tmpfs tmpfs rw,mode=755\n\
    32 31 0:29 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n\
    35 31 0:32 / /sys/fs/cgroup/memory rw shared:9 master:2 - cgroup cgroup rw,memory\n\
    41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n";

#[test]
fn the_least_limit_of_nested_groups_counts() {
    for (own, parent, expected) in
        [("max\n", "157286400\n", 150), ("104857600\n", "157286400\n", 100), ("209715200", "157286400", 150)]
    {
        let files = [
            ("proc/self/cgroup", "0::/jobs/nightly/step\n"),
            ("proc/self/mountinfo", V2_MOUNT),
            ("sys/fs/cgroup/jobs/nightly/step/memory.max", own),
            ("sys/fs/cgroup/jobs/nightly/memory.max", "max\n"),
            ("sys/fs/cgroup/jobs/memory.max", parent),
            // Of another group.
            ("sys/fs/cgroup/other/memory.max", "1048576\n"),
        ];
        assert_eq!(least(&files), group(expected));
    }
}

#[test]
fn memory_above_which_a_group_is_slowed_down_counts_too() {
    let files = [
        ("proc/self/cgroup", "0::/a\n"),
        ("proc/self/mountinfo", V2_MOUNT),
        ("sys/fs/cgroup/a/memory.max", "209715200\n"),
        ("sys/fs/cgroup/a/memory.high", "104857600\n"),
    ];
    assert_eq!(least(&files), group(100));
}

#[test]
fn groups_of_both_versions_are_found_side_by_side() {
    let files = [
        ("proc/self/cgroup", "9:name=systemd:/\n4:cpu,memory:/a/b\n1:cpu:/c\n0::/\n"),
        ("proc/self/mountinfo", V1_MOUNTS),
        ("sys/fs/cgroup/memory/memory.limit_in_bytes", NO_LIMIT),
        ("sys/fs/cgroup/memory/a/memory.limit_in_bytes", "157286400\n"),
        ("sys/fs/cgroup/memory/a/b/memory.limit_in_bytes", NO_LIMIT),
        ("sys/fs/cgroup/cpu/c/memory.limit_in_bytes", "1\n"),
    ];
    assert_eq!(least(&files), group(150));
}

#[test]
fn a_container_sees_a_part_of_the_tree_at_any_place() {
    let mount = "700 650 0:26 /docker/abc /mnt/my\\040groups ro - cgroup cgroup ro,memory\n";
    for (path, folder) in
        [("/docker/abc/x", "mnt/my groups/x"), ("/docker/abc", "mnt/my groups"), ("/../y", "mnt/my groups")]
    {
        let own = format!("{folder}/memory.limit_in_bytes");
        let line = format!("4:memory:{path}\n");
        let files = [("proc/self/cgroup", &line[..]), ("proc/self/mountinfo", mount), (&own, "52428800\n")];
        assert_eq!(least(&files), group(50), "{path}");
    }
}

#[test]
fn limits_of_groups_that_a_container_does_not_see_are_known_from_within() {
    let files = [
        ("proc/self/cgroup", "4:memory:/docker/abc\n"),
        ("proc/self/mountinfo", "7 6 0:26 /docker/abc /memory ro - cgroup cgroup ro,memory\n"),
        ("memory/memory.limit_in_bytes", NO_LIMIT),
        ("memory/memory.stat", "cache 5\nhierarchical_memory_limit 157286400\nhierarchical_memsw_limit 1\n"),
    ];
    assert_eq!(least(&files), group(150));
}

#[test]
fn resource_limits_count_where_they_are_set() {
    let limits = "Limit                     Soft Limit           Hard Limit           Units     \n\
        Max data size             unlimited            unlimited            bytes     \n\
        Max resident set          2147483648           unlimited            bytes     \n\
        Max address space         314572800            unlimited            bytes     \n";
    let found = limits_below(root_with(&[("proc/self/limits", limits)]).path());
    let limit = |kind, mebibytes| MemoryLimit { kind, bytes: mebibytes * MIB };
    assert_eq!(found, [limit(LimitKind::ResidentSize, 2048), limit(LimitKind::AddressSpace, 300)]);
}

#[test]
fn what_cannot_be_read_or_understood_limits_nothing() {
    assert_eq!(least(&[]), None);
    let garbage = "\n::\n0\nnonsense - \n1 2 3 - cgroup2\n";
    assert_eq!(least(&[("proc/self/cgroup", garbage), ("proc/self/mountinfo", garbage)]), None);
    assert!(memory_limits().iter().any(|limit| limit.kind == LimitKind::Machine && limit.bytes > 0));
}
