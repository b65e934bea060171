"""Scripts and stylesheets put together for browsers: one file for what a page would ask for in forty.

The site is written in ES modules and in stylesheets that import each other, and is served like that while one works
on it. `collectstatic` makes of each *entry*, a script that no other imports, one file with all that it needs; what the
frame of every page has as well is in one more (`SHARED`), so that it is fetched once and exists once. Stylesheets get
what they `@import` written into them.

What can be put together is a part of the language, on purpose, so that no parser is needed: an import is
`import "./x.js";` or `import { a, b as c } from "./x.js";` on lines of its own, an export is `export` before a
function, a class or one `const`, modules are no circle, and only an entry may `await` outside of a function. Anything
else is a `CannotBundle`, which names the file.
"""

import posixpath
import re
from collections.abc import Callable, Iterable
from typing import Final

from django.contrib.staticfiles.finders import find

SCRIPTS: Final = "js/"
"""Where the site's own modules are; those of others are served as they are."""
SHARED: Final = "js/shared.js"
"""The file of modules that the frame has, made here."""
FRAME: Final = "js/site/page.js"
"""The script that every page has. What it imports, and what the lobby's script has in common with others, is shared."""
BESIDE: Final = "js/lobby/main.js"
"""The script that a page may have beside its own."""

IMPORT: Final = re.compile(r'^import (?:\{(?P<names>[^{}"]*)\} from )?"(?P<module>\.{1,2}/[^"]+)";$', re.MULTILINE)
EXPORT: Final = re.compile(
    r"^export (?P<what>(?:async )?function\*? (?P<function>[\w$]+)|class (?P<class>[\w$]+)|const (?P<const>[\w$]+) =)",
    re.MULTILINE,
)
UNKNOWN: Final = re.compile(r"^(?:import|export)\b.*$|\bimport\.meta\b|\bimport\([^)]*\)", re.MULTILINE)
SECOND: Final = re.compile(r"^export const [\w$]+ = [^;\n]*, *[\w$]+ = ", re.MULTILINE)
"""One `const` that exports two names."""
WAITING: Final = re.compile(r"^(?:(?:const|let) [^;\n]*= *)?await\b.*$|^for await\b.*$", re.MULTILINE)
"""An `await` outside of any function, which begins a line in code that is formatted."""
COMMENT: Final = re.compile(r"^[ \t]*(?:/\*(?:(?!\*/).)*\*/[ \t]*|//[^\n]*)(?:\n|\Z)", re.MULTILINE | re.DOTALL)
"""A comment that has its lines to itself, in a script or a stylesheet."""
INLINE_COMMENT: Final = re.compile(r"/\*.*?\*/", re.DOTALL)
LICENCE: Final = re.compile(r"/\*!|@license|copyright", re.IGNORECASE)
CSS_IMPORT: Final = re.compile(r'^@import "(?P<name>[^"/]+\.css)";\n', re.MULTILINE)

Read = Callable[[str], str]
"""Reads a static file by its name (`js/table/main.js`)."""


class CannotBundle(ValueError):
    """A script or stylesheet is written in a way that cannot be put together."""


def without_comments(text: str) -> str:
    """A script or a stylesheet as browsers want it. Licences stay."""
    return COMMENT.sub(lambda found: found[0] if LICENCE.search(found[0]) else "", text)


def found_text(name: str) -> str:
    """A static file of the source, as it is.

    Raises:
        CannotBundle: there is none of that name.
    """
    path = find(name)
    if path is None:
        raise CannotBundle(f"{name} is imported, but there is no such file")
    with open(path, encoding="utf-8") as file:
        return file.read()


def imported(name: str, text: str) -> list[str]:
    """The names of the modules that a module imports itself, in order."""
    return [_resolved(name, each["module"]) for each in IMPORT.finditer(text)]


def needed(name: str, read: Read = found_text) -> tuple[str, ...]:
    """All modules that a module needs, directly or not, those nearest to it first; not itself."""
    found = [name]
    for each in found:
        found += [other for other in dict.fromkeys(imported(each, read(each))) if other not in found]
    return tuple(found[1:])


