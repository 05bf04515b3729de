"""The list of all switches, read from the tables in the sw_*.py modules."""
import sw_flow
import sw_jwt
import sw_mcp
import sw_server
import sw_token
import sw_upstream

LETTERS = {"J": "jwt", "X": "oauth-proxy", "P": "oauth-provider"}
KINDS = {"c": "choice", "v": "violation"}


def read():
    out, where = [], ""
    for module in (sw_mcp, sw_jwt, sw_server, sw_flow, sw_token, sw_upstream):
        for line in module.TEXT.strip().splitlines():
            if line.startswith("@ "):
                where = line[2:]
                continue
            head, _, does = line.partition(" | ")
            kind, letters, name = head.split(" ")
            out.append({"name": name, "kind": KINDS[kind], "where": where, "does": does.strip(),
                        "patterns": [LETTERS[c] for c in letters]})
    return out


ALL = read()
BY_NAME = {s["name"]: s for s in ALL}
