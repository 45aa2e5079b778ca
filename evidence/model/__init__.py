"""The words of the house: immutable values, no behaviour beyond arithmetic."""

from evidence.model.answer import (
    Answer,
    Cell,
    Citation,
    Claim,
    Comparison,
    ComparisonRow,
    Facet,
    Match,
    Outcome,
    Quote,
    Reason,
    Span,
    Status,
    Verdict,
)
from evidence.model.metadata_filter import EVERYTHING, Condition, MetadataFilter
from evidence.model.prompt import LONGEST_REPLY, Completion, Prompt
from evidence.model.question import Effort, Intent, Query, QueryPlan, Question, Understanding
from evidence.model.ranking import (
    Lack,
    Passage,
    Pool,
    Provenance,
    RankedDataset,
    RankedDocument,
    Retrieved,
    Route,
    Searched,
    Shortlist,
    SignalName,
    Unreached,
)
from evidence.model.stored import Dataset, Document, Page, Segment
