"""Scoring: one session for every caller, from requests to results."""

from fairsum_utils.session.passes import Request
from fairsum_utils.session.session import Session
from fairsum_utils.session.state import State

__all__ = ["Request", "Session", "State"]
