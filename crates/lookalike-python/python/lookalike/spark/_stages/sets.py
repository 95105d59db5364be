"""Lists of numbers as Spark carries them: one binary value each, the numbers one after another.

An array of Spark costs work for each element in every exchange, file and conversion; a binary value is copied as a
whole. To Arrow both are the same buffers, so nothing is copied here.
"""

from __future__ import annotations

from typing import Any

import pyarrow
import pyarrow.compute as pc

_OFFSETS = pyarrow.int32()


def packed(lists: Any) -> Any:
    """Lists of integers of fixed width as binary values.

    Args:
        lists: A ``pyarrow.ListArray`` of int64, or of another type of whole bytes.

    Returns:
        A ``pyarrow.BinaryArray`` of as many rows; null where a row is.
    """
    lists = _whole(lists)
    values = lists.values
    width = values.type.bit_width // 8
    offsets = pc.multiply_checked(_offsets(lists, lists.buffers()[1]), pyarrow.scalar(width, _OFFSETS))
    data = values.buffers()[1].slice(values.offset * width) if len(values) else pyarrow.py_buffer(b"")
    buffers = [lists.buffers()[0], offsets.buffers()[1], data]
    return pyarrow.Array.from_buffers(pyarrow.binary(), len(lists), buffers, null_count=lists.null_count)


def packed_field(lists: Any, field: str) -> Any:
    """A field of lists of structs as binary values, null where a list is.

    Args:
        lists: A ``pyarrow.ListArray`` of structs, no slice of a longer one.
        field: Name of a field of integers of fixed width.
    """
    values = pc.struct_field(lists.values, field)
    mask = pc.is_null(lists) if lists.null_count else None
    return packed(pyarrow.ListArray.from_arrays(lists.offsets, values, mask=mask))


def unpacked(values: Any, numbers: Any = None) -> Any:
    """Binary values as the lists that :func:`packed` was given: of int64, unless ``numbers`` is another type."""
    values = _whole(values.cast(pyarrow.binary()))
    numbers = numbers or pyarrow.int64()
    width = numbers.bit_width // 8
    validity, offsets, data = values.buffers()
    offsets = pc.divide(_offsets(values, offsets), pyarrow.scalar(width, _OFFSETS))
    buffers = [None, data if data is not None else pyarrow.py_buffer(b"")]
    return pyarrow.Array.from_buffers(
        pyarrow.list_(numbers),
        len(values),
        [validity, offsets.buffers()[1]],
        null_count=values.null_count,
        children=[pyarrow.Array.from_buffers(numbers, buffers[1].size // width, buffers)],
    )


def _whole(array: Any) -> Any:
    """The array, copied if it is a slice of a longer one, whose bits of validity begin amid a byte."""
    return pyarrow.concat_arrays([array.slice(0, 0), array]) if array.offset else array


def _offsets(array: Any, buffer: Any) -> Any:
    count = len(array) + 1 if len(array) else 0
    if count == 0:
        return pyarrow.array([0], _OFFSETS)
    return pyarrow.Array.from_buffers(_OFFSETS, count, [None, buffer])
