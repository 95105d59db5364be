//! Parts of a page that a browser does not display.
//!
//! Hidden are elements by their name (HTML standard, section 15.3.1, and what stands in for media and scripts), and any
//! element by the attribute `hidden` or by `display: none` in the attribute `style`. Style sheets are not read.
//!
//! Such an element ends with its own end tag, with the end tag of an element around it, or with a start tag that ends
//! it or an element around it, as an item of a list does (HTML standard, optional tags). So an element without an end
//! tag hides the rest of what it stands in, and not the rest of the page. A drawing also ends where HTML goes on,
//! unless it is in an element of the drawing that may hold HTML (HTML standard, parsing tokens in foreign content).
//!
//! ```text
//! <ul><li>one<li hidden>two<li>three</ul> <div>four<span hidden>five</div> six
//!                       ---                                     ----
//! ```

use html5gum::emitters::default::StartTag;
use std::sync::LazyLock;

/// Elements without content. Sorted.
const VOID: [&str; 14] =
    ["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr"];
/// Elements that structure a page. Sorted.
static STRUCTURE: LazyLock<Vec<&str>> = LazyLock::new(|| {
    "a address article aside blockquote body button caption center dd details dialog div dl dt fieldset figcaption \
    figure footer form h1 h2 h3 h4 h5 h6 header hgroup html li main menu nav ol p pre search section summary table \
    tbody td tfoot th thead tr ul"
        .split(' ')
        .collect()
});
/// Elements of a drawing that may hold HTML.
const HOLDING_HTML: [&[u8]; 2] = [b"desc", b"foreignobject"];

/// Open elements that are looked at for one tag: pages of people nest fewer, and time is bounded for others.
const MAX_LOOKED_AT: usize = 256;

/// An element that is hidden and not ended.
#[derive(Debug)]
struct HiddenPart {
    name: Vec<u8>,
    /// Elements that are open around it.
    around: usize,
    /// Open elements of its name, itself among them, where they are not known.
    depth: usize,
    /// Open elements of a drawing that may hold HTML.
    holding_html: usize,
}

impl HiddenPart {
    /// Returns whether a start tag ends it: that of HTML ends a drawing, and one selection does not stand in another.
    fn is_ended_by(&self, tag: &[u8]) -> bool {
        match tag {
            b"select" => self.name == b"select",
            b"b" | b"big" | b"blockquote" | b"body" | b"br" | b"center" | b"code" | b"dd" | b"div" | b"dl" | b"dt"
            | b"em" | b"embed" | b"h1" | b"h2" | b"h3" | b"h4" | b"h5" | b"h6" | b"head" | b"hr" | b"i" | b"img"
            | b"li" | b"listing" | b"menu" | b"meta" | b"nobr" | b"ol" | b"p" | b"pre" | b"ruby" | b"s" | b"small"
            | b"span" | b"strike" | b"strong" | b"sub" | b"sup" | b"table" | b"tt" | b"u" | b"ul" | b"var" => {
                self.name == b"svg" && self.holding_html == 0
            }
            _ => false,
        }
    }
}

/// The open elements of a page, as far as they say whether text is displayed.
#[derive(Debug, Default)]
pub struct OpenElements {
    /// The names of known ones, and one of a hidden element that is not known, from the outermost on.
    names: Vec<&'static str>,
    hidden: Option<HiddenPart>,
}

impl OpenElements {
    /// Returns whether text that comes next is hidden.
    pub fn is_hidden(&self) -> bool {
        self.hidden.is_some()
    }

    /// The name of the element that hides what comes next.
    pub fn hidden_by(&self) -> Option<&[u8]> {
        self.hidden.as_ref().map(|part| &*part.name)
    }

    /// Takes a start tag in; returns whether it stands in what is displayed, or at its edge.
    pub fn begin(&mut self, tag: &StartTag<()>) -> bool {
        let was_hidden = self.is_hidden();
        self.take_start(tag);
        !(was_hidden && self.is_hidden())
    }

    /// Takes an end tag in; returns whether it stands in what is displayed, or at its edge.
    pub fn end(&mut self, name: &[u8]) -> bool {
        let was_hidden = self.is_hidden();
        self.take_end(name);
        !(was_hidden && self.is_hidden())
    }

