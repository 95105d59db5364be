//! Files that hold one JSON array of objects. The array is never held as a whole: the thread that reads looks for the
//! ends of its elements, and no more, which are then parsed like lines.
//!
//! ```text
//! [ {"id": 1, "text": "a ] b"} , { ... } ]
//!   element 1                    element 2      in strings, brackets and commas mean nothing
//! ```
//!
//! A record is known by its number, because a whole file may be one line. An element that is no object is one bad
//! record; where neither a comma nor the end follows, the begin of the next element is unknown.

use crate::base::{BYTE_ORDER_MARK, BadRecord, Problem, Span};
use crate::read::buffers::{BlockBuffers, Buffer, move_rest};
use crate::read::context::{Context, Visited};
use crate::read::input::Input;
use crate::read::json;
use std::ops::Range;

/// Consecutive elements, and the problem of what follows.
#[derive(Debug)]
pub(in crate::read) struct ArrayBlock {
    bytes: Buffer,
    /// Offset of the bytes in the file.
    offset: u64,
    /// Number of elements before these.
    before: u64,
    /// Places of the elements in `bytes`.
    places: Vec<Range<usize>>,
    problem: Option<Problem>,
}

impl ArrayBlock {
    pub(in crate::read) fn bytes(&self) -> u64 {
        self.bytes.len() as u64
    }

    pub(in crate::read) fn for_each_document(&self, context: &Context<'_>, mut visit: impl FnMut(Visited<'_>)) {
        let mut number = self.before;
        for range in &self.places {
            number += 1;
            let span = Span { offset: self.offset + range.start as u64, length: range.len() as u64 };
            let fields = Problem::check_size(span.length, context.limit);
            let fields = fields.and_then(|()| json::parse(&self.bytes[range.clone()], context.names));
            visit(context.document(fields, number, span));
        }
        if let Some(problem) = &self.problem {
            visit(Err(BadRecord { place: context.place(number + 1), problem: problem.clone() }));
        }
    }
}

/// Cuts an array into its elements.
#[derive(Debug)]
pub(in crate::read) struct ArrayFile {
    input: Input,
    cutter: Cutter,
    offset: u64,
    elements: u64,
    /// The incomplete element after the last block.
    rest: Vec<u8>,
    buffers: BlockBuffers,
    is_done: bool,
}

impl ArrayFile {
    pub(in crate::read) fn new(input: Input, buffers: &BlockBuffers) -> Self {
        let cutter = Cutter::default();
        let buffers = buffers.clone();
        Self { input, cutter, offset: 0, elements: 0, rest: Vec::new(), buffers, is_done: false }
    }

    /// Bytes of the file read so far.
    pub(in crate::read) fn read_bytes(&self) -> u64 {
        self.input.read_bytes()
    }

    /// The next elements. One above the limit is skipped.
    pub(in crate::read) fn next_block(&mut self, limit: Option<u64>) -> std::io::Result<Option<ArrayBlock>> {
        if self.is_done {
            return Ok(None);
        }
        let mut bytes = self.buffers.take();
        bytes.append(&mut self.rest);
        let mut places = Vec::new();
        let mut searched = 0;
        let mut problem = None;
        while problem.is_none() && places.is_empty() && !self.input.has_ended {
            self.input.fill(&mut bytes)?;
            problem = self.cutter.cut(&bytes, &mut searched, &mut places).err();
            let open = self.cutter.start.map_or(0, |start| bytes.len() - start) as u64;
            if problem.is_none() && places.is_empty() && Problem::check_size(open, limit).is_err() {
                return self.skip_element(bytes, limit).map(Some);
            }
        }
        if self.input.has_ended && problem.is_none() {
            problem = self.cutter.cut(&bytes, &mut searched, &mut places).and_then(|()| self.end()).err();
        }
        if let Some(message) = self.input.damage.take() {
            problem = Some(Problem::Damaged { position: self.offset + bytes.len() as u64, message });
        }
        self.is_done = self.input.has_ended || problem.is_some();
        let offset = self.offset;
        let before = self.elements;
        self.elements += places.len() as u64;
        if !self.is_done {
            let cut = places.last().map_or(0, |range: &Range<usize>| range.end);
            move_rest(&mut bytes, cut, &mut self.rest);
            self.cutter.start = self.cutter.start.map(|start| start - cut);
            self.offset += cut as u64;
            // Bytes behind the cut that were searched are not searched again.
            self.cutter.searched = searched - cut;
        }
        let has_content = !places.is_empty() || problem.is_some();
        Ok(has_content.then_some(ArrayBlock { bytes, offset, before, places, problem }))
    }

