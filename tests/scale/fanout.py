"""One match with a crowd: how long a frame takes to reach all of thousands of watchers, over two server processes.

Two scripted players play on; the watchers only look on, except for those that
read nothing at all, who are to cost nobody anything. The last line is JSON.
"""

import argparse
import asyncio
import json
import tempfile
from itertools import cycle
from pathlib import Path

from tests.scale.bench import make_matches
from tests.scale.load import Game, Samples, drive, percentile
from tests.scale.shapes import TwoOnPostgreSQL
from tests.scale.wire import connect

CORES = {0, 1}


async def run(arguments: argparse.Namespace) -> dict[str, object]:
    samples = Samples()
    with (
        tempfile.TemporaryDirectory(prefix="spit-fanout-") as directory,
        TwoOnPostgreSQL(Path(directory), arguments.port, CORES) as servers,
    ):
        ((slug, cookies),) = await make_matches(servers, 1)
        game = Game(slug, samples)
        await game.open(servers.ports, cookies, 0)
        turns = cycle(servers.ports)
        for _ in range(arguments.watchers):
            await game.watch(next(turns))
        for _ in range(arguments.deaf):
            wire = await connect("127.0.0.1", next(turns), f"/ws/match/{slug}/", lambda _: None)
            wire.freeze()
        stop = asyncio.Event()
        driver = asyncio.create_task(drive([game], stop))
        await asyncio.sleep(arguments.settle)
        samples.take()
        cpu = servers.cpu_s()
        await asyncio.sleep(arguments.seconds)
        measured = samples.take()
        cpu = servers.cpu_s() - cpu
        stop.set()
        await driver
        game.close()
    plays = len(measured.own)
    return {
        "watchers": arguments.watchers,
        "deaf": arguments.deaf,
        "processes": len(servers.ports),
        "plays": plays,
        "frames": len(measured.watcher),
        "frames_a_play": round(len(measured.watcher) / plays, 1) if plays else None,
        "watcher_p50_ms": round(percentile(measured.watcher, 0.5), 1),
        "watcher_p99_ms": round(percentile(measured.watcher, 0.99), 1),
        "own_p50_ms": round(percentile(measured.own, 0.5), 1),
        "own_p99_ms": round(percentile(measured.own, 0.99), 1),
        "server_busy": round(cpu / arguments.seconds, 2),
    }


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.scale.fanout", description=__doc__)
    parser.add_argument("--watchers", type=int, default=2000)
    parser.add_argument("--deaf", type=int, default=50, help="watchers that read nothing")
    parser.add_argument("--port", type=int, default=8299)
    parser.add_argument("--settle", type=float, default=6.0)
    parser.add_argument("--seconds", type=float, default=20.0)
    import uvloop

    print(json.dumps(uvloop.run(run(parser.parse_args()))))


if __name__ == "__main__":
    main()
