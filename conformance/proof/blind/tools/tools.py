"""The tools. A function's documentation text becomes the description of its tool."""
import time

import upstream
from data import LOGS, REGIONS, SERVICE, TOWERS, find_tower, search_towers as find_towers
from failures import ToolError
from fields import LABELS, LIMIT, OFFSET, QUERY, RESPONSE_FORMAT, STATUS, TOWER_ID
from paging import answer_page
from render import heading, human_time, json_text, log_markdown, markdown_text, shown_item, tower_markdown, wants_json
from switches import BREAK, CHOICE, on, table, twist
import clock

PAGE_FIELDS = {"limit": LIMIT, "offset": OFFSET, "response_format": RESPONSE_FORMAT}
TOOLS = {}

table(
    "no match", "Errors: search with no result",
    (CHOICE, "no-match-as-json", "With response_format json, a search with no result is a JSON page with a message.",
     lambda text, call: json_text({"total": 0, "count": 0, "offset": call.args["offset"], "towers": [], "has_more": False,
                                   "next_offset": None, "message": text}, call) if wants_json(call) else text),
    (CHOICE, "no-match-other-words", "The text of a search with no result is worded differently.",
     lambda text, call: f"Nothing in the register matched your search for {call.args['query']}. Try other words."),
    (BREAK, "no-match-empty", "A search with no result is answered with an empty text.", lambda text, call: ""),
    (BREAK, "no-match-bare-list", "With response_format json, a search with no result is answered with [].",
     lambda text, call: "[]" if wants_json(call) else text),
    (BREAK, "no-match-title-only", "With response_format markdown, a search with no result is the title only.",
     lambda text, call: text if wants_json(call) else f"# Towers matching \"{call.args['query']}\""),
    (BREAK, "no-match-told-as-404", "A search with no result has the failure text of 404.",
     lambda text, call: "Error: Resource not found. Check that the identifier is correct."),
    (BREAK, "no-match-silent-with-tags", "A search with tags and no result is answered with null.",
     lambda text, call: "null" if call.args["tags"] else text),
)
table("", "MCP: Tools",
      (CHOICE, "tools-with-one-more", "There is one more tool, without arguments, that tells the time."))
table("", "Errors: search with no result",
      (BREAK, "no-match-shows-everything", "A search with no result shows all towers."))
table("", "Tool definition",
      (BREAK, "get-writes-upstream", "The get tool, marked read-only, also sends a POST to the upstream API."),
      (BREAK, "search-writes-on-later-pages", "The search, marked read-only, sends a POST upstream when offset is not 0."),
      (BREAK, "search-asks-upstream", "The search, marked as closed-world, sends a GET to the upstream API."),
      (BREAK, "visibility-adds-note", "The visibility tool, marked read-only, adds a note to the tower."),
      (BREAK, "set-status-repeats-effect", "A repeated call of the idempotent status tool also adds a note."),
      (BREAK, "set-status-toggles", "A repeated call of the idempotent status tool sets the old status again."),
      (BREAK, "clear-notes-fails-again", "The idempotent clearing tool, when nothing is left, adds a note about that."))


class Tool:
    def __init__(self, function, title, hints, properties):
        self.function, self.title = function, title
        self.name = f"{SERVICE}_{function.__name__}"
        self.description = "\n".join(line.removeprefix("    ") for line in function.__doc__.strip().splitlines())
        self.required = [key[:-1] for key in properties if key.endswith("!")]
        self.properties = {key.rstrip("!"): field for key, field in properties.items()}
        self.hints = {"readOnlyHint": "read" in hints, "destructiveHint": "destroy" in hints,
                      "idempotentHint": "repeat" in hints, "openWorldHint": "open" in hints}


def tool(title, hints, properties):
    """Register a tool; a field whose key ends with ! is required."""
    def register(function):
        made = Tool(function, title, hints.split(), properties)
        TOOLS[made.name] = made
        return function
    return register


def all_tools():
    """The tools that can be called."""
    return list(TOOLS.values()) + ([TELL_TIME] if on("tools-with-one-more") else [])


def known_tower(tower_id):
    """The tower; a tower that does not exist is told like an upstream 404."""
    tower = find_tower(tower_id)
    if tower is None:
        raise upstream.UpstreamStatus(404)
    return tower


