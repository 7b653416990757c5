from annotation.management.import_command import ImportCommand


class Command(ImportCommand):
    help = "Import a BEIR folder (or a .zip or .tar.gz of it): its corpus, and one split's queries."
    kind = "beir"
