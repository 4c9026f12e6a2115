//! A safe face of libvideopause. `Coordinator` is `Send` and not `Sync`: one owner at a time, which may change. Times are µs
//! of a monotonic clock; streams are named by `stream(participant, track)`.
pub mod ffi;

use ffi::{
    vp_config, vp_decision, vp_demand, vp_demanded_layers, vp_layer, vp_layer_verdict, vp_layout_stream,
    vp_paused_change, vp_stream_decision,
};
use std::ffi::{c_char, c_int, CStr};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Error {
    /// A vp_status_code.
    Code(c_int),
    /// The setting that is out of range.
    Setting(&'static str),
}

/// A string of the library: in static storage, never NULL.
fn text(pointer: *const c_char) -> &'static str {
    unsafe { CStr::from_ptr(pointer) }.to_str().unwrap_or("")
}

impl std::fmt::Display for Error {
    fn fmt(&self, formatter: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            Error::Code(code) => formatter.write_str(text(unsafe { ffi::vp_status_text(*code) })),
            Error::Setting(field) => write!(formatter, "the setting {field} is out of range"),
        }
    }
}

impl std::error::Error for Error {}

type Result<Value = ()> = std::result::Result<Value, Error>;

fn check(code: c_int) -> Result {
    if code == ffi::VP_OK {
        Ok(())
    } else {
        Err(Error::Code(code))
    }
}

/// The number of a participant's stream; `track` is VP_TRACK_VIDEO or VP_TRACK_SCREEN_SHARE.
pub fn stream(participant: u64, track: u64) -> u64 {
    participant << 1 | track
}

pub fn participant(stream: u64) -> u64 {
    stream >> 1
}

pub fn default_config() -> vp_config {
    let mut config = vp_config::default();
    unsafe { ffi::vp_config_default(&mut config) };
    config
}

pub fn default_demand() -> vp_demand {
    let mut demand = vp_demand::default();
    unsafe { ffi::vp_demand_default(&mut demand) };
    demand
}

pub struct Coordinator {
    raw: *mut ffi::vp_coordinator,
}

// The coordinator has no ties to a thread; &mut self keeps it with one at a time.
unsafe impl Send for Coordinator {}

impl Drop for Coordinator {
    fn drop(&mut self) {
        unsafe { ffi::vp_coordinator_destroy(self.raw) }
    }
}

impl Coordinator {
    pub fn new(config: &vp_config) -> Result<Self> {
        let mut raw = std::ptr::null_mut();
        let field = unsafe { ffi::vp_config_invalid_field(config) };
        if !field.is_null() {
            return Err(Error::Setting(text(field)));
        }
        check(unsafe { ffi::vp_coordinator_create(config, &mut raw) })?;
        Ok(Coordinator { raw })
    }

    /// Adds or updates a stream with every layer that it may have.
    pub fn upsert_stream(
        &mut self,
        stream: u64,
        kind: u32,
        is_local: bool,
        layers: &[vp_layer],
        at_us: i64,
    ) -> Result {
        let (first, count) = (layers.as_ptr(), layers.len());
        check(unsafe { ffi::vp_upsert_stream(self.raw, stream, kind, is_local, first, count, at_us) })
    }

    pub fn remove_stream(&mut self, stream: u64, at_us: i64) -> Result {
        check(unsafe { ffi::vp_remove_stream(self.raw, stream, at_us) })
    }

    pub fn set_publisher_muted(&mut self, stream: u64, is_muted: bool, at_us: i64) -> Result {
        check(unsafe { ffi::vp_set_publisher_muted(self.raw, stream, is_muted, at_us) })
    }

    /// The key frame of the layer to forward has arrived.
    pub fn layer_locked(&mut self, stream: u64, at_us: i64) -> Result {
        check(unsafe { ffi::vp_layer_locked(self.raw, stream, at_us) })
    }

    pub fn set_demand(&mut self, stream: u64, demand: &vp_demand, at_us: i64) -> Result {
        check(unsafe { ffi::vp_set_demand(self.raw, stream, demand, at_us) })
    }

    pub fn set_subscriber_paused(&mut self, stream: u64, is_paused: bool, at_us: i64) -> Result {
        check(unsafe { ffi::vp_set_subscriber_paused(self.raw, stream, is_paused, at_us) })
    }

