"""Give old matches the seats that their rooms had, everybody one seat, and every room an invite of its own."""

from django.db import migrations

from games.models import new_invite


def _outcome(seating, ends):
    if seating.level or not ends:
        return ""
    if ends[0] is None:
        return "void"
    return "won" if seating.seat % 2 == ends[0] else "lost"


def fill(apps, schema_editor):
    Room, Seating, Match, MatchSeat = (
        apps.get_model("games", name) for name in ("Room", "Seating", "Match", "MatchSeat")
    )
    for room in Room.objects.iterator():
        room.invite = new_invite()
        room.save(update_fields=["invite"])
    playing = set()
    GameEvent = apps.get_model("games", "GameEvent")
    for match in Match.objects.order_by("-started_at").iterator():
        ends = [
            payload["winner"]
            for payload in GameEvent.objects.filter(match=match).values_list("payload", flat=True)
            if payload["type"] == "match_ended"
        ]
        for seating in Seating.objects.filter(room_id=match.room_id).select_related("user"):
            user = seating.user
            plays = user is not None and match.status == "running" and user.pk not in playing
            if plays:
                playing.add(user.pk)
            MatchSeat.objects.create(
                match=match,
                seat=seating.seat,
                user=user,
                person=user and user.public_id,
                level=seating.level,
                is_playing=plays,
                outcome=_outcome(seating, ends),
            )
    seated = set()
    for seating in Seating.objects.filter(level="").order_by("-room__created_at"):
        if seating.user_id is None or seating.user_id in seated:
            seating.delete()
        seated.add(seating.user_id)


class Migration(migrations.Migration):
    dependencies = [("accounts", "0001_initial"), ("games", "0002_rooms_people_and_talk")]
    operations = [migrations.RunPython(fill, migrations.RunPython.noop)]
