import math

import pytest
import torch

from evaluation.training.contrastive import losses, negatives_of


def one_query(*negatives: float, positive: float = 0.8, tau: float = 0.05) -> float:
    row = torch.tensor([[positive, *negatives]], dtype=torch.float64)
    mask = torch.tensor([[False, *[True] * len(negatives)]])
    return float(losses(row, mask, tau=tau)[0])


@pytest.mark.parametrize(("tau", "loss"), [(0.05, 0.020581), (0.02, 4.5705e-05)])
def test_the_loss_is_that_of_the_formula(tau: float, loss: float) -> None:
    # By hand from equation (1) of QE-RAG: -log(e^(.8/t) / (e^(.8/t) + e^(.6/t) + e^(.5/t))).
    assert one_query(0.6, 0.5, tau=tau) == pytest.approx(loss, rel=1e-4)


def test_equal_similarities_cost_the_logarithm_of_their_number() -> None:
    assert one_query(0.8, 0.8, 0.8) == pytest.approx(math.log(4))


def test_it_is_cross_entropy_where_nothing_is_masked() -> None:
    # torch's own cross entropy over all columns, with the diagonal as the target.
    torch.manual_seed(0)
    similarities = torch.rand(4, 4, dtype=torch.float64)
    expected = torch.nn.functional.cross_entropy(
        similarities / 0.05, torch.arange(4), reduction="none"
    )
    found = losses(similarities, ~torch.eye(4, dtype=torch.bool), tau=0.05)
    assert torch.allclose(found, expected)


def test_a_masked_passage_neither_costs_nor_learns() -> None:
    similarities = torch.tensor([[0.8, 0.7], [0.1, 0.9]], requires_grad=True)
    loss = losses(similarities, torch.tensor([[False, False], [True, False]]), tau=0.05)
    loss.sum().backward()
    assert float(loss[0].detach()) == 0
    assert similarities.grad is not None and float(similarities.grad[0, 1]) == 0


def test_negatives_are_the_others_positives_and_ones_own_extra_passage() -> None:
    mask = negatives_of([{"p1"}, {"p2"}], ["p1", "p2"], ["x1", "x2"])
    assert mask.tolist() == [[False, True, True, False], [True, False, False, True]]


def test_the_extra_passages_of_others_count_where_that_is_wanted() -> None:
    mask = negatives_of([{"p1"}, {"p2"}], ["p1", "p2"], ["x1", "p1"], others_extras=True)
    # The second query's extra passage is the gold of the first: no negative for that one.
    assert mask.tolist() == [[False, True, True, False], [True, False, True, True]]


def test_a_gold_of_the_query_is_never_its_negative() -> None:
    # The first two share the paragraph p; the third has the first one's other gold.
    golds = [{"p", "q"}, {"p"}, {"q", "r"}]
    mask = negatives_of(golds, ["p", "p", "q"], ["x", "x", "x"])
    assert mask[:, :3].tolist() == [
        [False, False, False],
        [False, False, True],
        [True, True, False],
    ]


def test_wrong_shapes_and_temperatures_are_sentences() -> None:
    with pytest.raises(ValueError, match="each query needs one of both"):
        negatives_of([{"p"}], ["p", "q"], ["x"])
    with pytest.raises(ValueError, match="tau must be above 0"):
        one_query(0.1, tau=0)
