"""Every rule of the rule text has a test that cites its number, in its name or in its docstring."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from helpers import some

RULES = (
    *[f"R1.{n}" for n in range(1, 9)],
    *[f"R2.{n}" for n in range(1, 7)],
    *[f"R3.{n}" for n in range(1, 11)],
    *[f"R4.{n}" for n in range(1, 7)],
    "R5",
    *[f"R6.{n}" for n in range(1, 4)],
    *[f"R7.{n}" for n in range(1, 5)],
    "R8",
)


def cited_by(test: ast.FunctionDef) -> set[str]:
    """The rule numbers in a test's name, `test_r3_7_...`, and in its docstring."""
    found = set(re.findall(r"\bR\d(?:\.\d+)?", ast.get_docstring(test) or ""))
    if match := re.match(r"test_r(\d)(?:_(\d+))?_", test.name):
        found.add(f"R{match[1]}.{match[2]}" if match[2] else f"R{match[1]}")
    return found


def rule_tests() -> list[ast.FunctionDef]:
    """The test functions of this folder, but for this file."""
    functions = []
    for path in sorted(Path(__file__).parent.glob("test_*.py")):
        if path.name != Path(__file__).name:
            tree = ast.parse(path.read_text("utf-8"))
            functions += [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    return [function for function in functions if function.name.startswith("test_")]


def test_every_rule_is_cited_by_a_test() -> None:
    cited = set().union(*map(cited_by, rule_tests()))
    assert [rule for rule in RULES if rule not in cited] == []


def test_every_rule_has_a_test_of_its_own() -> None:
    """Named after the rule, not only mentioning it."""
    names = [function.name for function in rule_tests()]
    own = {rule: f"test_{rule.lower().replace('.', '_')}_" for rule in RULES}
    assert [rule for rule, prefix in own.items() if not any(name.startswith(prefix) for name in names)] == []


def test_no_test_cites_a_rule_that_does_not_exist() -> None:
    chapters = {rule.partition(".")[0] for rule in RULES}
    for test in some(rule_tests()):
        assert cited_by(test) <= {*RULES, *chapters}, test.name


def test_no_two_tests_of_a_file_share_a_name() -> None:
    for path in some(sorted(Path(__file__).parent.glob("test_*.py"))):
        names = re.findall(r"^def (test_\w+)", path.read_text("utf-8"), re.MULTILINE)
        assert len(names) == len(set(names)), path.name
