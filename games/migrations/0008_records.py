"""Matches get the head of their record; those that are over get it here, as docs/record.md says, version 1."""

import hashlib
import json

from django.db import migrations, models


def canonical(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode("ascii")


def compute_heads(apps, schema_editor):
    Match = apps.get_model("games", "Match")
    GameEvent = apps.get_model("games", "GameEvent")
    for match in Match.objects.exclude(status="running").only("pk").iterator():
        header = {"format": "belote-record", "version": 1, "match": str(match.pk)}
        link = hashlib.sha256(canonical(header)).digest()
        events = GameEvent.objects.filter(match_id=match.pk).order_by("sequence")
        for event in events.values_list("schema", "payload"):
            link = hashlib.sha256(link + canonical(event)).digest()
        Match.objects.filter(pk=match.pk).update(record_head=link.hex())


class Migration(migrations.Migration):
    dependencies = [("games", "0007_results_and_ratings")]

    operations = [
        migrations.AddField(
            model_name="match",
            name="record_head",
            field=models.CharField(blank=True, db_default="", editable=False, max_length=64),
        ),
        migrations.AddField(
            model_name="match",
            name="is_imported",
            field=models.BooleanField(db_default=False, default=False, editable=False),
        ),
        migrations.RunPython(compute_heads, migrations.RunPython.noop),
    ]
