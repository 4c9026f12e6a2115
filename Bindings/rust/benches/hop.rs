//! Measures 10 ms of speech, in packets of 20 ms: `cargo bench`.
#[path = "../tests/recordings/mod.rs"]
mod recordings;

use std::time::{Duration, Instant};
use voiceactivity::{Config, Detector};

fn main() {
    let recording = recordings::named("speech");
    let mut detector = Detector::new(&Config::new(recording.rate_hz)).unwrap();
    let (start, mut hops) = (Instant::now(), 0);
    while start.elapsed() < Duration::from_secs(1) {
        for packet in recording.samples.chunks_exact(recording.rate_hz as usize / 50) {
            detector.process_i16(packet).unwrap();
            hops += 2;
        }
    }
    println!(
        "{}: {} ns for 10 ms at {} Hz",
        voiceactivity::simd_name(),
        start.elapsed().as_nanos() / hops,
        recording.rate_hz
    );
}
