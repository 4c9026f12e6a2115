//! A call of six cameras on a path that becomes narrow for ten seconds: which videos are paused, and when they are back.
//!
//!     cargo run --release
use videopause::ffi::{vp_layer, VP_CONGESTION_NONE, VP_KIND_CAMERA, VP_TRACK_VIDEO};
use videopause::{default_config, participant, stream, Coordinator, Error};

fn capacity_bps(at_us: i64) -> i64 {
    if (2_000_000..12_000_000).contains(&at_us) {
        320_000
    } else {
        4_000_000
    }
}

fn run() -> Result<(), Error> {
    let small = vp_layer {
        width: 320,
        height: 180,
        is_active: 1,
        frames_per_second: 30.0,
        bitrate_bps: 150_000,
        ..Default::default()
    };
    let large = vp_layer { spatial: 1, width: 640, height: 360, bitrate_bps: 500_000, ..small };
    let mut coordinator = Coordinator::new(&default_config())?;
    for participant in 1..=6 {
        let id = stream(participant, VP_TRACK_VIDEO);
        coordinator.upsert_stream(id, VP_KIND_CAMERA, false, &[small, large], 0)?;
    }
    coordinator.set_speaker_order(&[4, 2], 0)?;
    for at_us in (0..40_000_000).step_by(100_000) {
        coordinator.set_bandwidth_estimate(capacity_bps(at_us), VP_CONGESTION_NONE, at_us)?;
        coordinator.decide(at_us)?;
        coordinator.drain_paused_changes(|change| {
            let word = if change.is_paused != 0 { "paused" } else { "back" };
            println!("{:.1} s: participant {} is {word}", at_us as f64 / 1e6, participant(change.stream));
        });
    }
    Ok(())
}

fn main() {
    if let Err(error) = run() {
        eprintln!("pause: {error}");
        std::process::exit(70);
    }
}
