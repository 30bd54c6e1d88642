"""ONNX files of our own making are read by onnxruntime, and by ourselves."""

from __future__ import annotations

import numpy as np
import pytest

from jar.errors import EmbedderError
from jar.minilm.onnx_file import INSIDE, GraphWriter, read_constants


def test_onnxruntime_reads_what_is_written() -> None:
    """Constants inside and outside, inputs of unknown size, attributes of both kinds, negative ones too."""
    runtime = pytest.importorskip("onnxruntime", reason="onnxruntime is an extra")
    graph = GraphWriter()
    small, large = np.arange(3, dtype=np.float32), np.ones((3, INSIDE // 8), dtype=np.float32)
    total = graph.node("Add", "x", graph.constant(small))
    soft = graph.node("Softmax", graph.node("LeakyRelu", total, alpha=0.5), axis=-1)
    product = graph.node("MatMul", soft, graph.constant(large))
    content = graph.file({"x": (np.float32, ("rows", 3))}, [soft, product])
    assert len(content) < 1000
    assert list(graph.outside) == ["constant1"]
    options = runtime.SessionOptions()
    values = [runtime.OrtValue.ortvalue_from_numpy(array) for array in graph.outside.values()]
    options.add_external_initializers(list(graph.outside), values)
    session = runtime.InferenceSession(content, options, providers=["CPUExecutionProvider"])
    x = np.array([[-3, 1, 2], [0, 0, -8]], dtype=np.float32)
    leaky = np.where(x + small < 0, 0.5 * (x + small), x + small)
    wanted = np.exp(leaky) / np.exp(leaky).sum(axis=1, keepdims=True)
    softened, multiplied = session.run(None, {"x": x})
    np.testing.assert_allclose(softened, wanted, atol=1e-6)
    np.testing.assert_allclose(multiplied, wanted @ large, atol=1e-5)


def test_constants_are_read_back() -> None:
    """Every element type, shapes of any rank, sizes beyond one byte."""
    graph = GraphWriter()
    arrays = [
        np.arange(600, dtype=kind).reshape(2, 1, 300) % 100
        for kind in (np.float32, np.uint8, np.int8, np.int32, np.int64)
    ] + [np.float32(0.25)]
    names = [graph.constant(array) for array in arrays]
    constants = read_constants(graph.file({}, []))
    assert list(constants) == names
    for name, array in zip(names, arrays, strict=True):
        np.testing.assert_array_equal(constants[name], array)
        assert constants[name].dtype == np.asarray(array).dtype


@pytest.mark.parametrize("content", [b"\xff" * 20, b"\x3a\x50ab", b"\x3b", b"\x3a\x05\x2a\x03\x08\x80"], ids=repr)
def test_what_is_no_onnx_file_is_refused(content: bytes) -> None:
    """Bytes that end too early or have no known form."""
    with pytest.raises(EmbedderError, match="no ONNX file"):
        read_constants(content)
