"""What a flood and a slow query cost others at the same server (B39): from the click to the answer, in ms.

`python -m tests.scale.flood [--plays 200]`: two players of one match, one after the other, in calm; while somebody
floods another match with all there is; while somebody has the database count. One process on SQLite.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import statistics
import tempfile
from pathlib import Path

from tests.site_process import Site, start


async def measure(site: Site, plays: int) -> dict[str, list[float]]:
    from tests.live.flooding import SlowQuery, flood, follow, play
    from tests.live.test_sockets import make_matches, sit

    flooded, (slug, cookies) = await asyncio.to_thread(make_matches, site, 2)
    pages = await sit(site, slug, cookies)
    screens = [follow(page) for page in pages]
    found = {"calm": await play(pages, screens, plays), "flood": [], "slow query": []}
    answer = await flood(site, *flooded, 10)
    while not answer.done():
        found["flood"] += await play(pages, screens, 1)
    await answer
    with SlowQuery(site):
        found["slow query"] = await play(pages, screens, plays)
    for page in pages:
        await page.socket.close()
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--plays", type=int, default=200)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "spitsite.settings")
    import django

    django.setup()
    with tempfile.TemporaryDirectory() as var:
        site = start(Path(var))
        try:
            found = asyncio.run(measure(site, parser.parse_args().plays))
        finally:
            site.kill()
    for name, took in found.items():
        p95 = statistics.quantiles(took, n=20)[-1]
        print(f"{name}: {len(took)} plays, median {statistics.median(took):.1f} ms, p95 {p95:.1f} ms")


if __name__ == "__main__":
    main()
