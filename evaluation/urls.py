from django.urls import path, register_converter

from annotation.addresses import KeyConverter
from evaluation.views import (
    answers,
    arms,
    compare,
    conditions,
    exports,
    judgements,
    matrix,
    protocols,
    run_control,
    runs,
    suite_runs,
    variation_reviews,
    variations,
)

register_converter(KeyConverter, "case_key")

RUN = "runs/<int:number>/"
VARIED = "suites/variations/"
SET = VARIED + "sets/<int:number>/"
SUITE_RUN = VARIED + "runs/<int:number>/"

urlpatterns = [
    path("protocols/", protocols.protocols, name="protocols"),
    path("protocols/new/", protocols.protocol_new, name="protocol-new"),
    path("protocols/<int:pk>/", protocols.protocol, name="protocol"),
    path("arms/", arms.arms, name="arms"),
    path("arms/new/", arms.arm_new, name="arm-new"),
    path("arms/<slug:arm_name>/delete/", arms.arm_delete, name="arm-delete"),
    path("parts/", arms.parts, name="parts"),
    path("runs/", runs.runs, name="runs"),
    path("runs/conditions/new/", conditions.conditions_new, name="conditions-new"),
    path("runs/conditions/new/part/", conditions.conditions_part, name="conditions-part"),
    path("runs/conditions/<int:pk>/", conditions.conditions, name="conditions"),
    path("runs/compare/", compare.compare, name="compare"),
    path(RUN, runs.run, name="run"),
    path(RUN + "progress/", runs.run_progress, name="run-progress"),
    path(RUN + "pause/", run_control.run_pause, name="run-pause"),
    path(RUN + "resume/", run_control.run_resume, name="run-resume"),
    path(RUN + "retry/", run_control.run_retry, name="run-retry"),
    path(RUN + "cancel/", run_control.run_cancel, name="run-cancel"),
    path(RUN + "conclude/", run_control.run_conclude, name="run-conclude"),
    path(RUN + "extend/", run_control.run_extend, name="run-extend"),
    path(RUN + "export/", exports.run_exports, name="run-exports"),
    path(RUN + "export/<slug:form>/", exports.run_export, name="run-export"),
    path(RUN + "matrix/", matrix.matrix, name="matrix"),
    path(RUN + "cases/<case_key:key>/", matrix.case, name="case"),
    path(RUN + "answers/", answers.answers, name="answers"),
    path(RUN + "answers/judge/", answers.answer_judge, name="answer-judge"),
    path(RUN + "answers/undo/", answers.answer_undo, name="answer-undo"),
    path(RUN + "answers/count/", answers.answer_count, name="answer-count"),
    path("suites/", variations.suites, name="suites"),
    path(VARIED, variations.variations, name="variations"),
    path(VARIED + "new/", variations.variation_set_new, name="variation-set-new"),
    path(VARIED + "new/counts/", variations.variation_set_counts, name="variation-set-counts"),
    path(SET, variations.variation_set, name="variation-set"),
    path(SET + "progress/", variations.variation_set_progress, name="variation-set-progress"),
    path(SET + "retry/", variations.variation_set_retry, name="variation-set-retry"),
    path(SET + "export/<slug:form>/", variations.variation_set_export, name="variation-set-export"),
    path(VARIED + "review/", variation_reviews.review_next, name="variation-review"),
    path(VARIED + "review/<int:pk>/", variation_reviews.review_say, name="variation-review-say"),
    path(
        VARIED + "review/<int:pk>/undo/",
        variation_reviews.review_undo,
        name="variation-review-undo",
    ),
    path(
        VARIED + "review/<int:pk>/later/",
        variation_reviews.review_later,
        name="variation-review-later",
    ),
    path("judgements/", judgements.judgements, name="judgements"),
    path("judgements/next/", judgements.judgement_next, name="judgement-next"),
    path("judgements/<int:pk>/", judgements.judgement_settle, name="judgement-settle"),
    path("judgements/<int:pk>/undo/", judgements.judgement_undo, name="judgement-undo"),
    path("judgements/<int:pk>/later/", judgements.judgement_later, name="judgement-later"),
    path(VARIED + "runs/new/", suite_runs.suite_run_new, name="suite-run-new"),
    path(SUITE_RUN, suite_runs.suite_run, name="suite-run"),
    path(SUITE_RUN + "progress/", suite_runs.suite_run_progress, name="suite-run-progress"),
    path(SUITE_RUN + "cancel/", suite_runs.suite_run_cancel, name="suite-run-cancel"),
    path(SUITE_RUN + "resume/", suite_runs.suite_run_resume, name="suite-run-resume"),
    path(SUITE_RUN + "export/<slug:form>/", suite_runs.suite_run_export, name="suite-run-export"),
]
