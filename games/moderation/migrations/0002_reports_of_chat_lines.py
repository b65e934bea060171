"""The log of measures is append-only; reports of chat lines become reports like the others."""

from django.db import migrations

from games.moderation import append_only


def take_over(apps, schema_editor):
    Report = apps.get_model("moderation", "Report")
    Measure = apps.get_model("moderation", "Measure")
    old = apps.get_model("games", "ChatReport").objects.select_related("line").order_by("pk")
    for report in old.iterator():
        line = report.line
        measure = None
        if report.is_done:
            kind = "hide" if line.is_hidden else "dismiss"
            measure = Measure.objects.create(
                about_id=line.user_id, kind=kind, reason=line.text, match_id=line.match_id, read_at=report.at
            )
        elif line.user_id is None:
            continue
        made = Report.objects.create(
            reporter_id=report.reporter_id, about_id=line.user_id, place="chat", match_id=line.match_id, line=line,
            reason="chat", measure=measure,
        )  # fmt: skip
        Report.objects.filter(pk=made.pk).update(at=report.at)


def protect(apps, schema_editor):
    append_only.protect(schema_editor.connection)


def unprotect(apps, schema_editor):
    append_only.unprotect(schema_editor.connection)


class Migration(migrations.Migration):
    dependencies = [
        ("moderation", "0001_reports_and_measures"),
        ("games", "0006_watchers"),
    ]

    operations = [
        migrations.RunPython(take_over, migrations.RunPython.noop),
        migrations.RunPython(protect, unprotect),
    ]
