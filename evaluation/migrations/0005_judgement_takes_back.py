"""Words may be taken back.

Forwards, the words that earlier runs handed on are told to be copies. Backwards, words that were
taken back are deleted, and that they were: there is no place for them in the schema of before.
"""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


def find_copies(apps, schema_editor):
    """Name the word of which a word is a copy: the first one of the same person, which says the
    same of the same constraint, request and arm, and was given in an earlier run that computed, or
    took over, the very same rewrite.
    """
    Judgement = apps.get_model("evaluation", "Judgement")
    StageResult = apps.get_model("evaluation", "StageResult")
    words = Judgement.objects.filter(person__isnull=False, takes_back=None)
    rewrites = StageResult.objects.filter(stage="rewrite", case__in=words.values("case"))
    computed_by = {
        case: taken_from or run
        for case, taken_from, run in rewrites.values_list("case", "taken_from", "case__run")
    }
    first, copies = {}, []
    about = ("person", "constraint", "case__request", "case__arm", "judgement", "quote", "why")
    for pk, case, run, *said in words.order_by("pk").values_list("pk", "case", "case__run", *about):
        original, earlier = first.setdefault((computed_by.get(case), *said), (pk, run))
        if earlier < run and case in computed_by:
            copies.append(Judgement(pk=pk, copy_of_id=original))
    Judgement.objects.bulk_update(copies, ["copy_of"], batch_size=500)
    schema_editor.connection.check_constraints()  # PostgreSQL alters no table that waits for some


def forget_taken_back(apps, schema_editor):
    Judgement = apps.get_model("evaluation", "Judgement")
    Judgement.objects.filter(takes_back__isnull=False).delete()
    Judgement.objects.filter(stands=False).delete()
    schema_editor.connection.check_constraints()


class Migration(migrations.Migration):
    dependencies = [
        ("contracts", "0005_twins"),
        ("evaluation", "0004_judging_people"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name="judgement",
            name="judgement_outcome_known",
        ),
        migrations.RemoveConstraint(
            model_name="judgement",
            name="judgement_once_a_person",
        ),
        migrations.RemoveConstraint(
            model_name="judgement",
            name="judgement_people_decide",
        ),
        migrations.AddField(
            model_name="judgement",
            name="copy_of",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="copies",
                to="evaluation.judgement",
            ),
        ),
        migrations.AddField(
            model_name="judgement",
            name="stands",
            field=models.BooleanField(default=True),
        ),
        migrations.AddField(
            model_name="judgement",
            name="takes_back",
            field=models.OneToOneField(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="taken_back_by",
                to="evaluation.judgement",
            ),
        ),
        migrations.AlterField(
            model_name="judgement",
            name="judgement",
            field=models.CharField(
                blank=True,
                choices=[
                    ("stated", "stated"),
                    ("filtered", "filtered"),
                    ("altered", "altered"),
                    ("dropped", "dropped"),
                    ("unsure", "unsure"),
                ],
                max_length=8,
            ),
        ),
        migrations.AddConstraint(
            model_name="judgement",
            constraint=models.UniqueConstraint(
                condition=models.Q(("person__isnull", False), ("stands", True)),
                fields=("case", "constraint", "person"),
                name="judgement_stands_once_a_person",
            ),
        ),
        migrations.AddConstraint(
            model_name="judgement",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("decides", False),
                    models.Q(("person__isnull", False), ("stands", True)),
                    _connector="OR",
                ),
                name="judgement_people_decide",
            ),
        ),
        migrations.AddConstraint(
            model_name="judgement",
            constraint=models.CheckConstraint(
                condition=models.Q(("stands", True), ("person__isnull", False), _connector="OR"),
                name="judgement_people_take_back",
            ),
        ),
        migrations.AddConstraint(
            model_name="judgement",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("judgement__in", ["stated", "filtered", "altered", "dropped", "unsure"]),
                        ("takes_back", None),
                    ),
                    models.Q(("judgement", ""), ("stands", False), ("takes_back__isnull", False)),
                    _connector="OR",
                ),
                name="judgement_outcome_known",
            ),
        ),
        migrations.RunPython(find_copies, forget_taken_back),
    ]
