"""What an operator tells a tester about the default server."""

FACTS = {
    "search": {"tool": "lighthouse_search_towers", "arguments": {"query": "light"}, "id": "id", "title": "name"},
    "long": {"tool": "lighthouse_list_logs", "arguments": {"limit": 100, "response_format": "json"}, "id": "id"},
    "get": {"tool": "lighthouse_get_tower", "arguments": {"tower_id": "LH-007"}},
    "calls": [
        {"tool": "lighthouse_get_visibility", "arguments": {"tower_id": "LH-007"}},
        {"tool": "lighthouse_create_note", "arguments": {"tower_id": "LH-007", "text": "The door was painted."}},
        {"tool": "lighthouse_set_status", "arguments": {"tower_id": "LH-008", "status": "dark"}},
        {"tool": "lighthouse_clear_notes", "arguments": {"tower_id": "LH-007"}},
        {"tool": "lighthouse_survey_region", "arguments": {"region": "Amber Bay", "stations": 4}},
        {"tool": "lighthouse_describe_server", "arguments": {}},
    ],
    "elicit": {"tool": "lighthouse_book_visit", "arguments": {"tower_id": "LH-007"},
               "content": {"visitor_name": "Ada", "party_size": 2}},
    "resource": "lighthouse://towers/LH-007",
}
