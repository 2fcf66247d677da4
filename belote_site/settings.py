"""The site's settings. What a deployment may change comes from the environment: docs/operations.md lists it."""

import os
from pathlib import Path
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured
from django.utils.csp import CSP

from belote_site import environment, retention, secret_key

BASE_DIR = Path(__file__).resolve().parent.parent

PRODUCTION = environment.choice("BELOTE_ENV", "local", ("local", "production")) == "production"
DEBUG = environment.flag("BELOTE_DEBUG", default=False)
if PRODUCTION and DEBUG:
    raise ImproperlyConfigured("BELOTE_DEBUG shows the site's inner state to everybody: unset it in production.")

if PRODUCTION:
    SECRET_KEY = secret_key.checked(environment.text("BELOTE_SECRET_KEY"))
else:
    SECRET_KEY = environment.text("BELOTE_SECRET_KEY") or secret_key.local(BASE_DIR / ".setup" / "secret_key")

# The addresses under which browsers reach the site. Without any, it answers on this machine only.
SITE_ORIGINS = environment.origins("BELOTE_ORIGINS")
if PRODUCTION and not SITE_ORIGINS:
    raise ImproperlyConfigured("Set BELOTE_ORIGINS to the site's address, such as https://belote.example.")
ALLOWED_HOSTS = [urlsplit(origin).hostname or "" for origin in SITE_ORIGINS] or ["localhost", "127.0.0.1", "[::1]"]
CSRF_TRUSTED_ORIGINS = SITE_ORIGINS

# How many proxies of our own stand between the browser and this process; each adds one entry to X-Forwarded-For.
TRUSTED_PROXIES = environment.number("BELOTE_TRUSTED_PROXIES", 0)

REDIS_URL = environment.text("REDIS_URL")
EMBEDDED_TASKS = (
    environment.choice(
        "BELOTE_TASKS", "workers" if environment.text("DATABASE_URL") else "embedded", ("embedded", "workers")
    )
    == "embedded"
)
if not REDIS_URL and (environment.number("WEB_PROCESSES", 1) > 1 or not EMBEDDED_TASKS):
    raise ImproperlyConfigured(
        "Several processes reach each other's sockets through Redis: set REDIS_URL, "
        "or run one process with WEB_PROCESSES=1 and BELOTE_TASKS=embedded."
    )

INSTALLED_APPS = [
    "belote_site",
    "belote_site.staff.SiteAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django_htmx",
    "dj_queue",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "accounts",
    "games",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.middleware.csp.ContentSecurityPolicyMiddleware",
    "belote_site.privacy.PrivatePagesMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "accounts.language.LanguageMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "accounts.decisions.DecisionsMiddleware",
    "belote_site.errors.PagesForRefusals",
]

ROOT_URLCONF = "belote_site.urls"
ASGI_APPLICATION = "belote_site.asgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.csp",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "accounts.preferences.context",
                "accounts.decisions.context",
                "games.views.running_match",
                "games.room_views.waiting_in",
                "games.lobby_views.open_invitations",
                "games.people_views.report_answers",
                "belote_site.pages.maintenance",
            ],
        },
    },
]

# Data

SQLITE_SYNCHRONOUS = environment.choice("BELOTE_SQLITE_SYNCHRONOUS", "NORMAL", ("NORMAL", "FULL"))
DATABASES = {
    "default": {
        "CONN_MAX_AGE": 60,
        "CONN_HEALTH_CHECKS": True,
        **(
            environment.postgres("DATABASE_URL")
            or {
                "ENGINE": "belote_site.sqlite",
                "NAME": environment.text("BELOTE_DB", str(BASE_DIR / "db.sqlite3")),
                "OPTIONS": {
                    # A transaction that reads first and writes later would lose to another writer without a wait.
                    "transaction_mode": "IMMEDIATE",
                    "timeout": 10,
                    "init_command": f"PRAGMA journal_mode=WAL; PRAGMA synchronous={SQLITE_SYNCHRONOUS};",
                },
            }
        ),
    }
}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

