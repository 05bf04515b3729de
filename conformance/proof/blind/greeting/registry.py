"""The table of switches.

A switch has a name, a kind ("choice" or "violation"), the place it refers to
(`where`), one sentence (`does`), and functions for stages of a stream.

Stages and the value that passes through them (see stream.py):
  fields    the fields of one request message, in wire order
  gate      the list of requests to answer now (starts as [request])
  flush     the list of requests to answer after the client's half-close
  delay     seconds to wait before the answer to a request
  name      the name to greet
  greeting  the text of the greeting
  parts     the texts that are sent, each as one response
  when      the time of the response (an aware datetime)
  stamp     the text of server_timestamp
  layout    the fields of the response: a list of (number, text or integer)
  wire      the bytes of the response message
  target    the streams that receive the response
Each is called as function(stream, request, value) and returns the new value.
  intake    async function(stream, request, inbox): the request, or None
  open      async function(stream), when the stream opens
  end       async function(stream), after the last answer, before the status
"""

# Headings of the document
WHAT = "What the service does"
MESSAGES = "Greeting messages (RPC package examples)"
RPC = "Greeting RPC"
AUTH = "Authentication"
ERRORS = "Errors"
LIMITS = "Limits"
VERSIONING = "Versioning"
# Standards
HTTP2 = "gRPC over HTTP/2: "
STATUS = "gRPC status codes"
PROTO = "proto3: "

SWITCHES = {}


class Switch:
    def __init__(self, name, kind, where, does, stages):
        self.name = name
        self.kind = kind
        self.where = where
        self.does = does
        self.stages = stages

    def as_json(self):
        return {"name": self.name, "kind": self.kind,
                "where": self.where, "does": self.does}


def _add(name, kind, where, does, stages):
    if name in SWITCHES:
        raise ValueError("switch defined twice: " + name)
    SWITCHES[name] = Switch(name, kind, where, does, stages)


def choice(name, where, does, /, **stages):
    _add(name, "choice", where, does, stages)


def violation(name, where, does, /, **stages):
    _add(name, "violation", where, does, stages)


class Refused(Exception):
    """The server ends the stream with this status."""

    def __init__(self, code, details=""):
        super().__init__(code, details)
        self.code = code
        self.details = details


def refuse(code, details):
    raise Refused(code, details)


def load_all():
    """Import every module that defines switches."""
    import choices_flow, choices_text, choices_transport  # noqa: F401,E401
    import faults_flow, faults_parse, faults_shared       # noqa: F401,E401
    import faults_status, faults_text, faults_time        # noqa: F401,E401
    import faults_wire                                    # noqa: F401
