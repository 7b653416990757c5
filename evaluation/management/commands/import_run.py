from annotation.management.import_command import ImportCommand


class Command(ImportCommand):
    help = (
        "Import what a pipeline logged (run.jsonl: queries, hits, answers; or a TREC run: hits) as "
        "one arm, all or nothing. Nothing is executed."
    )
    kind = "run"
