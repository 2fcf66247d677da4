from django.db import migrations

from belote_site.staff_groups import set_up_groups


class Migration(migrations.Migration):
    dependencies = [
        ("belote_site", "0001_maintenance"),
        ("accounts", "0004_moderation"),
        ("auth", "0012_alter_user_first_name_max_length"),
        ("contenttypes", "0002_remove_content_type_name"),
        ("games", "0010_moderation"),
    ]

    operations = [migrations.RunPython(lambda apps, _: set_up_groups(apps), migrations.RunPython.noop)]
