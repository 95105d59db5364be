//! The list of all columns of rows: names, types, headings and descriptions stand here and nowhere else.
//!
//! Columns of a row are listed by its [`super::Row::cells`]; which figures a measure has, by
//! [`super::Figures::new`]. Files, tables, the interface of the server and the client of Python follow.

#![expect(missing_docs, reason = "each column has its description")]

use super::column::{Column, ColumnKind};

pub const A: Column = Column::id("a", Some(&A_ROW), "Id of the earlier document");
const A_ROW: Column = Column::count("a_row", "Number of the record of a").or_null();
pub const B: Column = Column::id("b", Some(&B_ROW), "Id of the later document");
const B_ROW: Column = Column::count("b_row", "Number of the record of b").or_null();
pub const ID: Column = Column::id("id", Some(&ID_ROW), "Its id");
const ID_ROW: Column = Column::count("row", "Number of its record").or_null();
pub const KEPT: Column = Column::id("kept", Some(&KEPT_ROW), "Id of its keeper");
const KEPT_ROW: Column = Column::count("kept_row", "Number of the record of its keeper").or_null();
pub const QUERY: Column = Column::id("query", Some(&QUERY_ROW), "Id of the query");
const QUERY_ROW: Column = Column::count("query_row", "Number of the record of the query").or_null();
pub const NEAR_TO: Column = Column::id("near_to", None, "The member to which it is near, as it was found");

pub const SIMILARITY: Column = Column::share(
    "similarity",
    "Exact, by the measure; of a containment the larger share, or that which was asked for",
);
pub const CONTAINMENT_OF_A: Column = Column::share("containment_of_a", "The share of a that is in b").headed("a in b");
pub const CONTAINMENT_OF_B: Column = Column::share("containment_of_b", "The share of b that is in a").headed("b in a");
pub const CONTAINMENT_OF_QUERY: Column =
    Column::share("containment_of_query", "The share of what was asked about that is in the document")
        .headed("query in id");
pub const CONTAINMENT_OF_ID: Column =
    Column::share("containment_of_id", "The share of the document that is in what was asked about")
        .headed("id in query");
pub const COMMON: Column = Column::count("common", "Common elements");
pub const DISTANCE: Column = Column::count("distance", "Bits that differ");
pub const EUCLIDEAN_DISTANCE: Column =
    Column::new("euclidean_distance", ColumnKind::Number, "The Euclidean distance of the vectors");
pub const MANHATTAN_DISTANCE: Column =
    Column::new("manhattan_distance", ColumnKind::Number, "The Manhattan distance of the vectors");
pub const ESTIMATED_SIMILARITY: Column =
    Column::share("estimated_similarity", "The share in which the signatures agree, an estimate of the similarity")
        .headed("estimate");
pub const INTERVAL_LOW: Column =
    Column::share("interval_low", "The lower end of its interval, with a confidence of 95 %").headed("from");
pub const INTERVAL_HIGH: Column = Column::share("interval_high", "The upper end").headed("to");

pub const REASON: Column = Column::text(
    "reason",
    "`identical` (the same text), `equal` (in all that is compared), or `near`; of an estimate below the threshold \
     whose interval reaches it `uncertain`",
);
pub const A_SOURCE: Column = Column::text("a_source", "The file of a");
pub const B_SOURCE: Column = Column::text("b_source", "The file of b");
pub const SOURCE: Column = Column::text("source", "Its file");
pub const KEPT_SOURCE: Column = Column::text("kept_source", "The file of its keeper");

pub const CLUSTER: Column = Column::count("cluster", "Number of the cluster, from 0");
pub const GROUP: Column = Column::count("group", "Number of the group, from 0, in input order of the first members");
pub const EQUAL: Column = Column::text("equal", "The content in which the members are equal: `bytes` or `text`");
pub const CHECKSUM: Column = Column::text("checksum", "Checksum of that content, in hexadecimal");
pub const RANK: Column = Column::count("rank", "Its rank among the answers, from 1");
pub const FIELDS: Column = Column::new("fields", ColumnKind::Json, "What the index stores of its fields");
pub const SIMHASH: Column = Column::new("simhash", ColumnKind::Bytes(8), "Its bits in hexadecimal digits").or_null();

pub const DUPLICATE: Column = Column::new("duplicate", ColumnKind::Flag, "Whether it is a duplicate of its keeper");
pub const CLUSTER_SIZE: Column =
    Column::new("cluster_size", ColumnKind::Count32, "Number of records with this keeper, the keeper included");
pub const CUT: Column = Column::text("cut", "Bytes of the text that are to be cut out: `0-120 300-410`");
pub const CUT_TOKENS: Column = Column::count("cut_tokens", "Number of tokens in the cuts");
pub const TEXT_TOKENS: Column = Column::count("tokens", "Number of tokens of the text");

pub const SHARE_IN_ALL: Column = Column::share("share_in_all", "The share of its tokens that stand in any source");
pub const SOURCE_RANK: Column = Column::count("rank", "Rank of the source among those of the document").or_null();
pub const SOURCE_ID: Column = Column::id("source", None, "Id of the source").or_null();
pub const SHARE: Column = Column::share("share", "The share of the document's tokens that stand in this source");
pub const TOKENS: Column = Column::count("tokens", "Its length in tokens");
pub const START: Column = Column::count("start", "Its first byte in the text");
pub const END: Column = Column::count("end", "Behind its last byte");
pub const LINE: Column = Column::count("line", "Its first line, from 1");
pub const END_LINE: Column = Column::count("end_line", "Its last line");
pub const PASSAGE_START: Column = START.or_null();
pub const PASSAGE_END: Column = END.or_null();
pub const PASSAGE_LINE: Column = LINE.or_null();
pub const PASSAGE_END_LINE: Column = END_LINE.or_null();
pub const SOURCE_START: Column = Column::count("source_start", "Its first byte in the source").or_null();
pub const SOURCE_END: Column = Column::count("source_end", "Behind its last byte in the source").or_null();
pub const SOURCE_LINE: Column = Column::count("source_line", "Its first line in the source").or_null();
pub const SOURCE_END_LINE: Column = Column::count("source_end_line", "Its last line in the source").or_null();
pub const KEPT_IN: Column = Column::id("kept", None, "Id of the document where it stood first").or_null();
pub const KEPT_START: Column = Column::count("kept_start", "Its first byte where it stays").or_null();
pub const KEPT_END: Column = Column::count("kept_end", "Behind its last byte there").or_null();
pub const KEPT_LINE: Column = Column::count("kept_line", "Its first line there").or_null();
pub const KEPT_END_LINE: Column = Column::count("kept_end_line", "Its last line there").or_null();
pub const DOCUMENT_REMOVED: Column = Column::new(
    "document_removed",
    ColumnKind::Flag,
    "Whether the document goes as a whole, because too little is left of it",
);
