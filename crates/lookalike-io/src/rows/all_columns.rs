//! The list of all columns of rows: names, types, headings and descriptions stand here and nowhere else.
//!
//! Which of them a row has is said by its [`super::Row::cells`]; which figures a measure has, by
//! [`super::Figures::new`]. Files, tables, the interface of the server and the client of Python follow.

use super::column::{Column, ColumnKind};

/// Id of the earlier document of a pair.
pub const A: Column = Column::id("a", Some(&A_ROW), "Id of the earlier document");
const A_ROW: Column = Column::count("a_row", "Number of the record of a").or_null();
/// Id of the later document of a pair.
pub const B: Column = Column::id("b", Some(&B_ROW), "Id of the later document");
const B_ROW: Column = Column::count("b_row", "Number of the record of b").or_null();
/// Id of a document.
pub const ID: Column = Column::id("id", Some(&ID_ROW), "Its id");
const ID_ROW: Column = Column::count("row", "Number of its record").or_null();
/// Id of a keeper.
pub const KEPT: Column = Column::id("kept", Some(&KEPT_ROW), "Id of its keeper");
const KEPT_ROW: Column = Column::count("kept_row", "Number of the record of its keeper").or_null();
/// Id of a query.
pub const QUERY: Column = Column::id("query", Some(&QUERY_ROW), "Id of the query");
const QUERY_ROW: Column = Column::count("query_row", "Number of the record of the query").or_null();
/// Id of a member of a family.
pub const NEAR_TO: Column = Column::id("near_to", None, "The member to which it is near, as it was found");

/// The figure of measures by similarity.
pub const SIMILARITY: Column = Column::share(
    "similarity",
    "Exact, by the measure; of a containment the larger share, or that which was asked for",
);
/// The share of the first document of a pair that is in the second.
pub const CONTAINMENT_OF_A: Column = Column::share("containment_of_a", "The share of a that is in b").headed("a in b");
/// The share of the second document of a pair that is in the first.
pub const CONTAINMENT_OF_B: Column = Column::share("containment_of_b", "The share of b that is in a").headed("b in a");
/// The share of a query that is in a document.
pub const CONTAINMENT_OF_QUERY: Column =
    Column::share("containment_of_query", "The share of what was asked about that is in the document")
        .headed("query in id");
/// The share of a document that is in a query.
pub const CONTAINMENT_OF_ID: Column =
    Column::share("containment_of_id", "The share of the document that is in what was asked about")
        .headed("id in query");
/// The figure of measures by the number of common elements.
pub const COMMON: Column = Column::count("common", "Common elements");
/// The figure of measures by differing bits.
pub const DISTANCE: Column = Column::count("distance", "Bits that differ");
/// The figure of measures by the distance of vectors.
pub const EUCLIDEAN_DISTANCE: Column =
    Column::new("euclidean_distance", ColumnKind::Number, "The Euclidean distance of the vectors");
/// The figure of measures by signatures.
pub const ESTIMATED_SIMILARITY: Column =
    Column::share("estimated_similarity", "The share in which the signatures agree, an estimate of the similarity")
        .headed("estimate");
/// The lower end of the interval of an estimate.
pub const INTERVAL_LOW: Column =
    Column::share("interval_low", "The lower end of its interval, with a confidence of 95 %").headed("from");
/// The upper end of the interval of an estimate.
pub const INTERVAL_HIGH: Column = Column::share("interval_high", "The upper end").headed("to");

/// What two documents have in common.
pub const REASON: Column = Column::text(
    "reason",
    "`identical` (the same text), `equal` (in all that is compared), or `near`; of an estimate below the threshold \
     whose interval reaches it `uncertain`",
);
/// The file of the earlier document of a pair.
pub const A_SOURCE: Column = Column::text("a_source", "The file of a");
/// The file of the later document of a pair.
pub const B_SOURCE: Column = Column::text("b_source", "The file of b");
/// The file of a document.
pub const SOURCE: Column = Column::text("source", "Its file");
/// The file of a keeper.
pub const KEPT_SOURCE: Column = Column::text("kept_source", "The file of its keeper");

