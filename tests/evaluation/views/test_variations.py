"""The pages of suites and of sets of variations."""

import json
import re
from collections.abc import Callable
from html import unescape
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotation.models import Person, Project
from annotation.services.projects import set_member
from evaluation.models import SuiteRun, VariationReview, VariationSet
from evaluation.services.variation_reviews import review
from evaluation.varying.making import category_of
from tests.evaluation.varied import begun, made, makers, paraphrase

__all__ = ["makers"]

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("makers")]
ClientOf = Callable[[Person], Client]
SUITES, LIST, NEW, COUNTS, REVIEW = (
    reverse(name, args=["study"])
    for name in ("suites", "variations", "variation-set-new", "variation-set-counts",
                 "variation-review")
)  # fmt: skip
HTMX = {"HX-Request": "true"}
RECIPE = {
    "name": "typing-20", "percent": "100", "seed": "7", "mode": "paper", "which": "1",
    "per_kind": "20", "weight_loud": "2", "weight_spelling": "1",
}  # fmt: skip


def words(response: Any) -> str:
    return " ".join(unescape(response.content.decode()).split())


def masked(response: Any) -> str:
    """Without the token, which is another one in every answer."""
    return re.sub(r'value="[A-Za-z0-9]{64}"|"X-CSRFToken": "[^"]*"', "", words(response))


def address(of: VariationSet, *more: str) -> str:
    return reverse("variation-set", args=["study", of.number]) + "".join(more)


@pytest.fixture
def client(study: Project, engineer: Person, client_of: ClientOf) -> Client:
    return client_of(engineer)


def test_the_page_of_suites_links_the_one_that_is_there(client: Client) -> None:
    page = client.get(SUITES).content.decode()
    assert page.count("Not in this version.") == 3
    assert f'href="{LIST}"' in page and f'href="{NEW}"' in page


def test_a_project_without_sets_says_what_one_is_and_offers_the_first(client: Client) -> None:
    page = words(client.get(LIST))
    assert "A set has every request of the study once" in page and f'href="{NEW}"' in page


def test_without_a_contract_it_says_what_comes_first(
    project: Project, engineer: Person, client_of: ClientOf
) -> None:
    page = words(client_of(engineer).get(LIST))
    assert "once their contract is approved" in page and NEW not in page


def test_runs_over_sets_are_listed_the_newest_first(
    client: Client, study: Project, engineer: Person
) -> None:
    made(engineer, study)
    for number in (1, 2):
        SuiteRun.objects.create(
            project=study, suite="variations", number=number, corpus=study.corpora.first(),
            content={}, sha256=str(number) * 64, started_by=engineer,
        )  # fmt: skip
    page = words(client.get(LIST))
    assert 0 < page.index("Run 2") < page.index("Run 1")


def test_the_form_says_how_many_of_each_kind_there_will_be(client: Client) -> None:
    told = words(client.get(COUNTS, RECIPE))
    assert "Varied: 3 of 3 requests." in told and "2 loud" in told and "1 spelling" in told
    assert "0 stay as they are" in told


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"percent": "0"}, "Mend the numbers above"),
        ({"percent": "0.5"}, "none of the 3 requests would be varied"),
        ({"percent": "much"}, "Mend the numbers above"),
        ({"weight_loud": "-1"}, "Mend the numbers above"),
        ({"weight_loud": "", "weight_spelling": ""}, "Choose at least one kind"),
    ],
)
def test_the_sentence_says_what_is_wrong(
    client: Client, wrong: dict[str, str], sentence: str
) -> None:
    assert sentence in words(client.get(COUNTS, RECIPE | wrong))


def test_the_form_opens_with_the_recipe_of_the_paper_and_what_it_gives(client: Client) -> None:
    page = words(client.get(NEW))
    assert "Varied: 1 of 3 requests." in page
    assert 'name="weight_spelling" value="3"' in page


