from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('annotation', '0003_fast_queues'),
    ]

    operations = [
        migrations.AddField(
            model_name='person',
            name='erased_at',
            field=models.DateTimeField(blank=True, editable=False, null=True),
        ),
    ]
