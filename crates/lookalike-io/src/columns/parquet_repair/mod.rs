//! Files that other readers of Parquet accept, though their writers did not follow the format.
//!
//! ```text
//! dictionary page at offset 0         there is none: the pages begin at the offset of the data
//! column without a repetition type    it is required: Thrift reads an absent number as 0
//! version 2 pages marked as not       they are compressed, if the column is: written by Arrow for C++ before 3.0
//! compressed
//! ```

mod footer;
mod pages;
mod thrift;

pub(crate) use footer::metadata_of;
pub(crate) use pages::RepairedFile;

#[cfg(test)]
mod tests;