    fn take_start(&mut self, tag: &StartTag<()>) {
        if let Some(part) = self.hidden.as_ref().filter(|part| part.is_ended_by(&tag.name)) {
            let around = part.around;
            let is_selection = part.name == b"select";
            self.end_from(around);
            if is_selection {
                return;
            }
        }
        if tag.self_closing || contains(&VOID, &tag.name) {
            return;
        }
        let known = known(&tag.name);
        if let Some(name) = known {
            self.end_before(name);
        }
        match &mut self.hidden {
            Some(part) => {
                part.depth += usize::from(part.name == **tag.name);
                part.holding_html += usize::from(HOLDING_HTML.contains(&&**tag.name));
            }
            None if is_hidden(tag) => {
                self.hidden =
                    Some(HiddenPart { name: tag.name.to_vec(), around: self.names.len(), depth: 1, holding_html: 0 });
                self.names.push(known.unwrap_or_default());
                return;
            }
            None => {}
        }
        self.names.extend(known);
    }

    fn take_end(&mut self, name: &[u8]) {
        if let Some(part) = self.hidden.as_mut().filter(|_| HOLDING_HTML.contains(&name)) {
            part.holding_html = part.holding_html.saturating_sub(1);
        }
        if let Some(known) = known(name) {
            self.end_last(&[known], &[]);
        } else if let Some(part) = self.hidden.as_mut().filter(|part| part.name == name) {
            part.depth -= 1;
            if part.depth == 0 {
                let around = part.around;
                self.end_from(around);
            }
        }
    }

    /// Ends the elements that a start tag of this name ends.
    fn end_before(&mut self, name: &str) {
        if !matches!(name, "html" | "body" | "tbody" | "td" | "tfoot" | "th" | "thead" | "tr") {
            self.end_last(&["p"], &["table", "td", "th"]);
        }
        let (ended, containers): (&[&str], &[&str]) = match name {
            "li" => (&["li"], &["ul", "ol", "menu", "table"]),
            "dd" | "dt" => (&["dd", "dt"], &["dl", "table"]),
            "td" | "th" => (&["td", "th"], &["tr", "table"]),
            "tr" => (&["tr"], &["table"]),
            "tbody" | "thead" | "tfoot" => (&["tbody", "thead", "tfoot", "tr"], &["table"]),
            _ => return,
        };
        while self.end_last(ended, containers) {}
    }

    /// Ends the last open element of those with these names, and all in it, unless one that is a container is found
    /// before; returns whether it did.
    fn end_last(&mut self, names: &[&str], containers: &[&str]) -> bool {
        let mut open = self.names.iter().enumerate().rev().take(MAX_LOOKED_AT);
        let found = open.find(|(_, open)| names.contains(open) || containers.contains(open));
        let Some(at) = found.filter(|(_, open)| names.contains(open)).map(|(at, _)| at) else { return false };
        self.end_from(at);
        true
    }

    fn end_from(&mut self, at: usize) {
        self.names.truncate(at);
        self.hidden.take_if(|part| at <= part.around);
    }
}

/// Returns whether a name is in a sorted list.
pub(super) fn contains(sorted: &[&str], name: &[u8]) -> bool {
    sorted.binary_search_by(|known| known.as_bytes().cmp(name)).is_ok()
}

/// The name of an element that structures a page; `None` for all others.
pub fn structure_element(name: &[u8]) -> Option<&'static str> {
    let at = STRUCTURE.binary_search_by(|known| known.as_bytes().cmp(name)).ok()?;
    STRUCTURE.get(at).copied()
}

/// The name of an element whose end ends what stands in it; `None` for all others.
fn known(name: &[u8]) -> Option<&'static str> {
    structure_element(name).filter(|name| !matches!(*name, "a" | "button" | "caption"))
}

/// Returns whether the content of an element is not displayed.
fn is_hidden(tag: &StartTag<()>) -> bool {
    let mut is_open = false;
    for (name, value) in &tag.attributes {
        match &***name {
            // Content that a search in the page finds is displayed then.
            b"hidden" if !value.eq_ignore_ascii_case(b"until-found") => return true,
            b"style" if displays_nothing(value) => return true,
            b"popover" => return true,
            b"open" => is_open = true,
            _ => {}
        }
    }
    match &**tag.name {
        b"annotation" | b"annotation-xml" | b"audio" | b"canvas" | b"datalist" | b"iframe" | b"noembed"
        | b"noframes" | b"noscript" | b"rp" | b"script" | b"select" | b"style" | b"svg" | b"template" | b"video" => {
            true
        }
        b"dialog" => !is_open,
        _ => false,
    }
}

