import unittest

from paths import calls, coordinator, subscriber
from paths.subscriber import Subscriber

from .common import VADMON, with_vadmon


def camera(name, *layers):
    return {"type": "stream", "participant": name, "at": 0, "layers": [
        {"spatial": spatial, "temporal": 0, "height": height, "fps": 30, "bps": bps}
        for spatial, (height, bps) in enumerate(layers)]}


THREE_SIZES = ((180, 100), (360, 300), (720, 900))


def after(*lines):
    state = Subscriber()
    for line in lines:
        state.apply({"at": 0, **line})
    return state


def names(state):
    return [stream.key[0] for stream in state.wanted()]


class WritingTests(unittest.TestCase):
    def test_the_same_arguments_give_the_same_call(self):
        first = calls.write("x", 9, 60_000, 1)
        self.assertEqual(first, calls.write("x", 9, 60_000, 1))
        for other in (("y", 9, 60_000, 1), ("x", 8, 60_000, 1), ("x", 9, 60_000, 2)):
            self.assertNotEqual(first, calls.write(*other))

    def test_lines_are_in_order_and_at_whole_bins_within_the_call(self):
        for seed in range(20):
            times = [line["at"] for line in calls.write("x", 9, 100_000, seed)]
            self.assertEqual(times, sorted(times))
            self.assertTrue(all(at % 20 == 0 and 0 <= at <= 100_000 for at in times))

    def test_costs_fluctuate_in_half_of_the_calls(self):
        lively = sum(len([line for line in calls.write("x", 4, 60_000, seed) if line["type"] == "stream"]) > 100
                     for seed in range(200))
        self.assertTrue(75 <= lively <= 125, lively)  # 3.5 standard deviations

    def test_everything_that_changes_does_change(self):
        kinds = {line["type"] for seed in range(10) for line in calls.write("x", 9, 200_000, seed)}
        self.assertEqual(kinds, {"audio", "stream", "demand", "speakers", "remove_stream", "publisher_muted",
                                 "subscriber_paused", "last_n", "receive_720p"})


class SubscriberTests(unittest.TestCase):
    def test_the_rank_is_pin_share_priority_speaker_area_name(self):
        demands = [{"type": "demand", "participant": "others-pin", "pin": {"local": False}},
                   {"type": "demand", "participant": "old-pin", "pin": {"local": True}},
                   {"type": "demand", "participant": "new-pin", "pin": {"local": True}, "at": 5},
                   {"type": "demand", "participant": "low", "priority": "low"},
                   {"type": "demand", "participant": "high", "priority": "high"},
                   {"type": "demand", "participant": "large", "view": {"width": 20, "height": 20}},
                   {"type": "speakers", "participants": ["second", "first"]}]
        order = ["new-pin", "old-pin", "others-pin", "share", "high", "low", "second", "first", "large", "a", "b"]
        share = camera("share", (1080, 1)) | {"track": "screenShare"}
        streams = [camera(name, *THREE_SIZES) for name in sorted(order) if name != "share"]
        self.assertEqual(names(after(*streams, share, *demands)), order)
        self.assertEqual([stream.weight for stream in after(*streams, share, *demands).wanted()],
                         [4, 4, 4, 4, 1, 1, 3, 2, 1, 1, 1])

    def test_streams_that_nobody_can_watch_are_not_wanted(self):
        streams = [camera(name, *THREE_SIZES) for name in "abcd"]
        dry = camera("a", *THREE_SIZES)
        for layer in dry["layers"]:
            layer["active"] = False
        reasons = [{"type": "publisher_muted", "participant": "b", "muted": True},
                   {"type": "subscriber_paused", "participant": "c", "paused": True},
                   {"type": "demand", "participant": "d", "visible": False}]
        self.assertEqual(names(after(*streams, dry, *reasons)), [])
        back = [{"type": "publisher_muted", "participant": "b", "muted": False},
                {"type": "subscriber_paused", "participant": "c", "paused": False},
                {"type": "demand", "participant": "d"}]
        self.assertEqual(names(after(*streams, dry, *reasons, *back)), ["b", "c", "d"])
        self.assertEqual(names(after(*streams, {"type": "last_n", "count": 2})), ["a", "b"])
        self.assertEqual(names(after(*streams, {"type": "last_n", "count": 2}, {"type": "last_n", "count": None})),
                         ["a", "b", "c", "d"])

    def test_the_ladder_ends_at_what_fills_the_view_and_was_requested(self):
        cases = (({}, [180, 360, 720]), ({"view": {"width": 1, "height": 180}}, [180]),
                 ({"view": {"width": 1, "height": 181}}, [180, 360]),
                 ({"view": {"width": 1, "height": 999}}, [180, 360, 720]),
                 ({"maximum_quality": "r360p_30fps"}, [180, 360]), ({"maximum_quality": "r90p_7fps"}, [180]),
                 ({"maximum_fps": 20}, [180]))  # nothing is that slow, so the cheapest stays
        for demand, heights in cases:
            state = after(camera("a", *THREE_SIZES), {"type": "demand", "participant": "a", **demand})
            self.assertEqual([layer.height for layer in state.wanted()[0].ladder], heights, demand)
        share = camera("b", *THREE_SIZES) | {"track": "screenShare"}
        state = after(camera("a", *THREE_SIZES), share, {"type": "receive_720p", "enabled": False})
        self.assertEqual([(stream.kind, stream.ladder[-1].height) for stream in state.wanted()],
                         [("screenShare", 720), ("camera", 360)])

    def test_audio_reserves_a_fifth_more_than_it_may_need_and_takes_less(self):
        cases = ((({"streams": 0}), 0, 0), (({"streams": 2}), 115_200, 80_000), (({"streams": 5}), 172_800, 120_000),
                 (({"streams": 1, "measured_bps": 200_001}), 240_002, 40_000))
        for audio, reserve, taken in cases:
            state = after({"type": "audio", **audio})
            self.assertEqual((state.reserve, state.audio), (reserve, taken))

    def test_changes_at_one_time_are_one_scene(self):
        lines = [camera("a", *THREE_SIZES), camera("b", *THREE_SIZES),
                 {"type": "publisher_muted", "participant": "a", "muted": True, "at": 40}]
        found = subscriber.scenes(lines)
        self.assertEqual([(scene.at, len(scene.wanted)) for scene in found], [(0, 2), (40, 1)])

    @with_vadmon
    def test_with_plenty_of_bandwidth_the_coordinator_shows_the_same_streams_in_the_same_order(self):
        plenty = {"at": 0, "type": "estimate", "bps": 10**12}
        compared = 0
        for seed in range(6):
            lines = calls.write("x", 9, 100_000, seed)
            shown = {each.at: each.shown for each in coordinator.decisions(VADMON, {}, [plenty, *lines])}
            for scene in subscriber.scenes(lines):
                if scene.at in shown and shown[scene.at]:
                    decision = shown[scene.at]
                    self.assertEqual(list(decision), [stream.key for stream in scene.wanted], (seed, scene.at))
                    self.assertEqual(list(decision.values()), [stream.ladder[-1] for stream in scene.wanted])
                    compared += 1
        self.assertGreater(compared, 100)
