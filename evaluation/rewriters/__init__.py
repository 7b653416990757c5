from evaluation.rewriters.base import RewriteError, Rewriter, build_rewriter, rewriter_names

__all__ = ["RewriteError", "Rewriter", "build_rewriter", "rewriter_names"]
