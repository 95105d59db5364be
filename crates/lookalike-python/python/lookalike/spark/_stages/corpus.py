"""The documents of a job: their sets, their order, and which of them are copies of others."""

from __future__ import annotations

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
from .._checkpoints import Checkpoints
from .._search import Search
from .sets import packed
from .verify import Sets, verified

#: How many repeated ids a message names.
_NAMED_IDS = 10


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

    #: ``document``, ``row`` (of :attr:`sets`), ``id``, ``size`` (elements), ``text_hash``.
    documents: Any
    #: ``document``, ``first``: documents with the set of an earlier one, the first of these.
    copies: Any
    #: ``document``, ``row``, ``size``: one document of each set that has elements.
    distinct: Any
    #: ``id``, ``reason``: rows of the input that are no documents.
    left_out: Any
    sets: Sets
    #: Number of elements over all sets.
    elements: int


def read(source: Input, search: Search, checkpoints: Checkpoints, name: str = "documents", first: int = 0) -> Corpus:
    """Makes the sets of all documents, numbers them from ``first`` and finds the copies.

    Raises:
        ValueError: Ids occur more than once.
    """
    features = checkpoints.stage(f"{name}/sets", _features(source, search, first), _count_features)
    is_document = F.col("id").isNotNull() & F.col("size").isNotNull()
    numbered = checkpoints.stage(f"{name}/order", _numbered(features.where(is_document), source, first))
    _refuse_repeated_ids(numbered)
    facts = checkpoints.facts(f"{name}/sets")
    mean_bytes = 8 * facts["elements"] / max(1, facts["documents"])
    sets = Sets(features.select("row", "elements"), numbered.select("document", "row"), mean_bytes)
    likely = checkpoints.stage(f"{name}/equal-hashes", _equal_hashes(numbered, search), _count)
    count = checkpoints.facts(f"{name}/equal-hashes")["rows"]
    copies = checkpoints.stage(f"{name}/copies", _copies(likely, sets, count), _count)
    with_elements = numbered.where("size > 0").select("document", "row", "size")
    distinct = with_elements.join(copies.select("document"), "document", "left_anti")
    distinct = checkpoints.stage(f"{name}/distinct", distinct, _count)
    reason = F.when(F.col("id").isNull(), "the id is null").otherwise("the text is null")
    left_out = features.where(~is_document).select("id", reason.alias("reason"))
    return Corpus(numbered, copies, distinct, left_out, sets, facts["elements"])


def union(references: Corpus, documents: Corpus) -> Corpus:
    """The documents of both, which have no number in common."""
    return Corpus(
        references.documents.unionAll(documents.documents),
        references.copies.unionAll(documents.copies),
        references.distinct.unionAll(documents.distinct),
        references.left_out.unionAll(documents.left_out),
        Sets(
            references.sets.elements.unionAll(documents.sets.elements),
            references.sets.rows.unionAll(documents.sets.rows),
            max(references.sets.mean_bytes, documents.sets.mean_bytes),
        ),
        references.elements + documents.elements,
    )


def _count(rows: Any) -> dict[str, Any]:
    return {"rows": rows.count()}


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
    schema = StructType(passed).add("elements", "binary").add("size", "integer").add("set_hash", "long")
    options = search.features

    def add_sets(batches: Iterator[Any]) -> Iterator[Any]:
        for part in batches:
            yield with_sets(part, options)

    return rows.mapInArrow(add_sets, schema)


def with_sets(part: Any, options: dict[str, Any]) -> Any:
    """A record batch with the sets of its column ``text`` in place of the texts."""
    made = batch.features(part["text"], signed=True, **options)
    elements = made["elements"].to_arrow()
    columns = {name: part[name] for name in part.schema.names if name != "text"}
    size = pc.list_value_length(elements).cast(pyarrow.int32())
    return pyarrow.record_batch({**columns, "elements": packed(elements), "size": size, "set_hash": made["set_hash"]})


def _numbered(documents: Any, source: Input, first: int) -> Any:
    names = ["row", "id", "size", "set_hash", "text_hash", "text_bytes"]
    by = [f"by_{at}" for at, _ in enumerate(source.order)]
    # A sort cuts the rows into ranges: numbers that ascend within a range and from range to range ascend with all.
    ordered = _ordered(documents.select(*names, *by), source)
    return ordered.select((F.monotonically_increasing_id() + F.lit(first)).alias("document"), *names)


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


def _equal_hashes(documents: Any, search: Search) -> Any:
    """Documents whose set, or whose text if it has no elements, has the hash of an earlier one: ``document``,
    ``first``, ``size``."""
    of_text = F.when(F.col("text_bytes") > 0, F.base64("text_hash"))
    if search.empty == "duplicate":
        of_text = F.base64("text_hash")
    group = F.when(F.col("size") > 0, F.col("set_hash").cast("string")).otherwise(of_text)
    keyed = documents.select("document", "size", group.alias("group")).where("group is not null")
    firsts = keyed.groupBy("group").agg(F.min("document").alias("first"), F.count(F.lit(1)).alias("count"))
    firsts = firsts.where("count > 1").select("group", "first")
    return keyed.join(firsts, "group").where("first < document").select("document", "first", "size")


def _copies(likely: Any, sets: Sets, count: int) -> Any:
    """Those whose set is proved to be equal. The hash of a text without elements, of 256 bits, is its proof."""
    pairs = likely.where("size > 0").select(F.col("first").alias("a"), F.col("document").alias("b"))
    equal = verified(pairs, sets, "1", count).select(F.col("b").alias("document"), F.col("a").alias("first"))
    return equal.unionAll(likely.where("size = 0").select("document", "first"))
