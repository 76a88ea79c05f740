"""The types of the arrays that entries take: `Int16s` is an array of 16-bit integers, `Int16s2D` one with two axes.

Type checkers see arrays and no more. The builder (`sintra.build`) reads the types of an entry's arguments from its
annotations; arrays of records have such a type beside their dtype, like `States` beside `STATE`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, TypeAlias


@dataclass(frozen=True, slots=True)
class Elements:
    """What an array holds, and how many axes it has; it lies in memory as C arrays do, row by row."""

    kind: Any
    ndim: int = 1


Bools: TypeAlias = Annotated[Any, Elements("b1")]
Bools2D: TypeAlias = Annotated[Any, Elements("b1", 2)]
Bytes: TypeAlias = Annotated[Any, Elements("u1")]
Bytes2D: TypeAlias = Annotated[Any, Elements("u1", 2)]
Int8s: TypeAlias = Annotated[Any, Elements("i1")]
Int8s2D: TypeAlias = Annotated[Any, Elements("i1", 2)]
Int8s3D: TypeAlias = Annotated[Any, Elements("i1", 3)]
Int8s4D: TypeAlias = Annotated[Any, Elements("i1", 4)]
Int16s: TypeAlias = Annotated[Any, Elements("i2")]
Int16s2D: TypeAlias = Annotated[Any, Elements("i2", 2)]
Int32s: TypeAlias = Annotated[Any, Elements("i4")]
Uint32s2D: TypeAlias = Annotated[Any, Elements("u4", 2)]
Int64s: TypeAlias = Annotated[Any, Elements("i8")]
Int64s2D: TypeAlias = Annotated[Any, Elements("i8", 2)]
Int64s3D: TypeAlias = Annotated[Any, Elements("i8", 3)]
Float32s: TypeAlias = Annotated[Any, Elements("f4")]
Floats: TypeAlias = Annotated[Any, Elements("f8")]
Floats2D: TypeAlias = Annotated[Any, Elements("f8", 2)]
Floats3D: TypeAlias = Annotated[Any, Elements("f8", 3)]
