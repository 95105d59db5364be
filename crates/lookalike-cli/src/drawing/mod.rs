//! Drawings: the common parts of the pictures of all commands, and the writer of their files.

pub(crate) mod new_file;
mod svg;

pub(crate) use svg::{Area, BLUE, DrawingResult, ORANGE, VERMILION, curve, square, stroke, to_svg};
