"""Faces of other detectors, to change an import and nothing else: `webrtcvad`, `silero` and `pysilero`."""
