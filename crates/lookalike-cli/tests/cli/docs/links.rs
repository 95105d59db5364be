//! Links of all pages: the files and headings that they lead to exist.

use super::page::{Page, pages_in, root};
use std::path::Path;

/// Pages that people read, but the changelog and results of measurements, which are not edited once written.
fn pages() -> Vec<Page> {
    let named = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md", "bench/README.md", "fuzz/README.md"];
    let crates = ["lookalike-core", "lookalike-io", "lookalike-python"].map(|name| format!("crates/{name}/README.md"));
    named.into_iter().map(str::to_owned).chain(crates).chain(pages_in("docs")).map(|path| Page::read(&path)).collect()
}

/// The fault of a link of a page; `None` if it leads somewhere, or to the web.
fn problem(page: &Page, link: &str) -> Option<String> {
    if link.contains("://") {
        return None;
    }
    let (file, anchor) = link.split_once('#').map_or((link, None), |(file, anchor)| (file, Some(anchor)));
    let folder = Path::new(&page.path).parent().unwrap();
    let target = if file.is_empty() { page.path.clone() } else { folder.join(file).to_str().unwrap().to_owned() };
    if !root().join(&target).exists() {
        return Some(format!("{}: no file {link}", page.path));
    }
    let anchors = anchor.map(|_| Page::read(&target).anchors()).unwrap_or_default();
    let is_missing = anchor.is_some_and(|anchor| !anchors.iter().any(|known| known == anchor));
    is_missing.then(|| format!("{}: no heading {link}; there are {anchors:?}", page.path))
}

#[test]
fn links_of_readme_and_all_pages_lead_to_files_and_headings() {
    let pages = pages();
    let links: Vec<_> = pages.iter().flat_map(|page| page.links().into_iter().map(move |link| (page, link))).collect();
    assert!(links.len() > 100, "{} links", links.len());
    let problems: Vec<_> = links.iter().filter_map(|(page, link)| problem(page, link)).collect();
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn links_that_lead_nowhere_are_noticed() {
    let page = Page::read("docs/README.md");
    assert!(problem(&page, "absent.md").unwrap().ends_with("no file absent.md"));
    assert!(problem(&page, "../README.md#absent").unwrap().contains("no heading ../README.md#absent"));
    assert_eq!(problem(&page, "../README.md#try-it"), None);
    assert_eq!(problem(&page, "https://example.org/absent"), None);
}

#[test]
fn architecture_stays_a_map() {
    let bytes = Page::read("ARCHITECTURE.md").text().len();
    assert!(bytes <= 30_000, "{bytes} bytes: what concerns one file belongs into its own page");
}