@tool("Search towers", "read repeat", {"query!": QUERY, "tags": LABELS, "status": STATUS, **PAGE_FIELDS})
def search_towers(call):
    """Find towers whose name, region or tags contain a text.

    Args: query (2 to 200 characters), tags (all must be carried), status, limit, offset, response_format.
    Returns: a page of towers as markdown, or as JSON with total, count, offset, towers, has_more, next_offset.
    Do not use it to read one tower whose identifier is known; use lighthouse_get_tower.
    """
    args = call.args
    if args["offset"] and on("search-writes-on-later-pages"):
        upstream.ask("POST", "/searches", {"query": args["query"]})
    if on("search-asks-upstream"):
        upstream.ask("GET", "/towers")
    found = find_towers(args["query"], args["tags"], args["status"])
    if not found and on("no-match-shows-everything"):
        found = list(TOWERS)
    if not found:
        return twist("no match", f"No towers found matching \"{args['query']}\".", call)
    return answer_page(call, "towers", found, f"Towers matching \"{args['query']}\"", tower_markdown)


@tool("List log entries", "read repeat", {"tower_id": TOWER_ID, **PAGE_FIELDS})
def list_logs(call):
    """List the log book entries of all towers or of one tower.

    Args: tower_id, limit, offset, response_format.
    Returns: a page of log entries as markdown, or as JSON with total, count, offset, logs, has_more, next_offset.
    Do not use it to find towers; use lighthouse_search_towers.
    """
    wanted = call.args["tower_id"]
    logs = [log for log in LOGS if wanted in (None, log["tower_id"])]
    if not logs:
        return f"No log entries found for tower {wanted}."
    return answer_page(call, "logs", logs, "Log entries", log_markdown)


@tool("Get a tower", "read repeat open", {"tower_id!": TOWER_ID, "response_format": RESPONSE_FORMAT})
def get_tower(call):
    """Read one tower by its identifier.

    Args: tower_id, response_format.
    Returns: all fields of the tower, as markdown or as JSON.
    Do not use it to find towers by name; use lighthouse_search_towers.
    """
    tower_id = call.args["tower_id"]
    answer = upstream.ask("GET", f"/towers/{tower_id}")
    if on("get-writes-upstream"):
        upstream.ask("POST", f"/towers/{tower_id}/views", {})
    known = isinstance(answer, dict) and set(TOWERS[0]) <= set(answer)
    tower = shown_item({key: answer[key] for key in TOWERS[0]} if known else known_tower(tower_id), call)
    call.structured = tower
    if wants_json(call):
        return json_text(tower, call)
    return markdown_text(f"# {heading(tower['name'], tower_id)}\n\n" + tower_markdown(tower, call).split("\n\n", 1)[-1], call)


@tool("Get visibility", "read open", {"tower_id!": TOWER_ID, "response_format": RESPONSE_FORMAT})
def get_visibility(call):
    """Read how far one can see from a tower today.

    Args: tower_id, response_format.
    Returns: the visibility in nautical miles, as markdown or as JSON with tower_id and visibility_nm.
    Do not use it for facts about the tower; use lighthouse_get_tower.
    """
    tower_id = call.args["tower_id"]
    upstream.ask("GET", f"/towers/{tower_id}/visibility")
    tower = known_tower(tower_id)
    if on("visibility-adds-note"):
        call.register.add_note(tower_id, "Visibility was read.", clock.timestamp())
    miles = 3 + int(tower_id[3:]) % 9
    call.structured = {"tower_id": tower_id, "visibility_nm": miles}
    if wants_json(call):
        return json_text(call.structured, call)
    return markdown_text(f"# Visibility at {heading(tower['name'], tower_id)}\n\n- {miles} nautical miles", call)


@tool("Create a note", "open", {
    "tower_id!": TOWER_ID, "text!": {"type": "string", "minLength": 1, "maxLength": 500, "description": "Text of the note."}})
def create_note(call):
    """Add a note to a tower.

    Args: tower_id, text (1 to 500 characters).
    Returns: a text that names the new note.
    Do not use it to change the status of a tower; use lighthouse_set_status.
    """
    tower = known_tower(call.args["tower_id"])
    upstream.ask("POST", f"/towers/{tower['id']}/notes", {"text": call.args["text"]})
    note = call.register.add_note(tower["id"], call.args["text"], clock.timestamp())
    return f"Created note {note['id']} for {heading(tower['name'], tower['id'])}."


