from django.db import migrations

from belote_site.staff_groups import set_up_groups


class Migration(migrations.Migration):
    dependencies = [
        ("belote_site", "0002_staff_groups"),
        ("games", "0012_hints"),
    ]

    operations = [migrations.RunPython(lambda apps, _: set_up_groups(apps), migrations.RunPython.noop)]
