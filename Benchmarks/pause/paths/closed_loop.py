"""A call on a trace, closed loop: what is sent fills the queue that the estimator sees."""

from . import policies
from .bottleneck import REPORT_MS, LoopEstimator, Path
from .coordinator import LiveCoordinator, estimate_lines
from .measures import MINUTE_MS, Changes, View, is_dark, ratio
from .traces import BIN_MS

LATE, VERY_LATE = 250, 600  # ms of queue
IN_TIME = 400  # ms of queue, beyond which nobody can talk
PROBE_BELOW = 50  # ms of queue
# The models probe as soon, as often and as far as the coordinator.
SHORTEST_PROBE_INTERVAL, LONGEST_PROBE_INTERVAL = 750, 30_000
SMALLEST_PROBE_STEP = 200_000
BOLD = 1.5  # of the estimate, if so much is wanted


class AudioAlone:
    """Sends no video, and so shows what the path does to audio."""

    def step(self, now, estimator, scene, lines):
        return {}

    def probe(self, now):
        return None

    def close(self):
        pass


class Modelled(AudioAlone):
    """A model of another system. It probes as the coordinator's goals do."""

    def __init__(self, policy, takes_reserve):
        self.policy, self.takes_reserve = policy, takes_reserve
        self.probe_at, self.interval = SHORTEST_PROBE_INTERVAL, SHORTEST_PROBE_INTERVAL
        self.shown, self.goal = {}, None

    def step(self, now, estimator, scene, lines):
        estimate = estimator.estimate
        budget = max(0, estimate - scene.reserve) if self.takes_reserve else estimate
        levels = self.policy.levels(now, budget, scene.wanted, bool(lines))
        shown = policies.shown(scene.wanted, levels)
        if len(shown) > len(self.shown):
            self.interval = SHORTEST_PROBE_INTERVAL
            self.probe_at = min(self.probe_at, now + self.interval)
        missing = [step for step in policies.steps(scene.wanted, levels) if step]
        sent = policies.cost(scene.wanted, levels) + scene.audio
        wanted = sum(stream.ladder[-1].bps for stream in scene.wanted) + scene.audio
        enough = sent + max(SMALLEST_PROBE_STEP, 1.2 * min(missing)) if missing else None
        self.goal = enough and max(enough, min(BOLD * estimate, wanted))
        self.shown = shown
        return shown

    def probe(self, now):
        if not self.goal or now < self.probe_at:
            return None
        self.probe_at = now + self.interval
        self.interval = min(LONGEST_PROBE_INTERVAL, 1.5 * self.interval)
        return self.goal


class Coordinator(AudioAlone):
    """The coordinator. It probes up to its own goals, and hears of congestion if `reports_congestion` is true."""

    def __init__(self, vadmon, settings, reports_congestion=False):
        self.reports_congestion = reports_congestion
        self.process = LiveCoordinator(vadmon, settings)
        self.shown, self.goal, self.probed = {}, None, None

    def step(self, now, estimator, scene, lines):
        [told] = estimate_lines([(now, estimator.estimate)])
        if self.reports_congestion:
            told["congestion"] = estimator.congestion
        for decision in self.process.step(now, [*lines, told]):
            self.shown, self.goal = decision.shown, decision.probe
        return self.shown

    def probe(self, now):
        if not self.goal or self.goal == self.probed or now < self.goal[1]:
            return None
        self.probed = self.goal
        return self.goal[0]

    def close(self):
        self.process.close()


class LoopMeter:
    def __init__(self):
        self.view, self.changes = View(), Changes()
        self.time = self.dark = self.late = self.very_late = 0

    def set(self, now, scene, shown):
        self.view.set(scene.wanted, shown)
        self.changes.set(now, scene.wanted, shown)
        self.is_dark = is_dark(scene.wanted, shown)

    def advance(self, delay):
        self.time += BIN_MS
        self.view.advance(BIN_MS, arrives=delay <= IN_TIME)
        self.dark += BIN_MS * self.is_dark
        self.late += BIN_MS * (delay > LATE)
        self.very_late += BIN_MS * (delay > VERY_LATE)

    def result(self, path):
        minutes = self.view.wanted / MINUTE_MS
        return {
            "quality": ratio(self.view.value, self.view.weight),
            "late": self.late / self.time,
            "very_late": self.very_late / self.time,
            "lost": ratio(path.lost[-1], path.sent[-1]),
            "dark": self.dark / self.time,
            "toggles": ratio(self.changes.toggles, minutes),
            "worst": self.changes.most_in_a_minute(),
        }


def measure(sender, trace, lines, scenes, seed, meter=None):
    """Returns the measures of a sender, and closes it. The seed is that of the estimator's noise."""
    path, estimator, meter = Path(trace), LoopEstimator(f"{trace.name}/{seed}"), meter or LoopMeter()
    changes = {scene.at: (scene, [line for line in lines if line["at"] == scene.at]) for scene in scenes}
    scene, sent = None, 0
    for now in range(0, trace.end, BIN_MS):
        is_report = now % REPORT_MS == 0
        if is_report:
            estimator.update(now, path)
        if is_report or now in changes:
            scene, news = changes.get(now, (scene, []))
            shown = sender.step(now, estimator, scene, news)
            sent = scene.audio + sum(layer.bps for layer in shown.values())
            meter.set(now, scene, shown)
        if is_report and not estimator.probe and path.delay < PROBE_BELOW:
            goal = sender.probe(now)
            if goal:
                estimator.begin_probe(now, goal)
        path.carry(sent + estimator.padding(sent))
        meter.advance(path.delay)
    sender.close()
    return meter.result(path)
