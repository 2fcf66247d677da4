"""Pages of staff about play. Importing a module registers its pages."""

from games.admin import events, hints, matches, reports, rooms, talk

__all__ = ["events", "hints", "matches", "reports", "rooms", "talk"]
