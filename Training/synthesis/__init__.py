"""Sounds made by rule: the parts of Training/synthesise.py."""
