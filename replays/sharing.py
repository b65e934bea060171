"""What of a replay goes elsewhere: pictures of moments, clips of parts, the page for other sites' frames."""

from typing import Any, Final

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.cache import patch_cache_control
from django.utils.module_loading import import_string
from django.utils.translation import gettext as _
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_http_methods, require_safe

from games.clock import wall
from games.models import End
from replays import clips, pictures, selectors, tasks
from replays.models import Clip
from replays.views import moment_of, replay_context

HOUR: Final = 3600
DAY: Final = 24 * HOUR


def is_within(request: HttpRequest, what: str, most: int) -> bool:
    """Whether the address of the request may have this done once more in this hour."""
    allowed: bool = import_string(settings.IS_WITHIN)(request, what, most)
    return allowed


def _end_or_404(slug: str) -> End:
    """What goes elsewhere is for everybody: while watchers of a delayed match wait for its end, for nobody."""
    end = selectors.end_of(slug, AnonymousUser())
    if end is None:
        raise Http404
    return end


@require_safe
@xframe_options_exempt
def replay_embed(request: HttpRequest, slug: str) -> HttpResponse:
    """The replay without the site around it, for frames on other sites' pages."""
    end = _end_or_404(slug)
    return render(request, "replays/embed.html", {**replay_context(request, end), "is_embed": True})


@require_safe
def replay_image(request: HttpRequest, slug: str) -> HttpResponse:
    """A picture of a moment (`?t=`, ms; else one that shows the match well), 1200 by 630; `?b=1`: seat 1 below."""
    end = _end_or_404(slug)
    at = moment_of(request)
    bottom = int(request.GET.get("b") == "1")
    picture = pictures.kept(pictures.key_of(end.match, at, bottom))
    if picture is None:
        if not is_within(request, "pictures", settings.PICTURES_PER_ADDRESS):
            return _too_often()
        picture = pictures.make(end.match, at, bottom)
    response = HttpResponse(picture, content_type="image/png")
    patch_cache_control(response, public=True, max_age=DAY)
    return response


@require_http_methods(["GET", "HEAD", "POST"])
def replay_clip(request: HttpRequest, slug: str, start: int, stop: int, bottom: int) -> HttpResponse:
    """The page of a clip: to have it made (POST), to wait for it, to look at it."""
    end = _end_or_404(slug)
    context: dict[str, Any] = {"outcome_names": _names(end), "match": end.match, "section": "replays"}
    try:
        clips.check(end.at, start, stop)
    except clips.NoClip as error:
        return render(request, "replays/clip.html", {**context, "refusal": error.why.sentence}, status=400)
    clip = clips.find(end.match, start, stop, bottom)
    if request.method == "POST" and (clip is None or clip.state == Clip.State.FAILED):
        if not is_within(request, "clips", settings.CLIPS_PER_ADDRESS):
            context |= {"refusal": _("You have asked for many clips. Please wait an hour.")}
            return render(request, "replays/clip.html", context, status=429)
        clip = clips.ask(end.match, start, stop, bottom)
        tasks.begin(clip)
    if request.method == "POST":
        return redirect(request.path)
    context |= _clip_context(end, clip, start, stop, bottom)
    return render(request, "replays/clip.html", context)


@require_safe
def replay_clip_state(request: HttpRequest, slug: str, start: int, stop: int, bottom: int) -> HttpResponse:
    """The part of that page that changes while one waits."""
    end = _end_or_404(slug)
    context = _clip_context(end, clips.find(end.match, start, stop, bottom), start, stop, bottom)
    response = render(request, "replays/clip_state.html", context)
    patch_cache_control(response, no_store=True)
    return response


@require_safe
def replay_clip_picture(request: HttpRequest, slug: str, start: int, stop: int, bottom: int) -> HttpResponse:
    """The clip itself."""
    end = _end_or_404(slug)
    clip = Clip.objects.filter(match=end.match, start=start, end=stop, bottom=bottom, state=Clip.State.MADE).first()
    if clip is None:
        raise Http404
    # What is looked at stays.
    if (wall() - clip.asked_at).total_seconds() > DAY:
        Clip.objects.filter(pk=clip.pk).update(asked_at=wall())
    response = HttpResponse(bytes(clip.picture), content_type="image/gif")
    patch_cache_control(response, public=True, max_age=DAY)
    return response


def _clip_context(end: End, clip: Clip | None, start: int, stop: int, bottom: int) -> dict[str, Any]:
    where = [end.match.slug, start, stop, bottom]
    return {
        "clip": clip,
        "match": end.match,
        "begins": f"{start // 60_000}:{start // 1000 % 60:02}.{start % 1000 // 100}",
        "ends": f"{stop // 60_000}:{stop // 1000 % 60:02}.{stop % 1000 // 100}",
        "start": start,
        "state_address": reverse("replay_clip_state", args=where),
        "picture_address": reverse("replay_clip_picture", args=where),
    }


def _names(end: End) -> list[str]:
    return [person.name for person in selectors.outcome_of(end).people]


def _too_often() -> HttpResponse:
    text = _("Too many pictures were asked for. Please wait an hour.")
    response = HttpResponse(text, status=429, content_type="text/plain; charset=utf-8")
    response["Retry-After"] = str(HOUR)
    return response
