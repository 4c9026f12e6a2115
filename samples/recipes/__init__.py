"""What the samples are made of. Only Python's standard library, espeak-ng, sox and flac."""
