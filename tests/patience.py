"""How long tests wait for what is promised in seconds."""

import os


def within(seconds: float) -> float:
    """The seconds that are promised, and more in proportion where more than two processes want each processor."""
    return seconds * max(1.0, os.getloadavg()[0] / (2 * (os.cpu_count() or 1)))
