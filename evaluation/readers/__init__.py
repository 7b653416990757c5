from evaluation.readers.base import Reader, ReaderError, build_reader, reader_names

__all__ = ["Reader", "ReaderError", "build_reader", "reader_names"]
