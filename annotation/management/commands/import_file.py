from annotation.management.import_command import ImportCommand


class Command(ImportCommand):
    help = "Import a file of any kind that the project knows."
