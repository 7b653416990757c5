"""One file per kind of constraint. A module here that registers with `@matcher("kind")` is found
by itself."""

import pkgutil
from importlib import import_module

for _found in pkgutil.iter_modules(__path__):
    import_module(f"{__name__}.{_found.name}")
