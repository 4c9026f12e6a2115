"""Detectors for frameworks of voice agents and transcription: `pipecat`, `livekit` and `faster_whisper`.

Each is a module of its own, and only its import needs the framework. It says what to install if that is missing.
"""
