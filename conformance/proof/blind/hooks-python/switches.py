"""Registry of switches. The core asks on('name'); payload switches are functions ("tweaks")."""
ACTIVE = set()
ALL = {}      # name -> dict(name, kind, where, does, breaks)
TWEAKS = []   # (name, kinds, fn): run in order over every finished payload


def declare(kind, name, where, does, breaks=""):
    assert name not in ALL, name
    assert len(does) <= 120, (name, len(does))
    assert kind == "choice" or breaks, name
    ALL[name] = dict(name=name, kind=kind, where=where, does=does, breaks=breaks)


def table(kind, rows):
    for row in rows:
        declare(kind, *row)


def tweak(kind, name, kinds, where, does, breaks=""):
    """Declare a switch that edits the payload of the given event kinds ('*' = all)."""
    declare(kind, name, where, does, breaks)

    def deco(fn):
        TWEAKS.append((name, kinds.split(), fn))
        return fn
    return deco


def on(name):
    assert name in ALL, name
    return name in ACTIVE


def apply_tweaks(payload, ev):
    for name, kinds, fn in TWEAKS:
        if name in ACTIVE and ("*" in kinds or ev.family in kinds):
            fn(payload, ev)


def load():
    import sw_choices, sw_viol_api, sw_viol_delivery          # noqa: F401,E401
    import tw_choices, tw_push, tw_issue, tw_ci, tw_other      # noqa: F401,E401
