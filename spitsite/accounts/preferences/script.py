"""The catalogue as a module for the page's scripts: static/js/site/catalogue.js."""

import json
from typing import Any

from spitsite.accounts.preferences.catalogue import PREFERENCES
from spitsite.accounts.preferences.controls import CONTROLS, SCOPES, SIGNS

HEAD = """\
/**
 * What can be chosen, and the keys. Written by `manage.py preferences_script > static/js/site/catalogue.js` from
 * spitsite/accounts/preferences; a test holds it.
 */
"""


def script() -> str:
    """The text of the module: values by default, values there are, what stylesheets want to know, the keys."""
    preferences = {
        name: {"default": each.default, "values": list(each.values), "seen": each.is_seen}
        | ({"private": True} if each.is_private else {})
        for name, each in PREFERENCES.items()
    }
    controls = {
        name: {"scope": scope.name, "default": control.default}
        | ({"also": list(control.also)} if control.also else {})
        | ({"fixed": True} if control.is_fixed else {})
        for name, (scope, control) in CONTROLS.items()
    }
    parts: dict[str, dict[str, Any]] = {
        "PREFERENCES": preferences,
        "CONTROLS": controls,
        "BY": {scope.name: scope.by for scope in SCOPES},
        "SIGNS": SIGNS,
    }
    return HEAD + "".join(f"\nexport const {name} = {_object(value)};\n" for name, value in parts.items())


def _object(value: dict[str, Any]) -> str:
    lines = (f"  {json.dumps(key)}: {json.dumps(each, ensure_ascii=False)}," for key, each in value.items())
    return "{\n" + "\n".join(lines) + "\n}"
