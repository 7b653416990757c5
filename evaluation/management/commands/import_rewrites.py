from annotation.management.import_command import ImportCommand


class Command(ImportCommand):
    help = "Import a candidate's rewrites (rewrites.jsonl) as one arm, all of them or none."
    kind = "rewrites"
