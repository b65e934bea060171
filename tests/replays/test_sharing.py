"""What goes elsewhere: previews for messengers, pictures of moments, clips of parts, the page for frames."""

import re
from datetime import timedelta
from io import BytesIO
from typing import Any

import pytest
from django.conf import LazySettings
from django.core.cache import caches
from django.test import Client
from django.urls import reverse
from PIL import Image

from games.clock import wall
from games.models import Match
from replays import aside, clips, tasks
from replays.models import Clip
from tests.factories import Player, make_user, play_match, store_match

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _empty_caches() -> None:
    for each in caches.all(initialized_only=True):
        each.clear()


@pytest.fixture
def live() -> Match:
    return store_match(Player().play(until=80))


def image_of(response: Any) -> Image.Image:
    return Image.open(BytesIO(response.content))


class TestPreview:
    def meta(self, client: Client, address: str) -> dict[str, str]:
        page = client.get(address).content.decode()
        return dict(re.findall(r'<meta property="(og:[\w:]+)" content="([^"]*)">', page))

    def test_says_who_played_and_shows_the_table(self, client: Client, match: Match) -> None:
        found = self.meta(client, reverse("replay", args=[match.slug]))
        assert found["og:title"] == "ann – ben"
        assert "Spit" in found["og:description"]
        assert found["og:image"] == f"http://testserver/replay/{match.slug}/image.png"
        picture = client.get(found["og:image"])
        assert (image_of(picture).format, image_of(picture).size) == ("PNG", (1200, 630))
        assert len(picture.content) < 150_000

    def test_of_a_link_to_a_moment_that_moment(self, client: Client, match: Match) -> None:
        address = reverse("replay", args=[match.slug]) + "?t=12345"
        found = self.meta(client, address)
        assert found["og:image"].endswith("image.png?t=12345")
        assert found["og:url"] == f"http://testserver{address}"

    @pytest.mark.parametrize("asked", ["abc", "", "1e9", "%3Cb%3E"])
    def test_what_is_no_moment(self, client: Client, match: Match, asked: str) -> None:
        found = self.meta(client, reverse("replay", args=[match.slug]) + f"?t={asked}")
        assert found["og:image"].endswith("image.png")


class TestPicture:
    def ask(self, client: Client, match: Match, query: str = "") -> Any:
        return client.get(reverse("replay_image", args=[match.slug]) + query)

    def test_moments_differ_and_sides_do(self, client: Client, match: Match) -> None:
        contents = {self.ask(client, match, query).content for query in ("?t=0", "?t=15000", "?t=15000&b=1")}
        assert len(contents) == 3

    def test_beyond_the_ends_are_the_ends(self, client: Client, match: Match) -> None:
        for beyond, end in (("-5", 0), ("99999999999999", match.end.at)):
            assert self.ask(client, match, f"?t={beyond}").content == self.ask(client, match, f"?t={end}").content

    def test_a_new_name_makes_a_new_picture(self, client: Client, match: Match) -> None:
        before = self.ask(client, match, "?t=9000").content
        match.seats.get(number=0).user.delete()
        assert self.ask(client, match, "?t=9000").content != before

    def test_only_drawing_is_counted(self, client: Client, match: Match, settings: LazySettings) -> None:
        settings.PICTURES_PER_ADDRESS = 2
        answers = [self.ask(client, match, f"?t={at}").status_code for at in (1, 1, 1, 2, 3, 1)]
        assert answers == [200, 200, 200, 200, 429, 200]

    def test_pictures_do_not_push_out_what_is_counted(
        self, client: Client, match: Match, settings: LazySettings
    ) -> None:
        settings.PICTURES_PER_ADDRESS = 1
        assert self.ask(client, match, "?t=1").status_code == 200
        for number in range(500):
            caches["pictures"].set(f"other{number}", b"")
        assert self.ask(client, match, "?t=2").status_code == 429

    def test_of_a_live_match_there_is_none(self, client: Client, live: Match) -> None:
        """B08"""
        assert self.ask(client, live).status_code == 404
        assert self.ask(client, live, "?t=5").status_code == 404

    @pytest.mark.parametrize("game", ["two_deck", "speed", "japanese_speed"])
    def test_of_every_game(self, client: Client, game: str) -> None:
        from games.rules.setup import Setup

        match = store_match(play_match(Setup(game), seed=1), make_user("Ωλγα"), make_user("Жанна"))
        assert image_of(self.ask(client, match)).size == (1200, 630)


class TestFrame:
    def test_is_the_one_page_for_frames(self, client: Client, match: Match) -> None:
        page = client.get(reverse("replay", args=[match.slug]))
        frame = client.get(reverse("replay_embed", args=[match.slug]))
        assert page["X-Frame-Options"] == "DENY"
        assert "X-Frame-Options" not in frame
        assert "Open on" in frame.content.decode()

    def test_of_a_live_match_there_is_none(self, client: Client, live: Match) -> None:
        """B08"""
        assert client.get(reverse("replay_embed", args=[live.slug])).status_code == 404


