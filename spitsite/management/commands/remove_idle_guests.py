"""`manage.py remove_idle_guests`: what the server does by itself from time to time."""

from typing import Any

from django.core.management import BaseCommand
from django.utils.translation import ngettext

from spitsite.accounts import expiry


class Command(BaseCommand):
    help = "Deletes guests without matches who have not been here for GUEST_IDLE_DAYS."

    def handle(self, **options: Any) -> None:
        number = expiry.remove_idle_guests()
        said = ngettext("{number} idle guest removed.", "{number} idle guests removed.", number)
        self.stdout.write(said.format(number=number))
