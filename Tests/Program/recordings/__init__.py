"""What Tests/Program/files.py builds: recordings of every kind, each with the sound that is right by construction."""
