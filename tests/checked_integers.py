"""Makes the uncompiled rules check their own arithmetic: a program that begins with `INSTALL` does.

Compiled code calculates with 64 bits. Without compilation NumPy keeps the width of a small integer, and a shift that
leaves it is silent. Then every sum, product and shift of a compiled function raises an error when its result
is not the one that whole numbers have.
"""

from __future__ import annotations

import ast
import operator
import sys
from collections.abc import Callable, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from types import CodeType, ModuleType
from typing import Any, Final

import numpy as np

DECORATORS: Final = frozenset({"kernel", "entry", "rare_entry", "shared"})
OPERATIONS: Final[dict[type[ast.operator], Callable[[Any, Any], Any]]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.LShift: operator.lshift,
}
CHECK: Final = "_checked_operation"
INSTALL: Final = "import checked_integers; checked_integers.install()\n"


def checked(name: str, left: Any, right: Any) -> Any:
    """The result of an operation, which must be exact if both sides are whole numbers."""
    operation = getattr(operator, name)
    result = operation(left, right)
    if isinstance(left, int | np.integer) and isinstance(right, int | np.integer):
        exact = operation(int(left), int(right))
        if int(result) != exact and not isinstance(result, np.int64):
            raise OverflowError(f"{name} of {left!r} and {right!r} is {exact}, not {result!r}")
    return result


class _Checks(ast.NodeTransformer):
    """Puts `checked` in the place of the operations in functions that are compiled."""

    inside = False

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        before = self.inside
        self.inside = before or any(isinstance(one, ast.Name) and one.id in DECORATORS for one in node.decorator_list)
        self.generic_visit(node)
        self.inside = before
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        return self._call(node.op, node.left, node.right) or node

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.target, ast.Name):
            call = self._call(node.op, ast.Name(node.target.id, ast.Load()), node.value)
            return ast.Assign([node.target], call) if call else node
        return node

    def _call(self, op: ast.operator, left: ast.expr, right: ast.expr) -> ast.expr | None:
        if not self.inside or type(op) not in OPERATIONS:
            return None
        name = ast.Constant(OPERATIONS[type(op)].__name__)
        return ast.Call(ast.Name(CHECK, ast.Load()), [name, left, right], [])


class _Loader(SourceFileLoader):
    """Loads a module with the checks in it, and leaves no bytecode of them."""

    def get_code(self, fullname: str) -> CodeType:
        path = self.get_filename(fullname)
        tree = _Checks().visit(ast.parse(self.get_data(path), path))
        return compile(ast.fix_missing_locations(tree), path, "exec")

    def exec_module(self, module: ModuleType) -> None:
        setattr(module, CHECK, checked)
        super().exec_module(module)


class _Finder(MetaPathFinder):
    """Finds the modules of the package."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname.partition(".")[0] != "sintra":
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        if spec and isinstance(spec.loader, SourceFileLoader):
            spec.loader = _Loader(spec.loader.name, spec.loader.path)
        return spec


def install() -> None:
    """Puts the checks into all of Sintra that is imported from now on."""
    assert "sintra" not in sys.modules, "it is too late to put checks into what is loaded"
    sys.meta_path.insert(0, _Finder())