class Bundles:
    """All scripts of the site, put together.

    Args:
        names: of all modules.
        read: gives the text of one.

    Raises:
        CannotBundle: modules import each other in a circle, or what is not there.
    """

    def __init__(self, names: Iterable[str], read: Read = found_text) -> None:
        self._texts = {name: without_comments(read(name)) for name in sorted(names)}
        self._imports = {name: imported(name, text) for name, text in self._texts.items()}
        for name, others in self._imports.items():
            if missing := [other for other in others if other not in self._texts]:
                raise CannotBundle(f"{name} imports {missing[0]}, but there is no such file")
        self._needs: dict[str, tuple[str, ...]] = {}
        for name in self._texts:
            self._ordered(name, ())
        exports = {name: {_exported(found) for found in EXPORT.finditer(text)} for name, text in self._texts.items()}
        for name, text in self._texts.items():
            for found in IMPORT.finditer(text):
                other = _resolved(name, found["module"])
                if missing := [each for each, _as in _names(found) if each not in exports[other]]:
                    raise CannotBundle(f"{name} imports {missing[0]} of {other}, which exports no such thing")
        imported_by_some = {other for others in self._imports.values() for other in others}
        self.entries: Final = tuple(name for name in self._texts if name not in imported_by_some)
        """The scripts that pages name."""
        elsewhere = {other for entry in self.entries if entry != BESIDE for other in self._needs[entry]}
        frame = self._needs.get(FRAME, ())
        self.shared: Final = (*frame, *(each for each in self._needs.get(BESIDE, ()) if each in elsewhere - {*frame}))
        """The modules of the shared file, each after those that it needs."""

    def text(self, name: str) -> str:
        """The file that browsers get under the name of an entry, or of `SHARED`.

        Raises:
            CannotBundle: a module is written in a way that cannot be put together.
            KeyError: there is no such entry.
        """
        if name == SHARED:
            return f"{_made(self._maker(each) for each in self.shared)}export {{ $use }};\n"
        own = [each for each in self._needs[name] if each not in self.shared]
        shared = posixpath.relpath(SHARED, posixpath.dirname(name))
        parts = [_body(name, self._texts[name])[0]]
        if own:
            parts.insert(0, _made(map(self._maker, own), otherwise="$shared(name)"))
        if own or self._imports[name]:
            how = "$use as $shared" if own else "$use"
            parts.insert(0, f'import {{ {how} }} from "{shared if shared.startswith(".") else f"./{shared}"}";\n')
        return "".join(parts)

    def _ordered(self, name: str, path: tuple[str, ...]) -> tuple[str, ...]:
        """What a module needs, each after what it needs itself."""
        if name in path:
            raise CannotBundle(f"Modules import each other: {' > '.join((*path[path.index(name) :], name))}")
        if name not in self._needs:
            found: dict[str, None] = {}
            for other in self._imports[name]:
                found |= dict.fromkeys((*self._ordered(other, (*path, name)), other))
            self._needs[name] = tuple(found)
        return self._needs[name]

    def _maker(self, name: str) -> str:
        if waiting := WAITING.search(self._texts[name]):
            raise CannotBundle(
                f"{name}: {waiting[0].strip()!r}: only a page's own script may wait (spitsite/bundles.py)"
            )
        body, exports = _body(name, self._texts[name])
        return f'"{name}"() {{\n{body}return {{ {", ".join(exports)} }};\n}},\n'


def _made(makers: Iterable[str], otherwise: str = "") -> str:
    """Modules, each made when it is first used, as a browser would."""
    make = "$make[name]()" if not otherwise else f"$make[name] ? $make[name]() : {otherwise}"
    return (
        f"const $make = {{\n{''.join(makers)}}};\n"
        "const $made = {};\n"
        f"function $use(name) {{ return ($made[name] ??= {make}); }}\n"
    )


def _body(name: str, text: str) -> tuple[str, list[str]]:
    """A module's text without its imports and exports, and the names that it exports."""
    exports: list[str] = []

    def of_import(found: re.Match[str]) -> str:
        used = f'$use("{_resolved(name, found["module"])}");'
        if found["names"] is None:
            return used
        names = [f"{each}: {other}" if other else each for each, other in _names(found)]
        return f"const {{ {', '.join(names)} }} = {used}"

    def of_export(found: re.Match[str]) -> str:
        exports.append(_exported(found))
        return found["what"]

    body = EXPORT.sub(of_export, IMPORT.sub(of_import, text))
    # A type in a comment may well name a module: `import("./other.js").Thing`.
    if unknown := SECOND.search(text) or UNKNOWN.search(INLINE_COMMENT.sub("", body)):
        raise CannotBundle(f"{name}: {unknown[0].strip()!r} cannot be put together (spitsite/bundles.py)")
    return body, exports


def _names(found: re.Match[str]) -> list[tuple[str, str]]:
    """What an import takes, and as what, if under another name."""
    taken = (each.strip().partition(" as ") for each in (found["names"] or "").split(","))
    return [(name, other) for name, _as, other in taken if name]


def _exported(found: re.Match[str]) -> str:
    return found["function"] or found["class"] or found["const"]


def stylesheet(name: str, read: Read = found_text) -> str:
    """A stylesheet with those that it imports, each once, where it is first imported.

    Raises:
        CannotBundle: it imports in another way than `@import "other.css";`, or from another folder.
    """
    seen: set[str] = set()

    def whole(name: str) -> str:
        seen.add(name)

        def of_import(found: re.Match[str]) -> str:
            other = _resolved(name, found["name"])
            return whole(other) if other not in seen else ""

        text = CSS_IMPORT.sub(of_import, without_comments(read(name)))
        if "@import" in text:
            raise CannotBundle(f"{name}: this @import cannot be put together (spitsite/bundles.py)")
        return text

    return whole(name)


def _resolved(module: str, relative: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(module), relative))
