"""Live play across processes: a match's table is in one of them, its sockets may be in any (docs/decisions/0003)."""
