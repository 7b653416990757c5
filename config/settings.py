"""Every setting of Intact, in one file, from the environment. A secret has no default outside demo
mode.
"""

import os
from pathlib import Path

import dj_database_url
from django.core.exceptions import ImproperlyConfigured

BASE_DIR = Path(__file__).resolve().parent.parent


def env(name: str, default: str | None = None) -> str:
    """Return an environment variable; without a default, stop start-up with one sentence."""
    value = os.environ.get(name, default)
    if value is None or (default is None and not value.strip()):
        raise ImproperlyConfigured(
            f"{name} is not set: put it into the environment (docs/settings.md says how), "
            "or start the demo with `make demo`."
        )
    return value


def env_bool(name: str) -> bool:
    """Return True for 1, true, yes or on; anything but a known word stops start-up."""
    word = os.environ.get(name, "").strip().lower()
    if word in {"", "0", "false", "no", "off"}:
        return False
    if word in {"1", "true", "yes", "on"}:
        return True
    raise ImproperlyConfigured(f"{name} is {word!r}: use 1 or 0.")


DEMO = env_bool("INTACT_DEMO")
DEBUG = env_bool("INTACT_DEBUG")
WEB = env_bool("INTACT_WEB")  # set by config.wsgi: this process answers people
DATA_DIR = Path(env("INTACT_DATA_DIR", str(BASE_DIR / "var")))
DATA_DIR.mkdir(parents=True, exist_ok=True)
VERSION = "0.1.0"

# The demo listens on loopback only and holds invented data, so its key may be known.
SECRET_KEY = env("INTACT_SECRET_KEY", "demo-only-" + "d" * 50 if DEMO else None)
if len(SECRET_KEY) < 50:
    raise ImproperlyConfigured(
        f"INTACT_SECRET_KEY has {len(SECRET_KEY)} characters: use at least 50 random ones, "
        'for example from `python -c "import secrets; print(secrets.token_urlsafe(64))"`.'
    )
ALLOWED_HOSTS = env("INTACT_ALLOWED_HOSTS", "127.0.0.1,localhost").split(",")
if "*" in ALLOWED_HOSTS:
    raise ImproperlyConfigured("INTACT_ALLOWED_HOSTS must name hosts, not *.")
CSRF_TRUSTED_ORIGINS = [o for o in env("INTACT_TRUSTED_ORIGINS", "").split(",") if o]

INSTALLED_APPS = [
    "evaluation",
    "contracts",
    "annotation",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django_htmx",
    "rest_framework",
    "drf_spectacular",
    "csp",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "annotation.languages.VisitorsLanguageMiddleware",
    "annotation.api.problems.ProblemsMiddleware",
    "annotation.caching.PrivatePagesMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "annotation.languages.PersonsLanguageMiddleware",
    "django.contrib.auth.middleware.LoginRequiredMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
]

ROOT_URLCONF = "config.urls"
# The path under which a proxy that strips it serves the site, for example /app.
FORCE_SCRIPT_NAME = env("INTACT_PATH_PREFIX", "").rstrip("/") or None
WSGI_APPLICATION = "config.wsgi.application"
ASGI_APPLICATION = "config.asgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "annotation.context.site",
            ]
        },
    }
]

# Database: SQLite by default, one writer at a time and waiting its turn; PostgreSQL through
# DATABASE_URL.
DATABASES = {
    "default": dj_database_url.parse(
        env("DATABASE_URL", f"sqlite:///{DATA_DIR / 'intact.sqlite3'}"), conn_max_age=60
    )
}
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    DATABASES["default"]["OPTIONS"] = {
        "timeout": 20,
        "transaction_mode": "IMMEDIATE",
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
    }
else:
    # The web server waits for nobody long. A worker, an import or a migration may hold a table for
    # minutes, but nobody keeps a transaction open and does nothing.
    lock, statement, idle = ("5s", "30s", "60s") if WEB else ("60s", "0", "300s")
    limits = (
        f"-c lock_timeout={lock} -c statement_timeout={statement}"
        f" -c idle_in_transaction_session_timeout={idle}"
    )
    given = DATABASES["default"].get("OPTIONS", {})
    options = {"connect_timeout": 5, **given}
    # Statements that come again are parsed and planned once for each connection: a fifth of what an
    # item costs. A pooler that hands connections on between transactions cannot have them, nor
    # limits of one connection: docs/settings.md says where they go then.
    if not env_bool("INTACT_NO_PREPARED_STATEMENTS"):
        options |= {"server_side_binding": True, "prepare_threshold": 2}
        options["options"] = f"{limits} {given.get('options', '')}".strip()
    DATABASES["default"]["OPTIONS"] = options
    DATABASES["default"]["CONN_HEALTH_CHECKS"] = True
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# People
AUTH_USER_MODEL = "annotation.Person"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {
        "NAME": "django.contrib.auth.password_validation.MinimumLengthValidator",
        "OPTIONS": {"min_length": 12},
    },
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]
LOGIN_URL = "log-in"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "log-in"
SESSION_COOKIE_AGE = 12 * 3600
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"

