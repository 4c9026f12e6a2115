#!/usr/bin/env python3
"""The same in one line of Spark, for names that are plain text: one name a line in, one line of JSON each out.

    spark-submit pipe.py VADMON NAMES OUTPUT

`checkCode` is what fails the task when `vadmon` dies: without it Spark takes the lines that there are for all.
`--accept-bad` keeps a bad recording, or a partition without names, from failing it. job.py knows more: names with any
bytes, files that kill their `vadmon`, typed columns.
"""

import sys

from pyspark import SparkContext

vadmon, names, output = sys.argv[1:]
worker = f"{vadmon} analyze --files-from - --format file-jsonl --accept-bad --quiet --jobs 1"
SparkContext(appName="voice activity").textFile(names, 8).pipe(worker, checkCode=True).saveAsTextFile(output)
