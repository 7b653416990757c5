from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('annotation', '0004_erased_people'),
    ]

    operations = [
        migrations.CreateModel(
            name='Heartbeat',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('worker', models.CharField(max_length=80, unique=True)),
                ('at', models.DateTimeField()),
            ],
            options={
                'ordering': ['-at'],
            },
        ),
    ]
