"""B10, in short: watchers who vanish, at two servers, are counted no more, and leave nothing behind."""

import json
import subprocess
import sys
from pathlib import Path

from tests.site_process import ROOT


def test_b10_of_watchers_who_vanish_nothing_is_left(fresh_site: Path) -> None:
    """Killed with -9, frozen with their lines open, and gone with their server, which is killed with -9 as well."""
    command = [sys.executable, "-m", "tests.scale.ghosts", "--watchers", "40", "--seconds", "2", "--part", "2"]
    command += ["--like", str(fresh_site)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=900, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    result = json.loads(done.stdout.splitlines()[-1])
    assert set(result["gone_s"]) == {"killed", "frozen", "server"}
    assert max(result["gone_s"].values()) <= 60
    assert result["counted_at_the_end"] == 0
    # Channels' groups and channels are subscriptions: they leave no keys behind.
    assert result["before"]["redis_keys"] == result["with_a_crowd"]["redis_keys"] == result["after"]["redis_keys"] == 0
    assert result["before"]["redis_channels"] == result["after"]["redis_channels"]
