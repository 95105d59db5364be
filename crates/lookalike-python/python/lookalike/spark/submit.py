"""The file for ``spark-submit``, which takes files and no commands::

spark-submit --master spark://... $(python -m lookalike.spark.submit --where) dedup INPUT OUTPUT
"""

import sys

from lookalike.spark._command import main

if __name__ == "__main__":
    if sys.argv[1:] == ["--where"]:
        print(__file__)
    else:
        main()
