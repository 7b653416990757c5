"""Which times of a rewrite are new, and which only set the request's own bound in other words."""

from typing import Any

import pytest

from contracts.terms import ConstraintTerms, ContractTerms
from evaluation.records import RequestText, Rewrite, Turn
from evaluation.scoring.preservation import judge_rewrite
from evaluation.scoring.preservation.filters import read_filters
from tests.evaluation.scoring.preservation.judging import Asked, amount, time

MAY = Asked("Ferry delays in May 2022?", "time", time("on", "2022-05", "2022-05"), "in May 2022")
YEAR = Asked("Ferry delays in 2017?", "time", time("on", "2017", "2017"), "in 2017")
BEFORE = Asked(
    "Ferries sold before 1 April 2016?",
    "time",
    time("before", end="2016-04-01"),
    "before 1 April 2016",
)
SINCE = Asked("Ferries sold since 2013?", "time", time("since", "2013"), "since 2013")


@pytest.mark.parametrize(
    ("asked", "filters"),
    [
        (MAY, {"date": {"gte": "2022-05-01", "lt": "2022-06-01"}}),
        (MAY, {"date": {"gt": "2022-04-30", "lt": "2022-06-01"}}),
        (YEAR, {"year": {"gte": 2017, "lt": 2018}}),
        (BEFORE, {"sold_date": {"lte": "2016-03-31"}}),
        (SINCE, {"year": {"gt": 2012}}),
    ],
)
def test_an_exclusive_bound_on_the_next_day_is_filtered_and_adds_nothing(
    asked: Asked, filters: dict
) -> None:
    judged = asked.judge_all("ferries", filters=filters)
    assert (judged.judgements[0].judgement, judged.added) == ("filtered", ())


@pytest.mark.parametrize(
    ("asked", "query"),
    [(BEFORE, "ferries sold no later than 31 March 2016"), (SINCE, "ferries sold after 2012")],
)
def test_the_same_bound_in_other_words_is_stated_and_adds_nothing(asked: Asked, query: str) -> None:
    judged = asked.judge_all(query)
    assert (judged.judgements[0].judgement, judged.added) == ("stated", ())


def test_a_bound_that_takes_nothing_away_is_no_addition() -> None:
    assert MAY.judge_all("ferry delays in May 2022", filters={"date": {"lt": "2024"}}).added == ()


def test_a_second_bound_that_narrows_is_an_addition() -> None:
    judged = SINCE.judge_all("ferries sold after 2012 and before 2019")
    assert [item.quote for item in judged.added] == ["before 2019"]


def added(
    request: str,
    *queries: str,
    turns: tuple[str, ...] = (),
    constraints: tuple[ConstraintTerms, ...] = (),
    filters: dict[str, Any] | None = None,
    kind: str = "standalone",
    today: str | None = None,
) -> list[str]:
    text = RequestText("r1", request, tuple(Turn("user", turn) for turn in turns), today)
    judged = judge_rewrite(text, ContractTerms(constraints), Rewrite(kind, queries, filters or {}))
    emitted = (*queries, *(item.shown for item in read_filters(filters or {})))
    for item in judged.added:
        assert item.why.endswith(".")
        assert any(item.quote in one for one in emitted)
    return sorted(item.kind for item in judged.added)


def term(kind: str, admissible: tuple[str, ...] = (), **value: Any) -> ConstraintTerms:
    return ConstraintTerms(f"c-{kind}", kind, "critical", value, None, admissible)


