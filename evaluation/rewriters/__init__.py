from evaluation.rewriters.base import (
    CorpusView,
    RewriteError,
    Rewriter,
    build_rewriter,
    rewriter_names,
)

__all__ = ["CorpusView", "RewriteError", "Rewriter", "build_rewriter", "rewriter_names"]
