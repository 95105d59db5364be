"""The documents of a job: their sets, their order, and which of them are copies of others."""

from __future__ import annotations

import hashlib
import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pyarrow
import pyarrow.compute as pc
from pyspark.errors import AnalysisException
from pyspark.sql import functions as F
from pyspark.sql.types import IntegralType, StringType, StructType

from ... import batch
from .._checkpoints import Checkpoints, count_rows
from .._search import MINHASH, Search
from .sets import packed, packed_field
from .shared import shared_entries
from .verify import Sets, if_few

#: How many repeated ids a message names.
_NAMED_IDS = 10
#: Two documents that agree in these are copies: in the digest of 256 bits of the set, or of the text of an empty one.
_CONTENT = ("size", "digest")


@dataclass(frozen=True)
class Input:
    """A DataFrame of documents, and the columns that matter."""

    frame: Any
    text: str
    id: str
    #: The order of the documents: columns and whether each descends. Ties go by the bytes of the id.
    order: tuple[tuple[Any, bool], ...] = ()

    def check(self) -> None:
        """Raises:
        KeyError: A column is missing.
        TypeError: A column has a type that is not taken.
        """
        types = {field.name: field.dataType for field in self.frame.schema.fields}
        for name in (self.text, self.id):
            if name not in types:
                raise KeyError(f"no column `{name}`; the columns are {', '.join(f'`{column}`' for column in types)}")
        if not isinstance(types[self.text], StringType):
            raise TypeError(f"column `{self.text}`: expected strings, found {types[self.text].simpleString()}")
        if not isinstance(types[self.id], (StringType, IntegralType)):
            found = types[self.id].simpleString()
            raise TypeError(f"column `{self.id}`: expected strings or integers, found {found}")
        for by, _ in self.order:
            if re.search(r" (ASC|DESC) NULLS (FIRST|LAST)'>$", repr(by)):
                raise TypeError(f"order_by: {by!r} is an order already; say descending= for the column itself")
        try:
            # The engine resolves the names and types of the order here, not amid the job.
            _ = _ordered(self.columns(), self).schema
        except AnalysisException as error:
            raise ValueError(str(error).splitlines()[0]) from None

    def columns(self) -> Any:
        """``id``, ``text``, ``by_0`` and so on of each row."""
        by = (column(by) if isinstance(by, str) else by for by, _ in self.order)
        orders = [expression.alias(f"by_{at}") for at, expression in enumerate(by)]
        return self.frame.select(self.id_column().alias("id"), column(self.text).cast("string").alias("text"), *orders)

    def id_column(self) -> Any:
        """The ids, compared by their bytes also where the column has a collation."""
        is_string = isinstance(self.frame.schema[self.id].dataType, StringType)
        return column(self.id).cast("string") if is_string else column(self.id)

    def counted(self) -> dict[str, Any]:
        """What tells whether it is the input that the checkpoints were made of."""
        [found] = self.columns().agg(*_content(F.xxhash64(*self.columns().columns))).collect()
        return {"rows": found["rows"], "content": str(found["content"])}


def column(name: str) -> Any:
    """A column by its name as it stands: dots do not part it."""
    quoted = name.replace("`", "``")
    return F.col(f"`{quoted}`")


def _content(hash: Any) -> list[Any]:
    return [F.count(F.lit(1)).alias("rows"), F.sum(hash.cast("decimal(38)")).alias("content")]


def _ordered(rows: Any, source: Input) -> Any:
    """Rows with the columns ``by_0`` and so on in the order of the job."""
    order = [F.desc(f"by_{at}") if descends else F.asc(f"by_{at}") for at, (_, descends) in enumerate(source.order)]
    return rows.orderBy(*order, F.col("id").cast("string"))


