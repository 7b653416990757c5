from evaluation.pipelines.base import (
    PIPELINES,
    Entry,
    Kit,
    Outcome,
    Pipeline,
    build_pipeline,
    pipeline_names,
)

__all__ = [
    "PIPELINES",
    "Entry",
    "Kit",
    "Outcome",
    "Pipeline",
    "build_pipeline",
    "pipeline_names",
]
