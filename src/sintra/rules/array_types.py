"""The types of the arrays that entries take: `Int16s` is an array of 16-bit integers, `Int16s2D` one with two axes.

Type checkers see arrays and no more. The builder (`sintra.build`) reads the types of an entry's arguments from its
annotations; arrays of records have such a type beside their dtype, like `States` beside `STATE`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, TypeAlias

import numpy as np


@dataclass(frozen=True, slots=True)
class Elements:
    """What an array holds, and how many axes it has; it lies in memory as C arrays do, row by row."""

    dtype: Any
    ndim: int = 1


Bools: TypeAlias = Annotated[np.ndarray, Elements(np.bool_)]
Bools2D: TypeAlias = Annotated[np.ndarray, Elements(np.bool_, 2)]
Bytes: TypeAlias = Annotated[np.ndarray, Elements(np.uint8)]
Bytes2D: TypeAlias = Annotated[np.ndarray, Elements(np.uint8, 2)]
Int8s: TypeAlias = Annotated[np.ndarray, Elements(np.int8)]
Int8s2D: TypeAlias = Annotated[np.ndarray, Elements(np.int8, 2)]
Int8s3D: TypeAlias = Annotated[np.ndarray, Elements(np.int8, 3)]
Int8s4D: TypeAlias = Annotated[np.ndarray, Elements(np.int8, 4)]
Int16s: TypeAlias = Annotated[np.ndarray, Elements(np.int16)]
Int16s2D: TypeAlias = Annotated[np.ndarray, Elements(np.int16, 2)]
Int32s: TypeAlias = Annotated[np.ndarray, Elements(np.int32)]
Uint32s2D: TypeAlias = Annotated[np.ndarray, Elements(np.uint32, 2)]
Int64s: TypeAlias = Annotated[np.ndarray, Elements(np.int64)]
Int64s2D: TypeAlias = Annotated[np.ndarray, Elements(np.int64, 2)]
Int64s3D: TypeAlias = Annotated[np.ndarray, Elements(np.int64, 3)]
Float32s: TypeAlias = Annotated[np.ndarray, Elements(np.float32)]
Floats: TypeAlias = Annotated[np.ndarray, Elements(np.float64)]
Floats2D: TypeAlias = Annotated[np.ndarray, Elements(np.float64, 2)]
Floats3D: TypeAlias = Annotated[np.ndarray, Elements(np.float64, 3)]
