"""Texts: how tests describe things by them, and how messages show them."""

from __future__ import annotations

import unicodedata
from typing import Optional, Pattern, Union

Text = Union[str, Pattern[str]]
"""A text, or a pattern that is found somewhere in it."""

_INVISIBLE = {"Cc", "Cf", "Cs", "Zl", "Zp"}


def fits(wanted: Optional[Text], found: str) -> bool:
    """Whether a text is the wanted one; None is any."""
    if wanted is None or isinstance(wanted, str):
        return wanted is None or wanted == found
    return wanted.search(found) is not None


def quoted(text: Text) -> str:
    """The wanted text, for messages."""
    return f'"{printable(text)}"' if isinstance(text, str) else f"/{printable(text.pattern)}/"


def printable(text: str, keeps_lines: bool = False) -> str:
    """The text with every control, bidirectional and invisible character escaped as in JSON.

    Programs choose their titles, and could otherwise control the terminal that a message is printed on.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        character if keeps_lines and character in "\n\t" or unicodedata.category(character) not in _INVISIBLE
        else _escaped(character) for character in text)


def _escaped(character: str) -> str:
    data = character.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{data[index:index + 2].hex()}" for index in range(0, len(data), 2))
