"""Functions with a plain interface around compiled ones: numbers and pointers, as C and JavaScript call them.

An array becomes a pointer and its shape, a named tuple its fields one after the other. What is returned is one number,
or is written to where one more pointer points.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import numba
from llvmlite import ir
from numba.np.arrayobj import populate_array

from sintra.build.signatures import Leaf, returned

types: Final = numba.types
_I32 = ir.IntType(32)
_I64 = ir.IntType(64)
_BYTES = ir.IntType(8).as_pointer()


def parts_of(leaf: Leaf) -> list[str]:
    """What is handed over for a number or an array: `pointer`, `size`, `int`, `bool`, `float`."""
    return ["pointer"] + ["size"] * leaf.ndim if leaf.kind == "array" else [leaf.kind]


def export_of(context: Any, symbol: str, compiled: Any, leaves: tuple[Leaf, ...]) -> tuple[str, str]:
    """The text of a module with the function `symbol` around a compiled one, and what it returns. Compiled code raises
    nothing but a lack of memory, which ends the process."""
    size = ir.IntType(context.codegen().target.pointer_bits)
    kinds = {"pointer": _BYTES, "size": size, "int": _I64, "bool": _I32, "float": ir.DoubleType()}
    inner = compiled.fndesc
    result = returned(inner.restype)
    results = {"none": ir.VoidType(), "int": _I64, "bool": _I32, "float": ir.DoubleType()}
    parameters = [kinds[part] for leaf in leaves for part in parts_of(leaf)]
    if result not in results:
        parameters.append(_BYTES)
    module = context.codegen()._create_empty_module(f"export_{symbol}")
    function = ir.Function(module, ir.FunctionType(results.get(result, ir.VoidType()), parameters), symbol)
    function.attributes.add("noinline")
    builder = ir.IRBuilder(function.append_basic_block())
    given = iter(function.args)
    arguments = [_value(context, builder, kind, given) for kind in inner.argtypes]
    callee = context.declare_function(module, inner)
    status, value = context.call_conv.call_function(builder, callee, inner.restype, inner.argtypes, arguments)
    with builder.if_then(status.is_error, likely=False):
        builder.call(module.declare_intrinsic("llvm.trap", (), ir.FunctionType(ir.VoidType(), ())), ())
    _return(context, builder, inner.restype, result, value, given)
    return str(module), result


def _value(context: Any, builder: Any, kind: Any, given: Iterator[Any]) -> Any:
    """A value of a Numba type from what is handed over."""
    if isinstance(kind, types.Array):
        array = context.make_array(kind)(context, builder)
        data = next(given)
        shape = [_widened(builder, next(given)) for _ in range(kind.ndim)]
        size = context.get_constant(types.intp, context.get_abi_sizeof(context.get_data_type(kind.dtype)))
        strides: list[Any] = []
        step = size
        for length in reversed(shape):
            strides.insert(0, step)
            step = builder.mul(step, length)
        populate_array(
            array,
            data=builder.bitcast(data, array.data.type),
            shape=shape,
            strides=strides,
            itemsize=size,
            meminfo=None,
        )
        return array._getvalue()
    if isinstance(kind, types.BaseTuple):
        return context.make_tuple(builder, kind, [_value(context, builder, one, given) for one in kind])
    if isinstance(kind, types.Boolean):
        return builder.icmp_signed("!=", next(given), ir.Constant(_I32, 0))
    return next(given)


def _widened(builder: Any, size: Any) -> Any:
    return size if size.type == _I64 else builder.zext(size, _I64)


def _return(context: Any, builder: Any, kind: Any, result: str, value: Any, given: Iterator[Any]) -> None:
    """Returns what a compiled function returned."""
    if result == "none":
        builder.ret_void()
    elif result == "bool":
        builder.ret(builder.zext(value, _I32))
    elif result in ("int", "float"):
        builder.ret(context.cast(builder, value, kind, types.int64 if result == "int" else types.float64))
    else:
        out = builder.bitcast(next(given), _I64.as_pointer())
        for k in range(kind.count):
            number = context.cast(builder, builder.extract_value(value, k), kind.dtype, types.int64)
            builder.store(number, builder.gep(out, [ir.Constant(_I32, k)]))
        builder.ret_void()
