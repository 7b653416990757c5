"""The words of docs/judge.md around its figures."""

TEXT = """# How the judge decides, and how well

Written by `python -m tests.bench.judge --cases FILE_OR_FOLDER … --write`. Measured on {day}:
{machine}. The figures are of one pass over the cases; each text is read for the first time in it.

The judge is a program without a model. It gets a request with its turns, the contract and one
rewrite, and says what happened to each constraint, with the words that decided it. Equal inputs
give equal judgements: nothing in it reads a database, a clock or a network.
`manage.py judge FILE` runs it on a file; a run does it by itself after each rewrite.

## The labels

| label | when |
| --- | --- |
| stated | a query says the constraint, in its own words, in a form that the contract admits, or \
in another notation of the same thing |
| filtered | no query says it, but a filter carries an equivalent value |
| altered | something else stands in its place: another year, bound, unit, entity, direction, \
status or source, or the opposite of a negation |
| dropped | neither queries nor filters say anything about it |
| unsure | the words do not decide it |

Stated and filtered are kept; altered and dropped are lost. Everything that the rewrite emits
counts: each sub-query, each filter, and the whole text of an expansion or passage. One query that
states a constraint is enough, except for a comparison, whose sets are looked for in all queries
together.

**Unsure is an answer.** A wrong "stated" lets a rewriter through that loses what people ask; a
wrong "altered" blocks one that does not. So a matcher decides only where no careful reader would
object, and otherwise says in a sentence what it saw and why that is not enough. "Dropped" is the
hardest to say, since a paraphrase that no list knows looks like nothing at all. Before it, a
matcher looks for whatever could be the constraint in other words: a trace of its own words, a word
of its sort in its place, a name that nobody knows, a number of unclear role. Any of these makes it
unsure.

## What each matcher reads

Texts are folded first: case, accents, plurals, hyphens and possessives make no difference, and
every quote is cut from the rewrite as it stands.

| kind | read as | certain signs of a loss |
| --- | --- | --- |
| referent | the name, its aliases and admissible forms; not where they are part of a longer \
name, denied, or only point to another thing ("X's owner") | another name with the same head, a \
phrase of another turn, a filter on another entity |
| time | dates, months, quarters, decades, fiscal years and wording such as "last year", with the\
 word before or after them; two wordings agree when they admit the same days | days that do not \
meet, or the same date under another relation |
| quantity | number, bound, unit, currency and aggregation; units are converted within a \
dimension | the same unit with another number, another bound, another currency or aggregation |
| polarity | the target, and a negation or exclusion that reaches it | the target asserted \
without any |
| status | the status word, then its rivals | a rival where the status should be, or the status \
denied |
| comparison | every compared set, then the direction between or of them | a foreign set in the \
place of one, or the opposite direction |
| evidence | the words for the source, where they ask for it ("according to", "per") | a source \
of a plainly different kind |

A date is read as the days that it admits, a quantity in the base unit of its dimension, a status
and a source by the families of words that say the same. A query and a filter that disagree, or two
queries of which one keeps and one loses by a word of doubtful role, leave it unsure.

**Added** is a restriction of any of the seven kinds that the request lacks: a time, a place or a
maker, a bound, an exclusion, a status, a kind of source, a comparison. What stands in the place of
a constraint is altered and never added as well, so a kind with an altered or an open constraint is
left alone. Vocabulary and the details of a passage are not restrictions.

## People and the audit

An open judgement waits for a person, who sees the request, the constraint of its contract and the
rewrite, and nothing of the arm, the run or what the program said. A Protocol may want people for
every critical constraint or for every one, and one or two of them an item. A model may be put
behind the matchers, for what they leave open and for nothing else; its quote must stand in the
rewrite, and it is named in the `by` of its judgements. The figures below are without one.

Of the judgements that the program was sure of, a drawn sample of each kind goes to people as well,
mixed with the open ones: the audit. The result says for each kind how many of these were wrong,
with an upper bound, and a Protocol can refuse to release on the word of a judge whose bound is
above its limit.

## Extending a word list

What the matchers know of English stands in `evaluation/scoring/preservation/lexicon/*.txt`, one
entry a line, `#` for a comment, `phrase : meaning` in a table.

1. Add the line to the list whose first line says what it is for. Several words are one phrase, and
   the longest phrase of a text wins.
2. Run `pytest tests/evaluation/scoring/preservation/test_lexicon.py`: each entry of each list is
   read back in its role, and a new list fails until it has a check.
3. Judge a rewrite with it (`manage.py judge`), and one in which the word means something else:
   an entry that turns a right "unsure" into a wrong decision does harm.
4. Raise `VERSION` in `finding.py`, which stands in the `by` of every judgement.

{lists}

## How well it does

Losses found: of the critical constraints that the rewrite lost, those called altered or dropped,
whichever. False alarms: of the constraints that it kept, those called altered or dropped. Unsure
lowers the coverage, and counts neither as a loss found nor as an alarm. The two together are what
matters: a judge that says "stated" to everything raises no alarm and finds no loss.

The held-out cases were written and labelled from the definitions above by somebody who had not
seen the judge, and the judge was not changed for any of them. Organisations, laws and places in
them are invented.

{figures}
"""
