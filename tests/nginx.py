"""The nginx that one test puts before the site.

`python tests/nginx.py` gets Debian's where there is none, unpacked into the environment (`.venv/nginx`): nothing is
installed, and no service is started (but as root a list of packages may be fetched anew). Where that does not work the
test is skipped and says why; in continuous integration (`CI`) it fails.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

OWN: Final = Path(sys.prefix) / "nginx"


def executable() -> str | None:
    """An nginx, if there is one. `NGINX` in the environment names one."""
    candidates = (os.environ.get("NGINX"), shutil.which("nginx"), "/usr/sbin/nginx", str(OWN / "usr/sbin/nginx"))
    return next((path for path in candidates if path and _starts(path)), None)


def _starts(path: str) -> bool:
    try:
        return subprocess.run([path, "-v"], capture_output=True, check=False).returncode == 0
    except OSError:
        return False


def unpack() -> str:
    """Try to get one; why there is none, or nothing."""
    if not (shutil.which("apt-get") and shutil.which("dpkg-deb")):
        return "no nginx, and no apt-get to get one: the test behind a proxy is skipped"
    with tempfile.TemporaryDirectory() as directory:
        # As the user that runs this; else another one fetches, who may not write here.
        download = ["apt-get", "-o", "APT::Sandbox::User=", "download", "nginx"]
        # Often there is a list of packages already, and only root may fetch a new one.
        for step in (download, ["apt-get", "update"], download):
            done = subprocess.run(
                step, cwd=directory, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
            )
            packages = list(Path(directory).glob("nginx_*.deb"))
            if packages:
                done = subprocess.run(["dpkg-deb", "-x", packages[0], OWN], capture_output=True, text=True, check=False)
                return "" if executable() else f"no nginx in {packages[0].name} that starts {done.stderr.strip()}"
    return f"no nginx could be had: {done.stderr.strip()}"


def main() -> int:
    if executable() is None and (why := unpack()):
        print(why, file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
