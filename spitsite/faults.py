"""What is answered to requests that are none."""

from django.http import HttpRequest, HttpResponseBadRequest
from django.template.loader import get_template


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponseBadRequest:
    """400. Django's own page of it looks into the form once more, and breaks where the form is what was wrong."""
    return HttpResponseBadRequest(get_template("400.html").render())