# Transport. The demo and the tests speak plain HTTP on loopback; everything else is behind TLS.
PLAIN_HTTP = DEMO or env_bool("INTACT_PLAIN_HTTP")
SECURE_SSL_REDIRECT = not PLAIN_HTTP
SESSION_COOKIE_SECURE = not PLAIN_HTTP
CSRF_COOKIE_SECURE = not PLAIN_HTTP
SECURE_HSTS_SECONDS = 0 if PLAIN_HTTP else 365 * 24 * 3600
SECURE_HSTS_INCLUDE_SUBDOMAINS = not PLAIN_HTTP
SECURE_HSTS_PRELOAD = not PLAIN_HTTP
SECURE_REDIRECT_EXEMPT = [r"^healthz$"]
BEHIND_PROXY = env_bool("INTACT_BEHIND_PROXY")
if BEHIND_PROXY:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": ["'self'"],
        "script-src": ["'self'"],
        "style-src": ["'self'"],
        "img-src": ["'self'", "data:"],
        "object-src": ["'none'"],
        "base-uri": ["'none'"],
        "form-action": ["'self'"],
        "frame-ancestors": ["'none'"],
    }
}

# Language and files
LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("de", "Deutsch")]  # each by its own name; docs/languages.md
LANGUAGE_COOKIE_AGE = 365 * 24 * 3600
LANGUAGE_COOKIE_HTTPONLY = True
LANGUAGE_COOKIE_SAMESITE = "Lax"
LANGUAGE_COOKIE_SECURE = not PLAIN_HTTP
FORMAT_MODULE_PATH = ["config.formats"]
USE_I18N = True
USE_TZ = True
TIME_ZONE = "UTC"
LOCALE_PATHS = [BASE_DIR / "locale"]
STATIC_URL = "static/"  # under the path prefix, if there is one
STATICFILES_DIRS = [BASE_DIR / "static"]
STATIC_ROOT = BASE_DIR / "staticfiles"
WHITENOISE_USE_FINDERS = DEMO or DEBUG
if WHITENOISE_USE_FINDERS:
    STATIC_ROOT.mkdir(exist_ok=True)  # nothing is collected here, but its absence is warned of
DATA_UPLOAD_MAX_MEMORY_SIZE = 64 * 1024 * 1024
FILE_UPLOAD_MAX_MEMORY_SIZE = 4 * 1024 * 1024

# Queue: a folder on this machine, or Redis; the same code either way (docs/architecture.md).
CELERY_BROKER_URL = env("CELERY_BROKER_URL", "filesystem://")
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_CANCEL_LONG_RUNNING_TASKS_ON_CONNECTION_LOSS = True
CELERY_TASK_IGNORE_RESULT = True
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TASK_SERIALIZER = "json"
CELERY_TASK_TIME_LIMIT = 300
CELERY_TASK_SOFT_TIME_LIMIT = 270
# Asked to end, a worker lets its tasks go on for so long; with REMAP_SIGTERM=SIGQUIT also when it
# gets SIGTERM, as from Docker. What is not done by then goes back to the queue.
CELERY_WORKER_SOFT_SHUTDOWN_TIMEOUT = 30
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None
# A page that sends a message must not hang while the broker is away: the rows say that there is
# work, and a sweep finds it.
CELERY_BROKER_POOL_ACQUIRE_TIMEOUT = 5
CELERY_BROKER_CONNECTION_TIMEOUT = 2
CELERY_TASK_PUBLISH_RETRY_POLICY = {"max_retries": 1, "interval_start": 0.2, "interval_step": 0.2}
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_BEAT_SCHEDULE = {
    "sweep-runs": {"task": "evaluation.sweep_runs", "schedule": 30.0},
    "sweep-suites": {"task": "evaluation.sweep_suites", "schedule": 30.0},
    "sweep-variations": {"task": "evaluation.sweep_variation_sets", "schedule": 30.0},
    "sweep-imports": {"task": "annotation.sweep_imports", "schedule": 30.0},
    "approve-agreed": {"task": "contracts.approve_agreed", "schedule": 60.0},
}
if CELERY_BROKER_URL.startswith("filesystem://"):
    QUEUE_DIR = DATA_DIR / "queue"
    CELERY_BROKER_TRANSPORT_OPTIONS = {
        "data_folder_in": str(QUEUE_DIR / "messages"),
        "data_folder_out": str(QUEUE_DIR / "messages"),
        "control_folder": str(QUEUE_DIR / "control"),
        "polling_interval": 0.1,
    }
    for folder in ("messages", "control"):
        (QUEUE_DIR / folder).mkdir(parents=True, exist_ok=True)
