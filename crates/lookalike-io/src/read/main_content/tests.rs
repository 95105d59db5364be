//! Tests of the article of a page: usual pages, broken markup, and markup that is made to cost time or depth.

use super::article_of;
use super::simple_page::simple_page;
use lookalike_core::text::strip_html;
use proptest::prelude::{Strategy, prop};
use proptest::sample::select;
use proptest::{prop_assert, proptest};

const SENTENCE: &str =
    "The harbour was rebuilt, stone by stone, after the great storm of the last century had taken it.";

fn words(html: &str) -> String {
    strip_html(html).split_whitespace().collect::<Vec<_>>().join(" ")
}

fn page(article: &str) -> String {
    let links: String = (0..30).map(|n| format!("<li><a href='/{n}'>Section {n}</a>")).collect();
    format!(
        "<!doctype html><html><head><title>Harbour</title><style>p {{}}</style></head><body>\
         <nav class=menu><ul>{links}</ul></nav><div class=ad-banner>Buy now, cheap</div>\
         <div id=content>{article}</div>\
         <aside class=sidebar><p>Read this, too</aside><footer>Imprint, contact</footer></body></html>"
    )
}

fn paragraphs(count: usize) -> String {
    (0..count).map(|number| format!("<p>{number}. {SENTENCE} {SENTENCE}</p>")).collect()
}

#[test]
fn what_surrounds_an_article_is_left_out() {
    let article = article_of(&page(&paragraphs(6))).unwrap();
    assert_eq!(words(&article), words(&paragraphs(6)));
    let other = page(&paragraphs(6)).replace("Section", "Rubrik").replace("Buy now", "Buy here");
    assert_eq!(words(&article_of(&other).unwrap()), words(&article));
}

#[test]
fn tables_and_lists_of_an_article_are_kept() {
    let table = "<table><tr><th>Year<th>Ships<tr><td>1901<td>one hundred and twelve</table>";
    let text = format!("{}{table}<ul><li>first pier<li>second pier</ul>{}", paragraphs(3), paragraphs(4));
    let found = words(&article_of(&page(&text)).unwrap());
    assert_eq!(found, words(&text));
    let layout = format!("<table><tr><td><a href=/>Home</a><td><form>{}</form></table>", paragraphs(6));
    assert!(words(&article_of(&layout).unwrap()).contains(&words(&paragraphs(6))));
}

#[test]
fn paragraphs_in_list_items_are_kept_beside_others_and_alone_are_no_article() {
    let items: String = (0..6).map(|number| format!("<li><p>{number}. {SENTENCE} {SENTENCE}</p></li>")).collect();
    let text = format!("{}<ol>{items}</ol>{}", paragraphs(4), paragraphs(3));
    assert_eq!(words(&article_of(&page(&text)).unwrap()), words(&text));
    assert_eq!(article_of(&page(&format!("<ol>{items}</ol>"))), None);
}

#[test]
fn a_page_without_an_article_has_none() {
    let menu: String = (0..200).map(|n| format!("<li><a href='/{n}'>Section number {n}</a>")).collect();
    for page in ["", " ", "<", "<p>one two", "<html><body></body></html>", &menu, &page(""), &page("<p>short")] {
        assert_eq!(article_of(page), None, "{page}");
    }
    let notice = format!("<p>We use cookies. {SENTENCE}</p>");
    assert_eq!(article_of(&page(&notice)), None, "what all pages have in common is no article");
}

#[test]
fn markup_that_is_broken_is_no_obstacle() {
    let broken = [
        format!("<div><article>{}</div></article></p></b><i>", paragraphs(6).replace("</p>", "")),
        format!("<svg><style><div><![CDATA[></svg>]]></style></svg>{}", paragraphs(6)),
        format!("{}<!-- <p>no", paragraphs(6)),
        format!("{}<script>if (a < b) '<p>no</p>'", paragraphs(6)),
        format!("<select><option>x<div><select>{}", paragraphs(6)),
        format!("<a href=x><a><a><table><a><tr>{}", paragraphs(6)),
        format!("<dd>{}<td><tr></table></ul>", paragraphs(6)),
    ];
    for page in broken {
        let article = article_of(&page).unwrap_or_else(|| panic!("{page}"));
        assert!(words(&article).contains(&words(&paragraphs(6))), "{page}");
    }
}

#[test]
fn what_is_hidden_ends_with_the_outermost_element() {
    for hidden in [
        "<svg><svg><text>in</text></svg><text>hidden</text></svg>",
        "<SVG><g><svg/><svg></svg></g><text>hidden</text></SVG>",
        "<template><template><p>in</template><p>hidden</template>",
        "<svg><foreignObject><p>hidden<svg></svg><p>hidden</foreignObject><text>hidden</text></svg>",
        "<svg><title>hidden <p></title><desc><p>hidden</desc><text>hidden</text></svg>",
        "<iframe><iframe>hidden</iframe>",
        "<select><option>hidden<option>hidden</select>",
        "<select><option>hidden<select>",
        "<video>hidden <a href=x>hidden</a></video><audio>hidden</audio><canvas>hidden</canvas>",
    ] {
        assert_eq!(words(&simple_page(&format!("<p>before</p>{hidden}<p>after</p>"))), "before after", "{hidden}");
    }
}

