"""The built-in collection of a small museum: made up, the same at every start."""
import hashlib
from datetime import datetime, timedelta, timezone

DEPARTMENTS = {"Asian Art": "dep-01", "Decorative Arts": "dep-02", "Antiquities": "dep-03", "Folk & Craft": "dep-04"}
MAKERS = [("mkr-01", "Émile Gallé"), ("mkr-02", "Workshop of Jingdezhen"), ("mkr-03", "Lucía Peña"),
          ("mkr-04", "Unknown potter"), ("mkr-05", "Åsa Lindqvist")]
CURATORS = [("cur-01", "Ines Roca"), ("cur-02", "Tomáš Dvořák"), ("cur-03", "Mary Okafor")]
ADJECTIVES = ["Painted", "Glazed", "Carved", "Céladon", "Burnished", "Gilded", "Plain", "Banded", "Ribbed", "Incised"]
OBJECTS = ["Bowl", "Jar", "Ewer", "Dish", "Tile", "Vase", "Lamp", "Flask", "Figurine", "Censer", "Cup", "Plate", "Urn"]
START = datetime(2021, 3, 15, 14, 5, tzinfo=timezone.utc)


def iso(moment):
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


def checksum(text):
    return hashlib.sha256(text.encode()).hexdigest()


def make_artifact(number):
    adjective, thing = ADJECTIVES[number % 10], OBJECTS[number % 13]
    departments = list(DEPARTMENTS)
    department = departments[number % 4]
    # Seven of eight objects are ceramic, so that one query finds more than 100.
    ceramic = number % 8 != 0
    material = "ceramic" if ceramic else "bronze"
    maker, curator = MAKERS[number % 5], CURATORS[number % 3]
    title = f"{adjective} {thing} No. {number}"
    made = START + timedelta(days=number * 3, minutes=number * 7)
    return {
        "id": f"art-{number:04d}",
        "title": title,
        "department": {"id": DEPARTMENTS[department], "name": department},
        "maker": {"id": maker[0], "name": maker[1]},
        "curator": {"id": curator[0], "name": curator[1]},
        "year": 900 + number * 7,
        "material": material,
        "tags": [material, thing.lower(), "display" if number % 3 else "storage"],
        "description": f"A {adjective.lower()} {material} {thing.lower()} from the {department} rooms, "
                       f"recorded as lot {number} of the founding gift.",
        "loan": None,
        "version": 1,
        "checksum": checksum(title),
        "image_url": f"https://images.museum.example/{number:04d}.jpg",
        "created_at": iso(made),
        "updated_at": iso(made + timedelta(days=30)),
    }


ARTIFACTS = [make_artifact(number) for number in range(1, 131)]

HOLDERS = ["Maison Rivière", "Hargreaves & Sons", "Count Ottokar", "The Lindqvist family", "St. Ann's Chapel"]
SENTENCE = ("The object was listed with its chest, its papers and a drawing of the base; the clerk noted small "
            "losses at the rim and a repaired foot. ")


def provenance(artifact_id):
    """Ninety long records for each artifact: more than any response may hold."""
    number = artifact_id[4:8]
    records = []
    for index in range(1, 91):
        when = START - timedelta(days=900 * (91 - index))
        records.append({
            "id": f"prv-{number}-{index:03d}",
            "artifact_id": artifact_id,
            "holder": HOLDERS[index % 5],
            "event": ["sale", "bequest", "loan", "inventory"][index % 4],
            "recorded_at": iso(when),
            "note": f"Entry {index}. " + SENTENCE * 3,
            "ledger": f"L{index:03d}/{number}",
        })
    return records


LOANS = {f"art-{n:04d}": {"id": f"art-{n:04d}", "name": f"Loan file {n}", "status": "open" if n % 2 else "closed",
                          "lender": "City Gallery", "due_at": iso(START + timedelta(days=2000 + n))}
         for n in range(1, 131)}
