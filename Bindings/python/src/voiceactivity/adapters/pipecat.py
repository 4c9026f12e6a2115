"""pipecat's face: `from voiceactivity.adapters.pipecat import VoiceActivityVADAnalyzer`.

It takes the place of SileroVADAnalyzer, at every sample rate from 8 to 192 kHz.
"""

from __future__ import annotations

from .._core import Detector, Frames
from ..scale import posterior, probability
from .turns import Turns, hops

try:
    from pipecat.audio.vad.vad_analyzer import VADAnalyzer, VADParams, VADState
except ImportError as error:
    raise ImportError("voiceactivity.adapters.pipecat needs pipecat: pip install pipecat-ai") from error

__all__ = ["VoiceActivityVADAnalyzer"]

# Turns.speaking, Turns.heard
_STATES = {
    (False, False): VADState.QUIET,
    (False, True): VADState.STARTING,
    (True, True): VADState.SPEAKING,
    (True, False): VADState.STOPPING,
}
# pipecat's min_volume is 0 at -110 dB and 1 at -10 dB.
_QUIETEST_DBFS, _VOLUME_DB = -110, 100


class VoiceActivityVADAnalyzer(VADAnalyzer):
    """Decides on the calling thread, since it takes microseconds. `params` are pipecat's, and may change in a stream.

    `confidence` is on silero_vad's scale; speech ends below half of it. `start_secs` and
    `stop_secs` include the look-ahead. A turn begins only if its loudest 10 ms reach `min_volume`.
    """

    def __init__(self, *, sample_rate: int | None = None, params: VADParams | None = None) -> None:
        super().__init__(sample_rate=sample_rate, params=params)
        self._detector = Detector()
        self._hops = Frames()
        self._turns = Turns(1, 1, 1, 1)  # until set_params
        self._loud = False  # whether the turn reached min_volume

    def num_frames_required(self) -> int:
        """Returns the samples of a hop."""
        return self.sample_rate // 100

    def voice_confidence(self, buffer: bytes) -> float:
        """Analyses 16-bit samples, of any number, and returns the confidence of the last hop.

        pipecat asks `analyze_audio`, which needs no call of this.
        """
        self._detector.process(buffer)
        return probability(self._detector.posterior)

    def set_sample_rate(self, sample_rate: int) -> None:
        """Begins a stream of `sample_rate` Hz, if the constructor named no other rate.

        Raises ValueError for one below 8000 or above 192000 Hz.
        """
        super().set_sample_rate(sample_rate)
        self._detector = Detector(self.sample_rate)

    def set_params(self, params: VADParams) -> None:
        """Changes the parameters. The turn, if there is one, begins anew."""
        super().set_params(params)
        onset, offset = posterior(params.confidence), posterior(params.confidence / 2)
        self._turns = Turns(onset, offset, hops(params.start_secs), hops(params.stop_secs))
        self._loud = False

    async def analyze_audio(self, buffer: bytes) -> VADState:
        """Analyses 16-bit samples, of any number, and returns the state after them."""
        return self._run_analyzer(buffer)

    def _run_analyzer(self, buffer: bytes) -> VADState:
        self._hops.clear()
        self._detector.process(buffer, frames=self._hops)
        least_dbfs = _QUIETEST_DBFS + _VOLUME_DB * self.params.min_volume
        for one, level_dbfs in zip(self._hops.posterior, self._hops.level_dbfs):
            self._turns.take(one)
            self._vad_state = self._state(level_dbfs >= least_dbfs)
        return self._vad_state

    def _state(self, loud: bool) -> VADState:
        turns = self._turns
        state = _STATES[turns.speaking, turns.heard]
        self._loud = state is not VADState.QUIET and (self._loud or loud)
        if turns.speaking and not self._loud:
            return VADState.STARTING
        return state