# Labels from the definition of an addition alone: a restriction that the request does not have.
INVENTED = [
    # a name: place, maker, owner
    ("ferries with car decks", "ferries with car decks in Portugal", "referent"),
    ("ferries with car decks", "car ferries in portugal", "referent"),
    ("ferries with car decks", "Portuguese ferries with car decks", "referent"),
    ("which kilns were relined", "kilns relined by Ostrava Ceramics", "referent"),
    ("which kilns were relined", "relined kilns of manufacturer Hoganwerk", "referent"),
    ("Which kilns were relined?", "Which of Brunnvik's kilns were relined?", "referent"),
    ("how to rotate api keys", "how to rotate api keys for Nordvault", "referent"),
    ("tenants who keep dogs", "tenants who keep dogs at Mill Lane House", "referent"),
    ("cheapest heat pump", "cheapest heat pump from Talbrook", "referent"),
    ("parking fines for trailers", "parking fines for trailers near Lyon", "referent"),
    # a quantity
    ("which warehouses have sprinklers", "warehouses with sprinklers above 5,000 m²", "quantity"),
    ("ferry refunds", "ferry refunds of more than 40 euros", "quantity"),
    ("cranes without brakes", "cranes without brakes lifting at least 12 t", "quantity"),
    ("firms that export salt", "salt exporters with over 5 million customers", "quantity"),
    ("grants for orchards", "orchard grants up to £9,000", "quantity"),
    ("tanks with leaks", "leaking tanks between 200 and 500 litres", "quantity"),
    # an exclusion
    ("list the museum's loans", "museum loans excluding paintings", "polarity"),
    ("list the museum's loans", "museum loans, paintings excluded", "polarity"),
    ("bus routes with night service", "night bus routes except airport shuttles", "polarity"),
    ("who owns the quarry", "quarry owners other than trusts", "polarity"),
    ("strikes at the docks", "dock strikes, not counting wildcat ones", "polarity"),
    ("strikes at the docks", "strikes at the docks apart from lockouts", "polarity"),
    # a source
    ("why did the dam fail", "cause of the dam failure according to the press", "evidence"),
    ("why did the dam fail", "per the insurer's report, why did the dam fail", "evidence"),
    ("how many seals were counted", "seal count from the coastguard survey", "evidence"),
    ("how many seals were counted", "seals counted, as reported by newspapers", "evidence"),
    ("ferry fares", "ferry fares based on the annual report", "evidence"),
    ("profit of the salt works", "salt works profit in audited accounts", "evidence"),
    # a status
    ("building plans for the pier", "approved building plans for the pier", "status"),
    ("dams on the upper river", "decommissioned dams on the upper river", "status"),
    ("Which tariffs apply to freight?", "provisional freight tariffs", "status"),
    ("permits for the stall", "stall permits that were revoked", "status"),
    # a comparison
    ("output of the north kiln", "output of the north kiln versus the south kiln", "comparison"),
    ("glass recycling rate", "glass recycling rate compared with Belgium", "comparison"),
    ("toll prices", "toll prices higher than in Hungary", "comparison"),
    # a time
    ("who chaired the harbour board", "harbour board chair in 2017", "time"),
    ("ferry accidents", "ferry accidents last month", "time"),
    ("Who won the tender?", "winner of the tender since March 2020", "time"),
    # two at once
    ("salt prices", "salt prices in Chile in 2019", "referent time"),
    ("salt prices", "approved salt prices according to newspapers", "evidence status"),
    # a second batch, written when the rules stood
    ("Which bridges were repainted?", "repainted bridges in Galway", "referent"),
    ("Which bridges were repainted?", "bridges repainted by Kessing & Sons", "referent"),
    ("what did the audit of the canteen find", "canteen audit findings for the Talsand site",
     "referent"),
    ("find invoices with two signatures", "invoices with two signatures, customer Morvane",
     "referent"),
    ("find invoices with two signatures", "invoices with two signatures from Morvane AG",
     "referent"),
    ("Who may use the sauna?", "who may use the sauna at Hotel Ardmore", "referent"),
    ("Who may use the sauna?", "sauna rules in Finland", "referent"),
    ("trams with low floors", "low-floor trams of the Vellmar network", "referent"),
    ("trams with low floors", "German low-floor trams", "referent"),
    ("trams with low floors", "low floor trams built by Siemens", "referent"),
    ("Do interns get sick pay?", "do interns get sick pay under Austrian law", "referent"),
    ("Do interns get sick pay?", "sick pay for interns at Corvane", "referent"),
    ("How are wells sealed?", "how are wells deeper than 80 m sealed", "quantity"),
    ("How are wells sealed?", "sealing of wells with less than 3 bar pressure", "quantity"),
    ("Which cafes close early?", "cafes with more than 20 seats that close early", "quantity"),
    ("Which shops sell ladders?", "shops selling ladders under 90 euros", "quantity"),
    ("donations to the choir", "choir donations above $10,000", "quantity"),
    ("donations to the choir", "donations to the choir of 500 euros or more", "quantity"),
    ("flights that were diverted", "diverted flights with a delay of over three hours", "quantity"),
    ("farms that keep geese", "farms of between 20 and 60 hectares that keep geese", "quantity"),
    ("list the harbour fees", "harbour fees, not including pilotage", "polarity"),
    ("list the harbour fees", "harbour fees with the exception of pilotage", "polarity"),
    ("list the harbour fees", "harbour fees -pilotage", "polarity"),
    ("what changed in the lease", "changes in the lease aside from rent", "polarity"),
    ("staff who speak Welsh", "Welsh-speaking staff, leaving out trainees", "polarity"),
    ("staff who speak Welsh", "Welsh-speaking staff without those on leave", "polarity"),
    ("How many locks are on the canal?", "number of locks on the canal, marinas not counted",
     "polarity"),
    ("why was the fair moved", "why was the fair moved, according to local newspapers", "evidence"),
    ("why was the fair moved", "reasons for moving the fair as stated in the council minutes",
     "evidence"),
    ("noise at the depot", "depot noise per the inspection report", "evidence"),
    ("noise at the depot", "noise at the depot, going by residents' surveys", "evidence"),
    ("turnover of the brewery", "brewery turnover from the tax filings", "evidence"),
    ("turnover of the brewery", "brewery turnover citing blog posts", "evidence"),
    ("turnover of the brewery", "brewery turnover in the trade register", "evidence"),
    ("Rules for drones over crowds", "proposed rules for drones over crowds", "status"),
    ("Rules for drones over crowds", "rules for drones over crowds, draft version", "status"),
    ("Which licences does the kiosk hold?", "expired licences of the kiosk", "status"),
    ("mines near the river", "abandoned mines near the river", "status"),
    ("loans to the theatre", "terminated loans to the theatre", "status"),
    ("the reservoir's water level", "water level of the reservoir versus the lake", "comparison"),
    ("staff turnover at the mill", "staff turnover at the mill compared to other mills in Kent",
     "comparison"),
    ("fuel use of the ferries", "fuel use of the ferries relative to cargo ships", "comparison"),
    ("price of a hearing aid", "price of a hearing aid in 2022", "time"),
    ("price of a hearing aid", "hearing aid price after January 2019", "time"),
    ("who leads the union", "union leader between 2010 and 2014", "time"),
    ("who leads the union", "who led the union last year", "time"),
    ("outages in the substation", "substation outages in Bavaria last month", "referent time"),
    ("outages in the substation",
     "outages in the substation exceeding 2 hours, excluding maintenance", "polarity quantity"),
]  # fmt: skip

