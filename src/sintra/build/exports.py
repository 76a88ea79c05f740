"""Functions with a plain interface around compiled ones, as C and JavaScript call them.

Each takes one pointer, to a block of words of eight bytes: a number is one word; an array is its address and the length
of each axis; a named tuple is its fields one after the other. What is returned is one number, or is written to the
address in one more word. One pointer, because whoever calls by ctypes pays for each argument more than for all words.
"""

from __future__ import annotations

from typing import Any, Final

import numba
from llvmlite import ir
from numba.np.arrayobj import populate_array

from sintra.build.signatures import returned

types: Final = numba.types
_I32 = ir.IntType(32)
_I64 = ir.IntType(64)
_BYTES = ir.IntType(8).as_pointer()


class _Block:
    """Reads the words that an export is given, one after the other."""

    def __init__(self, builder: Any, block: Any) -> None:
        self._builder = builder
        self._words = builder.bitcast(block, _I64.as_pointer())
        self._read = 0

    def word(self) -> Any:
        """The next word; the block may lie anywhere in memory."""
        place = self._builder.gep(self._words, [ir.Constant(_I32, self._read)])
        self._read += 1
        return self._builder.load(place, align=1)

    def pointer(self, kind: Any) -> Any:
        """The next word, as a pointer to this."""
        return self._builder.inttoptr(self.word(), kind.as_pointer())


def export_of(context: Any, symbol: str, compiled: Any) -> tuple[str, str]:
    """The text of a module with the function `symbol` around a compiled one, and what it returns. Compiled code raises
    nothing but a lack of memory, which ends the process."""
    inner = compiled.fndesc
    result = returned(inner.restype)
    results = {"none": ir.VoidType(), "int": _I64, "bool": _I32, "float": ir.DoubleType()}
    module = context.codegen()._create_empty_module(f"export_{symbol}")
    function = ir.Function(module, ir.FunctionType(results.get(result, ir.VoidType()), [_BYTES]), symbol)
    function.attributes.add("noinline")
    builder = ir.IRBuilder(function.append_basic_block())
    block = _Block(builder, function.args[0])
    arguments = [_value(context, builder, kind, block) for kind in inner.argtypes]
    callee = context.declare_function(module, inner)
    status, value = context.call_conv.call_function(builder, callee, inner.restype, inner.argtypes, arguments)
    with builder.if_then(status.is_error, likely=False):
        builder.call(module.declare_intrinsic("llvm.trap", (), ir.FunctionType(ir.VoidType(), ())), ())
    _return(context, builder, inner.restype, result, value, block)
    return str(module), result


def _value(context: Any, builder: Any, kind: Any, block: _Block) -> Any:
    """A value of a Numba type from what is handed over."""
    if isinstance(kind, types.Array):
        array = context.make_array(kind)(context, builder)
        data = block.pointer(array.data.type.pointee)
        shape = [block.word() for _ in range(kind.ndim)]
        size = context.get_constant(types.intp, context.get_abi_sizeof(context.get_data_type(kind.dtype)))
        strides: list[Any] = []
        step = size
        for length in reversed(shape):
            strides.insert(0, step)
            step = builder.mul(step, length)
        populate_array(array, data=data, shape=shape, strides=strides, itemsize=size, meminfo=None)
        return array._getvalue()
    if isinstance(kind, types.BaseTuple):
        return context.make_tuple(builder, kind, [_value(context, builder, one, block) for one in kind])
    word = block.word()
    if isinstance(kind, types.Boolean):
        return builder.icmp_signed("!=", word, ir.Constant(_I64, 0))
    return builder.bitcast(word, ir.DoubleType()) if isinstance(kind, types.Float) else word


def _return(context: Any, builder: Any, kind: Any, result: str, value: Any, block: _Block) -> None:
    """Returns what a compiled function returned."""
    if result == "none":
        builder.ret_void()
    elif result == "bool":
        builder.ret(builder.zext(value, _I32))
    elif result in ("int", "float"):
        builder.ret(context.cast(builder, value, kind, types.int64 if result == "int" else types.float64))
    else:
        out = block.pointer(_I64)
        for k in range(kind.count):
            number = context.cast(builder, builder.extract_value(value, k), kind.dtype, types.int64)
            builder.store(number, builder.gep(out, [ir.Constant(_I32, k)]))
        builder.ret_void()