    /// Skips an element above the limit, of which `bytes` end with the beginning.
    fn skip_element(&mut self, mut bytes: Buffer, limit: Option<u64>) -> std::io::Result<ArrayBlock> {
        let mut problem = Problem::TooLarge { limit: limit.unwrap_or_default() };
        let mut places = Vec::new();
        let before = self.elements;
        self.elements += 1;
        while places.is_empty() && !self.input.has_ended {
            self.offset += bytes.len() as u64;
            bytes.clear();
            self.cutter.start = Some(0);
            self.input.fill(&mut bytes)?;
            // Bytes up to the end of the element: the others are kept.
            for end in 0..bytes.len() {
                let mut searched = end;
                if let Err(found) = self.cutter.cut(&bytes[..=end], &mut searched, &mut places) {
                    problem = found;
                    self.is_done = true;
                }
                if self.is_done || !places.is_empty() {
                    let cut = end + 1;
                    move_rest(&mut bytes, cut, &mut self.rest);
                    self.offset += cut as u64;
                    break;
                }
            }
        }
        if let Some(message) = self.input.damage.take() {
            problem = Problem::Damaged { position: self.offset, message };
            self.is_done = true;
        }
        bytes.reset();
        Ok(ArrayBlock { bytes, offset: self.offset, before, places: Vec::new(), problem: Some(problem) })
    }

    /// Returns whether the array had its end.
    fn end(&self) -> std::result::Result<(), Problem> {
        match self.cutter.state {
            CutterState::After => Ok(()),
            _ => Err(not_json("the array has no end")),
        }
    }
}

fn not_json(message: &str) -> Problem {
    Problem::NotJson { message: format!("{message}; the rest of the file cannot be read") }
}

/// State of the cutter: the part to which the next byte belongs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum CutterState {
    /// Before the array.
    #[default]
    Before,
    /// Behind its opening bracket: an element, or the end.
    First,
    /// Behind a comma: an element.
    Next,
    /// Behind an element: a comma, or the end.
    Behind,
    /// Inside of an element, so deep in objects and arrays.
    Inside {
        depth: u64,
    },
    /// Inside of a string of an element.
    String {
        depth: u64,
    },
    /// Behind the backslash of an escape.
    Escape {
        depth: u64,
    },
    /// Inside of an element that is a number or a word.
    Scalar,
    After,
}

/// Finds the ends of elements.
#[derive(Debug, Default)]
struct Cutter {
    state: CutterState,
    /// Beginning of the present element.
    start: Option<usize>,
    /// Bytes of the rest that were searched before.
    searched: usize,
}

impl Cutter {
    /// Searches the bytes from `searched` on, and adds the places of the elements that end in them.
    fn cut(
        &mut self,
        bytes: &[u8],
        searched: &mut usize,
        places: &mut Vec<Range<usize>>,
    ) -> std::result::Result<(), Problem> {
        *searched = (*searched).max(std::mem::take(&mut self.searched));
        while let Some(&byte) = bytes.get(*searched) {
            let at = *searched;
            if self.state == CutterState::Before && at == 0 && BYTE_ORDER_MARK.starts_with(&[byte]) {
                let mark = bytes.len().min(BYTE_ORDER_MARK.len());
                *searched += if bytes.starts_with(&BYTE_ORDER_MARK[..mark]) { mark } else { 1 };
                continue;
            }
            *searched += 1;
            let before = std::mem::replace(&mut self.state, CutterState::After);
            self.state = self.step(before, byte, at)?;
            if matches!(self.state, CutterState::Behind | CutterState::Next | CutterState::After)
                && let Some(start) = self.start.take()
            {
                // A number or word ends before the byte that tells it.
                places.push(start..if before == CutterState::Scalar { at } else { *searched });
            }
        }
        Ok(())
    }