INVENTED_FILTERS = [
    ("tenants who keep dogs", {"city": "Lyon"}, "referent"),
    ("tenants who keep dogs", {"company": "Talbrook Homes"}, "referent"),
    ("tenants who keep dogs", {"status": "approved"}, "status"),
    ("tenants who keep dogs", {"verified": True}, "status"),
    ("tenants who keep dogs", {"source": "press"}, "evidence"),
    ("tenants who keep dogs", {"doc_type": "annual report"}, "evidence"),
    ("tenants who keep dogs", {"rent_eur": {"lt": 900}}, "quantity"),
    ("tenants who keep dogs", {"min_rooms": 3}, "quantity"),
    ("tenants who keep dogs", {"breed": {"ne": "terrier"}}, "polarity"),
    ("tenants who keep dogs", {"exclude": {"breed": "terrier"}}, "polarity"),
    ("tenants who keep dogs", {"year": 2018}, "time"),
    ("tenants who keep dogs", {"created": {"gte": "2018-01-01"}}, "time"),
    ("outages in the substation", {"date": {"gte": "2020-05-01"}}, "time"),
    ("outages in the substation", {"region": "Tyrol"}, "referent"),
    ("outages in the substation", {"manufacturer": "Brandeis"}, "referent"),
    ("outages in the substation", {"duration_minutes": {"gt": 30}}, "quantity"),
    ("outages in the substation", {"status": "resolved"}, "status"),
    ("outages in the substation", {"approved": True}, "status"),
    ("outages in the substation", {"source": "shift log"}, "evidence"),
    ("outages in the substation", {"doc_type": "press release"}, "evidence"),
    ("outages in the substation", {"must_not": {"cause": "lightning"}}, "polarity"),
    ("outages in the substation", {"planned": False}, "polarity"),
]  # fmt: skip

