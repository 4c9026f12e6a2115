//! What is found in the recordings.
mod recordings;

use recordings::Recording;
use std::fmt::Write;
use voiceactivity::{Config, Detector, Event, EventKind};

fn analyse(recording: &Recording, chunk: usize) -> Vec<Event> {
    let mut detector = Detector::new(&Config::new(recording.rate_hz)).unwrap();
    let mut events = Vec::new();
    for chunk in recording.samples.chunks(chunk) {
        events.extend_from_slice(detector.process_i16(chunk).unwrap());
    }
    events.extend_from_slice(detector.flush().unwrap());
    events
}

/// As vadmon writes Audacity's labels.
fn labels(events: &[Event], rate_hz: u32) -> String {
    let (mut text, mut onset) = (String::new(), 0.0);
    for event in events {
        let seconds = event.position as f64 / f64::from(rate_hz);
        match event.kind {
            EventKind::Onset => onset = seconds,
            EventKind::Offset => writeln!(text, "{onset:.3}\t{seconds:.3}\tspeech").unwrap(),
            _ => {}
        }
    }
    text
}

#[test]
fn the_segments_are_vadmons_however_the_stream_is_cut() {
    for recording in recordings::all() {
        for chunk in [1, 7, recording.rate_hz as usize / 100, 1001, recording.samples.len()] {
            let found = labels(&analyse(&recording, chunk), recording.rate_hz);
            assert_eq!(found, recording.labels(), "{} in chunks of {chunk}", recording.name);
        }
    }
}

#[test]
fn floats_are_the_same_sound() {
    let recording = recordings::named("speech");
    let mut detector = Detector::new(&Config::new(recording.rate_hz)).unwrap();
    let mut events = detector.process(&recording.floats()).unwrap().to_vec();
    events.extend_from_slice(detector.flush().unwrap());
    assert!(!events.is_empty());
    assert_eq!(events, analyse(&recording, 160));
}

#[test]
fn a_saved_stream_continues_as_if_it_had_not_moved() {
    for recording in recordings::all() {
        let whole = analyse(&recording, recording.samples.len());
        for at in [0, 1, recording.samples.len() / 3, recording.samples.len() / 2 + 77] {
            let mut first = Detector::new(&Config::new(recording.rate_hz)).unwrap();
            let mut events = first.process_i16(&recording.samples[..at]).unwrap().to_vec();
            let mut second = Detector::restore(&first.save().unwrap(), None).unwrap();
            assert_eq!(second.config(), first.config());
            drop(first);
            events.extend_from_slice(second.process_i16(&recording.samples[at..]).unwrap());
            events.extend_from_slice(second.flush().unwrap());
            assert_eq!(events, whole, "{}, moved at {at}", recording.name);
        }
    }
}