    fn step(&mut self, state: CutterState, byte: u8, at: usize) -> std::result::Result<CutterState, Problem> {
        use CutterState::{After, Before, Behind, Escape, First, Inside, Next, Scalar, String};
        Ok(match (state, byte) {
            (String { depth }, b'\\') => Escape { depth },
            (String { depth: 0 }, b'"') => Behind,
            (String { depth }, b'"') => Inside { depth },
            (state @ String { .. }, _) => state,
            (Escape { depth }, _) => String { depth },
            (Inside { depth }, b'"') => String { depth },
            (Inside { depth }, b'{' | b'[') => Inside { depth: depth + 1 },
            (Inside { depth: 1 }, b'}' | b']') => Behind,
            (Inside { depth }, b'}' | b']') => Inside { depth: depth - 1 },
            (state @ Inside { .. }, _) => state,
            (Scalar, b' ' | b'\t' | b'\n' | b'\r') => Behind,
            (state, b' ' | b'\t' | b'\n' | b'\r') => state,
            (Before, b'[') => First,
            (First | Behind, b']') => After,
            (Behind, b',') => Next,
            (Scalar, b',') => Next,
            (Scalar, b']') => After,
            (Scalar, _) => Scalar,
            (First | Next, b',' | b']' | b'}' | b':') => return Err(not_json("expected a record")),
            (First | Next, _) => {
                self.start = Some(at);
                match byte {
                    b'{' | b'[' => Inside { depth: 1 },
                    b'"' => String { depth: 0 },
                    _ => Scalar,
                }
            }
            (Behind, _) => return Err(not_json("expected a comma or the end of the array")),
            (Before, _) => return Err(not_json("expected an array")),
            (After, _) => return Err(not_json("something stands behind the array")),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Compression;

    fn read_all(content: &str) -> (Vec<String>, Option<String>) {
        let (_folder, path) = crate::testing::file_with("x.json", content);
        let input = Input::open(&path, Compression::None).unwrap();
        let mut file = ArrayFile::new(input, &BlockBuffers::default());
        let mut elements = Vec::new();
        let mut problem = None;
        while let Some(block) = file.next_block(Some(1 << 20)).unwrap() {
            for range in &block.places {
                let offset = block.offset as usize;
                assert_eq!(content.as_bytes()[offset + range.start], b'{');
                elements.push(content[offset + range.start..offset + range.end].to_owned());
            }
            problem = problem.or(block.problem.map(|problem| problem.to_string()));
        }
        (elements, problem)
    }

    #[test]
    fn elements_are_cut_where_they_end() {
        let odd = r#"{"a":"] } , \" \\","b":[{},[]]}"#;
        for content in [format!("[{odd}]"), format!("\u{feff} [\n  {odd} ,\n{odd}\n]\n"), "[]".to_owned()] {
            let (elements, problem) = read_all(&content);
            assert_eq!(problem, None, "{content}");
            assert_eq!(elements.len(), content.matches("\"a\"").count());
            assert!(elements.iter().all(|element| element == odd), "{elements:?}");
        }
    }

    #[test]
    fn elements_come_from_any_number_of_blocks() {
        let element = |number: usize| format!("{{\"n\": {number}, \"text\": \"{}\"}}", "x ] ".repeat(number % 3000));
        let elements: Vec<String> = (0..2000).map(element).collect();
        assert_eq!(read_all(&format!("[{}]", elements.join(",\n"))), (elements, None));
    }

    #[test]
    fn what_is_no_array_of_objects_ends_the_file() {
        for (content, count, words) in [
            ("", 0, "no end"),
            ("[{}", 1, "no end"),
            ("[{}, {\"a\"", 1, "no end"),
            ("[{} {}]", 1, "expected a comma"),
            ("[{}] x", 1, "behind the array"),
            ("{}", 0, "expected an array"),
            ("[{},]", 1, "expected a record"),
        ] {
            let (elements, problem) = read_all(content);
            assert_eq!(elements.len(), count, "{content}");
            assert!(problem.unwrap_or_default().contains(words), "{content}");
        }
    }

    #[test]
    fn long_elements_and_other_values_are_one_bad_record_each() {
        let long = format!("[{{}},{{\"text\":\"{}\"}},{{ }}]", "x".repeat(3 << 20));
        let both = vec!["{}".to_owned(), "{ }".to_owned()];
        assert_eq!(read_all(&long), (both, Some("longer than 1,048,576 bytes".to_owned())));
        let mut cutter = Cutter::default();
        let mut places = Vec::new();
        let mut searched = 0;
        let content = br#"[7, "a]" ,[{}],null,{},-1.5]"#;
        cutter.cut(content, &mut searched, &mut places).unwrap();
        let found: Vec<&[u8]> = places.iter().map(|range| &content[range.clone()]).collect();
        assert_eq!(found, [&b"7"[..], br#""a]""#, b"[{}]", b"null", b"{}", b"-1.5"]);
        assert_eq!(cutter.state, CutterState::After);
    }
}
