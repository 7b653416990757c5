from annotation.management.import_command import ImportCommand


class Command(ImportCommand):
    help = "Import a logged pipeline run (run.jsonl) as one arm, all of it or nothing."
    kind = "run"
