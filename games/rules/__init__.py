"""The rules: pure functions over frozen values.

No Django, no clock, no randomness in here. Time comes in with each command as
milliseconds since the start of the match, shuffled cards come in as data
(`Deal`). `decide` judges a command, `evolve` applies an event; the numbers in
the comments (G2, S7, ...) are those of docs/rules.md.
"""
