"""How many bytes the engine has shuffled, as it tells itself.

Spark counts this for the page of a job, which programs can ask as well (its monitoring API). A session of Spark Connect
has no such page, and it can be switched off (``spark.ui.enabled``): there is no figure then.
"""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from typing import Any

_TIMEOUT_SECONDS = 10


class ShuffledBytes:
    """What the stages of the engine have written for exchanges."""

    def __init__(self, spark: Any) -> None:
        self._stages: str | None = None
        self._last = -1
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
            with urllib.request.urlopen(self._stages, timeout=_TIMEOUT_SECONDS) as answer:
                stages = json.load(answer)
        except (OSError, ValueError, urllib.error.URLError):
            self._stages = None
            return None
        new = [stage for stage in stages if stage["stageId"] > self._last]
        self._last = max((stage["stageId"] for stage in new), default=self._last)
        return sum(int(stage["shuffleWriteBytes"]) for stage in new)