#[test]
fn hidden_paragraphs_are_no_part_of_an_article() {
    for hidden in [
        "<p hidden>no</p>",
        "<div style='display: none'><p>no</p></div>",
        "<noscript>no</noscript>",
        "<p>a wo<span hidden>no</span>rd</p>",
        "<p>a wo<b style='color:red;DISPLAY:NONE'>no<i>no</i></b>rd</p>",
        "<p>a <span popover>no</span><dialog>no</dialog>word</p>",
    ] {
        let shown = if hidden.contains("rd</p>") { "<p>a word</p>" } else { "" };
        let text = format!("{}{hidden}{}", paragraphs(3), paragraphs(4));
        let found = words(&article_of(&page(&text)).unwrap());
        assert_eq!(found, words(&format!("{}{shown}{}", paragraphs(3), paragraphs(4))), "{hidden}");
    }
}

#[test]
fn a_drawing_without_an_end_ends_where_html_goes_on() {
    for open in ["<svg>", "<svg><svg></svg>", "<svg><g><path/>", "<svg><desc>drawn</desc><g>"] {
        assert_eq!(words(&simple_page(&format!("before{open}<p>after</p>"))), "before after", "{open}");
    }
}

/// The deepest nesting that a reader of tags finds, and what it has to end at the end.
fn depths(simple: &str) -> (usize, usize) {
    let mut open = Vec::new();
    let mut deepest = 0;
    for tag in simple.split('<').skip(1).filter_map(|rest| rest.split('>').next()) {
        let name = tag.split(' ').next().unwrap();
        match name.strip_prefix('/') {
            Some(name) => assert_eq!(open.pop(), Some(name), "{simple}"),
            None if ["br", "hr"].contains(&name) => {}
            None => open.push(name),
        }
        deepest = deepest.max(open.len());
    }
    (deepest, open.len())
}

#[test]
fn a_megabyte_of_open_tags_is_flat() {
    let mut all = vec!["<table><tr><td>".to_owned(), "<ul><li>".to_owned(), "<svg><foreignObject><div>".to_owned()];
    all.extend(
        ["div", "p", "b", "a", "x-y", "li", "blockquote", "button", "h1", "template"].map(|tag| format!("<{tag}>")),
    );
    let mut without = Vec::new();
    for tags in all {
        let page = format!("{}{}", tags.repeat((1 << 20) / tags.len()), paragraphs(6));
        let simple = simple_page(&page);
        let (deepest, left) = depths(&simple);
        assert!(deepest <= 65 && left == 0, "{tags}: {deepest}");
        match article_of(&page) {
            Some(article) => assert_eq!(words(&article), words(&paragraphs(6)), "{tags}"),
            None => without.push(tags),
        }
    }
    // Paragraphs of lists are no running text to Readability; pictures and templates are not read.
    assert_eq!(without, ["<ul><li>", "<svg><foreignObject><div>", "<li>", "<template>"]);
}

#[test]
fn thousands_of_attributes_are_left_out() {
    let attributes: String = (0..50_000).map(|number| format!("a{number}=1 ")).collect();
    let page = format!("<div class=\"{}\" {attributes}>{}</div>", "x ".repeat(1 << 20), paragraphs(6));
    assert!(simple_page(&page).len() < 3000);
    assert_eq!(words(&article_of(&page).unwrap()), words(&paragraphs(6)));
}

/// Soups of tags, end tags, attributes and texts.
fn soups() -> impl Strategy<Value = String> {
    let names = select(vec![
        "div",
        "p",
        "table",
        "tr",
        "td",
        "th",
        "tbody",
        "caption",
        "a",
        "b",
        "ul",
        "li",
        "dl",
        "dd",
        "h1",
        "h2",
        "form",
        "button",
        "select",
        "option",
        "svg",
        "math",
        "foreignObject",
        "template",
        "script",
        "style",
        "title",
        "textarea",
        "noscript",
        "iframe",
        "br",
        "hr",
        "img",
        "body",
        "html",
        "head",
        "frameset",
        "article",
        "section",
        "pre",
        "font",
        "plaintext",
        "xmp",
        "col",
        "center",
        "x-y",
    ]);
    let pieces = (names, 0..12usize, "[a-z\"'<>&;/=! \u{0}\u{e9}-]{0,12}").prop_map(|(name, kind, noise)| match kind {
        0..=3 => format!("<{name}>"),
        4 | 5 => format!("</{name}>"),
        6 => format!("<{name} class=\"{noise}\" id={noise} hidden style='{noise}'>"),
        7 => format!("<{name}/>"),
        8 => format!("<![CDATA[{noise}]]><!--{noise}-->"),
        9 => format!("<p>{SENTENCE} {SENTENCE} {SENTENCE}"),
        10 => format!("<div class=article>{SENTENCE}<br><br>{SENTENCE}<br>{SENTENCE}</div>"),
        _ => noise,
    });
    prop::collection::vec(pieces, 0..120).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn soup_of_tags_is_read(soup in soups(), repeats in 1..4usize) {
        let page = soup.repeat(repeats);
        let (deepest, left) = depths(&simple_page(&page));
        prop_assert!(deepest <= 65 && left == 0);
        if let Some(article) = article_of(&page) {
            prop_assert!(words(&article).chars().count() >= 500);
        }
    }
}
