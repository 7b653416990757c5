"""Filters that carry a quantity: bounds on a field whose name may give the unit."""

from contracts.terms import ConstraintTerms
from evaluation.scoring.preservation import lexicon
from evaluation.scoring.preservation.filters import FilterTerm
from evaluation.scoring.preservation.finding import Finding, Reading, altered, filtered, unsure
from evaluation.scoring.preservation.quantities.counting import (
    convertible,
    counted,
    in_whole_bounds,
)
from evaluation.scoring.preservation.quantities.currencies import currencies_agree
from evaluation.scoring.preservation.quantities.numbers import unit_noun
from evaluation.scoring.preservation.quantities.units import measure
from evaluation.scoring.preservation.text import read_text
from evaluation.scoring.preservation.times.time_filters import is_time_term

# Aggregations that count what the noun already says, and need no word of their own.
SILENT = ("count", "rate")


def carried_quantity(constraint: ConstraintTerms, reading: Reading) -> Finding | None:
    groups: dict[str, list[FilterTerm]] = {}
    for term in reading.filters:
        if term.number is not None and not is_time_term(term):
            groups.setdefault(term.field, []).append(term)
    for terms in groups.values():
        found = _one_field(constraint, reading, terms)
        if found and found.judgement != "filtered" and _of_another(constraint, reading, terms):
            continue
        if found:
            return found
    return None


def _of_another(constraint: ConstraintTerms, reading: Reading, terms: list[FilterTerm]) -> bool:
    """Whether the conditions on one field carry another quantity of the contract."""
    others = [one for one in reading.others(constraint) if _has_number(one)]
    found = [_one_field(one, reading, terms) for one in others]
    return any(one is not None and one.judgement == "filtered" for one in found)


def _has_number(constraint: ConstraintTerms) -> bool:
    return isinstance(constraint.value.get("value"), int | float)


def _one_field(
    constraint: ConstraintTerms, reading: Reading, terms: list[FilterTerm]
) -> Finding | None:
    """Judge the conditions on one field; None when they are about something else."""
    value, quote = constraint.value, terms[0].shown
    others = next(reading.others(constraint), None) is not None
    unit = None if value.get("currency") else measure(value.get("unit"))
    named = _unit_of_field(terms[0], unit.dimension if unit else "")
    if unit and named is None and not convertible(unit.dimension):
        noun = unit_noun(value.get("unit"))
        named = 1.0 if noun in terms[0].name.stems else None
    money = _currency_of_field(terms[0]) if value.get("currency") else ""
    sure = not any(term.optional or term.operator == "!=" for term in terms)
    factor = (named / unit.factor) if unit and named else 1.0
    bounds = {term.operator: (term.number or 0.0) * factor for term in terms}
    wanted = _wanted_bounds(constraint)
    whole = bool(unit) and counted(constraint) and len(bounds) == 1
    whole = whole and in_whole_bounds(wanted) == in_whole_bounds(bounds)
    if money and currencies_agree(str(value["currency"]), money) is False:
        why = f"The filter on {terms[0].field} has another currency."
        return altered(quote, why) if sure and not others else unsure(quote, why)
    if wanted == _rounded(bounds) or whole:
        if not sure or (unit and convertible(unit.dimension) and named is None):
            return unsure(quote, "A filter has the number, but not certainly the unit or bound.")
        if value.get("aggregation") not in (None, *SILENT):
            return unsure(
                quote, "A filter has the number; whether it has the aggregation is unsaid."
            )
        return filtered(quote, f"The filter on {terms[0].field} carries the quantity.")
    if not others and (named is not None or money) and sure:
        return altered(quote, f"The filter on {terms[0].field} carries another quantity.")
    return unsure(quote, f"The filter on {terms[0].field} may be about this quantity.")


def _currency_of_field(term: FilterTerm) -> str:
    """The currency that a field's name ends with (`price_eur`, `fee_euros`), or ""."""
    last = term.name.words[-1] if len(term.name) else None
    meaning = lexicon.table("currencies").get(last.text, "") if last else ""
    # "won" and "pounds" end the names of other fields too.
    plain = last is not None and (last.text.upper() == meaning or last.stem in ("euro", "dollar"))
    return meaning if plain else ""


def _rounded(bounds: dict[str, float]) -> dict[str, float]:
    return {sign: round(number, 9) for sign, number in bounds.items()}


def _wanted_bounds(constraint: ConstraintTerms) -> dict[str, float]:
    value = constraint.value
    if value.get("operator") == "between" and isinstance(value.get("high"), int | float):
        return _rounded({">=": float(value["value"]), "<=": float(value["high"])})
    return _rounded({str(value.get("operator")): float(value["value"])})


def _unit_of_field(term: FilterTerm, dimension: str) -> float | None:
    """The factor of the unit that a field's name ends with (`duration_months`), or None."""
    last = read_text(term.name.words[-1].raw) if len(term.name) else None
    found = measure(last.raw) if last else None
    return found.factor if found and found.dimension == dimension else None