def test_sending_the_form_makes_the_set(client: Client, study: Project) -> None:
    response = client.post(NEW, RECIPE)
    found = study.variation_sets.get()
    assert response.headers["Location"] == address(found)
    assert (found.recipe["kinds"], found.recipe["rate"]) == ({"loud": 2, "spelling": 1}, 1.0)


def test_the_mode_goes_to_the_kinds_that_have_one(client: Client, study: Project) -> None:
    client.post(NEW, RECIPE | {"mode": "protect"})
    assert study.variation_sets.get().recipe["parameters"] == {"spelling": {"mode": "protect"}}


@pytest.mark.parametrize(
    "wrong", [{"name": "two words"}, {"name": ""}, {"percent": "101"}, {"seed": "x"}]
)
def test_a_wrong_form_comes_back_with_its_fault(
    client: Client, study: Project, wrong: dict[str, str]
) -> None:
    response = client.post(NEW, RECIPE | wrong)
    assert response.status_code == 422 and "No set was made" in words(response)
    assert not study.variation_sets.exists()


def test_a_set_that_is_being_made_says_how_far_it_is(
    client: Client, study: Project, engineer: Person
) -> None:
    found = begun(engineer, study)
    page = words(client.get(address(found)))
    assert "0 of 3 items are done" in page and "being made" in page
    part = client.get(address(found, "progress/"), headers=HTMX)
    assert "0 of 3 items are done" in words(part) and "hx-trigger" in part.content.decode()


def test_the_progress_of_a_made_set_asks_for_the_whole_page(
    client: Client, study: Project, engineer: Person
) -> None:
    found = made(engineer, study)
    response = client.get(address(found, "progress/"), headers=HTMX)
    assert response.headers["HX-Refresh"] == "true"


def test_a_set_that_could_not_be_made_offers_to_go_on(
    client: Client, study: Project, engineer: Person
) -> None:
    found = begun(engineer, study)
    VariationSet.objects.update(state="failed", error="The model is away.")
    assert "The model is away." in words(client.get(address(found)))
    client.post(address(found, "retry/"))
    found.refresh_from_db()
    assert (found.state, found.error) == ("making", "")


def test_a_made_set_shows_counts_with_denominators_and_every_item(
    client: Client, study: Project, engineer: Person
) -> None:
    page = words(client.get(address(made(engineer, study, {"loud": 1, "picky": 1}))))
    assert "that were to be varied have a variation" in page
    assert "mean edit distance" in page and "a name changed" in page
    assert "Means over the 3 texts of the set" in page


def test_items_are_filtered_by_kind_and_by_what_became_of_them(
    client: Client, study: Project, engineer: Person
) -> None:
    found = made(engineer, study, {"picky": 1})
    failed = words(client.get(address(found), {"show": "failed"}))
    assert "It may not be b." in failed and "3 texts were rejected" in failed
    assert "Please?" in words(client.get(address(found), {"show": "made", "kind": "picky"}))
    assert "No item is like that" in words(client.get(address(found), {"show": "clean"}))


def test_a_text_of_which_only_capitals_changed_is_shown_beside_its_original(
    client: Client, study: Project, engineer: Person
) -> None:
    page = words(client.get(address(made(engineer, study))))
    assert "WHAT REVENUE DID ALDER FOODS" in page and "What revenue did Alder Foods" in page


def test_the_rows_and_the_manifest_are_files(
    client: Client, study: Project, engineer: Person
) -> None:
    found = made(engineer, study)
    response = client.get(address(found, "export/jsonl/"))
    rows = [json.loads(line) for line in response.getvalue().splitlines()]
    assert [row["request"] for row in rows] == ["a", "b", "c"]
    assert 'filename="study-variations-first.jsonl"' in response.headers["Content-Disposition"]
    manifest = json.loads(client.get(address(found, "export/json/")).getvalue())
    assert manifest["sha256"] == found.sha256 and manifest["manifest"] == found.manifest


@pytest.mark.parametrize("more", ["export/csv/", "export/jsonl/"])
def test_there_is_no_file_of_another_form_or_of_a_set_that_is_not_made(
    client: Client, study: Project, engineer: Person, more: str
) -> None:
    found = begun(engineer, study) if "jsonl" in more else made(engineer, study)
    assert client.get(address(found, more)).status_code == 404


