"""Verification of the JSON Web Token for the pattern `jwt`."""
import base64
import hashlib
import hmac
import json
import math
import re

from core import S, now, on


class Bad(Exception):
    """The token fails verification; `expired` tells why when it is only the time."""

    def __init__(self, reason):
        super().__init__(reason)
        self.reason = reason


HASHES = {"HS256": hashlib.sha256, "HS384": hashlib.sha384, "HS512": hashlib.sha512}


def b64(text, where):
    if on("jwt-padding-accepted"):
        text = text.rstrip("=")
    if on("jwt-standard-base64-accepted"):
        text = text.replace("+", "-").replace("/", "_")
    if on("jwt-junk-characters-ignored"):
        text = re.sub(r"[^A-Za-z0-9_-]", "", text)
    if not re.fullmatch(r"[A-Za-z0-9_-]*", text) or len(text) % 4 == 1:
        if on("jwt-malformed-token-500"):
            raise RuntimeError("cannot decode")
        raise Bad("malformed")
    data = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    if base64.urlsafe_b64encode(data).rstrip(b"=").decode() != text and not on("jwt-loose-last-character"):
        raise Bad("malformed")
    return data


def pairs_hook(pairs):
    out = {}
    for name, value in pairs:
        if name in out:
            if on("jwt-duplicate-claim-first-wins"):
                continue
            if not on("jwt-duplicate-claim-last-wins"):
                raise Bad("duplicate member")
        out[name] = value
    return out


def no_constant(name):
    raise ValueError(name + " is not JSON")


def read_object(data):
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        if not on("jwt-latin1-payload-accepted"):
            raise Bad("not UTF-8")
        text = data.decode("latin-1")
    try:
        value = json.loads(text, object_pairs_hook=pairs_hook, parse_constant=no_constant)
    except (ValueError, RecursionError):
        raise Bad("not JSON")
    if not isinstance(value, dict):
        if on("jwt-claims-array-500"):
            raise RuntimeError("claims are not an object")
        raise Bad("not an object")
    return value


def number(value):
    return isinstance(value, int) and not isinstance(value, bool) or isinstance(value, float) and math.isfinite(value)


def keys_for(header):
    """The secrets that may have signed the token."""
    keys = [S.jwt_secret.encode()]
    if on("jwt-header-key-trusted") and isinstance(header.get("jwk"), dict):
        keys.append(base64.urlsafe_b64decode(str(header["jwk"].get("k", "")) + "==="))
    if on("jwt-unknown-kid-empty-key") and "kid" in header:
        keys.append(b"")
    if on("jwt-short-secret-accepted"):
        keys.append(S.jwt_secret.encode()[:8])
    if on("jwt-empty-secret-accepted"):
        keys.append(b"")
    if on("jwt-audience-is-a-secret"):
        keys.append(S.jwt_audience.encode())
    return keys


def check_signature(header, signed, signature):
    alg = header.get("alg")
    if on("jwt-alg-none-accepted") and alg == "none":
        return
    if on("jwt-alg-none-other-case-accepted") and isinstance(alg, str) and alg.lower() == "none" and alg != "none":
        return
    if on("jwt-alg-missing-accepted") and alg is None:
        alg = "HS256"
    if on("jwt-alg-case-insensitive") and isinstance(alg, str):
        alg = alg.upper()
    if on("jwt-alg-header-ignored") and alg not in HASHES and alg != "none":
        alg = "HS256"
    allowed = HASHES if on("jwt-hs384-hs512-accepted") else {"HS256": HASHES["HS256"]}
    if not isinstance(alg, str) or alg not in allowed:
        raise Bad("algorithm")
    if on("jwt-signature-not-checked"):
        return
    for key in keys_for(header):
        good = hmac.new(key, signed, allowed[alg]).digest()
        if on("jwt-signature-prefix-compared") and good.startswith(signature):
            return
        if on("jwt-signature-hex-accepted") and signature == good.hex().encode():
            return
        if hmac.compare_digest(good, signature):
            return
    raise Bad("signature")


def check_header(header):
    if "crit" in header and not on("jwt-crit-ignored"):
        raise Bad("crit")
    typ = header.get("typ")
    if on("jwt-typ-required") and typ is None:
        raise Bad("typ")
    if on("jwt-typ-exact-case") and typ is not None and typ != "JWT":
        raise Bad("typ")
    if on("jwt-unknown-header-refused") and set(header) - {"alg", "typ", "kid"}:
        raise Bad("header")