@dataclass(frozen=True)
class Corpus:
    """The documents of a job, numbered by their order: a document is its number from here on."""

    #: ``document``, ``row`` (of :attr:`sets`), ``id``, ``size`` (elements), ``text_hash``, ``keys`` (packed; null if
    #: the method needs all sets for them).
    documents: Any
    #: ``document``, ``first``: documents with the set of an earlier one, the first of these.
    copies: Any
    #: ``id``, ``reason``: rows of the input that are no documents.
    left_out: Any
    sets: Sets
    #: Number of elements over all sets.
    elements: int
    #: Number of documents.
    count: int

    def distinct(self, *columns: str) -> Any:
        """``document``, ``row``, ``size`` and others of the columns: one document of each set that has elements."""
        rows = self.documents.where("size > 0").select("document", "row", "size", *columns)
        return rows.join(self.copies.select("document"), "document", "left_anti")


def read(source: Input, search: Search, checkpoints: Checkpoints, name: str = "documents", first: int = 0) -> Corpus:
    """Makes the sets of all documents, numbers them from ``first`` and finds the copies.

    Raises:
        ValueError: Ids occur more than once.
    """
    features = checkpoints.stage(f"{name}/sets", _features(source, search, first), _count_features)
    is_document = F.col("id").isNotNull() & F.col("size").isNotNull()
    numbered = checkpoints.stage(f"{name}/order", _numbered(features.where(is_document), source, first))
    facts = checkpoints.facts(f"{name}/sets")
    mean_bytes = 8 * facts["elements"] / max(1, facts["documents"])
    sets = Sets(features.select("row", "elements"), numbered.select("document", "row"), mean_bytes)
    repeated = checkpoints.stage(f"{name}/repeated", _repetitions(numbered, facts["documents"]), count_rows)
    repeated = if_few(repeated, checkpoints.facts(f"{name}/repeated")["rows"])
    some = numbered.join(repeated, "document", "left_semi")
    _refuse_repeated_ids(some)
    copies = checkpoints.stage(f"{name}/copies", _copies(some, search), count_rows)
    reason = F.when(F.col("id").isNull(), "the id is null").otherwise("the text is null")
    left_out = features.where(~is_document).select("id", reason.alias("reason"))
    return Corpus(numbered, copies, left_out, sets, facts["elements"], facts["documents"])


def union(references: Corpus, documents: Corpus) -> Corpus:
    """The documents of both, which have no number in common."""
    return Corpus(
        references.documents.unionAll(documents.documents),
        references.copies.unionAll(documents.copies),
        references.left_out.unionAll(documents.left_out),
        Sets(
            references.sets.elements.unionAll(documents.sets.elements),
            references.sets.rows.unionAll(documents.sets.rows),
            max(references.sets.mean_bytes, documents.sets.mean_bytes),
        ),
        references.elements + documents.elements,
        references.count + documents.count,
    )


def _count_features(rows: Any) -> dict[str, Any]:
    """What the report says of the input."""
    null_id, null_text = F.col("id").isNull(), F.col("size").isNull()
    [found] = rows.agg(
        *_content(F.col("content")),
        F.count_if(~null_id & ~null_text).alias("documents"),
        F.count_if(null_id).alias("null_ids"),
        F.count_if(~null_id & null_text).alias("null_texts"),
        F.coalesce(F.sum("size"), F.lit(0)).alias("elements"),
        F.coalesce(F.sum("text_bytes"), F.lit(0)).alias("text_bytes"),
    ).collect()
    return {**found.asDict(), "content": str(found["content"])}


def _features(source: Input, search: Search, first: int) -> Any:
    rows = source.columns()
    text = F.col("text")
    made = {
        "row": F.monotonically_increasing_id() + F.lit(first),
        "content": F.xxhash64(*rows.columns),
        "text_bytes": F.octet_length(text).cast("long"),
        "text_hash": F.unhex(F.sha2(text.cast("binary"), 256)),
    }
    rows = rows.withColumns(made)
    passed = [field for field in rows.schema.fields if field.name != "text"]
    schema = StructType(passed).add("elements", "binary").add("size", "integer")
    schema = schema.add("digest", "binary").add("keys", "binary")

    def add_sets(batches: Iterator[Any]) -> Iterator[Any]:
        for documents in batches:
            yield with_sets(documents, search)

    return rows.mapInArrow(add_sets, schema)


