"""The registry of switches: declared by theme elsewhere, asked here with on('name')."""
TABLE = {}
ACTIVE = set()


def declare(kind, where, entries):
    for name, does in entries.items():
        assert name not in TABLE, name
        assert len(does) <= 120, (name, len(does))
        TABLE[name] = {"name": name, "kind": kind, "where": where, "does": does}


def on(name):
    # A misspelt question would silently never be true, so it is refused.
    if name not in TABLE:
        raise KeyError("unknown switch " + name)
    return name in ACTIVE


def enable(name):
    if name not in TABLE:
        raise SystemExit("unknown switch: " + name)
    ACTIVE.add(name)