CLEAN = [
    # keyword rewrites and paraphrases
    ("Which kilns at the Ostrava plant were relined?", "relined kilns Ostrava plant"),
    ("Can I bring my dog on the ferry?", "ferry pet policy dogs allowed on board"),
    ("Why did the dam fail?", "What caused the collapse of the dam?"),
    ("Is it allowed to swim without a permit?", "swimming with no permit: is it lawful"),
    ("people without insurance", "uninsured people"),
    ("uninsured drivers", "drivers without insurance"),
    ("Which flats lack a lift?", "apartments without elevator"),
    ("Does the pump leak?", "is the pump leaking fluid"),
    ("is salt or sand better on ice", "salt versus sand on icy roads"),
    ("difference between a weir and a dam", "weir vs dam"),
    ("ferries that are faster than trains", "ferries with a higher speed than trains"),
    ("What did the desk study find on dams?", "findings about dams from the desk study"),
    ("what do the minutes say about rent", "rent, according to the minutes"),
    ("flats with 3 rooms or fewer", "flats with at most three rooms"),
    ("walls over 2 metres", "walls higher than 200 cm"),
    ("loans above 1.5 million euros", "loans > €1,500,000"),
    ("loans above 1.5 million euros", "loans exceeding EUR 1.5m"),
    ("recalls in 2021", "product recalls between 1 January and 31 December 2021"),
    ("Who signed the approved plan?", "signatories of the plan once approved"),
    # names in another form
    ("austrian dairy farms", "dairy farms in Austria"),
    ("dairy farms in Austria", "Austrian dairies"),
    ("drinking age in the US", "legal drinking age in the United States of America"),
    ("uk rail fares", "train ticket prices in the United Kingdom"),
    ("who heads the WHO", "head of the World Health Organization"),
    ("World Health Organization budget", "WHO budget"),
    ("rent in barcelna", "rents in Barcelona"),
    ("Talbrook's pumps", "pumps made by Talbrook"),
    ("pumps by talbrook ltd", "pumps from Talbrook Limited"),
    ("einstein's early work", "early work of Albert Einstein"),
    ("Société Brévent head office", "head office of Societe Brevent"),
    # title case, capitals, openings, ordinary capitals
    ("best time to prune apple trees", "Best Time To Prune Apple Trees In The Garden"),
    ("how to prune apple trees", "HOW TO PRUNE APPLE TREES IN SPRING"),
    ("how to prune apple trees", "Pruning of apple trees. Guidance for gardeners"),
    ("can a coach be fined", "In England can a coach be fined", ("england football",)),
    ("what is the coefficient of performance of a heat pump", "heat pump COP definition"),
    # sub-queries, expansion, hypothetical passage, unchanged
    ("Which is older, Upper Mill or Lock Mill?", "Upper Mill construction year",
     "Lock Mill construction year"),
    ("Who ran East Germany when the wall fell?", "leader of the GDR", "fall of the Berlin Wall"),
    # turns
    ("How much do they cost?", "How much do Irish Wolfhounds cost?",
     ("How much does an Irish Wolfhound weigh?",)),
    ("Who designed it?", "Who designed the Øresund Bridge?",
     ("When did the oresund bridge open?",)),
    ("And in winter?", "ferry timetable from Brindholm in winter", ("ferries from Brindholm",)),
    ("What about after that?", "ferry accidents after 2004", ("ferry accidents in 2004",)),
    ("And the smaller ones?", "tanks smaller than 300 litres", ("tanks above 300 litres",)),
    # a second batch, written when the rules stood
    ("Which bridges were repainted?", "bridges with a new coat of paint"),
    ("How do I reset my router?", "router factory reset steps"),
    ("How do I reset my router?", "How to reset a router to its default settings"),
    ("cheap flights to rome", "low-cost flights to Rome"),
    ("cheap flights to rome", "Cheap Flights To Rome"),
    ("is ibuprofen safe in pregnancy", "ibuprofen safety for pregnant women"),
    ("covid rules for schools", "COVID-19 regulations in schools"),
    ("who wrote the trial", "author of the novel The Trial"),
    ("who wrote the trial", "author of The Trial by Franz Kafka"),
    ("When did the NHS start?", "founding year of the National Health Service"),
    ("What is the capital gains tax rate in the UK?", "UK CGT rate"),
    ("best way to learn spanish", "effective methods for learning Spanish"),
    ("Are there more cats or dogs in Sweden?", "number of cats in Sweden",
     "number of dogs in Sweden", "Swedish cats vs dogs"),
    ("employees without a contract", "employees with no contract, uncontracted workers"),
    ("unpaid invoices of Corvane", "Corvane invoices that were not paid"),
    ("unpaid invoices of Corvane", "open invoices Corvane"),
    ("homeless people in Graz", "people without a home in Graz"),
    ("Which towers are over 100 metres?", "towers taller than 0.1 km"),
    ("What did sales look like last year?", "sales figures 2023"),
    ("Was the levy approved?", "approval of the levy"),
    ("Was the levy abolished?", "repealed levy"),
    ("is the pool open in winter", "pool opening hours in winter"),
    ("who signed the treaty", "signatories to the treaty"),
    ("What do newspapers say about the strike?", "strike, according to the press"),
    ("what does the survey say on rents", "rents as reported in the survey"),
    ("only ferries with a bar", "ferries with a bar, all others excluded"),
    ("everything about the dam except costs", "dam information excluding costs"),
    ("everything about the dam except costs", "dam information without pricing"),
    ("Tell me about Marie Curie", "Marie Curie biography", "Marie Skłodowska Curie life and work"),
    ("What is RAG?", "retrieval-augmented generation definition"),
    ("mayor of munich", "mayor of München"),
    ("Where is the Sea of Galilee?", "location of the Sea of Galilee"),
    ("difference between http and https", "HTTP versus HTTPS"),
    ("python list sort descending", "sort a list in Python in descending order"),
    ("half-timbered houses", "timber-framed houses"),
    ("When was the old mill finished?", "year in which the old mill was completed"),
    ("Has the bill been turned down?", "was the bill rejected"),
    ("ships sunk in the first half of 1943", "ships sunk between January and June 1943"),
    ("students who failed maths", "students that did not pass mathematics"),
    ("at least two witnesses", "two or more witnesses"),
    ("the firm's three biggest customers", "top 3 customers of the firm"),
    ("rents in Vienna's 7th district", "rents in Neubau, Vienna 7th district"),
    ("What about its price?", "price of the Fendt 700", ("How strong is the fendt 700?",)),
    ("And the second one?", "weight of the Claas Arion",
     ("Compare the Fendt 700 and the Claas Arion", "What does the first weigh?")),
    ("who replaced him there", "successor of Arne Duval as head of Orkla",
     ("Who is Arne Duval?", "When did he leave Orkla?")),
    ("any without a fee?", "savings accounts in Norway without a fee",
     ("savings accounts in Norway",)),
]  # fmt: skip

