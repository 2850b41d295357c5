"""Scoring: one session for every caller, from requests to results."""

from fairsum_utils.session.passes import Request, make_requests
from fairsum_utils.session.session import Session

__all__ = ["Request", "Session", "make_requests"]
