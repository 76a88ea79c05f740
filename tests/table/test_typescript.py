"""The browser's types are those of the messages."""

from __future__ import annotations

from sintra.table.codegen.typescript import TARGET, message_types, typescript


def test_written_file_is_up_to_date() -> None:
    assert TARGET.read_text("utf-8") == typescript(), "run python -m sintra.table.typescript"


def test_every_message_is_there_with_its_optional_fields() -> None:
    text = typescript()
    for one in message_types():
        assert f"export interface {one.__name__} {{" in text
    assert '  status: "cancelled" | "over" | "playing" | "waiting";' in text
    assert "  options?: Options;" in text
    assert "  start_tile: number | null;" in text
    assert "  args?: Record<string, string | number>;" in text
