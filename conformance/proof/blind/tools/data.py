"""The built-in data: an invented register of lighthouses, their log books and notes."""
import threading

SERVICE = "lighthouse"
SERVER_NAME = f"{SERVICE}_mcp"
STATUSES = ["active", "automated", "dark"]
TAGS = ["granite", "brick", "iron", "fog-horn", "museum", "red-lamp", "island", "harbour"]

_STEMS = [
    "Örskär", "Arran Point", "Bell Reef", "Île Vierge", "Cask Rock", "Dunmore", "Ebb Ness",
    "Fair Holm", "São Brás", "Gull Stack", "Harrow Bank", "Inner Sound", "Jarl Head", "Kelp Bay",
    "Łeba", "Long Skerry", "Mist Cape", "Næs Odde", "Noup Isle", "Oxna", "Pentle", "Quarry Bluff",
    "Ridge End", "Sule", "Tarn Mouth", "Úlfsvík", "Vane Rock", "Wick Sands", "Yell Narrows", "Zeal Spit",
]
_KINDS = ["Light", "North Light", "South Light", "Harbour Light", "Beacon"]
REGIONS = ["Northern Isles", "West Coast", "Amber Bay", "Outer Banks", "Grey Strait"]
_MATTERS = ["Storm watch", "Lamp change", "Supply boat", "Fog report", "Paint work", "Visitors"]


def _tower(number, stem, kind):
    return {
        "id": f"LH-{number:03}",
        "name": f"{stem} {kind}",
        "region": REGIONS[number % 5],
        "height_m": 12 + number * 7 % 43,
        "built_year": 1790 + number * 11 % 170,
        "status": STATUSES[number % 3],
        "tags": [TAGS[number % 8], TAGS[(number * 3 + 1) % 8]],
        "last_inspected": f"2024-{number % 12 + 1:02}-{number % 28 + 1:02}T{number % 24:02}:05:00Z",
    }


def _log(number, tower):
    matter = _MATTERS[number % 6]
    text = (f"{matter} at {tower['name']}. The keeper wrote down wind from the north-west at {number % 9 + 2} "
            "Beaufort, a falling glass and a short, steep sea. The lamp was trimmed twice and the lens was wiped. "
            "Two coasters passed inside the bank; both answered the signal. Nothing was found adrift. The spare "
            f"mantle, the oil and the rope in store were counted and found to be complete on round {number}.")
    return {
        "id": f"LOG-{number:04}",
        "title": f"{matter} {number}",
        "tower_id": tower["id"],
        "written_at": f"2025-{number % 12 + 1:02}-{number % 28 + 1:02}T{number % 24:02}:30:00Z",
        "text": text,
    }


TOWERS = [_tower(1 + place, stem, kind) for place, (kind, stem) in
          enumerate((kind, stem) for kind in _KINDS for stem in _STEMS)]
LOGS = [_log(number, TOWERS[number * 7 % len(TOWERS)]) for number in range(1, 121)]


class Register:
    """State that is created at server start and shared by all requests."""

    def __init__(self):
        self.lock = threading.Lock()
        self.notes = []
        self.visits = []
        self.status = {}
        self.status_changes = 0

    def add_note(self, tower_id, text, written_at):
        with self.lock:
            note = {"id": f"NOTE-{len(self.notes) + 1:04}", "tower_id": tower_id, "text": text,
                    "written_at": written_at}
            self.notes.append(note)
            return note

    def clear_notes(self, tower_id):
        """Remove the notes of a tower; return how many there were."""
        with self.lock:
            kept = [note for note in self.notes if note["tower_id"] != tower_id]
            removed = len(self.notes) - len(kept)
            self.notes = kept
            return removed


REGISTER = Register()


def find_tower(tower_id):
    """The tower with its present status, or None."""
    for tower in TOWERS:
        if tower["id"] == tower_id:
            return tower | {"status": REGISTER.status.get(tower_id, tower["status"])}
    return None


def search_towers(query, tags, status):
    """The towers whose name, region or tags contain the query."""
    found = []
    for tower in TOWERS:
        tower = find_tower(tower["id"])
        text = " ".join([tower["name"], tower["region"], *tower["tags"]]).casefold()
        if (query.casefold() in text and set(tags or []) <= set(tower["tags"])
                and status in (None, tower["status"])):
            found.append(tower)
    return found
