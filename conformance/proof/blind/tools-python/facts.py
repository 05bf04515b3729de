"""What an operator of this server knows and tells."""
import data
import tooldefs


def facts(url=None):
    def call(key, **arguments):
        return {"tool": tooldefs.by_key(key)["name"], "arguments": arguments}

    first = data.ARTIFACTS[0]
    found = {
        "search": dict(call("search", query="ceramic"), id=first["id"], title=first["title"]),
        "long": dict(call("provenance", artifact_id="art-0001", limit=100), id="prv-0001-001"),
        "get": call("get", artifact_id="art-0001"),
        "calls": [call("search", query="ceramic"), call("get", artifact_id="art-0001"),
                  call("provenance", artifact_id="art-0001"),
                  call("create", title="Small Bell", year=1740, material="bronze", tags=["bell"]),
                  call("update", artifact_id="art-0002", title="Glazed Jar, restored"),
                  call("delete", artifact_id="art-0128"),
                  call("upstream", item_id="art-0003"),
                  call("check", artifact_id="art-0004"),
                  call("loan", artifact_id="art-0005"),
                  call("status")],
        "elicit": dict(call("loan", artifact_id="art-0005"), content={"borrower": "City Gallery", "weeks": 6}),
        "context": tooldefs.by_key("check")["name"],
        "resource": "museum://artifacts/art-0001",
        "upstreamTool": call("upstream", item_id="art-0003"),
    }
    return dict({"http": url}, **found) if url else found
