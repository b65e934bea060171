"""`manage.py preferences_script`: static/js/site/catalogue.js, from the description of the preferences."""

from typing import Any

from django.core.management.base import BaseCommand

from spitsite.accounts.preferences.script import script


class Command(BaseCommand):
    help = "Writes the module of all preferences for the page's scripts to standard output."

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(script(), ending="")
