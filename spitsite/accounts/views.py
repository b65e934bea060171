"""The pages of accounts where they differ from allauth's."""

from typing import Any

from allauth.account.adapter import get_adapter
from allauth.account.views import SignupView
from django.db import IntegrityError, transaction
from django.http import HttpResponse


class SignUp(SignupView):  # type: ignore[misc]
    """allauth's sign-up, which also knows that two people may ask for one name in the same moment."""

    def form_valid(self, form: Any) -> HttpResponse:
        save = form.try_save

        def try_save(request: Any) -> Any:
            with transaction.atomic():
                return save(request)

        form.try_save = try_save
        try:
            response: HttpResponse = super().form_valid(form)
        except IntegrityError:
            form.add_error("username", get_adapter().validation_error("username_taken"))
            response = self.form_invalid(form)
        return response


sign_up = SignUp.as_view()
