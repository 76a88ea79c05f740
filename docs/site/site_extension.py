"""What Sphinx has to know of these pages: docstrings as they are written here, and links to files."""

from __future__ import annotations

import ast
import inspect
import re
import shutil
from enum import Enum
from pathlib import Path
from textwrap import dedent
from typing import Any, Final

from docutils import nodes
from pygments.lexers.special import TextLexer
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxRole

import sintra

ROLE: Final = "name"
"""The role of `words` between single backquotes in docstrings."""
_NAME: Final = re.compile(r"(?P<dotted>[A-Za-z_]\w*(\.\w+)*)(\(\))?")
_BEFORE_COLLECTORS: Final = 400


class Name(SphinxRole):
    """Code in a docstring, which leads to what it names if that is in the reference."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        """A reference where the words can be a name of the library, and plain code elsewhere."""
        code = nodes.literal(self.rawtext, self.text, classes=["code"])
        found = _NAME.fullmatch(self.text)
        if found is None or not ("." in self.text or self.text.endswith("()") or self.text[0].isupper()):
            return [code], []
        target = found["dotted"]
        if target.partition(".")[0] in sintra.__all__:
            target = f"sintra.{target}"
        reference = addnodes.pending_xref(
            "",
            code,
            refdomain="py",
            reftype="obj",
            reftarget=target,
            refdoc=self.env.docname,
            refexplicit=False,
            refwarn=False,
        )
        reference["py:module"] = self.env.ref_context.get("py:module")
        reference["py:class"] = self.env.ref_context.get("py:class")
        return [reference], []


def mark_code(lines: list[str]) -> None:
    """Indented blocks of a docstring become blocks of code, as in Markdown; those of lists and directives stay."""
    k = 1
    while k < len(lines):
        begins = not lines[k - 1].strip() and re.match(r" {4,}\S", lines[k])
        before = next((line for line in reversed(lines[:k]) if line.strip()), "")
        if begins and before[:1].strip() and not re.match(r"[*-] |\.\. |\d+\. ", before):
            end = next((n for n in range(k, len(lines)) if lines[n].strip() and not lines[n].startswith("    ")), None)
            block = dedent("\n".join(lines[k:end]))
            if not block.startswith(">>>") and not before.endswith("::"):
                lines[k:k] = [f".. code-block:: {'python' if _is_python(block) else 'text'}", ""]
        k += 1


def plain_signature(thing: Any, signature: str | None) -> str | None:
    """A signature without what Python cannot show of defaults, and none for what is not made by calling it."""
    if signature is None:
        return None
    if getattr(thing, "_is_protocol", False) or (isinstance(thing, type) and issubclass(thing, Enum)):
        return ""
    shown = re.sub(r"<built-in function (\w+)>", r"\1", signature)
    return re.sub(r"<factory>|<function [\w.]*<lambda>>", "...", shown)


def is_borrowed(docstring: str, thing: Any) -> bool:
    """Whether a value's docstring says nothing of it: that of its type, or what Python writes for named tuples."""
    said = inspect.cleandoc(docstring)
    return said == (inspect.getdoc(type(thing)) or "") or said.startswith("Alias for field number ")


def _is_python(text: str) -> bool:
    try:
        ast.parse(text)
    except SyntaxError:
        return False
    return True


def link_files(app: Sphinx, doctree: nodes.document) -> None:
    """A link to a file that is no page leads to a copy at the same place, which a browser shows if it can."""
    folder = Path(app.env.docname).parent
    for link in list(doctree.findall(addnodes.download_reference)):
        there = app.outdir / folder / link["reftarget"]
        there.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(app.srcdir / folder / link["reftarget"], there)
        link.replace_self(nodes.reference("", "", *link.children, refuri=link["reftarget"], internal=True))


def _on_docstring(_app: Sphinx, what: str, _name: str, thing: Any, _options: Any, lines: list[str]) -> None:
    if what in ("data", "attribute") and is_borrowed("\n".join(lines), thing):
        lines.clear()
    mark_code(lines)


def _on_signature(
    _app: Sphinx, _what: str, _name: str, thing: Any, _options: Any, signature: str | None, returned: str | None
) -> tuple[str | None, str | None]:
    return plain_signature(thing, signature), returned


def setup(app: Sphinx) -> dict[str, bool]:
    """Tells Sphinx of all this."""
    app.add_role(ROLE, Name())
    app.add_lexer("dialogue", TextLexer)
    app.connect("autodoc-process-docstring", _on_docstring)
    app.connect("autodoc-process-signature", _on_signature)
    app.connect("doctree-read", link_files, priority=_BEFORE_COLLECTORS)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
