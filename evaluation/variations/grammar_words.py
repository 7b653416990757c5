"""The words that the rules of grammar errors know. Tables alone."""

import re
from collections.abc import Mapping

SWAPS = {
    "is": "are",
    "are": "is",
    "was": "were",
    "were": "was",
    "has": "have",
    "have": "has",
    "does": "do",
    "do": "does",
}
SINGULAR_FORMS = frozenset({"is", "was", "has", "does"})
# Groups may be singular or plural, in British English at least.
GROUPS = frozenset(
    "team band group family company staff crew government committee council board jury army navy "
    "club class audience public majority minority number rest percentage percent pair couple "
    "series population party squad defense defence offense side duo trio cast congress parliament "
    "generation kind type sort variety range lot half part most all some none any who what which "
    "media data headquarters means species people police".split()
)
# Nouns that say what of something is asked, and so never go without an article before "of".
RELATIONS = frozenset(
    "name title capital population number date nationality length height nickname location size "
    "purpose meaning result cause site birthplace".split()
)
VOWEL_WORDS = ("an", "a")
# Singular nouns that may also stand without an article: "was part of it", "went to school".
BARE = frozenset(
    "access action aid air agreement alcohol art bed beer blood board body bread business cake "
    "cancer capital celebration chance change chicken church citizenship city class coffee "
    "college color colour company competition concrete conflict construction contact control "
    "cooperation corruption course court credit crime culture custody damage danger daylight death "
    "debate debt decline decrease defeat demand depression descent design development dinner "
    "discussion disease drama drink duty education effort employment energy error evidence exile "
    "experience expansion failure faith fear feeling fiction film fire fish flight food football "
    "force form freedom friendship fruit fuel gas glass gold government grass ground growth hair "
    "harm heat history home hospital hunting ice improvement increase independence industry "
    "influence injury interest investment iron jail jazz justice kind knowledge labor labour land "
    "language law leadership lemon length life light love lunch management marriage matter meat "
    "medicine meeting metal might mind money motion murder music name nature need night noise "
    "office oil opera opinion opposition order ownership pain paper part peace performance "
    "permission place plastic play poetry pop position possession power practice pressure prison "
    "production profit progress property protection protest public rain reason reform religion "
    "research resistance respect rest rice risk rock rule sail salt school science sea season "
    "sex shape silence silver size skin sleep society software sound space speech speed sport "
    "state steel stone stress strength structure study success sugar summer support surprise tea "
    "technology television theater theatre theory thought time title town trade tradition traffic "
    "training transport travel treatment trial trouble truth university use value victory video "
    "view violence voice war waste water weather weight wind wine winter wood work writing".split()
)
MANY = frozenset(
    "two three four five six seven eight nine ten eleven twelve many several few both these those "
    "various".split()
)
ONE = frozenset("a an this that each every another one".split())
MONTHS = frozenset(
    "january february march april june july august september october november december".split()
)
WEEKDAYS = frozenset("monday tuesday wednesday thursday friday saturday sunday".split())
# After these words only the first preposition is English.
GOVERNED: Mapping[str, tuple[str, str]] = {
    "interested": ("in", "on"),
    "consist": ("of", "from"),
    "consists": ("of", "from"),
    "consisted": ("of", "from"),
    "depend": ("on", "of"),
    "depends": ("on", "of"),
    "famous": ("for", "of"),
    "responsible": ("for", "of"),
    "belong": ("to", "at"),
    "belongs": ("to", "at"),
    "belonged": ("to", "at"),
    "capable": ("of", "to"),
    "according": ("to", "on"),
    "because": ("of", "from"),
    "instead": ("of", "from"),
    "member": ("of", "to"),
    "capital": ("of", "to"),
    "name": ("of", "to"),
    "population": ("of", "to"),
    "author": ("of", "to"),
    "number": ("of", "at"),
    "participate": ("in", "on"),
    "participated": ("in", "on"),
    "married": ("to", "at"),
    "similar": ("to", "at"),
    "succeeded": ("by", "of"),
    "known": ("as", "like"),
}
WITH_ARTICLE = frozenset(
    {"United States", "United Kingdom", "US", "UK", "USA", "Netherlands", "Philippines", "Bahamas"}
)
TIMES = frozenset("year month decade century season".split())
YEAR = re.compile(r"(?:1\d|20)\d\d$")
