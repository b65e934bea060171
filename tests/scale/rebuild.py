"""How fast workers rebuild replays: `python -m spitsite.cluster.services python -m tests.scale.rebuild MATCHES`.

On the databases that `DATABASE_URL` and `REDIS_URL` name, both empty. Writes a season with logs
(`tests.scale.season`), starts a worker of two processes and lets the sweep have everything built.
"""

import os
import resource
import subprocess
import sys
import time


def processor_time() -> float:
    """Seconds, of the processes that this one has waited for; it does not depend so much on what else is going on."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main() -> None:
    matches = int(sys.argv[1])
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "spitsite.settings")
    subprocess.run([sys.executable, "-m", "tests.scale.season", str(matches), "--logs"], check=True)
    import django

    django.setup()
    from replays.models import Replay
    from replays.tasks import sweep

    worker = subprocess.Popen(
        [sys.executable, "-m", "celery", "-A", "spitsite", "worker", "--concurrency", "2", "--loglevel", "ERROR"]
    )
    try:
        before = time.monotonic()
        sweep()
        print(f"swept in {time.monotonic() - before:.2f} s")
        while not Replay.objects.exists():
            time.sleep(0.01)
        # The first two tasks of fifty are done about now.
        start, done = time.monotonic(), Replay.objects.count()
        while (built := Replay.objects.count()) < matches:
            time.sleep(0.1)
        seconds = time.monotonic() - start
        sound = Replay.objects.filter(verdict=Replay.Verdict.SOUND).count()
        print(f"{built - done} replays in {seconds:.1f} s, {(built - done) / seconds:.0f}/s; {sound} of {built} sound")
    finally:
        before_it = processor_time()
        worker.terminate()
        worker.wait()
    print(
        f"{(processor_time() - before_it) / matches * 1000:.1f} ms of processor time a replay, with the worker's start"
    )


if __name__ == "__main__":
    main()
