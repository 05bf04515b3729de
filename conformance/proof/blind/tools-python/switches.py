"""The registry of switches. Every other file asks on('name')."""
SWITCHES = {}
ACTIVE = set()


def _add(kind, name, where, does):
    assert name not in SWITCHES, name
    assert len(does) <= 120, (name, len(does))
    SWITCHES[name] = {"name": name, "kind": kind, "where": where, "does": does}


def choice(name, where, does):
    _add("choice", name, where, does)


def violation(name, where, does):
    _add("violation", name, where, does)


def on(name):
    if name not in SWITCHES:
        raise KeyError(f"undeclared switch {name}")
    return name in ACTIVE


def activate(names):
    for name in names:
        if name not in SWITCHES:
            raise SystemExit(f"unknown switch: {name}")
        ACTIVE.add(name)


def listing():
    return list(SWITCHES.values())


# The declarations live in files by theme; importing them fills SWITCHES.
import sw_choices_wire  # noqa: E402,F401
import sw_choices_tools  # noqa: E402,F401
import sw_shape  # noqa: E402,F401
import sw_input  # noqa: E402,F401
import sw_effects  # noqa: E402,F401
import sw_protocol  # noqa: E402,F401
