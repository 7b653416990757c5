"""Who asks: a person's session, or one of their tokens in the Authorization header; no other
carrier counts.
"""

from django.utils.translation import gettext as _
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from annotation.models import ApiToken, Person
from annotation.services.tokens import find_token, note_use


class BearerAuthentication(BaseAuthentication):
    """`Authorization: Bearer intact_…`. Whoever sends that header is judged by it alone, whatever
    cookie comes along.
    """

    def authenticate(self, request: Request) -> tuple[Person, ApiToken] | None:
        header = get_authorization_header(request)
        if not header:
            return None
        parts = header.split()
        if len(parts) != 2 or parts[0].lower() != b"bearer":
            raise AuthenticationFailed(
                _("The Authorization header must be “Bearer” and a token of the account page.")
            )
        token = find_token(parts[1].decode("ascii", "replace"))
        if token is None:
            raise AuthenticationFailed(
                _(
                    "This token lets nobody in: it is unknown, revoked or past its end, or the "
                    "password was changed since. Make a new one on the page /account/tokens/."
                )
            )
        note_use(token)
        return token.person, token

    def authenticate_header(self, request: Request) -> str:
        return 'Bearer realm="intact"'
