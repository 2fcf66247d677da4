"""Staff pages of play. Importing a module registers its pages."""

from games.admin import hints

__all__ = ["hints"]
