from annotation.management.import_command import ImportCommand


class Command(ImportCommand):
    help = "Import corpus.jsonl as the next version of the project's corpus."
    kind = "corpus"
