"""BOLD and PerspectiveSumm with our measures in other evaluation stacks; each module needs the stack of its name.

`benchmarks` is what the stacks share; `lm_eval` serves lm-evaluation-harness, `inspect_ai` serves inspect-ai.
"""

from __future__ import annotations
