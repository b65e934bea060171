"""A short run of `make chaos`: everything fails at random while matches are played, and nothing is lost."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

from tests.site_process import ROOT

SECONDS = 60


def test_nothing_is_lost_in_a_minute_of_chaos(fresh_site: Path, tmp_path: Path) -> None:
    shutil.copytree(fresh_site, tmp_path, dirs_exist_ok=True)
    surroundings = {**os.environ, "VAR_DIR": str(tmp_path)}
    command = [sys.executable, "-m", "tests.scale.chaos", "--duration", str(SECONDS)]
    done = subprocess.run(
        command, cwd=ROOT, env=surroundings, capture_output=True, text=True, timeout=SECONDS + 240, check=False
    )
    assert done.returncode in (0, 1), done.stderr
    result = json.loads(done.stdout.splitlines()[-1])
    wrong = ("lost", "doubled", "shown_otherwise", "log_faults", "unrated", "rating_differences", "stuck")
    assert {name: result[name] for name in wrong} == dict.fromkeys(wrong, 0), done.stdout
    # It did what it is for.
    assert result["faults"] >= SECONDS / 6
    assert result["acknowledged"] > 1000
    assert result["reconnects"] > 0
