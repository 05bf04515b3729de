"""Switches of the HTTP layer that carries both HTTP transports."""
from switches import BREAK, CHOICE, table

table("", "HTTP",
      (CHOICE, "http-closes-connections", "Each HTTP answer closes its connection."),
      (CHOICE, "http-answers-with-cors", "HTTP answers carry Access-Control-Allow-Origin and OPTIONS is served."),
      (CHOICE, "http-headers-in-lower-case", "Names of HTTP headers in answers are in lower case."),
      (BREAK, "http-lengths-in-characters", "Lengths of bodies and chunks count characters, not bytes."),
      (BREAK, "http-status-always-200", "Every HTTP error status is 200, with the body of the error."),
      (BREAK, "http-hangs-up-on-large-body", "A POST with a body of more than 2,000 bytes is not answered: the connection closes."))