def with_sets(rows: Any, search: Search) -> Any:
    """A record batch with what is made of its column ``text`` in place of the texts: ``elements`` (packed), ``size``,
    ``digest`` (of the set, or of a text without elements), and ``keys`` (packed) where a set alone decides them."""
    made = batch.features(rows["text"], signed=True, **search.features)["elements"].to_arrow()
    elements = packed(made)
    columns = {name: rows[name] for name in rows.schema.names if name != "text"}
    size = pc.list_value_length(made).cast(pyarrow.int32())
    keys = _keys_of(made, search) if search.method == MINHASH else pyarrow.nulls(len(rows), pyarrow.binary())
    digest = pc.if_else(pc.equal(size, 0), rows["text_hash"], _digests(elements))
    return pyarrow.record_batch({**columns, "elements": elements, "size": size, "digest": digest, "keys": keys})


def _keys_of(sets: Any, search: Search) -> Any:
    """The keys of sets whose method has no positions, packed."""
    made = batch.blocking_keys(sets, search.threshold, method=search.method, signed=True, **search.keys).to_arrow()
    return packed_field(made, "blocking_key")


def _digests(elements: Any) -> Any:
    """The SHA-256 of each packed set: documents with equal digests have equal sets, whoever has written them."""
    _, offsets, data = elements.buffers()
    ends = pyarrow.Array.from_buffers(pyarrow.int32(), len(elements) + 1, [None, offsets]).to_pylist()
    bytes_of, sha256 = memoryview(data), hashlib.sha256
    digests = [sha256(bytes_of[begin:end]).digest() for begin, end in itertools.pairwise(ends)]
    return pyarrow.array(digests, pyarrow.binary())


def _numbered(documents: Any, source: Input, first: int) -> Any:
    names = ["row", "id", "size", "text_bytes", "text_hash", "digest", "keys"]
    by = [f"by_{at}" for at, _ in enumerate(source.order)]
    # A sort cuts the rows into ranges: numbers that ascend within a range and from range to range ascend with all.
    ordered = _ordered(documents.select(*names, *by), source)
    return ordered.select((F.monotonically_increasing_id() + F.lit(first)).alias("document"), *names)


def _repetitions(documents: Any, count: int) -> Any:
    """The documents whose id or content another one may have: ``document``.

    Only hashes are compared here, which takes all the others out of what follows.
    """
    hashes = {"id": F.xxhash64("id", F.lit(0)), "content": F.xxhash64(*_CONTENT)}
    rows = documents.select("document", *(hash.alias(name) for name, hash in hashes.items()))
    return shared_entries(rows, _hash_columns, len(hashes) * count).select("document").distinct()


def _hash_columns(documents: Any) -> tuple[Any, Any, Any, Any]:
    keys = pyarrow.chunked_array([*documents["id"].chunks, *documents["content"].chunks])
    twice = pyarrow.chunked_array(documents["document"].chunks * 2)
    nothing = pyarrow.repeat(pyarrow.scalar(0, pyarrow.int32()), len(keys))
    return keys, twice, nothing, nothing


def _refuse_repeated_ids(documents: Any) -> None:
    repeated = documents.groupBy("id").count().where("count > 1")
    named = repeated.orderBy(F.col("id").cast("string")).limit(_NAMED_IDS).collect()
    if named:
        count = repeated.count()
        names = ", ".join(f"`{row['id']}` ({row['count']} rows)" for row in named)
        more = f", and {count - len(named):,} more" if count > len(named) else ""
        raise ValueError(
            f"{count:,} ids occur more than once, so that a decision about an id would be one about several documents: "
            f"{names}{more}"
        )


def _copies(documents: Any, search: Search) -> Any:
    """Documents whose set, or whose text if it has no elements, is that of an earlier one: ``document``, ``first``."""
    if search.empty == "keep":
        documents = documents.where("size > 0 or text_bytes > 0")
    firsts = documents.groupBy(*_CONTENT).agg(F.min("document").alias("first"), F.count(F.lit(1)).alias("count"))
    firsts = firsts.where("count > 1").select(*_CONTENT, "first")
    return documents.join(firsts, list(_CONTENT)).where("first < document").select("document", "first")
