#!/usr/bin/env python3
"""Speech in every recording of a folder or list, on Spark: one row a file, each file exactly once.

    spark-submit job.py --vadmon /opt/vadmon FOLDER OUTPUT
    find /data -name '*.flac' -print0 > names
    spark-submit --master spark://HOST:7077 job.py --vadmon /opt/vadmon --names names OUTPUT

Every partition of names has one `vadmon`, which lives as long as the partition: starting it costs as much as some seconds
of sound. A file that cannot be read is a row with its error. A `vadmon` that dies fails its task, and Spark runs the
partition again somewhere else. Rows of failed attempts are never seen, for a task's output counts only once the task is
done. On the last attempt the file that kills its `vadmon` is a row with an error, too, so that one file that crashes a
decoder does not cost the results of a hundred thousand others. So is one that the disk does not give to its end.

Every machine needs `vadmon` and the recordings under the same paths. OUTPUT is a folder that must not be there yet.
"""

import argparse
import itertools
import json
import os
import signal
import subprocess
import sys
import threading
from contextlib import contextmanager
from functools import partial

from pyspark import TaskContext
from pyspark.sql import SparkSession
from pyspark.sql.functions import from_json

# What is taken of vadmon's answer. Spark parses it: in Python, that would cost as much as the analysis of a second.
ANSWER = """
    type string, sample_rate int, channels int, analysed_channels int, duration double, speech_seconds double,
    muted_speech_seconds double, segment_count int, warnings array<string>, message string, exit_code int
"""

# Files of a partition that may kill their vadmon. More of them mean that something else is wrong, and the job fails.
ENDED = {signal.SIGHUP, signal.SIGINT, signal.SIGTERM}  # What somebody sends who wants an end.
DEADLY_FILES = 3


class WorkerDied(Exception):
    """Fails the task; Spark tries it again."""


def shown(name):
    """A file's name as text; bytes that are not UTF-8 become \\xNN."""
    return name.decode("utf-8", "backslashreplace")


def feed(process, names):
    """Writes the names, on a thread of its own, for the lines have to be read meanwhile."""
    try:
        with process.stdin as pipe:
            for name in names:
                pipe.write(name + b"\0")
    except BrokenPipeError:
        pass  # The end of its output also shows that it is gone.


@contextmanager
def worker(vadmon, names):
    # One job: Spark gives a task one core.
    process = subprocess.Popen(
        [vadmon, "analyze", "--files-from", "-", "--null", "--format", "file-jsonl", "--accept-bad", "--quiet",
         "--jobs", "1"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    threading.Thread(target=feed, args=(process, names), daemon=True).start()
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def analyse(vadmon, attempts, names):
    """The rows of a partition."""
    names = list(names)
    attempt = TaskContext.get().attemptNumber()
    is_last = attempt + 1 >= attempts
    done = deadly = 0
    # A vadmon that dies may take a line with it that it had not written yet: which file it was is known for sure only
    # of one that had a single name.
    alone = False

    def row(answer):
        return shown(names[done]), answer, attempt

    while done < len(names):
        given = names[done:done + 1] if alone else names[done:]
        end = done + len(given)
        with worker(vadmon, given) as process:
            for line in itertools.islice(process.stdout, len(given)):
                if not line.endswith(b"\n"):
                    break  # It died while it wrote.
                yield row(line.decode())
                done += 1
            code = process.wait()
        if done == end and (code == 0 or code == os.EX_IOERR and is_last):
            alone = False
        elif code >= 0 or -code in ENDED or not is_last or deadly == DEADLY_FILES:
            raise WorkerDied(f"vadmon ended with {code}, {end - done} of {len(given)} names before the end")
        elif alone and done < end:
            message = f"signal {-code} ended vadmon here, in each of {attempts} attempts"
            yield row(json.dumps({"type": "error", "message": message}))
            done, deadly, alone = done + 1, deadly + 1, False
        else:
            alone = True


def list_names(arguments):
    """File names as bytes, each once."""
    if arguments.names:
        with open(arguments.names, "rb") as file:
            names = file.read().split(b"\0")
    else:
        folder = os.fsencode(arguments.folder)
        names = [os.path.join(path, name) for path, _, files in os.walk(folder) for name in files]
    return sorted(set(names) - {b""})


def parse():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", nargs="?", help="every file below it")
    parser.add_argument("--names", help="instead of a folder: a file of names, each with NUL behind it")
    parser.add_argument("output", help="a new folder for the rows; may be on any file system that Spark knows")
    parser.add_argument("--vadmon", default="vadmon", help="the program, on every machine")
    parser.add_argument("--format", choices=["json", "parquet"], default="json")
    parser.add_argument("--partition", type=int, default=500, help="files a partition (default 500)")
    parser.add_argument("--attempts", type=int, default=4, help="tries a partition (default 4)")
    arguments = parser.parse_args()
    if bool(arguments.folder) == bool(arguments.names):
        parser.error("give a folder or --names FILE")
    return arguments


def main():
    arguments = parse()
    names = list_names(arguments)
    if not names:
        sys.exit("job.py: no file is named; nothing to do")
    spark = (SparkSession.builder.appName("voice activity")
             .config("spark.task.maxFailures", arguments.attempts)
             # Version 2 of Hadoop's committer would let rows of tasks be seen that are not done.
             .config("spark.hadoop.mapreduce.fileoutputcommitter.algorithm.version", 1)
             .getOrCreate())
    partitions = -(-len(names) // arguments.partition)
    rows = spark.sparkContext.parallelize(names, partitions).mapPartitions(
        partial(analyse, arguments.vadmon, arguments.attempts))
    answers = spark.createDataFrame(rows, "file string, answer string, attempt int", verifySchema=False)
    parsed = answers.select("file", from_json("answer", ANSWER).alias("answer"), "attempt")
    table = parsed.select("file", "answer.*", "attempt")
    table.write.format(arguments.format).save(arguments.output)

    written = spark.read.schema(table.schema).format(arguments.format).load(arguments.output)
    count, distinct, errors, repeated = written.selectExpr(
        "count(*)", "count(distinct file)", "count_if(type = 'error')", "count_if(attempt > 0)").first()
    print(f"{len(names)} files, {count} rows, {distinct} different; {errors} errors; {repeated} rows of repeated tasks")
    spark.stop()
    if not len(names) == count == distinct:
        sys.exit("job.py: not every file is there exactly once; keep the output and report this")


if __name__ == "__main__":
    main()