CLEAN_FILTERS = [
    ("dairy farms in Austria", {"country": "AT"}),
    ("dairy farms in Austria", {"country": "austria", "language": "en"}),
    ("flats with 3 rooms or fewer", {"rooms": {"lte": 3}}),
    ("loans above 1.5 million euros", {"amount_eur": {"gt": 1500000}}),
    ("permits that are still valid", {"valid": True}),
    ("orders that were not paid", {"paid": False}),
    ("the ferry company's annual report", {"doc_type": "annual report", "limit": 10}),
    ("accidents in March 2020", {"date": {"gte": "2020-03-01", "lt": "2020-04-01"}}),
    ("everything but terriers", {"breed": {"ne": "terrier"}}),
    ("Which towers are over 100 metres?", {"height_m": {"gt": 100}}),
    ("parking near the station", {"category": "mobility", "limit": 20, "lang": "en"}),
    ("orders from March 2020", {"date": {"gte": "2020-03-01", "lte": "2020-03-31"}}),
    ("suppliers in Germany", {"country": "Germany"}),
    ("suppliers in Germany", {"country_code": "DE"}),
    ("german suppliers", {"country": "DE"}),
    ("approved drugs for asthma", {"approval_status": "approved"}),
    ("reports on asthma", {"doc_type": "report"}),
    ("not yet delivered parcels", {"delivered": False}),
]  # fmt: skip


