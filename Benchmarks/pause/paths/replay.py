"""A call on a trace, open loop: every policy receives the same estimates, whatever it sends."""

from typing import NamedTuple

from .measures import Meter
from .policies import shown
from .traces import BIN_MS


class Step(NamedTuple):
    """An estimate or a change of what is wanted, and what holds from then on."""

    at: int
    estimate: int
    scene: object
    changed: bool


def steps(scenes, estimates):
    """Merges a call's scenes with the estimates. Both begin at 0."""
    scene_at, estimate_at = {scene.at: scene for scene in scenes}, dict(estimates)
    scene = estimate = None
    found = []
    for at in sorted(scene_at.keys() | estimate_at.keys()):
        scene, estimate = scene_at.get(at, scene), estimate_at.get(at, estimate)
        found.append(Step(at, estimate, scene, at in scene_at))
    return found


def knowing(steps, trace):
    """Returns the same steps with the truth in place of the estimate."""
    return [step._replace(estimate=trace.capacity[min(step.at, trace.end - 1) // BIN_MS]) for step in steps]


def measure_policy(policy, takes_reserve, trace, steps):
    """Returns the measures of a policy, which gets the estimate with or without what the coordinator reserves."""
    meter = Meter(trace)
    for step in steps:
        available = max(0, step.estimate - step.scene.reserve)
        wanted = step.scene.wanted
        levels = policy.levels(step.at, available if takes_reserve else step.estimate, wanted, step.changed)
        meter.set(step.at, step.scene, shown(wanted, levels))
    return meter.result(trace.end)


def measure_decisions(decisions, trace, steps):
    """Returns the measures of the coordinator's decisions, each of which follows the inputs of its time."""
    meter, sent, step = Meter(trace), {}, steps[0]
    step_at, decision_at = {each.at: each for each in steps}, grouped(decisions)
    for at in sorted(step_at.keys() | decision_at.keys()):
        step = step_at.get(at, step)
        for sent in decision_at.get(at, [sent]):
            meter.set(at, step.scene, sent)
    return meter.result(trace.end)


def grouped(decisions):
    found = {}
    for decision in decisions:
        found.setdefault(decision.at, []).append(decision.shown)
    return found