@tool("Set the status of a tower", "repeat open destroy", {"tower_id!": TOWER_ID, "status!": STATUS})
def set_status(call):
    """Set the operating status of a tower.

    Args: tower_id, status (active, automated or dark).
    Returns: a text that confirms the status.
    Do not use it to add remarks; use lighthouse_create_note.
    """
    tower, status = known_tower(call.args["tower_id"]), call.args["status"]
    upstream.ask("PUT", f"/towers/{tower['id']}/status", {"status": status})
    statuses = call.register.status
    if statuses.get(tower["id"]) == status:
        if on("set-status-repeats-effect"):
            call.register.add_note(tower["id"], f"Status {status} was set again.", clock.timestamp())
        if on("set-status-toggles"):
            status = "active" if status == "dark" else "dark"
    statuses[tower["id"]] = status
    return f"The status of {heading(tower['name'], tower['id'])} is {call.args['status']}."


@tool("Clear the notes of a tower", "repeat open destroy", {"tower_id!": TOWER_ID})
def clear_notes(call):
    """Remove all notes of a tower.

    Args: tower_id.
    Returns: a text that says how many notes were removed.
    Do not use it to correct a note.
    """
    tower = known_tower(call.args["tower_id"])
    upstream.ask("DELETE", f"/towers/{tower['id']}/notes")
    removed = call.register.clear_notes(tower["id"])
    if not removed and on("clear-notes-fails-again"):
        call.register.add_note(tower["id"], "There was nothing to clear.", clock.timestamp())
    return f"Removed {removed} notes of {heading(tower['name'], tower['id'])}."


@tool("Survey a region", "read repeat", {
    "region!": {"type": "string", "enum": REGIONS, "description": "Region to survey."},
    "stations": {"type": "integer", "minimum": 1, "maximum": 20, "default": 4, "description": "Number of stations to visit."}})
def survey_region(call):
    """Visit the stations of a region one after the other; reports progress and logs.

    Args: region, stations (1 to 20).
    Returns: a text that says how many stations were visited.
    Do not use it to list towers; use lighthouse_search_towers.
    """
    stations = call.args["stations"]
    call.log("info", f"The survey of {call.args['region']} begins.")
    for number in range(1, stations + 1):
        time.sleep(0.03)
        if call.cancelled:
            break
        call.log("debug", f"Station {number} was reached.")
        if number == 3:
            call.log("error", "Station 3 did not answer the signal.")
        call.progress(number / stations, f"Station {number} of {stations}")
    return f"Surveyed {stations} stations in {call.args['region']}."


@tool("Book a visit", "", {"tower_id!": TOWER_ID})
def book_visit(call):
    """Book a visit to a tower; asks the user who comes and how many.

    Args: tower_id.
    Returns: a text that confirms the visit.
    Do not use it without a user who can answer.
    """
    tower = known_tower(call.args["tower_id"])
    answer = call.elicit(f"Who visits {tower['name']}, and how many come?", {
        "type": "object", "required": ["visitor_name", "party_size"], "properties": {
            "visitor_name": {"type": "string", "title": "Name", "description": "Name of the visitor", "minLength": 1},
            "party_size": {"type": "integer", "title": "People", "description": "How many come", "minimum": 1}}})
    if answer is None:
        return "No visit was booked: the client cannot ask the user."
    if answer.get("action") != "accept":
        if on("elicitation-refusal-is-failure"):
            raise ToolError(f"The user chose {answer.get('action')}; no visit was booked.")
        return f"No visit was booked: the user chose {answer.get('action')}."
    content = answer.get("content") or {}
    visitor, people = content.get("visitor_name", "Guest"), content.get("party_size", 1)
    call.register.visits.append(visitor)
    return f"Booked a visit to {heading(tower['name'], tower['id'])} for {visitor}, {people} people."


@tool("Describe the server", "read repeat", {})
def describe_server(call):
    """Describe this server: its name and its about resource.

    Args: none.
    Returns: markdown with the server name and the text of the resource.
    Do not use it to search.
    """
    return f"# {call.server_name}\n\n- About: {call.read_resource('lighthouse://about')}"


def tell_time(call):
    """Tell the time of the server.

    Args: none.
    Returns: a text with the time in UTC.
    Do not use it to measure time.
    """
    return f"It is {human_time(clock.timestamp())}."


TELL_TIME = Tool(tell_time, "Tell the time", ["read"], {})
