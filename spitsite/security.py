"""What browsers are told about the site's pages: where scripts may come from, and what a page may do.

The policy of contents itself is in the settings (`CONTENT_SECURITY_POLICY`), and is made by django-csp.
"""

from typing import Final

from csp.middleware import CSPMiddleware, PolicyParts
from django.http import HttpRequest
from django.http.response import HttpResponseBase

PERMISSIONS: Final = ", ".join(
    f"{feature}=()"
    for feature in (
        "accelerometer", "browsing-topics", "camera", "display-capture", "encrypted-media", "geolocation", "gyroscope",
        "hid", "idle-detection", "magnetometer", "microphone", "midi", "payment", "picture-in-picture", "serial", "usb",
        "xr-spatial-tracking",
    )
)  # fmt: skip
"""What no page here does, whatever gets into it. Passkeys, copying, wake lock, sound and full screen stay allowed."""


PASSIVE: Final = frozenset({"text/css", "text/javascript", "font/woff2", "image/png", "image/webp"})
"""What is never a document by itself. What it may do is said by the page that it is a part of, and half a kilobyte
with each script and font would say it to nobody. (A worker's script would need its own: pages may start none.)"""


class Policy(CSPMiddleware):
    """The headers of every answer.

    Pages may not be put into other sites' pages. A view that may, says so with Django's own
    `django.views.decorators.clickjacking.xframe_options_exempt`; it needs nothing else.
    """

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        if response.headers.get("Content-Type", "").partition(";")[0] in PASSIVE:
            # What django-csp's own decorator `csp_exempt` says.
            response._csp_exempt = True  # type: ignore[attr-defined]
        else:
            response.headers.setdefault("Permissions-Policy", PERMISSIONS)
        if not getattr(response, "xframe_options_exempt", False):
            response.headers.setdefault("Cross-Origin-Resource-Policy", "same-origin")
        return super().process_response(request, response)

    def get_policy_parts(
        self, request: HttpRequest, response: HttpResponseBase, report_only: bool = False
    ) -> PolicyParts:
        parts = super().get_policy_parts(request, response, report_only)
        if getattr(response, "xframe_options_exempt", False):
            parts.replace = {**(parts.replace or {}), "frame-ancestors": ["*"]}
        return parts