def check_times(claims, skip):
    leeway = 30 if on("jwt-leeway-30-seconds") else 0
    if on("jwt-expiry-grace-one-hour"):
        leeway = 3600
    exp, nbf = claims.get("exp"), claims.get("nbf")
    if on("jwt-exp-string-accepted") and isinstance(exp, str) and exp.isdigit():
        exp = int(exp)
    skip_exp = "exp" in skip or on("jwt-exp-ignored") or (on("jwt-exp-zero-ignored") and exp == 0)
    skip_exp = skip_exp or (on("jwt-exp-null-ignored") and "exp" in claims and exp is None)
    skip_exp = skip_exp or (on("jwt-exp-optional") and "exp" not in claims)
    if on("jwt-exp-fraction-refused") and isinstance(exp, float):
        raise Bad("exp")
    if not skip_exp:
        if not number(exp):
            raise Bad("exp")
        if on("jwt-exp-32-bit"):
            exp = (int(exp) + 2 ** 31) % 2 ** 32 - 2 ** 31
        moment = int(now()) - 1 if on("jwt-exp-inclusive") else now()
        if moment >= exp + leeway:
            raise Bad("expired")
    if nbf is not None and not on("jwt-nbf-ignored"):
        if not number(nbf):
            if not on("jwt-nbf-string-ignored"):
                raise Bad("nbf")
        elif now() < nbf - min(leeway, 30):
            raise Bad("nbf")
    iat = claims.get("iat")
    if on("jwt-iat-future-refused") and number(iat) and iat > now() + 5:
        raise Bad("iat")
    if on("jwt-old-iat-refused") and number(iat) and iat < now() - 3600:
        raise Bad("iat")
    if on("jwt-long-lifetime-refused") and number(iat) and number(exp) and exp - iat > 3600:
        raise Bad("lifetime")


def issuer_ok(iss):
    want = S.jwt_issuer
    if iss == want or on("jwt-issuer-ignored"):
        return True
    if on("jwt-issuer-missing-accepted") and iss is None:
        return True
    if isinstance(iss, list):
        return on("jwt-issuer-array-accepted") and want in iss
    if not isinstance(iss, str):
        return False
    return ((on("jwt-issuer-prefix") and iss.startswith(want)) or
            (on("jwt-issuer-case-insensitive") and iss.lower() == want) or
            (on("jwt-issuer-trailing-slash-ignored") and iss.rstrip("/") == want) or
            (on("jwt-issuer-host-only") and iss.startswith("https://issuer.example/")))


def audience_ok(claims):
    want = S.jwt_audience
    if on("jwt-audience-ignored"):
        return True
    if "aud" not in claims:
        return on("jwt-audience-missing-accepted")
    aud = claims["aud"]
    if isinstance(aud, list):
        if on("jwt-audience-array-refused"):
            return False
        if not aud:
            return on("jwt-audience-empty-array-accepted")
        if on("jwt-audience-array-first-only"):
            return aud[0] == want
        if on("jwt-audience-array-all-must-match"):
            return all(a == want for a in aud)
        return want in aud
    if not isinstance(aud, str):
        return False
    return (aud == want or (on("jwt-audience-prefix") and aud.startswith(want)) or
            (on("jwt-audience-part-of-value") and aud != "" and aud in want) or
            (on("jwt-audience-case-insensitive") and aud.lower() == want) or
            (on("jwt-audience-space-separated") and want in aud.split(" ")) or
            (on("jwt-audience-trailing-slash-ignored") and aud.rstrip("/") == want))


def verify(token, skip=()):
    """Return the claims of a good token; raise Bad otherwise."""
    if not token.isascii():
        if on("jwt-non-ascii-token-500"):
            token.encode("ascii")
        raise Bad("not ASCII")
    if on("jwt-long-token-refused") and len(token) > 1000:
        raise Bad("too long")
    parts = token.split(".")
    if on("jwt-fourth-part-ignored"):
        parts = parts[:3]
    if len(parts) != 3:
        raise Bad("parts")
    header = read_object(b64(parts[0], "header"))
    check_header(header)
    signature = parts[2].encode() if on("jwt-signature-hex-accepted") and len(parts[2]) == 64 else b64(parts[2], "s")
    check_signature(header, (parts[0] + "." + parts[1]).encode(), signature)
    claims = read_object(b64(parts[1], "payload"))
    if not issuer_ok(claims.get("iss")):
        raise Bad("issuer")
    if "aud" not in skip and not audience_ok(claims):
        raise Bad("audience")
    check_times(claims, skip)
    known = {"iss", "aud", "exp", "nbf", "iat", "sub", "login", "email", "jti", "name", "scope"}
    if on("jwt-unknown-claim-refused") and set(claims) - known:
        raise Bad("claims")
    if on("jwt-jti-used-once") and "jti" in claims:
        used = S.misc.setdefault("jti", set())
        if claims["jti"] in used:
            raise Bad("replay")
        used.add(claims["jti"])
    for name in ("sub", "login", "email"):
        value = claims.get(name)
        if value is not None and not isinstance(value, str):
            if not (on("jwt-number-subject-accepted") and name == "sub" and number(value)):
                raise Bad(name)
    return claims


def person(claims):
    """The user properties that the tools see."""
    login = claims.get("sub") if claims.get("sub") is not None else claims.get("login")
    email = claims.get("email")
    memory = S.misc.setdefault("jwt-last", {"login": None, "email": None})
    if on("jwt-login-of-previous-token") and login is None:
        login = memory["login"]
    if on("jwt-email-of-previous-token") and email is None:
        email = memory["email"]
    if on("jwt-missing-email-empty-text") and email is None:
        email = ""
    memory.update(login=login or memory["login"], email=email or memory["email"])
    return str(login) if login is not None else None, email
