//! The SIMD bodies of the analysis.
mod recordings;

use recordings::Recording;
use voiceactivity::{Config, Detector};

fn posteriors(recording: &Recording) -> Vec<f32> {
    let mut detector = Detector::new(&Config::new(recording.rate_hz)).unwrap();
    detector.keep_hops(true);
    let mut hops = Vec::new();
    for chunk in recording.samples.chunks(1000) {
        detector.process_i16(chunk).unwrap();
        hops.extend_from_slice(detector.hops());
    }
    detector.flush().unwrap();
    hops.extend_from_slice(detector.hops());
    assert_eq!(hops.len(), recording.samples.len() * 100 / recording.rate_hz as usize);
    for (index, hop) in hops.iter().enumerate() {
        assert_eq!(hop.position, index as u64 * u64::from(recording.rate_hz) / 100);
    }
    hops.iter().map(|hop| hop.posterior).collect()
}

/// Nearly all hops agree to 0.02. These recordings are short, and stay within half of it. The test changes the
/// environment, so it has a program of its own.
#[test]
fn simd_bodies_agree_and_the_processors_is_used() {
    if std::env::var_os("VA_CPU").is_some() {
        return; // the whole run is limited
    }
    let body = voiceactivity::simd_name();
    #[cfg(target_arch = "x86_64")]
    assert_eq!(body != "portable", std::is_x86_feature_detected!("avx2"), "the body is {body}");
    let recordings = recordings::all();
    let fast: Vec<_> = recordings.iter().map(posteriors).collect();
    std::env::set_var("VA_CPU", "portable");
    assert_eq!(voiceactivity::simd_name(), "portable");
    let slow: Vec<_> = recordings.iter().map(posteriors).collect();
    std::env::remove_var("VA_CPU");
    for ((recording, fast), slow) in recordings.iter().zip(fast).zip(slow) {
        let most = fast.iter().zip(slow).map(|(fast, slow)| (fast - slow).abs()).fold(0.0, f32::max);
        assert!(most <= 0.01, "{}: posteriors of {body} and portable differ by {most}", recording.name);
    }
}