# ---------------------------------------------------------------- blindness


@pytest.fixture
def annotating(study: Project, owner: Person, engineer: Person, annotator_a: Person) -> Project:
    """The engineer annotates too; somebody else's paraphrase is in a set."""
    paraphrase(study, annotator_a, "a", "zqxj alder money")
    made(engineer, study, {"human": 1})
    set_member(actor=owner, project=study, person=engineer, roles=["engineer", "annotator"])
    study.paraphrases_per_request = 2
    study.save()
    return study


def test_an_engineer_who_may_still_annotate_is_shown_the_recipe_alone(
    annotating: Project, client: Client
) -> None:
    found = annotating.variation_sets.get()
    page = words(client.get(address(found)))
    assert "You may still annotate" in page and "Recipe" in page
    hidden = ("zqxj", "alder money", "What people say", "Items", found.sha256)
    assert [word for word in hidden if word in page] == []
    assert client.get(address(found, "export/jsonl/")).status_code == 403
    assert "zqxj" not in words(client.get(LIST))


def test_two_worlds_of_others_paraphrases_look_alike_to_who_may_still_annotate(
    annotating: Project, client: Client
) -> None:
    found = annotating.variation_sets.get()
    before = [masked(client.get(one)) for one in (LIST, address(found), SUITES)]
    found.items.update(variation=None, why="none")
    VariationSet.objects.update(sha256="f" * 64, manifest={"items": []})
    assert [masked(client.get(one)) for one in (LIST, address(found), SUITES)] == before


# ---------------------------------------------------------------- reviewing


@pytest.fixture
def reviewer(study: Project, engineer: Person, adjudicator: Person, client_of: ClientOf) -> Client:
    made(engineer, study)
    return client_of(adjudicator)


def say_to(page: Any) -> str:
    body = page.content.decode()
    there = body.index("data-review")
    form = body.rindex('action="', 0, there) + len('action="')
    return body[form : body.index('"', form)]


def test_a_variation_is_shown_with_both_questions_and_its_category(reviewer: Client) -> None:
    page = words(reviewer.get(REVIEW))
    shown = ("Is the meaning kept?", "Is the category right?", "Is it written in capitals?",
             "3 wait for you")  # fmt: skip
    assert [text for text in shown if text not in page] == []


def test_seeing_a_variation_is_an_exposure(reviewer: Client, study: Project) -> None:
    reviewer.get(REVIEW)
    assert study.ledger.filter(kind="exposed", content={"what": "rewrite"}).count() == 1


def test_answers_are_kept_and_the_next_comes(reviewer: Client) -> None:
    there = say_to(reviewer.get(REVIEW))
    said = {"meaning": "yes", "category": "no", "remark": "no capitals"}
    response = reviewer.post(there, said)
    assert response.headers["Location"] == REVIEW
    kept = VariationReview.objects.get()
    assert (kept.meaning_kept, kept.category_right, kept.note) == (True, False, "no capitals")
    fragment = reviewer.post(say_to(reviewer.get(REVIEW)), said, headers=HTMX)
    assert "Noted: meaning kept, category wrong." in words(fragment)
    assert "<html" not in fragment.content.decode()


@pytest.mark.parametrize("wrong", [{"meaning": "yes"}, {"meaning": "maybe", "category": "yes"}])
def test_half_an_answer_is_refused_and_the_note_stays(
    reviewer: Client, wrong: dict[str, str]
) -> None:
    response = reviewer.post(say_to(reviewer.get(REVIEW)), wrong | {"remark": "kept words"})
    assert response.status_code == 422
    assert "Answer both questions" in words(response) and "kept words" in words(response)
    assert not VariationReview.objects.exists()


