"""Who guesses passwords is slowed, and nobody else (B33). Real requests to a real server."""

from collections.abc import Callable

import pytest

from spitsite import proxies
from tests.ops.http import Browser
from tests.site_process import NotStarted, Site, manage

StartSite = Callable[..., Site]
PASSWORD = "correct horse battery"
SLOWED = "Too many failed login attempts"


@pytest.fixture
def behind_proxy(start_site: StartSite) -> Site:
    """A site whose proxy is this test: it says who the client is, as a proxy does, by adding to what it was sent."""
    site = start_site(TRUSTED_PROXIES="127.0.0.1")
    manage(
        site.var, "createsuperuser", "--noinput", "--username=Ann", "--email=ann@example.org",
        DJANGO_SUPERUSER_PASSWORD=PASSWORD,
    )  # fmt: skip
    return site


def guess(browser: Browser, times: int = 12) -> bool:
    """Try wrong passwords; whether the last one was refused for being one too many."""
    answers = [browser.sign_in("Ann", f"wrong {number}") for number in range(times)]
    assert {answer.status for answer in answers} <= {200, 429}
    return SLOWED in answers[-1].text or answers[-1].status == 429


def test_twelve_wrong_passwords_from_one_client_slow_only_that_client(behind_proxy: Site) -> None:
    offender = Browser(behind_proxy.url, X_Forwarded_For="198.51.100.7")
    assert guess(offender)
    # The right password does not help it now ...
    assert offender.sign_in("Ann", PASSWORD).status != 302
    # ... and helps everybody else, for the same account.
    assert Browser(behind_proxy.url, X_Forwarded_For="198.51.100.8").sign_in("Ann", PASSWORD).status == 302


def test_a_forged_x_forwarded_for_gains_nothing_behind_a_proxy(behind_proxy: Site) -> None:
    """A proxy adds the address it sees behind whatever the client made up."""
    for number in range(12):
        made_up = f"203.0.113.{number}"
        Browser(behind_proxy.url, X_Forwarded_For=f"{made_up}, 198.51.100.7").sign_in("Ann", "wrong")
    offender = Browser(behind_proxy.url, X_Forwarded_For="192.0.2.1, 198.51.100.7")
    assert offender.sign_in("Ann", PASSWORD).status != 302
    # Nor can it get somebody else slowed.
    assert Browser(behind_proxy.url, X_Forwarded_For="203.0.113.3").sign_in("Ann", PASSWORD).status == 302


def test_a_forged_x_forwarded_for_gains_nothing_without_a_proxy(start_site: StartSite) -> None:
    site = start_site()
    for number in range(12):
        Browser(site.url, X_Forwarded_For=f"203.0.113.{number}").sign_in("Ann", "wrong")
    assert guess(Browser(site.url, X_Forwarded_For="192.0.2.1"), times=1)


@pytest.mark.parametrize("wrong", ["*", "nginx", "10.0.0.0/33", "10.0.0.5/8"])
def test_a_proxy_that_cannot_be_meant_is_a_sentence(start_site: StartSite, wrong: str) -> None:
    """uvicorn would take `*` for everybody, so that everybody could make up an address."""
    with pytest.raises(NotStarted, match=r"TRUSTED_PROXIES has"):
        start_site(TRUSTED_PROXIES=f"127.0.0.1,{wrong}")


def test_proxies_are_addresses_and_networks() -> None:
    assert proxies.checked([" 10.0.0.5", "10.1.0.0/16", "::1", ""]) == ["10.0.0.5", "10.1.0.0/16", "::1"]
