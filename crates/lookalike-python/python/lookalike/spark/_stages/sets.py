"""Element sets as Spark carries them: one binary value each, the 64-bit elements one after another.

An array of Spark costs work for each element in every exchange, file and conversion; a binary value is copied as a
whole. To Arrow both are the same buffers, so nothing is copied here.
"""

from __future__ import annotations

from typing import Any

import pyarrow
import pyarrow.compute as pc

_ELEMENT_BYTES = 8
_OFFSETS = pyarrow.int32()


def packed(sets: Any) -> Any:
    """Lists of 64-bit integers as binary values.

    Args:
        sets: A ``pyarrow.ListArray`` of int64.

    Returns:
        A ``pyarrow.BinaryArray`` of as many rows; null where a row is.
    """
    sets = _whole(sets)
    offsets = pc.multiply_checked(_offsets(sets, sets.buffers()[1]), pyarrow.scalar(_ELEMENT_BYTES, _OFFSETS))
    values = sets.values
    data = values.buffers()[1].slice(values.offset * _ELEMENT_BYTES) if len(values) else pyarrow.py_buffer(b"")
    buffers = [sets.buffers()[0], offsets.buffers()[1], data]
    return pyarrow.Array.from_buffers(pyarrow.binary(), len(sets), buffers, null_count=sets.null_count)


def unpacked(values: Any) -> Any:
    """Binary values as the lists of int64 that :func:`packed` was given."""
    values = _whole(values.cast(pyarrow.binary()))
    validity, offsets, data = values.buffers()
    offsets = pc.divide(_offsets(values, offsets), pyarrow.scalar(_ELEMENT_BYTES, _OFFSETS))
    numbers = [None, data if data is not None else pyarrow.py_buffer(b"")]
    elements = pyarrow.Array.from_buffers(pyarrow.int64(), numbers[1].size // _ELEMENT_BYTES, numbers)
    return pyarrow.Array.from_buffers(
        pyarrow.list_(pyarrow.int64()),
        len(values),
        [validity, offsets.buffers()[1]],
        null_count=values.null_count,
        children=[elements],
    )


def _whole(array: Any) -> Any:
    """The array, copied if it is a slice of a longer one, whose bits of validity begin amid a byte."""
    return pyarrow.concat_arrays([array.slice(0, 0), array]) if array.offset else array


def _offsets(array: Any, buffer: Any) -> Any:
    count = len(array) + 1 if len(array) else 0
    if count == 0:
        return pyarrow.array([0], _OFFSETS)
    return pyarrow.Array.from_buffers(_OFFSETS, count, [None, buffer])
