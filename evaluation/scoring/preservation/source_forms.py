"""Other wordings of the source asked for: a twin of its noun, a word put into it."""

from functools import lru_cache

from evaluation.scoring.preservation import lexicon
from evaluation.scoring.preservation.text import Text, find_run, read_text
from evaluation.scoring.preservation.wording import content, content_roots


@lru_cache(maxsize=1_000)
def twin_forms(form: str) -> tuple[str, ...]:
    """Return a source of several words with each twin of its last noun, "police files" for "police
    records", or turned round."""
    text, table = read_text(form), lexicon.table("source_twins")
    if len(text) > 2 and text.words[1].text in ("with", "of", "by", "from"):
        rest = form[text.words[2].start :].removeprefix("the ")
        return (f"{rest} {text.words[0].raw}",)  # "nurse interviews" for "interviews with nurses"
    if len(content(text)) < 2 or content(text)[-1] != len(text) - 1:
        return ()
    last = text.words[-1]
    groups = set(table.get(last.stem, "").split())
    others = [one for one, names in table.items() if groups & {*names.split()} - {""}]
    return tuple(form[: last.start] + one for one in others if one != last.stem)


def filled_runs(text: Text, form: str) -> list[tuple[int, int]]:
    """Where a source stands with a harmless word put into it ("council meeting minutes"): first
    word and end."""
    fillers = lexicon.words("source_fillers")
    places = [at for at in content(text) if text.words[at].text not in fillers]
    wanted = content_roots(read_text(form))
    if len(wanted) < 2 or len(places) == len(content(text)):
        return []
    found = find_run([text.roots[at] for at in places], wanted)
    return [(places[at], places[at + len(wanted) - 1] + 1) for at in found]
