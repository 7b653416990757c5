"""The forms of English verbs and nouns that the rules need. Pure tables and spelling rules."""

from functools import cache

# Base: past, where it is not the base with -ed.
_IRREGULAR = """
arise:arose awake:awoke be:was bear:bore beat:beat become:became begin:began bend:bent bet:bet
bind:bound bite:bit bleed:bled blow:blew break:broke breed:bred bring:brought
broadcast:broadcast build:built burst:burst buy:bought cast:cast catch:caught choose:chose
cling:clung come:came cost:cost creep:crept cut:cut deal:dealt dig:dug do:did draw:drew
drink:drank drive:drove eat:ate fall:fell feed:fed feel:felt fight:fought find:found flee:fled
fly:flew forbid:forbade forecast:forecast foresee:foresaw forget:forgot forgive:forgave
freeze:froze get:got give:gave go:went grind:ground grow:grew hang:hung have:had hear:heard
hide:hid hit:hit hold:held hurt:hurt keep:kept kneel:knelt know:knew lay:laid lead:led
leave:left lend:lent let:let lie:lay light:lit lose:lost make:made mean:meant meet:met
mislead:misled mistake:mistook outdo:outdid overcome:overcame oversee:oversaw overtake:overtook
overthrow:overthrew pay:paid prove:proved put:put quit:quit read:read rebuild:rebuilt
retake:retook rewrite:rewrote rid:rid ride:rode ring:rang rise:rose run:ran say:said see:saw
seek:sought sell:sold send:sent set:set shake:shook shed:shed shine:shone shoot:shot show:showed
shrink:shrank shut:shut sing:sang sink:sank sit:sat sleep:slept slide:slid speak:spoke
speed:sped spend:spent spin:spun split:split spread:spread spring:sprang stand:stood steal:stole
stick:stuck sting:stung strike:struck string:strung strive:strove swear:swore sweep:swept
swim:swam swing:swung take:took teach:taught tear:tore tell:told think:thought throw:threw
undergo:underwent understand:understood undertake:undertook uphold:upheld upset:upset wake:woke
wear:wore weave:wove weep:wept win:won wind:wound withdraw:withdrew withstand:withstood
write:wrote
"""
_PAST = dict(pair.split(":") for pair in _IRREGULAR.split())
# Verbs of several syllables whose last consonant is doubled.
_DOUBLING = frozenset(
    "admit allot commit compel control defer equip expel incur infer kidnap occur omit permit "
    "prefer propel rebel recur refer regret repel submit transfer transmit".split()
)
_VOWELS = "aeiou"
_IRREGULAR_PLURALS = {
    "man": "men",
    "woman": "women",
    "child": "children",
    "person": "persons",
    "foot": "feet",
    "tooth": "teeth",
    "mouse": "mice",
    "wife": "wives",
    "life": "lives",
    "half": "halves",
    "leaf": "leaves",
    "knife": "knives",
    "wolf": "wolves",
    "hero": "heroes",
    "echo": "echoes",
    "potato": "potatoes",
    "basis": "bases",
    "crisis": "crises",
    "analysis": "analyses",
}
_SINGULARS = {plural: one for one, plural in _IRREGULAR_PLURALS.items()} | {"people": "person"}
# Alike in both numbers, or plural in form alone.
_INVARIANT = frozenset(
    "aircraft athletics billiards chess clothes data deer economics fish genetics goods "
    "gymnastics headquarters linguistics mathematics means measles media mechanics news offspring "
    "optics physics police politics proceedings scissors series sheep shorts species spacecraft "
    "statistics thanks trousers remains royals olympics arms".split()
)


def past(base: str) -> str:
    """Return the simple past of a verb given in its base form."""
    lower = base.lower()
    for prefix in ("re", "out", "over", "under", "un", "mis"):
        rest = lower.removeprefix(prefix)
        if lower not in _PAST and rest != lower and rest in _PAST and len(rest) > 2:
            return prefix + _PAST[rest]
    if lower in _PAST:
        return _PAST[lower]
    if lower.endswith("e"):
        return base + "d"
    if lower.endswith("y") and lower[-2:-1] not in _VOWELS:
        return base[:-1] + "ied"
    if _doubles(lower):
        return base + base[-1] + "ed"
    return base + ("ked" if lower.endswith("ic") else "ed")


def third_person(base: str) -> str:
    """Return the form of a verb after "he": "goes" for "go"."""
    lower = base.lower()
    if lower in ("be", "have"):
        return {"be": "is", "have": "has"}[lower]
    return _with_s(base)


def base_of(third: str) -> str | None:
    """Return the base form of a verb that ends in the -s of "he goes"; None when it has none."""
    lower = third.lower()
    known = {"is": "be", "has": "have", "does": "do", "goes": "go"}
    if lower in known:
        return known[lower]
    if len(lower) < 4 or not lower.endswith("s") or lower.endswith("ss"):
        return None
    if lower.endswith("ies") and len(lower) > 4:
        return third[:-3] + "y"
    if lower.endswith(("sses", "shes", "ches", "xes", "zzes")):
        return third[:-2]
    return third[:-1]


def plural(noun: str) -> str | None:
    """Return the plural of a singular noun; None when it has none that differs from it."""
    lower = noun.lower()
    if lower in _INVARIANT or not lower.isalpha() or lower.endswith(("ness", "ics", "s")):
        return _IRREGULAR_PLURALS.get(lower)
    return _IRREGULAR_PLURALS.get(lower) or _with_s(noun)


def singular(noun: str) -> str | None:
    """Return the singular of a plural noun; None when it is not sure, or does not differ."""
    lower = noun.lower()
    if lower in _INVARIANT or not lower.isalpha():
        return None
    if lower in _SINGULARS:
        return _SINGULARS[lower]
    if not lower.endswith("s") or lower.endswith(("ss", "us", "is")) or len(lower) < 4:
        return None
    if lower.endswith("ies"):
        return noun[:-3] + ("ie" if lower in ("movies", "cookies", "ties", "calories") else "y")
    if lower.endswith(("sses", "shes", "xes")) or (
        lower.endswith("ches") and not lower.endswith("aches")
    ):
        return noun[:-2]
    return noun[:-1]


@cache
def pasts() -> frozenset[str]:
    """Return the irregular past forms, those alike with their base left out."""
    return frozenset(form for base, form in _PAST.items() if form != base)


def _with_s(word: str) -> str:
    lower = word.lower()
    if lower.endswith("y") and lower[-2:-1] not in _VOWELS:
        return word[:-1] + "ies"
    if lower.endswith(("s", "x", "z", "ch", "sh")) or lower in ("go", "do", "undergo", "veto"):
        return word + "es"
    return word + "s"


def _doubles(lower: str) -> bool:
    if lower in _DOUBLING:
        return True
    if len(lower) < 3 or lower[-1] in _VOWELS + "wxy" or lower[-2] not in _VOWELS:
        return False
    one_syllable = sum(letter in _VOWELS for letter in lower) == 1
    return one_syllable and lower[-3] not in _VOWELS
