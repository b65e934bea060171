"""The clock that jumps."""

import asyncio
import threading
from collections.abc import Coroutine, Iterator
from typing import Any

import pytest

from games.bots.jumping import JumpingLoop
from games.clock import loop_ms


@pytest.fixture
def loops() -> Iterator[list[JumpingLoop]]:
    made: list[JumpingLoop] = []
    yield made
    for loop in made:
        loop.run_until_complete(loop.shutdown_default_executor())
        loop.close()


def run(loops: list[JumpingLoop], work: Coroutine[Any, Any, Any], step: int = 1) -> Any:
    loop = JumpingLoop(step)
    loops.append(loop)
    return loop.run_until_complete(asyncio.wait_for(work, 10_000_000))


def test_an_hour_is_over_at_once(loops) -> None:
    async def work() -> int:
        await asyncio.sleep(3600)
        return loop_ms()

    assert run(loops, work()) == 3_600_000


def test_each_timer_finds_its_own_millisecond(loops) -> None:
    async def work() -> list[int]:
        loop = asyncio.get_running_loop()
        seen: list[int] = []
        done = loop.create_future()
        for ms in range(1, 2000):
            loop.call_at(ms / 1000, lambda: seen.append(loop_ms()))
        loop.call_at(3, done.set_result, None)
        await done
        return seen

    assert run(loops, work()) == list(range(1, 2000))


def test_waits_add_up_without_an_error_of_rounding(loops) -> None:
    async def work() -> int:
        for _ in range(1000):
            await asyncio.sleep(0.007)
        return loop_ms()

    assert run(loops, work()) == 7000


def test_steps_take_what_falls_due_in_them_in_order(loops) -> None:
    async def work() -> list[tuple[int, int]]:
        loop = asyncio.get_running_loop()
        seen: list[tuple[int, int]] = []
        for ms in (31, 8, 40, 12, 41):
            loop.call_at(ms / 1000, lambda ms=ms: seen.append((ms, loop_ms())))
        await asyncio.sleep(1)
        return seen

    assert run(loops, work(), step=40) == [(8, 40), (12, 40), (31, 40), (40, 40), (41, 80)]


def test_it_stands_still_while_a_thread_works(loops) -> None:
    async def work() -> tuple[int, int]:
        release = threading.Event()
        loop = asyncio.get_running_loop()
        # A timer that the clock must not jump to meanwhile.
        loop.call_later(3600, lambda: None)
        threading.Timer(0.05, release.set).start()
        before = loop_ms()
        await asyncio.to_thread(release.wait, 10)
        return before, loop_ms()

    before, after = run(loops, work())
    assert before == after


def test_it_stands_still_while_somebody_holds_it(loops) -> None:
    async def work() -> tuple[int, int]:
        loop = asyncio.get_running_loop()
        assert isinstance(loop, JumpingLoop)
        held = [True]
        loop.hold_while.append(lambda: bool(held))
        ended = loop.create_future()

        def end() -> None:
            held.clear()
            ended.set_result(None)

        loop.call_later(5, lambda: None)
        before = loop_ms()
        threading.Timer(0.05, loop.call_soon_threadsafe, [end]).start()
        await ended
        return before, loop_ms()

    before, after = run(loops, work())
    assert before == after