if REDIS_URL:
    CACHES = {"default": {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": REDIS_URL}}
    CHANNEL_LAYERS = {
        "default": {"BACKEND": "belote_site.layer.ManyProcessesChannelLayer", "CONFIG": {"hosts": [REDIS_URL]}}
    }
else:
    CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
    CHANNEL_LAYERS = {"default": {"BACKEND": "belote_site.layer.OneProcessChannelLayer"}}

ANALYSIS_QUEUE = "analysis"
TASKS = {
    "default": {
        "BACKEND": "dj_queue.backend.DjQueueBackend",
        "QUEUES": [],
        "OPTIONS": {
            "mode": "async" if EMBEDDED_TASKS else "fork",
            "workers": [
                # A thread waits until the move that it has computed is due: many tables need many.
                {"queues": "default", "threads": 8, "polling_interval": 0.05},
                # What takes long never has one of those: one deal is analysed after another.
                {"queues": ANALYSIS_QUEUE, "threads": 1, "polling_interval": 0.5},
            ],
            "dispatchers": [{"polling_interval": 0.1}],
            "preserve_finished_jobs": False,
            "clear_failed_jobs_after": int(retention.FAILED_JOB.total_seconds()),
            "clear_recurring_executions_after": int(retention.FAILED_JOB.total_seconds()),
            "process_heartbeat_interval": 10,
            "process_alive_threshold": 30,
            "shutdown_timeout": 1,
            "recurring": {
                "seats that nobody came back to": {"task_path": "games.tasks.sweep_rooms", "schedule": "* * * * *"},
                "abandoned matches": {"task_path": "games.tasks.end_abandoned_matches", "schedule": "*/10 * * * *"},
                "results and ratings that were missed": {
                    "task_path": "games.tasks.sweep_results",
                    "schedule": "* * * * *",
                },
                "accounts past their time": {"task_path": "accounts.purges.purge", "schedule": "17 * * * *"},
                "rooms, talk and guests past their time": {"task_path": "games.purges.purge", "schedule": "37 * * * *"},
                "hints for moderators": {
                    "task_path": "games.tasks.measure_hints",
                    "schedule": "47 * * * *",
                    "queue_name": ANALYSIS_QUEUE,
                },
                "analyses that were left off": {
                    "task_path": "games.tasks.analyse_deals",
                    "schedule": "* * * * *",
                    "queue_name": ANALYSIS_QUEUE,
                },
            },
        },
    }
}

# People

AUTH_USER_MODEL = "accounts.User"
# Who runs the site, as the privacy notice, the terms and the contact page say it, and from what age on people may join.
OPERATOR = environment.text("BELOTE_OPERATOR")
CONTACT = environment.text("BELOTE_CONTACT")
MINIMUM_AGE = environment.number("BELOTE_MINIMUM_AGE", 16)

GUEST_LIMIT = environment.rate("BELOTE_GUEST_LIMIT", "30/hour")
ROOM_LIMIT = environment.rate("BELOTE_ROOM_LIMIT", "60/hour")
SIGNUP_LIMIT = environment.rate("BELOTE_SIGNUP_LIMIT", "20/hour")
ANALYSIS_LIMIT = environment.rate("BELOTE_ANALYSIS_LIMIT", "60/hour")
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
LOGIN_URL, LOGIN_REDIRECT_URL, LOGOUT_REDIRECT_URL = "account_login", "games:home", "games:home"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in ("UserAttributeSimilarityValidator", "MinimumLengthValidator", "CommonPasswordValidator")
]

ACCOUNT_ADAPTER = "accounts.adapter.AccountAdapter"
ACCOUNT_FORMS = {
    "login": "accounts.entrance_forms.LoginForm",
    "signup": "accounts.entrance_forms.SignUpForm",
    "reset_password": "accounts.entrance_forms.ResetPasswordForm",
    "reset_password_from_key": "accounts.entrance_forms.NewPasswordForm",
    "change_password": "accounts.entrance_forms.ChangePasswordForm",
    "reauthenticate": "accounts.entrance_forms.ConfirmPasswordForm",
    "add_email": "accounts.entrance_forms.EmailForm",
}
ACCOUNT_LOGIN_METHODS = {"username"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email", "password1*", "password2*"]
# Usable at once. An address that is somebody else's already is accepted like any other: a refusal would tell who plays.
ACCOUNT_EMAIL_VERIFICATION = "optional"
ACCOUNT_PREVENT_ENUMERATION = "strict"
ACCOUNT_CHANGE_EMAIL = True
ACCOUNT_REAUTHENTICATION_REQUIRED = True
ACCOUNT_REAUTHENTICATION_METHODS = ["password"]
# Guests are signed in, and must be able to log in or sign up all the same; `accounts.entrance` keeps accounts out.
ACCOUNT_AUTHENTICATED_LOGIN_REDIRECTS = False
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
ACCOUNT_DEFAULT_HTTP_PROTOCOL = "https" if PRODUCTION else "http"

# A second factor is there for every account; staff cannot do without one where this is on.
STAFF_NEED_SECOND_FACTOR = environment.flag("BELOTE_STAFF_SECOND_FACTOR", default=PRODUCTION)
MFA_ADAPTER = "accounts.second_factor.SecondFactorAdapter"
MFA_FORMS = {
    "authenticate": "accounts.entrance_forms.CodeForm",
    "activate_totp": "accounts.entrance_forms.FirstCodeForm",
}
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes"]
MFA_TOTP_ISSUER = "Belote"
# The code before and the one after are right as well: clocks of phones differ, and people type slowly.
MFA_TOTP_TOLERANCE = 1
# An address that nobody has confirmed keeps nobody out: others may use the same one.
MFA_ALLOW_UNVERIFIED_EMAIL = True

# Mail: on this machine it appears where the server was started; a site in production that was given no way to send any
# says so on its pages.

_mailer = environment.mailer("BELOTE_EMAIL_URL")
SENDS_MAIL = _mailer is not None or not PRODUCTION
if SENDS_MAIL:
    MAILERS = {"default": _mailer or {"BACKEND": "belote_site.mail.PrintedMail"}}
else:
    MAILERS = {"default": {"BACKEND": "django.core.mail.backends.dummy.EmailBackend"}}
    # A site without mail is meant: its pages say so.
    SILENCED_SYSTEM_CHECKS = ["mail.E001"]
DEFAULT_FROM_EMAIL = environment.text("BELOTE_EMAIL_FROM", "belote@localhost")
if PRODUCTION and _mailer and not environment.text("BELOTE_EMAIL_FROM"):
    raise ImproperlyConfigured("Set BELOTE_EMAIL_FROM to the address that the site's mail comes from.")

LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("fr", "Français"), ("et", "Eesti"), ("th", "ไทย")]
FORMAT_MODULE_PATH = ["belote_site.formats"]
LOCALE_PATHS = [BASE_DIR / "belote_site" / "locale"]
TIME_ZONE = "UTC"

# Static files: straight from their folders here, compressed and named by their content in production.

STATIC_URL = "/static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
STATIC_ROOT = BASE_DIR / "staticfiles"
WHITENOISE_USE_FINDERS = not PRODUCTION
WHITENOISE_AUTOREFRESH = not PRODUCTION
if PRODUCTION:
    STORAGES = {
        "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
        "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
    }

# What browsers are told to refuse, and what may travel

SECURE_CSP = {
    "default-src": [CSP.NONE],
    "script-src": [CSP.SELF, CSP.NONCE],
    "style-src": [CSP.SELF],
    "img-src": [CSP.SELF, "data:"],
    "font-src": [CSP.SELF],
    "connect-src": [CSP.SELF],
    "manifest-src": [CSP.SELF],
    "form-action": [CSP.SELF],
    "frame-ancestors": [CSP.NONE],
    "base-uri": [CSP.NONE],
}
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"

SESSION_COOKIE_AGE = int(retention.ACCOUNT_SESSION.total_seconds())
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = LANGUAGE_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = LANGUAGE_COOKIE_SECURE = PRODUCTION
LANGUAGE_COOKIE_NAME = "belote_language"
LANGUAGE_COOKIE_AGE = 365 * 24 * 3600
LANGUAGE_COOKIE_HTTPONLY = CSRF_COOKIE_HTTPONLY = True
CSRF_FAILURE_VIEW = "belote_site.errors.csrf_failure"

if PRODUCTION:
    # Browsers take a cookie of such a name only from the very host, over HTTPS: a subdomain cannot plant one.
    SESSION_COOKIE_NAME, CSRF_COOKIE_NAME = "__Host-sessionid", "__Host-csrftoken"
    SECURE_SSL_REDIRECT = True
    SECURE_REDIRECT_EXEMPT = [r"^health/$"]
    SECURE_HSTS_SECONDS = environment.number("BELOTE_HSTS_SECONDS", 365 * 24 * 3600)
    SECURE_HSTS_INCLUDE_SUBDOMAINS = True
    SECURE_HSTS_PRELOAD = True
    if TRUSTED_PROXIES:
        SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")

DATA_UPLOAD_MAX_MEMORY_SIZE = 64 * 1024
DATA_UPLOAD_MAX_NUMBER_FIELDS = 200

# Errors and logs: never a value that a hand of cards could be in

DEFAULT_EXCEPTION_REPORTER_FILTER = "belote_site.privacy.NoFrameVariables"
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {"no_abandoned_pages": {"()": "belote_site.logs.NoAbandonedPages"}},
    "formatters": {"line": {"()": "belote_site.logs.JsonLineFormatter"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {
        "handlers": ["stderr"],
        "level": environment.choice("BELOTE_LOG_LEVEL", "INFO", ("DEBUG", "INFO", "WARNING", "ERROR")),
    },
    "loggers": {
        "django": {"handlers": [], "level": "INFO", "propagate": True},
        "django.server": {"handlers": [], "level": "INFO", "propagate": True},
        # These tell of every connection and every job at INFO: thousands a minute.
        "daphne": {"level": "WARNING"},
        "daphne.server": {"filters": ["no_abandoned_pages"]},
        "django.tasks": {"level": "WARNING"},
        "dj_queue": {"level": "WARNING"},
    },
}

# How long computer players take, as a multiple of the usual second or so.
COMPUTER_PACE = environment.fraction("BELOTE_COMPUTER_PACE", 1.0)

# How long a deal waits, after its commitment, for the random numbers of the browsers; 0 waits for none.
CONTRIBUTION_SECONDS = environment.fraction("BELOTE_CONTRIBUTION_SECONDS", 1.0)

# How many deals of rated matches are drawn by chance and analysed in a day, for the hints of moderators; 0 for none.
HINT_SAMPLE = environment.number("BELOTE_HINT_SAMPLE", 200)

# In how many processes computer players think that take long; beside the server, or each task worker.
THINKING_PROCESSES = environment.number("BELOTE_THINKING_PROCESSES", max(1, min(4, (os.cpu_count() or 1) - 1)))
if THINKING_PROCESSES < 1:
    raise ImproperlyConfigured("BELOTE_THINKING_PROCESSES must be at least 1.")
