"""How Sphinx builds the site; `build_site.py` lays out its sources and starts it."""

from __future__ import annotations

import sintra
from sintra.drawing.glyphs import SERIF
from sintra.drawing.theme import DARK, LIGHT, Theme
from site_tree import HERE, ROOT


def look(theme: Theme, page: str, side: str) -> dict[str, str]:
    """The table's colours as furo's variables, and our own for `look.css`; a page has two grounds."""
    return {
        "color-brand-primary": theme.accent,
        "color-brand-content": theme.accent,
        "color-brand-visited": theme.accent,
        "color-background-primary": page,
        "color-background-secondary": side,
        "color-background-hover": f"color-mix(in srgb, {side}, {theme.accent} 12%)",
        "color-background-border": f"color-mix(in srgb, {side}, {theme.soft} 25%)",
        "color-foreground-primary": theme.text,
        "color-foreground-secondary": theme.soft,
        "color-foreground-muted": theme.soft,
        "color-foreground-border": theme.missing,
        "color-header-background": page,
        "color-header-text": theme.text,
        "color-header-border": f"color-mix(in srgb, {side}, {theme.soft} 25%)",
        "color-api-name": theme.accent,
        "color-api-pre-name": theme.accent,
        "color-api-overall": theme.soft,
        "code-ground": f"color-mix(in srgb, {page}, {side} 75%)",
        "headings": SERIF,
    }


project = "Sintra"
author = "The Sintra authors"
project_copyright = author
version = release = sintra.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "site_extension"]
default_role = "name"
highlight_language = "text"
pygments_dark_style = "a11y-high-contrast-dark"

myst_heading_anchors = 6

autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
autodoc_default_options = {"undoc-members": True}
python_use_unqualified_type_names = True
maximum_signature_line_length = 120
toc_object_entries_show_parents = "hide"

html_theme = "furo"
html_title = project
html_logo = html_favicon = str(ROOT / "web" / "public" / "icon.svg")
html_static_path = [str(HERE / "look.css")]
html_css_files = ["look.css"]
html_copy_source = False
html_show_sourcelink = False
html_domain_indices = False
html_theme_options = {
    "light_css_variables": look(LIGHT, page=LIGHT.card, side=LIGHT.middle),
    "dark_css_variables": look(DARK, page=DARK.rim, side=f"color-mix(in srgb, {DARK.rim}, {DARK.card} 45%)"),
}
