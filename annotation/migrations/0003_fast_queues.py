from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('annotation', '0002_the_desk'),
    ]

    operations = [
        migrations.RemoveIndex(
            model_name='seat',
            name='seat_of_person_in_order',
        ),
        migrations.AddIndex(
            model_name='seat',
            index=models.Index(fields=['project', 'kind', 'holder', 'position', 'state'], name='seat_of_person_by_position'),
        ),
        migrations.AddIndex(
            model_name='seat',
            index=models.Index(fields=['project', 'kind', 'position', 'state', 'slot'], name='seat_by_position'),
        ),
        migrations.AddIndex(
            model_name='seat',
            index=models.Index(fields=['project', 'holder', 'kind', 'state', 'sealed_at'], name='seat_of_person_by_state'),
        ),
        migrations.AddIndex(
            model_name='seat',
            index=models.Index(condition=models.Q(('state', 'submitted')), fields=['project', 'kind', 'holder', 'active_seconds'], name='seat_time_of_person'),
        ),
        migrations.AddIndex(
            model_name='request',
            index=models.Index(fields=['request_class', 'position'], name='request_order_in_class'),
        ),
    ]