class TestClip:
    def where(self, match: Match, start: int, stop: int, name: str = "replay_clip") -> str:
        return reverse(name, args=[match.slug, start, stop, 0])

    def test_is_asked_for_waited_for_and_there(self, client: Client, match: Match) -> None:
        address = self.where(match, 5000, 9000)
        assert "Make the clip" in client.get(address).content.decode()
        assert not Clip.objects.exists(), "looking makes nothing"
        assert client.post(address).status_code == 302
        assert "is being made" in client.get(address).content.decode()
        assert client.get(self.where(match, 5000, 9000, "replay_clip_picture")).status_code == 404
        tasks.make_clips()
        state = client.get(self.where(match, 5000, 9000, "replay_clip_state")).content.decode()
        assert "clip-picture" in state
        picture = client.get(self.where(match, 5000, 9000, "replay_clip_picture"))
        image = image_of(picture)
        assert image.format == "GIF"
        assert image.size == (480, 252)
        assert getattr(image, "n_frames", 1) > 5
        assert len(picture.content) < clips.MOST_BYTES

    def test_lasts_as_long_as_its_part(self, match: Match) -> None:
        clip = clips.ask(match, 5000, 8000, 0)
        tasks.make_clip(clip.pk)
        clip.refresh_from_db()
        image = Image.open(BytesIO(bytes(clip.picture)))
        lasts = []
        for number in range(getattr(image, "n_frames", 1)):
            image.seek(number)
            lasts.append(image.info["duration"])
        # A GIF counts in hundredths of a second.
        assert abs(sum(lasts) - 3000 - clips.LAST) < 10 * len(lasts)

    def test_is_made_once(self, client: Client, match: Match, monkeypatch: pytest.MonkeyPatch) -> None:
        made = []
        monkeypatch.setattr(clips, "make", lambda clip: made.append(clip) or b"GIF89a")
        for _ in range(3):
            client.post(self.where(match, 1000, 3000))
            tasks.make_clips()
        assert len(made) == 1
        assert Clip.objects.count() == 1

    def test_one_that_failed_is_said_to_have_and_tried_again_when_asked(
        self, client: Client, match: Match, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(clips, "MOST_BYTES", 100)
        address = self.where(match, 1000, 3000)
        client.post(address)
        tasks.make_clips()
        assert "could not be made" in client.get(address).content.decode()
        monkeypatch.undo()
        client.post(address)
        tasks.make_clips()
        assert Clip.objects.get().state == Clip.State.MADE

    def test_what_cannot_be_made_now_has_failed(
        self, client: Client, match: Match, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(aside, "LASTS", 0.001)
        clip = clips.ask(match, 1000, 3000, 0)
        tasks.make_clip(clip.pk)
        assert "could not be made" in client.get(self.where(match, 1000, 3000)).content.decode()

    @pytest.mark.parametrize("bottom", [2, 9, 40_000, 10**30])
    def test_there_are_two_seats_to_see_it_from(self, client: Client, match: Match, bottom: int) -> None:
        address = self.where(match, 1000, 3000).replace("-0/", f"-{bottom}/")
        assert [ask(address).status_code for ask in (client.get, client.post)] == [404, 404]
        assert not Clip.objects.exists()

    @pytest.mark.parametrize(
        ("start", "stop", "words"),
        [(1000, 1100, "half a second"), (0, 15_001, "15 seconds"), (0, 10**9, "not in this match"), (9, 3, "half")],
    )
    def test_what_makes_no_clip_is_said(self, client: Client, match: Match, start: int, stop: int, words: str) -> None:
        for ask in (client.get, client.post):
            response = ask(self.where(match, start, stop))
            assert response.status_code == 400
            assert words in response.content.decode()
        assert not Clip.objects.exists()

    def test_not_for_ever(self, client: Client, match: Match, settings: LazySettings) -> None:
        settings.CLIPS_PER_ADDRESS = 2
        answers = [client.post(self.where(match, at, at + 1000)).status_code for at in (0, 1000, 1000, 2000)]
        assert answers == [302, 302, 302, 429]

    def test_what_nobody_looks_at_is_swept_up(self, match: Match, monkeypatch: pytest.MonkeyPatch) -> None:
        old, new, newest = (Clip.objects.create(match=match, start=at, end=at + 900, bottom=0) for at in range(3))
        Clip.objects.update(state=Clip.State.MADE)
        Clip.objects.filter(pk=old.pk).update(asked_at=wall() - timedelta(days=clips.KEPT_DAYS, minutes=1))
        tasks.sweep_clips()
        assert {clip.pk for clip in Clip.objects.all()} == {new.pk, newest.pk}
        monkeypatch.setattr(clips, "MOST_KEPT", 1)
        tasks.sweep_clips()
        assert [clip.pk for clip in Clip.objects.all()] == [newest.pk]

    def test_what_was_lost_on_its_way_is_made(self, match: Match) -> None:
        clips.ask(match, 1000, 2000, 0)
        tasks.sweep_clips()
        assert Clip.objects.get().state == Clip.State.MADE

    @pytest.mark.parametrize("name", ["replay_clip", "replay_clip_state", "replay_clip_picture"])
    def test_of_a_live_match_there_is_none(self, client: Client, live: Match, name: str) -> None:
        """B08"""
        assert client.get(self.where(live, 0, 900, name)).status_code == 404
        if name == "replay_clip":
            assert client.post(self.where(live, 0, 900)).status_code == 404
