//! The pages for users: every command in them runs, every link leads somewhere, and what they name exists.
//!
//! ```text
//! page      the Markdown of the repository: fences, headings, links
//! console   sessions at a console, and how they are run
//! readme    the README: begins with two commands, names all commands, stays short
//! guide     the pages of docs/, in the index, with their commands, flags and messages
//! links     links of all pages
//! ```

mod console;
mod guide;
mod links;
mod page;
mod readme;
mod served;
