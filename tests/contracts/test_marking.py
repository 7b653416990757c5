from hypothesis import given
from hypothesis import strategies as st

from contracts.marking import Mark, Segment, segments
from contracts.terms import KINDS, Span

marks = st.lists(
    st.builds(
        lambda number, kind, turn, start, end: Mark(number, kind, Span(turn, start, end)),
        st.integers(1, 9),
        st.sampled_from(KINDS),
        st.integers(0, 1),
        st.integers(0, 40),
        st.integers(0, 40),
    ),
    max_size=6,
)


@given(st.text(max_size=30), marks)
def test_the_segments_joined_are_the_text_as_stored(text: str, found: list[Mark]) -> None:
    assert "".join(segment.text for segment in segments(text, 0, found)) == text


@given(st.text(min_size=1, max_size=30), marks)
def test_every_character_has_exactly_the_marks_over_it(text: str, found: list[Mark]) -> None:
    shown = [numbers for s in segments(text, 0, found) for numbers in [s.numbers] * len(s.text)]
    wanted = [
        tuple(
            sorted(m.number for m in found if m.span.turn == 0 and m.span.start <= i < m.span.end)
        )
        for i in range(len(text))
    ]
    assert shown == wanted


def test_overlapping_marks_are_cut_and_each_number_stands_once_at_its_end() -> None:
    found = segments(
        "one two three", 0, [Mark(1, "time", Span(0, 0, 7)), Mark(2, "status", Span(0, 4, 13))]
    )
    assert found == [
        Segment("one ", "time", (1,), ()),
        Segment("two", "time", (1, 2), (1,)),
        Segment(" three", "status", (2,), (2,)),
    ]


def test_offsets_count_code_points() -> None:
    found = segments("📦parcel fees 2024", 0, [Mark(1, "quantity", Span(0, 8, 12))])
    assert [segment.text for segment in found] == ["📦parcel ", "fees", " 2024"]