    /// The participants who spoke most recently, the dominant speaker first.
    pub fn set_speaker_order(&mut self, participants: &[u64], at_us: i64) -> Result {
        let (first, count) = (participants.as_ptr(), participants.len());
        check(unsafe { ffi::vp_set_speaker_order(self.raw, first, count, at_us) })
    }

    pub fn set_speaking(&mut self, participant: u64, is_speaking: bool, at_us: i64) -> Result {
        check(unsafe { ffi::vp_set_speaking(self.raw, participant, is_speaking, at_us) })
    }

    pub fn set_in_meeting(&mut self, is_in_meeting: bool, at_us: i64) -> Result {
        check(unsafe { ffi::vp_set_in_meeting(self.raw, is_in_meeting, at_us) })
    }

    pub fn set_custom_layout_available(&mut self, is_available: bool, at_us: i64) -> Result {
        check(unsafe { ffi::vp_set_custom_layout_available(self.raw, is_available, at_us) })
    }

    /// The participants of the meeting, with or without video.
    pub fn set_participants(&mut self, participants: &[u64], at_us: i64) -> Result {
        let (first, count) = (participants.as_ptr(), participants.len());
        check(unsafe { ffi::vp_set_participants(self.raw, first, count, at_us) })
    }

    /// Chooses a layout, VP_LAYOUT_…; the error of a refusal says why.
    pub fn set_video_layout(&mut self, layout: u32, at_us: i64) -> Result {
        check(unsafe { ffi::vp_set_video_layout(self.raw, layout, at_us) })
    }

    /// Replaces all entries of the custom layout; the error of a refusal says why.
    pub fn set_layout_streams(&mut self, streams: &[vp_layout_stream], at_us: i64) -> Result {
        let (first, count) = (streams.as_ptr(), streams.len());
        check(unsafe { ffi::vp_set_layout_streams(self.raw, first, count, at_us) })
    }

    /// The layout in force, VP_LAYOUT_….
    pub fn layout(&self) -> u32 {
        let mut layout = ffi::VP_LAYOUT_NONE;
        unsafe { ffi::vp_current_layout(self.raw, &mut layout) };
        layout
    }

    /// How many streams to forward at most; None means no limit.
    pub fn set_last_n(&mut self, count: Option<u32>, at_us: i64) -> Result {
        check(unsafe { ffi::vp_set_last_n(self.raw, count.unwrap_or(u32::MAX), at_us) })
    }

    pub fn set_strategy(&mut self, strategy: u32, at_us: i64) -> Result {
        check(unsafe { ffi::vp_set_strategy(self.raw, strategy, at_us) })
    }

    pub fn set_720p_enabled(&mut self, is_enabled: bool, at_us: i64) -> Result {
        check(unsafe { ffi::vp_set_720p_enabled(self.raw, is_enabled, at_us) })
    }

    pub fn set_video_pause_enabled(&mut self, is_enabled: bool, at_us: i64) -> Result {
        check(unsafe { ffi::vp_set_video_pause_enabled(self.raw, is_enabled, at_us) })
    }

    pub fn set_bandwidth_estimate(&mut self, bps: i64, congestion: u32, at_us: i64) -> Result {
        check(unsafe { ffi::vp_set_bandwidth_estimate(self.raw, bps, congestion, at_us) })
    }

    /// How many audio streams the subscriber receives, and their measured rate; 0 if it is not known.
    pub fn set_audio(&mut self, streams: u32, measured_bps: i64, at_us: i64) -> Result {
        check(unsafe { ffi::vp_set_audio(self.raw, streams, measured_bps, at_us) })
    }

    /// The measured rate of retransmissions, repair and data, which is reserved.
    pub fn set_other_traffic(&mut self, bps: i64, at_us: i64) -> Result {
        check(unsafe { ffi::vp_set_other_traffic(self.raw, bps, at_us) })
    }

    /// Returns whether there is anything new to forward. Call it after every input, and at next_decision_at_us.
    pub fn decide(&mut self, at_us: i64) -> Result<bool> {
        let mut is_changed = false;
        check(unsafe { ffi::vp_decide(self.raw, at_us, &mut is_changed) })?;
        Ok(is_changed)
    }

