"""Tests of the comparison on recorded paths, against cases computed by hand and against the coordinator itself.

    cd Benchmarks/pause && VADMON=FILE python3 -m unittest

Without VADMON, the tests that run the coordinator are skipped.
"""
