"""The coordinator and other policies on recorded paths: the parts of Benchmarks/pause/paths.py.

Every time is in whole milliseconds from the start of the call, and every rate in bit/s.
"""