    pub fn decision(&self) -> vp_decision {
        let struct_size = std::mem::size_of::<vp_decision>() as u32;
        let mut decision = vp_decision { struct_size, ..Default::default() };
        unsafe { ffi::vp_current_decision(self.raw, &mut decision) };
        decision
    }

    /// A row for each stream, the most important first.
    pub fn streams(&self) -> Vec<vp_stream_decision> {
        let mut count = self.decision().stream_count as usize;
        let mut rows = vec![vp_stream_decision::default(); count];
        unsafe { ffi::vp_stream_decisions(self.raw, rows.as_mut_ptr(), rows.len(), &mut count) };
        rows
    }

    /// What the last decision made of each layer of a stream, and why another one is forwarded, or none.
    pub fn layer_verdicts(&self, stream: u64) -> Result<Vec<vp_layer_verdict>> {
        let mut verdicts = vec![vp_layer_verdict::default(); ffi::VP_LAYERS_MAX];
        let (first, room, mut count) = (verdicts.as_mut_ptr(), verdicts.len(), 0);
        check(unsafe { ffi::vp_layer_verdicts(self.raw, stream, first, room, &mut count) })?;
        verdicts.truncate(count);
        Ok(verdicts)
    }

    /// Calls `on_change` for each change of the paused tracks since the last call.
    pub fn drain_paused_changes(&mut self, mut on_change: impl FnMut(&vp_paused_change)) {
        let mut changes = [vp_paused_change::default(); 16];
        let mut count = changes.len();
        while count == changes.len() {
            let (first, room) = (changes.as_mut_ptr(), changes.len());
            unsafe { ffi::vp_drain_paused_changes(self.raw, first, room, &mut count) };
            changes[..count].iter().for_each(&mut on_change);
        }
    }
}

/// Which layers of each stream the subscribers of a call need.
pub struct LayerDemand {
    raw: *mut ffi::vp_layer_demand,
}

// It has no ties to a thread; &mut self keeps it with one at a time.
unsafe impl Send for LayerDemand {}

impl Drop for LayerDemand {
    fn drop(&mut self) {
        unsafe { ffi::vp_layer_demand_destroy(self.raw) }
    }
}

impl LayerDemand {
    /// `hold_us`: for how long a layer stays demanded that nobody needs; 5 s is usual.
    pub fn new(hold_us: i64) -> Result<Self> {
        let mut raw = std::ptr::null_mut();
        check(unsafe { ffi::vp_layer_demand_create(hold_us, &mut raw) })?;
        Ok(LayerDemand { raw })
    }

    /// Takes in the decision in force of a subscriber.
    pub fn update(&mut self, subscriber: u64, coordinator: &Coordinator, at_us: i64) -> Result {
        check(unsafe { ffi::vp_layer_demand_update(self.raw, subscriber, coordinator.raw, at_us) })
    }

    pub fn remove(&mut self, subscriber: u64, at_us: i64) -> Result {
        check(unsafe { ffi::vp_layer_demand_remove(self.raw, subscriber, at_us) })
    }

