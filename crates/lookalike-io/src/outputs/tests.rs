use super::*;
use crate::base::Error;
use std::fs;
use std::path::Path;

#[test]
fn unfinished_outputs_leave_nothing() {
    let root = tempfile::tempdir().unwrap();
    let path = root.path().join("out");
    let mut file = AtomicFile::create(&path).unwrap();
    file.write(b"half").unwrap();
    drop(file);
    drop(OutputFolder::create(&path).unwrap());
    assert_eq!(fs::read_dir(root.path()).unwrap().count(), 0);
}

#[test]
fn finished_outputs_replace_files_and_empty_folders_only() {
    let root = tempfile::tempdir().unwrap();
    let path = root.path().join("out");
    for content in ["one", "two"] {
        let mut file = AtomicFile::create(&path).unwrap();
        file.write(content.as_bytes()).unwrap();
        file.finish().unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), content);
    }
    assert!(matches!(OutputFolder::create(&path), Err(Error::OutputExists { .. })));
    let folder = root.path().join("folder");
    fs::create_dir(&folder).unwrap();
    let output = OutputFolder::create(&folder).unwrap();
    fs::write(output.place(Path::new("a/b.txt")).unwrap(), "b").unwrap();
    output.seal().publish().unwrap();
    assert_eq!(fs::read_to_string(folder.join("a/b.txt")).unwrap(), "b");
    let current = OutputFolder::create(&std::env::current_dir().unwrap());
    assert!(matches!(current, Err(Error::OutputExists { .. })), "it is not empty either");
    assert!(matches!(AtomicFile::create(&folder), Err(Error::OutputIsFolder { .. })));
    assert!(matches!(OutputFolder::create(&folder), Err(Error::OutputExists { .. })));
}

#[cfg(unix)]
#[test]
fn links_and_devices_are_written_through() {
    let root = tempfile::tempdir().unwrap();
    let link = root.path().join("link");
    let target = root.path().join("target");
    fs::write(&target, "").unwrap();
    std::os::unix::fs::symlink(&target, &link).unwrap();
    let folder = root.path().join("folder");
    let folder_link = root.path().join("folder-link");
    fs::create_dir(&folder).unwrap();
    std::os::unix::fs::symlink(&folder, &folder_link).unwrap();
    let output = OutputFolder::create(&folder_link).unwrap();
    fs::write(output.place(Path::new("a.txt")).unwrap(), "a").unwrap();
    output.seal().publish().unwrap();
    assert!(fs::symlink_metadata(&folder_link).unwrap().is_symlink() && folder.join("a.txt").exists());
    let mut file = AtomicFile::create(&link).unwrap();
    file.write(b"new").unwrap();
    file.finish().unwrap();
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(fs::read_to_string(&target).unwrap(), "new");
    let mut null = AtomicFile::create(Path::new("/dev/null")).unwrap();
    null.write(b"x").unwrap();
    null.finish().unwrap();
    assert!(!fs::metadata("/dev/null").unwrap().is_file());
}
