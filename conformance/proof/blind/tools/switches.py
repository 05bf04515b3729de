"""The switches: named changes of behaviour, declared in tables next to the code they concern.

A table names a hook, the document section that its rows concern, and rows of
(kind, name, what it does[, change]). The default code passes a value through
twist(hook, value, ...); each change whose switch is on then replaces the value.
Rows without a change are asked for by on(name).
"""
import threading

CHOICE, BREAK = "choice", "violation"

_rows, _changes, _active, _counts = {}, {}, set(), {}
_lock = threading.Lock()


def table(hook, where, *rows):
    """Declare the switches of one hook; hook "" is for rows that have no change."""
    for kind, name, does, *change in rows:
        if name in _rows:
            raise ValueError(f"switch declared twice: {name}")
        _rows[name] = {"name": name, "kind": kind, "where": where, "does": does}
        if change:
            _changes.setdefault(hook, []).append((name, change[0]))


def twist(hook, value, *context):
    """The value after the changes of this hook that are on."""
    for name, change in _changes.get(hook, ()):
        if name in _active:
            value = change(value, *context)
    return value


def on(name):
    """Whether the switch is on."""
    if name not in _rows:
        raise KeyError(name)
    return name in _active


def nth(key):
    """1 at the first use of this key, 2 at the second, and so on."""
    with _lock:
        _counts[key] = _counts.get(key, 0) + 1
        return _counts[key]


def turn_on(names):
    """Turn switches on; return the names that are not declared."""
    unknown = [name for name in names if name not in _rows]
    if not unknown:
        _active.update(names)
    return unknown


def declared():
    """All switches, in the order of their tables."""
    return list(_rows.values())
