"""How many bytes the engine has shuffled, as it tells itself.

Spark counts this for the page of a job, which programs can ask as well (its monitoring API). A session of Spark Connect
has no such page, and it can be switched off (``spark.ui.enabled``): there is no figure then. It is about right: other
jobs of the session are in it, and what ends late is counted a stage later.
"""

from __future__ import annotations

import json
import urllib.request
from typing import Any

_TIMEOUT_SECONDS = 10
#: The page is the driver's own: no proxy of the environment leads to it.
_OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}))


class ShuffledBytes:
    """What the stages of the engine have written for exchanges."""

    def __init__(self, spark: Any) -> None:
        self._stages: str | None = None
        self._known: set[tuple[int, int]] = set()
        try:
            context = spark.sparkContext
            page, application = context.uiWebUrl, context.applicationId
        except Exception:
            # Connect refuses to tell its context, with an error of its own.
            return
        if page is not None:
            self._stages = f"{page}/api/v1/applications/{application}/stages?status=complete"
            self.since_last()

    def since_last(self) -> int | None:
        """The bytes of the stages that have ended since the last call; None if the engine does not tell."""
        if self._stages is None:
            return None
        try:
            with _OPENER.open(self._stages, timeout=_TIMEOUT_SECONDS) as answer:
                stages = {
                    (one["stageId"], one["attemptId"]): int(one["shuffleWriteBytes"]) for one in json.load(answer)
                }
        except Exception:
            # A figure of a report is no reason to end a job.
            self._stages = None
            return None
        new = stages.keys() - self._known
        self._known |= new
        return sum(stages[stage] for stage in new)