    /// Calls `on_change` for each change since the last call, and returns when to call it again without an update; VP_NEVER if
    /// only an update can change anything.
    pub fn drain_changes(
        &mut self,
        at_us: i64,
        mut on_change: impl FnMut(&vp_demanded_layers),
    ) -> Result<i64> {
        let mut changes = [vp_demanded_layers::default(); 16];
        let (mut count, mut next) = (changes.len(), ffi::VP_NEVER);
        while count == changes.len() {
            let (first, room) = (changes.as_mut_ptr(), changes.len());
            check(unsafe {
                ffi::vp_drain_demanded_layers(self.raw, first, room, &mut count, &mut next, at_us)
            })?;
            changes[..count].iter().for_each(&mut on_change);
        }
        Ok(next)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_the_librarys_sentences() {
        let mut config = default_config();
        config.resume_limit = 0;
        let error = Coordinator::new(&config).err().unwrap();
        assert_eq!(error, Error::Setting("resume_limit"));
        let mut coordinator = Coordinator::new(&default_config()).unwrap();
        assert_eq!(coordinator.remove_stream(1, 0), Err(Error::Code(ffi::VP_ERROR_UNKNOWN_STREAM)));
        coordinator.set_last_n(None, 5).unwrap();
        let error = coordinator.set_last_n(Some(2), 4).unwrap_err();
        assert!(error.to_string().contains("monotonic"), "{error}");
        assert!(coordinator.streams().is_empty());
        coordinator.set_speaker_order(&[], 5).unwrap();
    }

    #[test]
    fn a_layout_decides_what_publishers_send() {
        let mut coordinator = Coordinator::new(&default_config()).unwrap();
        let layer = |spatial: u32| vp_layer {
            spatial,
            width: 320 << spatial,
            height: 180 << spatial,
            is_active: 1,
            is_decode_target: 1,
            bitrate_bps: 150_000 << (2 * spatial),
            ..Default::default()
        };
        for participant in 0..3 {
            let id = stream(participant, ffi::VP_TRACK_VIDEO);
            coordinator.upsert_stream(id, ffi::VP_KIND_CAMERA, false, &[layer(0), layer(1)], 0).unwrap();
        }
        let entry = vp_layout_stream {
            quality: ffi::VP_QUALITY_720P_30FPS,
            priority: ffi::VP_PRIORITY_HIGH,
            ..Default::default()
        };
        let refused = coordinator.set_layout_streams(&[entry], 0);
        assert_eq!(refused, Err(Error::Code(ffi::VP_ERROR_NOT_IN_MEETING)));
        coordinator.set_in_meeting(true, 0).unwrap();
        coordinator.set_video_layout(ffi::VP_LAYOUT_CUSTOM, 0).unwrap();
        coordinator.set_layout_streams(&[entry], 0).unwrap();
        coordinator.set_speaking(2, true, 0).unwrap();
        coordinator.set_other_traffic(100_000, 0).unwrap();
        coordinator.decide(0).unwrap();
        assert_eq!(coordinator.decision().other_reserve_bps, 100_000);
        let rows = coordinator.streams();
        assert_eq!((participant(rows[0].stream), rows[0].layer), (2, layer(1)));
        let verdicts = coordinator.layer_verdicts(rows[0].stream).unwrap();
        let outcomes: Vec<u32> = verdicts.iter().map(|verdict| verdict.outcome).collect();
        assert_eq!(outcomes, [ffi::VP_LAYER_SURPASSED, ffi::VP_LAYER_FORWARDED]);
        let mut demand = LayerDemand::new(5_000_000).unwrap();
        demand.update(9, &coordinator, 0).unwrap();
        let mut changes = Vec::new();
        assert_eq!(demand.drain_changes(0, |change| changes.push(*change)), Ok(ffi::VP_NEVER));
        assert_eq!(changes.len(), 3);
        assert!(changes.iter().all(|c| (c.is_demanded != 0) == (participant(c.stream) == 2)));
        demand.remove(9, 0).unwrap();
        assert_eq!(demand.drain_changes(0, |_| {}), Ok(5_000_000));
    }

    #[test]
    fn a_coordinator_moves_to_another_thread() {
        let mut coordinator = Coordinator::new(&default_config()).unwrap();
        let layer =
            vp_layer { width: 320, height: 180, is_active: 1, bitrate_bps: 150_000, ..Default::default() };
        for participant in 0..20 {
            let id = stream(participant, ffi::VP_TRACK_VIDEO);
            coordinator.upsert_stream(id, ffi::VP_KIND_CAMERA, false, &[layer], 0).unwrap();
        }
        let rows = std::thread::spawn(move || {
            let demand = vp_demand { is_visible: 0, ..default_demand() };
            coordinator.set_demand(stream(3, ffi::VP_TRACK_VIDEO), &demand, 0).unwrap();
            coordinator.set_bandwidth_estimate(400_000, ffi::VP_CONGESTION_NONE, 0).unwrap();
            assert!(coordinator.decide(0).unwrap());
            coordinator.streams()
        });
        let rows = rows.join().unwrap();
        assert_eq!(rows.iter().filter(|row| row.reason == ffi::VP_FORWARDED).count(), 2);
        assert_eq!(rows.iter().filter(|row| row.reason == ffi::VP_PAUSED_NOT_VISIBLE).count(), 1);
        assert_eq!(rows[0].layer, layer);
    }
}