/// Returns whether the declarations of a `style` attribute end in `display: none`. The last one counts, and those that
/// are important before all others.
fn displays_nothing(style: &[u8]) -> bool {
    let style = String::from_utf8_lossy(style).to_ascii_lowercase();
    let declarations = style.split(';').filter_map(|declaration| declaration.split_once(':'));
    let values =
        declarations.filter(|(name, _)| name.trim() == "display").map(|(_, value)| match value.split_once('!') {
            Some((value, _)) => (true, value.trim() == "none"),
            None => (false, value.trim() == "none"),
        });
    values.fold((false, false), |last, next| if next.0 >= last.0 { next } else { last }).1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::strip_html;

    fn words(html: &str) -> String {
        strip_html(html).split_whitespace().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn lists_are_sorted() {
        assert!(VOID.is_sorted() && STRUCTURE.is_sorted());
    }

    #[test]
    fn what_a_browser_does_not_display_is_no_text() {
        for hidden in [
            "<div hidden>no<div>no</div>no</div>",
            "<span hidden=hidden>no<br>no<p>no</p></span>",
            "<p HIDDEN>no",
            "<div style='display:none'>no</div>",
            "<div style=\"color: red; DISPLAY : None !important; margin: 0\">no</div>",
            "<noscript><img src=x>no</noscript>",
            "<select><option>no<option>no</select>",
            "<datalist id=x><option>no</datalist>",
            "<template><template>no</template>no</template>",
            "<svg><svg/><svg><text>no</text></svg><text>no</text></svg>",
            "<video>no<a href=x>no</a></video><canvas>no</canvas><audio>no</audio><iframe>no</iframe>",
            "<dialog>no</dialog><div popover>no</div>",
            "<svg><foreignObject><p>no<svg></svg><p>no</foreignObject><text>no</text></svg>",
            "<math><semantics><annotation encoding=application/x-tex>no</annotation></semantics></math>",
            "<x-y hidden>no<x-y>no</x-y>no</x-y>",
        ] {
            assert_eq!(words(&format!("<div>before <div>{hidden}</div> after</div>")), "before after", "{hidden}");
        }
    }

    #[test]
    fn what_is_displayed_is_text() {
        for shown in [
            "<div style='display:block'>yes</div>",
            "<div style='display:none;display:block'>yes</div>",
            "<div style='x-display:none; display-x: none; content: \"display\"'>yes</div>",
            "<div data-hidden aria-hidden=false>yes</div>",
            "<br hidden><input hidden><img style='display:none'>yes",
            "<details hidden=until-found>yes</details>",
            "<dialog open>yes</dialog>",
            "<textarea>yes</textarea>",
        ] {
            assert_eq!(words(&format!("<p>before</p>{shown}<p>after</p>")), "before yes after", "{shown}");
        }
    }

    #[test]
    fn hidden_elements_without_an_end_hide_what_they_stand_in() {
        for (page, expected) in [
            ("<ul><li>a<li hidden>no<ul><li>no<li>no</ul><li>b</ul>c", "a b c"),
            ("<ul><li>a<span hidden>no<li>b</ul>c", "a b c"),
            ("<div>a<span hidden>no</div>b", "a b"),
            ("<p hidden>no<p>a<p hidden>no<div>b</div>", "a b"),
            ("<p>a<b style=display:none>no<p>b", "a b"),
            ("<table><tr><td hidden>no<td>a<tr hidden><td>no<td>no<tr><td>b</table>c", "a b c"),
            ("<dl><dt>a<dd hidden>no<dt>b</dl>", "a b"),
            ("<select><option>no<select>a", "a"),
            ("<div><select><option>no</div>a", "a"),
            ("a<div hidden>no</p></li></td>no</div>b", "a b"),
            ("<div hidden>no", ""),
            ("<svg><g><path/><p>a", "a"),
            ("<svg><svg></svg>no<div>a</div>b", "a b"),
        ] {
            assert_eq!(words(page), expected, "{page}");
        }
    }

    #[test]
    fn an_inline_element_that_is_hidden_parts_no_word() {
        assert_eq!(words("w<span hidden>no <div>no<br></div></span>ord"), "word");
    }
}
