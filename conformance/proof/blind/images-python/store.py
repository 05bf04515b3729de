"""The state, in memory only."""
import base64
import datetime
import hashlib
import secrets
import threading
import uuid
from switches import on

LOCK = threading.RLock()
UTC = datetime.timezone.utc


def now():
    return datetime.datetime.now(UTC)


def stamp(when, style=None):
    if on("uploaded-offset-zone"):
        return when.astimezone(datetime.timezone(datetime.timedelta(hours=2))).isoformat(timespec="milliseconds")
    if on("uploaded-whole-seconds"):
        return when.strftime("%Y-%m-%dT%H:%M:%SZ")
    if on("uploaded-basic-form"):
        return when.strftime("%Y%m%dT%H%M%SZ")
    if on("uploaded-nanoseconds"):
        return when.strftime("%Y-%m-%dT%H:%M:%S.%f") + "000Z"
    return when.strftime("%Y-%m-%dT%H:%M:%S.") + "%03dZ" % (when.microsecond // 1000)


class Image:
    def __init__(self, id, signed, metadata, draft=False):
        self.id, self.signed, self.metadata, self.draft = id, signed, metadata, draft
        self.filename, self.data, self.uploaded = "", b"", now()
        self.origin = "file"       # file, url, ticket or batch
        self.expires = None        # of the ticket, while a draft
        self.snapshot = []         # variant names at upload time
        self.gone = False
        self.born = 0.0
        self.opened = False        # delivered through a variant that needs no signature
        self._serial = secrets.token_hex(8)

    def serial(self):
        return self._serial


class Variant:
    def __init__(self, id, options, never):
        self.id, self.options, self.never = id, options, never
        self.first = dict(options)  # as created


class Ticket:
    def __init__(self, account, image, expires):
        self.account, self.image, self.expires, self.used = account, image, expires, False
        self.used_at = None
        self.number = 0             # of completed uploads


class Account:
    def __init__(self):
        self.id = secrets.token_hex(16)
        self.hash = base64.urlsafe_b64encode(hashlib.sha256(self.id.encode()).digest())[:22].decode()
        self.token, self.limited, self.batch = (secrets.token_urlsafe(30) for _ in range(3))
        self.images, self.variants, self.flexible = {}, {}, False
        self.dead_variants, self.cache, self.ghosts = {}, {}, {}
        self.last_metadata = {}
        self.tickets = []
        self.times = []
        if on("public-variant-built-in"):
            self.variants["public"] = Variant("public", {"fit": "scale-down", "width": 1366, "height": 768,
                                                         "metadata": "none"}, False)


class World:
    def __init__(self):
        self.accounts = {}
        self.tickets = {}
        self.fetched = {}
        self.signing_key = secrets.token_hex(16)
        self.root = ""
        self.a, self.b = Account(), Account()
        for account in (self.a, self.b):
            self.accounts[account.id] = account


def new_id(account):
    if on("id-long-token"):
        return secrets.token_urlsafe(48)
    if on("id-numeric"):
        return str(1000000 + secrets.randbelow(10 ** 12))
    return str(uuid.uuid4())
