/**
 * What can be chosen, and the keys. Written by `manage.py preferences_script > static/js/site/catalogue.js` from
 * spitsite/accounts/preferences; a test holds it.
 */

export const PREFERENCES = {
  "theme": {"default": "auto", "values": ["auto", "light", "dark", "contrast"], "seen": true},
  "deck": {"default": "two", "values": ["two", "four"], "seen": true},
  "cards": {"default": "normal", "values": ["small", "normal", "large"], "seen": true},
  "motion": {"default": "auto", "values": ["auto", "less"], "seen": true},
  "tap": {"default": "hold", "values": ["hold", "fits"], "seen": false},
  "whispers": {"default": "on", "values": ["on", "off"], "seen": true},
  "hand": {"default": "right", "values": ["left", "right"], "seen": true},
  "sounds": {"default": "on", "values": ["on", "off"], "seen": false},
  "volume": {"default": "100", "values": ["0", "10", "20", "30", "40", "50", "60", "70", "80", "90", "100"], "seen": false},
  "language": {"default": "en", "values": ["en"], "seen": false},
  "clock": {"default": "24", "values": ["24", "12"], "seen": false},
};

export const CONTROLS = {
  "key.table.row1": {"scope": "table", "default": "KeyA"},
  "key.table.row2": {"scope": "table", "default": "KeyS"},
  "key.table.row3": {"scope": "table", "default": "KeyD"},
  "key.table.row4": {"scope": "table", "default": "KeyF"},
  "key.table.row5": {"scope": "table", "default": "KeyG"},
  "key.table.row6": {"scope": "table", "default": "KeyH"},
  "key.table.left": {"scope": "table", "default": "KeyJ"},
  "key.table.right": {"scope": "table", "default": "KeyK"},
  "key.table.go": {"scope": "table", "default": "Space"},
  "key.table.cancel": {"scope": "table", "default": "Escape", "fixed": true},
  "key.view.flip": {"scope": "view", "default": "f"},
  "key.view.sound": {"scope": "view", "default": "m"},
  "key.view.keys": {"scope": "view", "default": "?", "fixed": true},
  "key.replay.play": {"scope": "replay", "default": "Space", "also": ["k"]},
  "key.replay.back": {"scope": "replay", "default": "b"},
  "key.replay.step-back": {"scope": "replay", "default": "ArrowLeft"},
  "key.replay.step": {"scope": "replay", "default": "ArrowRight"},
  "key.replay.contest-back": {"scope": "replay", "default": "Shift+ArrowLeft"},
  "key.replay.contest": {"scope": "replay", "default": "Shift+ArrowRight"},
  "key.replay.nudge-back": {"scope": "replay", "default": ","},
  "key.replay.nudge": {"scope": "replay", "default": "."},
  "key.replay.round-back": {"scope": "replay", "default": "PageUp"},
  "key.replay.round": {"scope": "replay", "default": "PageDown"},
  "key.replay.home": {"scope": "replay", "default": "Home"},
  "key.replay.end": {"scope": "replay", "default": "End"},
  "key.replay.slowest": {"scope": "replay", "default": "1", "fixed": true},
  "key.replay.fastest": {"scope": "replay", "default": "6", "fixed": true},
  "key.replay.skip": {"scope": "replay", "default": "w"},
  "key.replay.reveal": {"scope": "replay", "default": "h"},
  "key.replay.flip": {"scope": "replay", "default": "f"},
  "key.replay.closer": {"scope": "replay", "default": "+", "also": ["="]},
  "key.replay.wider": {"scope": "replay", "default": "-"},
  "key.replay.share": {"scope": "replay", "default": "l"},
  "key.replay.sheet": {"scope": "replay", "default": "?", "fixed": true},
};

export const BY = {
  "table": "code",
  "view": "key",
  "replay": "key",
};

export const SIGNS = {
  "Comma": ",",
  "Period": ".",
  "Slash": "/",
  "Semicolon": ";",
  "Quote": "'",
  "BracketLeft": "[",
  "BracketRight": "]",
  "Backslash": "\\",
  "Minus": "-",
  "Equal": "=",
  "Backquote": "`",
  "NumpadAdd": "+",
  "NumpadSubtract": "−",
  "NumpadMultiply": "*",
  "NumpadDivide": "÷",
  "NumpadDecimal": "·",
  "IntlBackslash": "<",
  "IntlRo": "ろ",
  "IntlYen": "¥",
};