@pytest.mark.parametrize(("request_", "query", "kinds"), INVENTED)
def test_an_invented_restriction_is_added(request_: str, query: str, kinds: str) -> None:
    assert added(request_, query) == kinds.split()


@pytest.mark.parametrize(("request_", "filters", "kind"), INVENTED_FILTERS)
def test_a_filter_with_a_value_of_its_own_is_added(
    request_: str, filters: dict[str, Any], kind: str
) -> None:
    assert added(request_, request_, filters=filters) == [kind]


@pytest.mark.parametrize("case", CLEAN, ids=lambda case: case[1])
def test_the_request_in_other_words_adds_nothing(case: tuple[Any, ...]) -> None:
    turns = case[-1] if isinstance(case[-1], tuple) else ()
    queries = [one for one in case[1:] if isinstance(one, str)]
    assert added(case[0], *queries, turns=turns) == []


@pytest.mark.parametrize(("request_", "filters"), CLEAN_FILTERS)
def test_a_filter_with_a_value_of_the_request_adds_nothing(
    request_: str, filters: dict[str, Any]
) -> None:
    assert added(request_, request_, filters=filters) == []


@pytest.mark.parametrize("kind", ["expansion", "hypothetical"])
def test_details_of_an_expansion_or_a_passage_are_no_additions(kind: str) -> None:
    passage = "In 2016 the approved dam in Portugal failed, excluding gates over 5 m, press says"
    assert added("Why did the dam fail?", passage, kind=kind) == []


def test_the_filter_of_an_expansion_is_an_addition() -> None:
    found = added("dam failures", "dam breach", filters={"country": "Peru"}, kind="expansion")
    assert found == ["referent"]


def test_an_alias_or_admissible_form_of_the_contract_is_not_new() -> None:
    named = term("referent", ("the Quay Group",), name="Velden Trust", aliases=["Hollin Fund"])
    asked = "costs of Velden Trust"
    assert added(asked, "costs of Hollin Fund", constraints=(named,)) == []
    assert added(asked, "costs of Quay Group and Velden Trust", constraints=(named,)) == []


SHIPPING = term("referent", name="Ilmen Shipping", aliases=[])
LAPSED = term("status", value="lapsed", rivals=["approved"])
LAB_BOOK = term("evidence", source="lab book")
OLDER = term("comparison", sets=["kilns", "mills"], dimension="age")


@pytest.mark.parametrize(
    ("request_", "query", "constraint"),
    [
        ("docks of Ilmen Shipping", "docks of Ilmen Holding", SHIPPING),
        ("docks of Ilmen Shipping", "docks of Hexby Freight", SHIPPING),
        ("the lapsed lease", "the approved lease", LAPSED),
        ("leaks, from the lab book", "leaks according to the press", LAB_BOOK),
        ("walls over 2 m", "walls over 3 m", term("quantity", **amount(">", 2, unit="m"))),
        ("docks except quays", "docks without cranes", term("polarity", target="quays")),
        ("kilns older than mills", "kilns versus barns", OLDER),
    ],
)
def test_what_stands_in_the_place_of_a_constraint_is_not_added_as_well(
    request_: str, query: str, constraint: ConstraintTerms
) -> None:
    assert added(request_, query, constraints=(constraint,)) == []


def test_a_place_beside_a_kept_referent_is_added() -> None:
    named = term("referent", name="Corvane", aliases=[])
    assert added("tickets of Corvane", "Corvane tickets in Austria", constraints=(named,)) == [
        "referent"
    ]