def test_what_was_taken_back_is_shown_again_with_its_note(reviewer: Client) -> None:
    there = say_to(reviewer.get(REVIEW))
    reviewer.post(there, {"meaning": "no", "category": "yes", "remark": "another year"})
    response = reviewer.post(there + "undo/", follow=True)
    assert say_to(response) == there
    assert "another year" in words(response) and not VariationReview.objects.exists()


def test_what_is_put_off_makes_room_for_another(reviewer: Client) -> None:
    there = say_to(reviewer.get(REVIEW))
    assert say_to(reviewer.post(there + "later/", follow=True)) != there


def test_whoever_reviewed_everything_is_told_so(
    reviewer: Client, study: Project, adjudicator: Person
) -> None:
    for item in study.variation_sets.get().items.all():
        review(actor=adjudicator, item=item, meaning_kept=True, category_right=True)
    assert "Nothing waits for you" in words(reviewer.get(REVIEW))


def test_an_item_that_was_not_drawn_or_is_of_another_project_is_none(
    reviewer: Client, study: Project
) -> None:
    item = study.variation_sets.get().items.first()
    item.sampled = False
    item.save()
    there = reverse("variation-review-say", args=["study", item.pk])
    assert reviewer.post(there, {"meaning": "yes", "category": "yes"}).status_code == 404


def test_the_figures_are_on_the_page_of_the_set(
    reviewer: Client, study: Project, adjudicator: Person, owner: Person, client_of: ClientOf
) -> None:
    found = study.variation_sets.get()
    for person in (adjudicator, owner):
        for item in found.items.all():
            review(actor=person, item=item, meaning_kept=True, category_right=True)
    page = words(client_of(owner).get(address(found)))
    shown = ("Two people looked at 3 of 3", "100.0 %", "29.2 %", "no variation", "n = 3")
    assert [text for text in shown if text not in page] == []


def test_a_set_shows_who_did_not_pass_what_and_why(
    client: Client, study: Project, engineer: Person, adjudicator: Person
) -> None:
    found = made(engineer, study)
    first, second, _third = found.items.order_by("position")
    review(actor=adjudicator, item=first, meaning_kept=False, category_right=True, note="Not 2022")
    review(actor=adjudicator, item=second, meaning_kept=True, category_right=True)
    page = words(client.get(address(found), {"show": "doubted"}))
    assert "1 item</p>" in page and "meaning lost" in page and "Not 2022" in page
    entry = study.ledger.get(kind="exposed", subject="reviews of variations 1")
    assert entry.actor == engineer


def test_nobody_filters_by_what_others_say_while_something_waits_for_them(
    study: Project, engineer: Person, adjudicator: Person, owner: Person, client_of: ClientOf
) -> None:
    found = made(engineer, study)
    item = found.items.get(position=1)
    review(actor=adjudicator, item=item, meaning_kept=False, category_right=True, note="Not 2022")
    page = words(client_of(owner).get(address(found), {"show": "doubted"}))
    assert "3 items</p>" in page and 'value="doubted"' not in page and "Not 2022" not in page
    assert not study.ledger.filter(subject="reviews of variations 1").exists()


def test_a_set_that_waits_for_its_model_says_so(
    client: Client, study: Project, engineer: Person
) -> None:
    found = begun(engineer, study)
    VariationSet.objects.update(notice="The model is away.")
    assert "The model is away." in words(client.get(address(found, "progress/"), headers=HTMX))


def test_a_set_of_many_requests_is_begun_in_as_few_queries(
    study: Project, engineer: Person
) -> None:
    """A query for each request would be one for the project that it is in."""
    with CaptureQueriesContext(connection) as asked:
        begun(engineer, study)
    alone = [one for one in asked if 'SELECT "annotation_request"."id"' in one["sql"]]
    assert len(alone) == 1


@pytest.mark.parametrize(
    "kind",
    [
        "human",
        "loud",
        "spelling",
        "formality",
        "readability",
        "grammar",
        "declarative",
        "imperative",
        "visual",
        "keyboard",
    ],
)
def test_people_are_asked_a_question_of_each_kind(kind: str) -> None:
    assert category_of(kind).endswith("?")
