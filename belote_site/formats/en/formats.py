"""Dates as one reads them on both sides of the Atlantic, and times by 24 hours, as in the other languages."""

TIME_FORMAT = "H:i"
DATE_FORMAT = "j F Y"
DATETIME_FORMAT = "j F Y, H:i"
SHORT_DATE_FORMAT = "j M Y"
SHORT_DATETIME_FORMAT = "j M Y, H:i"
