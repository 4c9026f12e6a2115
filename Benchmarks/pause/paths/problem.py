class Problem(Exception):
    """An error with one sentence for the user and an exit code."""

    def __init__(self, sentence, code):
        super().__init__(sentence)
        self.code = code
