"""What Django's own formats for Estonian leave out: it would fall back to those of American English."""

DATETIME_FORMAT = "j. F Y G:i"
SHORT_DATETIME_FORMAT = "d.m.Y G:i"
