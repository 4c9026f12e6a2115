"""Detectors for frameworks that have voices talk: `pipecat`, `livekit` and `faster_whisper`.

Each is a module of its own, and only its import needs the framework. It tells what to install if that is missing.
"""
