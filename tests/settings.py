"""Settings for the tests: the product's own, with a throw-away key and data folder, and a fast
password hash.
"""

import os
import tempfile

os.environ.setdefault("INTACT_SECRET_KEY", "tests-only-" + "t" * 60)
os.environ.setdefault("INTACT_PLAIN_HTTP", "1")
_DATA = os.environ.setdefault("INTACT_DATA_DIR", tempfile.mkdtemp(prefix="intact-tests-"))
# Processes that run tests side by side have a folder each.
if (worker := os.environ.get("PYTEST_XDIST_WORKER")) and not _DATA.endswith(worker):
    os.environ["INTACT_DATA_DIR"] = os.path.join(_DATA, worker)
    os.makedirs(os.environ["INTACT_DATA_DIR"], exist_ok=True)
os.environ.setdefault("HF_HUB_OFFLINE", "1")
# Playwright's loop makes Django think that the ORM is called from async code.
os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "true")

from config.settings import *  # noqa: E402, F403 the product's settings are the base

# A hash costs half a second by design; the tests log in hundreds of times.
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
ALLOWED_HOSTS = ["127.0.0.1", "localhost", "testserver"]
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = True

if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":  # noqa: F405
    # A file, as the product has it: two connections to one database in memory do not wait for each
    # other, they fail.
    DATABASES["default"]["TEST"] = {"NAME": str(DATA_DIR / "tests.sqlite3")}  # noqa: F405
