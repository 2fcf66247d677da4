"""What the site itself stores."""

from django.db import models
from django.utils import timezone


class Maintenance(models.Model):
    """A time at which the site will not be reachable. Pages announce it until it is over; there is one at most."""

    starts_at = models.DateTimeField()
    ends_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="maintenance_ends_after_it_starts", condition=models.Q(ends_at__gt=models.F("starts_at"))
            )
        ]

    def __str__(self) -> str:
        return f"{self.starts_at:%Y-%m-%d %H:%M} UTC"

    @classmethod
    def announced(cls) -> "Maintenance | None":
        """The one that pages speak of now."""
        return cls.objects.filter(ends_at__gt=timezone.now()).first()
