from evaluation.registry import PartError
from evaluation.retrieval.base import Retriever, build_retriever, retriever_names
from evaluation.retrieval.filters import FilterError

__all__ = ["FilterError", "PartError", "Retriever", "build_retriever", "retriever_names"]
