from annotation.management.import_command import ImportCommand


class Command(ImportCommand):
    help = "Import a logged pipeline run (run.jsonl, or a TREC run) as one arm, all or nothing."
    kind = "run"