else:
    # After a lost connection a worker may live and take nothing: a probe shows who does. One that
    # nobody took says nothing later. A folder has no connection to lose.
    CELERY_BEAT_SCHEDULE["heartbeat"] = {
        "task": "annotation.heartbeat",
        "schedule": 30.0,
        "options": {"expires": 60.0},
    }
    # What nobody acknowledged comes back after 15 minutes: three places, the shortest counts.
    CELERY_VISIBILITY_TIMEOUT = 900
    CELERY_RESULT_BACKEND_TRANSPORT_OPTIONS = {"visibility_timeout": CELERY_VISIBILITY_TIMEOUT}
    CELERY_BROKER_TRANSPORT_OPTIONS = {
        "visibility_timeout": CELERY_VISIBILITY_TIMEOUT,
        "socket_connect_timeout": 2,
        # A page gives up soon; a worker waits for a message ten seconds at a time.
        "socket_timeout": 1.5 if WEB else 15,
        "socket_keepalive": True,
    }

# Models: any OpenAI-compatible endpoint; unset, the worker serves the bundled one on loopback.
LLM_BASE_URL = env("INTACT_LLM_BASE_URL", "")
LLM_API_KEY = env("INTACT_LLM_API_KEY", "")
LLM_MODEL = env("INTACT_LLM_MODEL", "")
INDEX_DIR = DATA_DIR / "indexes"

# Drawn charts, some kilobytes each, for every process of this machine. When there are too many, a
# third of them goes and is drawn again when it is wanted.
CACHES = {
    "default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"},
    "charts": {
        "BACKEND": "django.core.cache.backends.filebased.FileBasedCache",
        "LOCATION": DATA_DIR / "charts",
        "TIMEOUT": None,
        "OPTIONS": {"MAX_ENTRIES": 3000},
    },
}
# What the chart library knows of the machine's fonts; its own place may not be writable.
os.environ.setdefault("MPLCONFIGDIR", str(DATA_DIR / "charts" / "library"))
os.environ.setdefault("HF_HUB_OFFLINE", "1")

# The REST API: a session or a token, JSON whatever Accept says, every refusal a problem.
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "annotation.api.authentication.BearerAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_CONTENT_NEGOTIATION_CLASS": "annotation.api.parsing.AlwaysJSON",
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["annotation.api.parsing.StrictJSONParser"],
    "DEFAULT_METADATA_CLASS": None,
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "annotation.api.problems.answer_problem",
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Intact",
    "DESCRIPTION": "People record what a request really asks; the engine measures what keeps it.",
    "VERSION": VERSION,
    "SERVE_PERMISSIONS": ["rest_framework.permissions.IsAuthenticated"],
    "SERVE_INCLUDE_SCHEMA": False,
    "SCHEMA_PATH_PREFIX": r"/api/v1",
    "PREPROCESSING_HOOKS": ["annotation.api.schema.only_ours"],
    "POSTPROCESSING_HOOKS": ["annotation.api.schema.finished"],
    "PATH_CONVERTER_OVERRIDES": {"key": str},
    "ENABLE_DJANGO_DEPLOY_CHECK": False,  # a test checks it
}

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "%(asctime)s %(levelname)s %(name)s %(message)s"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["console"], "level": env("INTACT_LOG_LEVEL", "WARNING")},
    # A refused page is no fault of ours; Django would log each with its traceback.
    "loggers": {
        "django.request": {"level": "ERROR"},
        # The folder of the embedded queue has no host; kombu warns of that at every connection.
        "kombu.connection": {"level": "ERROR"},
    },
}
