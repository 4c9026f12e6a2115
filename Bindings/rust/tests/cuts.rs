//! The segments that are cut out of the recordings.
mod recordings;

use recordings::Recording;
use std::fmt::Write;
use std::time::Duration;
use voiceactivity::{Config, Cut, CutRules, Cutter, Detector, Error};

fn rules() -> CutRules {
    CutRules {
        min_silence: Duration::from_secs(2),
        min_speech: Duration::from_millis(300),
        max_length: Duration::from_secs(2),
        pad_before: Duration::from_millis(100),
        pad_after: Duration::from_millis(100),
    }
}

fn cut_with(cutter: &mut Cutter, detector: &mut Detector, recording: &Recording, chunk: usize) -> Vec<Cut> {
    let mut cuts: Vec<Cut> = Vec::new();
    for chunk in recording.samples.chunks(chunk) {
        detector.process_i16(chunk).unwrap();
        cuts.append(&mut cutter.push(detector));
        let beginning = cutter.beginning();
        assert!(beginning.start <= beginning.end);
        assert!(cuts.last().map_or(0, |cut| cut.end) <= beginning.start);
    }
    detector.flush().unwrap();
    cuts.append(&mut cutter.push(detector));
    cuts.append(&mut cutter.finish(recording.samples.len() as u64));
    cuts
}

fn begin(recording: &Recording) -> (Cutter, Detector) {
    let mut detector = Detector::new(&Config::new(recording.rate_hz)).unwrap();
    detector.keep_hops(true);
    (Cutter::new(&rules(), &detector).unwrap(), detector)
}

fn cut(recording: &Recording, chunk: usize) -> Vec<Cut> {
    let (mut cutter, mut detector) = begin(recording);
    cut_with(&mut cutter, &mut detector, recording, chunk)
}

#[test]
fn the_cuts_are_vadmons_however_the_stream_is_cut() {
    let mut continued = false;
    for recording in recordings::all() {
        for chunk in [recording.rate_hz as usize / 100, 1001, recording.samples.len()] {
            let (cuts, mut found) = (cut(&recording, chunk), String::new());
            for cut in &cuts {
                let seconds = |position| position as f64 / f64::from(recording.rate_hz);
                writeln!(found, "{:.3}\t{:.3}\tspeech", seconds(cut.start), seconds(cut.end)).unwrap();
            }
            assert_eq!(found, recording.cuts(), "{} in chunks of {chunk}", recording.name);
            continued |= cuts.iter().any(|cut| cut.continues);
            for pair in cuts.windows(2).filter(|pair| pair[0].continues) {
                assert_eq!(pair[0].end, pair[1].start);
            }
        }
    }
    assert!(continued, "no speech was cut");
}

#[test]
fn a_cutter_that_is_reset_begins_anew() {
    let recording = recordings::named("speech");
    let (mut cutter, mut detector) = begin(&recording);
    detector.process_i16(&recording.samples[..recording.samples.len() / 2]).unwrap();
    cutter.push(&detector);
    assert!(!cutter.beginning().is_empty(), "it is reset before anything began");
    detector.reset();
    cutter.reset();
    assert_eq!(cut_with(&mut cutter, &mut detector, &recording, 1001), cut(&recording, 1001));
}

#[test]
fn wrong_rules_are_refused() {
    let detector = Detector::new(&Config::new(16_000)).unwrap();
    let wrong = [
        CutRules { min_silence: Duration::from_millis(3_600_001), ..CutRules::default() },
        CutRules { pad_after: Duration::MAX, ..CutRules::default() },
        CutRules { max_length: Duration::from_millis(999), ..CutRules::default() },
        CutRules { pad_before: Duration::from_millis(901), ..rules() },
    ];
    for rules in wrong {
        assert_eq!(Cutter::new(&rules, &detector).err(), Some(Error::Duration), "{rules:?}");
    }
}

#[test]
fn a_cut_fades_except_where_speech_was_cut() {
    let recording = recordings::named("speech");
    let cuts = cut(&recording, 160);
    let first = cuts.iter().find(|cut| cut.continues).expect("it has cut speech");
    let mut samples = vec![1.0; 2 * recording.samples.len()];
    first.fade(&mut samples, 2, 0, false, 80);
    for (frame, pair) in samples.chunks_exact(2).enumerate() {
        let fades = (first.start..first.start + 80).contains(&(frame as u64));
        assert!(pair[0] == pair[1] && pair[0] > 0.0 && (pair[0] < 1.0) == fades, "frame {frame}");
    }
    first.fade(&mut samples, 0, 0, false, 80); // no channels: nothing to fade
}
