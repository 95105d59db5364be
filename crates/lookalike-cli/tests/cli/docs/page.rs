//! Pages in Markdown: what stands in fences, what beside them.

use std::fs;
use std::path::{Path, PathBuf};

/// A page, by its path from the root of the repository.
pub(super) struct Page {
    pub(super) path: String,
    text: String,
}

/// A block between fences.
pub(super) struct Fence<'a> {
    pub(super) language: &'a str,
    pub(super) lines: Vec<&'a str>,
}

pub(super) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The paths of all pages in a folder, sorted.
pub(super) fn pages_in(folder: &str) -> Vec<String> {
    let names = fs::read_dir(root().join(folder)).unwrap().map(|entry| entry.unwrap().file_name());
    let names = names.map(|name| name.into_string().unwrap());
    let mut paths: Vec<_> = names.filter(|name| name.ends_with(".md")).map(|name| format!("{folder}/{name}")).collect();
    paths.sort();
    paths
}

impl Page {
    pub(super) fn read(path: &str) -> Self {
        Self { path: path.to_owned(), text: fs::read_to_string(root().join(path)).unwrap() }
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Blocks between fences, in order.
    pub(super) fn fences(&self) -> Vec<Fence<'_>> {
        let mut fences: Vec<Fence<'_>> = Vec::new();
        let mut is_inside = false;
        for line in self.text.lines() {
            match (line.strip_prefix("```"), is_inside) {
                (Some(language), false) => fences.push(Fence { language, lines: Vec::new() }),
                (None, true) => fences.last_mut().unwrap().lines.push(line),
                _ => {}
            }
            is_inside ^= line.starts_with("```");
        }
        assert!(!is_inside, "{}: a fence is left open", self.path);
        fences
    }

    /// Lines outside of the fences.
    pub(super) fn prose(&self) -> Vec<&str> {
        let parts = self.text.split("\n```").step_by(2).map(|part| part.trim_start_matches('`'));
        parts.flat_map(str::lines).collect()
    }

    /// The name by which each heading is linked to: its letters, digits, hyphens and underscores, blanks as hyphens,
    /// and a number where a heading occurs again.
    pub(super) fn anchors(&self) -> Vec<String> {
        let mut anchors: Vec<String> = Vec::new();
        for heading in self.prose().into_iter().filter(|line| line.starts_with('#')) {
            let shown = heading.trim_start_matches('#').trim().to_lowercase();
            let kept = shown.chars().filter(|sign| sign.is_alphanumeric() || [' ', '-', '_'].contains(sign));
            let anchor: String = kept.map(|sign| if sign == ' ' { '-' } else { sign }).collect();
            let earlier = anchors.iter().filter(|known| **known == anchor).count();
            anchors.push(if earlier == 0 { anchor } else { format!("{anchor}-{earlier}") });
        }
        anchors
    }

    /// The targets of all links and pictures.
    pub(super) fn links(&self) -> Vec<String> {
        let prose = self.prose().join("\n");
        let targets = prose.split("](").skip(1).filter_map(|behind| behind.split_once(')'));
        targets.map(|(target, _)| target.to_owned()).collect()
    }
}
