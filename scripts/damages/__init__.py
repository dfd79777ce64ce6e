"""Kinds of damage to a picture of a board, for `scripts/damage.py`.

Each kind is a function that changes a `Scratch` (scratch.py); its docstring says what is drawn."""

from . import covers, files, marks, pieces, whole
from .scratch import Kind, Scratch, Skip, Subject

MODULES = (pieces, covers, marks, whole, files)
KINDS: dict[str, Kind] = {kind.name: kind for module in MODULES for kind in module.KINDS}

__all__ = ["KINDS", "Kind", "Scratch", "Skip", "Subject"]
