"""Proves that frames carry numbers and words unchanged, and nothing else."""

from __future__ import annotations

import io

import numpy as np
import pytest

from formulations.workers.frames import Frame, read_frame, write_frame


def test_a_frame_survives_the_wire() -> None:
    """Fields and arrays of each type and shape come back as they were."""
    arrays = {"f": np.array([[1.5, -np.inf]]), "i": np.arange(3), "b": np.array([True]), "none": np.zeros((0, 2))}
    stream = io.BytesIO()
    write_frame(stream, Frame({"x": None, "text": "é\n"}, arrays))
    stream.seek(0)
    fields, read = read_frame(stream)
    assert fields == {"x": None, "text": "é\n"}
    for name, array in arrays.items():
        np.testing.assert_array_equal(read[name], array)


def test_a_frame_cut_short_or_of_objects_is_refused() -> None:
    """A dead worker reads as the end of the stream, and only numbers cross the pipe."""
    stream = io.BytesIO()
    write_frame(stream, Frame({"x": 1}))
    with pytest.raises(EOFError):
        read_frame(io.BytesIO(stream.getvalue()[:-1]))
    bad = io.BytesIO()
    write_frame(bad, Frame({}, {"text": np.array(["a"])}))
    bad.seek(0)
    with pytest.raises(ValueError, match="may not hold"):
        read_frame(bad)
