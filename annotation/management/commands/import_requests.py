from annotation.management.import_command import ImportCommand


class Command(ImportCommand):
    help = "Import requests.jsonl (or .csv) into the project."
    kind = "requests"