/// Number of a cluster.
pub const CLUSTER: Column = Column::count("cluster", "Number of the cluster, from 0");
/// Number of a group of copies.
pub const GROUP: Column = Column::count("group", "Number of the group, from 0, in input order of the first members");
/// The content in which copies are equal.
pub const EQUAL: Column = Column::text("equal", "The content in which the members are equal: `bytes` or `text`");
/// Checksum of what is equal.
pub const CHECKSUM: Column = Column::text("checksum", "Checksum of that content, in hexadecimal");
/// Rank of an answer.
pub const RANK: Column = Column::count("rank", "Its rank among the answers, from 1");
/// Fields of an index.
pub const FIELDS: Column = Column::new("fields", ColumnKind::Json, "What the index stores of its fields");
/// A fingerprint; its length follows from the number of its bits.
pub const SIMHASH: Column = Column::new("simhash", ColumnKind::Bytes(8), "Its bits in hexadecimal digits").or_null();

/// Whether a record is a duplicate.
pub const DUPLICATE: Column = Column::new("duplicate", ColumnKind::Flag, "Whether it is a duplicate of its keeper");
/// Size of a family.
pub const CLUSTER_SIZE: Column =
    Column::new("cluster_size", ColumnKind::Count32, "Number of records with this keeper, the keeper included");
/// Places of cuts.
pub const CUT: Column = Column::text("cut", "Bytes of the text that are to be cut out: `0-120 300-410`");
/// Tokens in cuts.
pub const CUT_TOKENS: Column = Column::count("cut_tokens", "Number of tokens in the cuts");
/// Tokens of a text.
pub const TEXT_TOKENS: Column = Column::count("tokens", "Number of tokens of the text");

/// Share of a document that stands in sources.
pub const SHARE_IN_ALL: Column = Column::share("share_in_all", "The share of its tokens that stand in any source");
/// Rank of a source.
pub const SOURCE_RANK: Column = Column::count("rank", "Rank of the source among those of the document").or_null();
/// Id of a source.
pub const SOURCE_ID: Column = Column::id("source", None, "Id of the source").or_null();
/// Share of a document that stands in a source.
pub const SHARE: Column = Column::share("share", "The share of the document's tokens that stand in this source");
/// Length of a run of tokens.
pub const TOKENS: Column = Column::count("tokens", "Its length in tokens");
/// First byte of a run of tokens.
pub const START: Column = Column::count("start", "Its first byte in the text");
/// End of a run of tokens.
pub const END: Column = Column::count("end", "Behind its last byte");
/// First line of a run of tokens.
pub const LINE: Column = Column::count("line", "Its first line, from 1");
/// Last line of a run of tokens.
pub const END_LINE: Column = Column::count("end_line", "Its last line");
/// First byte of a passage.
pub const PASSAGE_START: Column = START.or_null();
/// End of a passage.
pub const PASSAGE_END: Column = END.or_null();
/// First line of a passage.
pub const PASSAGE_LINE: Column = LINE.or_null();
/// Last line of a passage.
pub const PASSAGE_END_LINE: Column = END_LINE.or_null();
/// First byte of a passage in its source.
pub const SOURCE_START: Column = Column::count("source_start", "Its first byte in the source").or_null();
/// End of a passage in its source.
pub const SOURCE_END: Column = Column::count("source_end", "Behind its last byte in the source").or_null();
/// First line of a passage in its source.
pub const SOURCE_LINE: Column = Column::count("source_line", "Its first line in the source").or_null();
/// Last line of a passage in its source.
pub const SOURCE_END_LINE: Column = Column::count("source_end_line", "Its last line in the source").or_null();
/// Id of the document where a run stays.
pub const KEPT_IN: Column = Column::id("kept", None, "Id of the document where it stood first").or_null();
/// First byte of a run where it stays.
pub const KEPT_START: Column = Column::count("kept_start", "Its first byte where it stays").or_null();
/// End of a run where it stays.
pub const KEPT_END: Column = Column::count("kept_end", "Behind its last byte there").or_null();
/// First line of a run where it stays.
pub const KEPT_LINE: Column = Column::count("kept_line", "Its first line there").or_null();
/// Last line of a run where it stays.
pub const KEPT_END_LINE: Column = Column::count("kept_end_line", "Its last line there").or_null();
/// Whether a document goes as a whole.
pub const DOCUMENT_REMOVED: Column = Column::new(
    "document_removed",
    ColumnKind::Flag,
    "Whether the document goes as a whole, because too little is left of it",
);
