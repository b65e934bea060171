"""Nothing that is sent can raise, or change anything that it may not change."""

import json
from contextlib import suppress
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from games.live import protocol
from games.live.limits import BURST, PATIENCE, Bucket, Limit
from games.live.protocol import BadMessage
from tests.live.support import Client, House, begin

KINDS = [
    "ready",
    "spit",
    "play",
    "move",
    "flip",
    "refill",
    "choose",
    "slap",
    "resign",
    "rematch",
    "resync",
    "pong",
    "state",
]
values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=10)
    | st.sampled_from(["centre.0", "7h"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
almost = st.fixed_dictionaries(
    {"t": st.sampled_from(KINDS) | values},
    optional=dict.fromkeys(("id", "round", "card", "to", "place", "pile", "n", "extra"), values),
)
close = st.fixed_dictionaries(
    {
        "t": st.sampled_from([kind for kind in KINDS if kind not in ("resign", "state")]),
        "id": st.from_regex(r"\A[A-Za-z0-9_-]{1,40}\Z"),
        "round": st.integers(-1, 3),
    },
    optional={
        "card": st.sampled_from(["7h", "-7h", "-", "", "A", "Ah'", "\x00", "é" * 30]),
        "to": st.sampled_from(["centre.0", "centre.9", "0.stockpile.1", "1.spit", "pack", "", "0.stockpile.-1"]),
        "place": st.sampled_from(["0.stockpile.1", "1.stockpile.1", "0.spit", "x"]),
        "pile": st.sampled_from(["centre.0", "centre.1", "centre.2", "0.spit"]),
    },
)
frames = st.one_of(
    st.text(max_size=60),
    values.map(lambda value: json.dumps(value)),
    almost.map(lambda value: json.dumps(value)),
    close.map(lambda value: json.dumps(value)),
    st.sampled_from(
        ["", "{", "[" * 2000, '{"t":' * 500, "null", "\ud800", '{"t":"play","id":"\\ud800"}', "NaN", "1e999"]
    ),
)


@settings(max_examples=600, deadline=None)
@given(frames)
def test_any_text_is_a_message_or_a_bad_message(text: str) -> None:
    with suppress(BadMessage):
        assert isinstance(protocol.decode(text), protocol.ClientIn)
    assert protocol.id_of(text) is None or isinstance(protocol.id_of(text), str)


async def test_no_text_harms_a_table(house: House) -> None:
    table = await house.table("normal")
    players = await begin(table)
    watcher = Client(table)

    @settings(max_examples=400, deadline=None, suppress_health_check=list(HealthCheck))
    @given(frames, st.sampled_from([*players, watcher]))
    def send(text: str, client: Client) -> None:
        client.closed = None
        if client not in table.room.members:
            table.join(client, client.seat)
        client.raw(text)

    send()
    await house.supervisor.journal.flushed()
    assert await house.folded(table) == table.shown == table.state
    assert not table.shown.is_over


async def test_messages_that_are_none_close_the_socket(house: House) -> None:
    table = await house.table()
    client, other = Client(table, 0), Client(table, 1)
    for text in ("{", "[]", '{"t":"play"}', '{"t":"ready","id":"a b","round":1}'):
        client.raw(text)
    client.raw('{"t":"ready","id":"good-1","round":"one"}')
    assert [message["id"] for message in client.of("refused")] == [None, None, None, None, "good-1"]
    assert {message["code"] for message in client.of("refused")} == {"bad_message"}
    assert client.closed == "bad_message"
    assert other.closed is None
    assert client not in table.room.members


async def test_somebody_who_has_left_is_not_heard(house: House) -> None:
    table = await house.table()
    client = Client(table, 0)
    table.leave(client)
    table.leave(client)
    client.say("ready")
    assert table.state.status.ready == (False, False)


class TestLimits:
    def test_a_burst_is_let_through_and_no_more(self) -> None:
        limit = Limit(Bucket(0.0))
        taken = [limit.allows(0.001 * index) for index in range(100)]
        assert taken.count(True) in (int(BURST), int(BURST) + 1, int(BURST) + 2)
        assert limit.allows(10.0)

    def test_a_flood_is_cut_off(self) -> None:
        limit = Limit(Bucket(0.0))
        sent = 0
        while not limit.is_exhausted:
            sent += 1
            limit.allows(sent / 1000)
        assert BURST + PATIENCE <= sent <= 2 * (BURST + PATIENCE)

    def test_fast_play_is_never_limited(self) -> None:
        limit = Limit(Bucket(0.0))
        assert all(limit.allows(index / 25) for index in range(5000))


def test_every_refusal_has_its_shape() -> None:
    refused: Any = json.loads(protocol.encode(protocol.Refused("a", protocol.Code.PILE_CHANGED, 0, 12)))
    assert refused == {"t": "refused", "id": "a", "code": "pile_changed", "by": 0, "late": 12}
