//! Rules and refusals.
mod recordings;

use std::time::Duration;
use voiceactivity::{Config, Detector, EchoReference, Error, EventKind, Preset, Remote, State};

fn made(rate_hz: u32) -> Detector {
    Detector::new(&Config::new(rate_hz)).unwrap()
}

#[test]
fn bad_settings_are_refused_with_the_librarys_sentence() {
    let refusal = |config: Config| Detector::new(&config).err().expect("it is refused");
    let config = Config::preset(16_000, Preset::Notice);
    for rate_hz in [0, 7_999, 192_001, u32::MAX] {
        assert_eq!(refusal(Config::new(rate_hz)), Error::SampleRate);
    }
    assert_eq!(refusal(Config { onset_threshold: f32::NAN, ..config.clone() }), Error::Threshold);
    assert_eq!(refusal(Config { offset_threshold: 0.95, ..config.clone() }), Error::Threshold);
    assert_eq!(
        refusal(Config { hangover: Duration::from_nanos(3_600_000_000_001), ..config.clone() }),
        Error::Duration
    );
    assert_eq!(refusal(Config { mute_grace: Duration::MAX, ..config.clone() }), Error::Duration);
    assert!(Error::SampleRate.to_string().contains("8000"));
    assert_eq!(Error::Other(1234).to_string(), "unknown status code");
    let _: &dyn std::error::Error = &Error::Argument;

    let changed = Config { hangover: Duration::from_nanos(499_000_001), ..config.clone() };
    let kept = Detector::new(&changed).unwrap().config();
    assert_eq!(kept, Config { hangover: Duration::from_millis(500), ..config });
}

#[test]
fn a_gap_is_counted_to_the_sample_and_told_with_its_length() {
    let mut detector = made(16_000);
    detector.keep_hops(true);
    detector.process(&[0.0; 1600]).unwrap();
    detector.push_gap(320_001).unwrap(); // 20 s: more than one call of the library decides
    let missing = detector.hops().iter().filter(|hop| hop.is_missing()).count();
    assert!(missing >= 1995, "{missing} hops are missing");
    let events = detector.process(&[0.0; 1600]).unwrap();
    assert_eq!(events.len(), 1);
    assert_eq!(
        (events[0].kind, events[0].position, events[0].length),
        (EventKind::Discontinuity, 1600, 320_001)
    );
    assert_eq!(detector.events().len(), 1);
    assert_eq!(detector.status().missing_samples, 320_001);
    assert_eq!(detector.push_gap((1 << 40) + 1), Err(Error::Argument));
    assert_eq!(detector.push_level(u64::MAX, 3), Err(Error::Argument));
    assert!(detector.events().is_empty());
}

#[test]
fn a_flushed_detector_takes_nothing_until_it_is_reset() {
    let mut detector = made(16_000);
    detector.flush().unwrap();
    assert_eq!(detector.process(&[0.0; 160]), Err(Error::Argument));
    assert_eq!(detector.process_i16(&[0; 160]), Err(Error::Argument));
    assert_eq!(detector.push_gap(1), Err(Error::Argument));
    assert_eq!(detector.push_level(1, 30), Err(Error::Argument));
    detector.flush().unwrap();
    detector.reset();
    detector.process(&[0.0; 1600]).unwrap();
    assert_eq!(detector.status().hops, 7); // 100 ms less the look-ahead of 30
}

#[test]
fn a_reset_forgets_the_results_of_the_last_call() {
    let mut detector = made(16_000);
    detector.keep_hops(true);
    detector.push_gap(16_000).unwrap();
    detector.process(&[0.0; 1600]).unwrap();
    assert!(!detector.hops().is_empty() && !detector.events().is_empty());
    detector.reset();
    assert!(detector.hops().is_empty() && detector.events().is_empty());
}

#[test]
fn samples_that_are_no_numbers_are_counted_and_do_no_harm() {
    let recording = recordings::named("speech");
    let mut detector = made(recording.rate_hz);
    detector.keep_hops(true);
    let hostile: Vec<f32> =
        [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX].into_iter().cycle().take(4800).collect();
    for sound in [&[], hostile.as_slice(), &recording.floats()] {
        detector.process(sound).unwrap();
        for hop in detector.hops() {
            assert!(
                (0.0..=1.0).contains(&hop.posterior) && (-127.0..=12.0).contains(&hop.level_dbfs),
                "{hop:?}"
            );
        }
    }
    let status = detector.status();
    assert_eq!(status.non_finite_samples, 3600);
    assert!(status.clipped_samples >= 1200);
    assert!(detector.status().hops > 100);
}

#[test]
fn a_remote_is_heard_at_once_on_any_thread_and_may_outlive_the_detector() {
    fn sent<T: Send>(value: T) -> T {
        value
    }
    fn shared<T: Send + Sync>(_: &T) {}
    let recording = recordings::named("speech");
    let detector = Detector::new(&Config::preset(recording.rate_hz, Preset::Notice)).unwrap();
    let remote: Remote = detector.remote();
    shared(&remote);
    remote.set_muted(true);
    let mut moved = sent(detector);
    let (detector, events) = std::thread::scope(|scope| {
        let other = scope.spawn(move || {
            let events = moved.process_i16(&recording.samples).unwrap();
            let kinds: Vec<_> = events.iter().map(|event| event.kind).collect();
            (moved, kinds)
        });
        while !other.is_finished() {
            assert!(remote.status().is_muted);
        }
        other.join().unwrap()
    });
    assert!(events.contains(&EventKind::MutedSpeechBegin) && events.contains(&EventKind::MutedSpeechEnd));
    drop(detector);
    remote.set_muted(false);
    assert!(!remote.status().is_muted);
}

#[test]
fn a_level_with_the_voice_bit_is_speech() {
    let mut detector = made(48_000);
    let mut events = Vec::new();
    for packet in 0..20 {
        let level = if packet < 10 { 60 } else { 128 + 30 };
        events.extend_from_slice(detector.push_level(960, level).unwrap());
    }
    assert_eq!(events.len(), 1);
    assert_eq!((events[0].kind, events[0].position), (EventKind::Onset, 9600));
    assert_eq!((detector.status().rfc6464(), detector.status().state), (128 + 30, State::Speech));
    detector.push_level(48_000 * 60, 60).unwrap(); // more results than the library returns at once
    assert_eq!(detector.status().hops, 40 + 6000 - 3); // less the look-ahead
    detector.keep_hops(true);
    detector.push_level(48_000 * 60, 60).unwrap();
    assert_eq!(detector.hops().len(), 6000);
    assert!(detector.hops().iter().all(|hop| hop.is_level_only() && !hop.is_speech() && !hop.is_echo()));
    assert_eq!(detector.push_level(48_000, 60), Ok(&[][..]));
}

#[test]
fn foreign_torn_and_changed_bytes_are_refused() {
    let saved = made(16_000).save().unwrap();
    let mut changed = saved.clone();
    changed[saved.len() / 2] ^= 1;
    let longer = [&saved[..], &[0]].concat();
    for bytes in [&[], &saved[1..], &saved[..saved.len() - 1], &changed, &longer, &b"no".repeat(1000)] {
        let refusal = Detector::restore(bytes, None).err().expect("it is refused");
        assert!(matches!(refusal, Error::SavedData | Error::SavedVersion), "{refusal}");
        assert!(EchoReference::restore(bytes).is_err());
    }
}

#[test]
fn the_speakers_level_is_learned_kept_and_forgotten() {
    let recording = recordings::named("speech");
    let mut detector = made(recording.rate_hz);
    detector.process_i16(&recording.samples).unwrap();
    let (level, learned) = detector.speaker_level();
    assert!((-60.0..0.0).contains(&level) && learned >= Duration::from_secs(3), "{level} of {learned:?}");
    detector.change_input_gain(6.0).unwrap();
    assert!((detector.speaker_level().0 - level - 6.0).abs() < 0.01);
    detector.set_speaker_level(-30.0, Duration::MAX).unwrap();
    assert_eq!(detector.speaker_level().1, Duration::from_secs(30));
    detector.set_speaker_margin(f32::INFINITY).unwrap();
    assert_eq!(detector.set_speaker_level(13.0, Duration::ZERO), Err(Error::Argument));
    assert_eq!(detector.set_speaker_margin(f32::NAN), Err(Error::Argument));
    assert_eq!(detector.change_input_gain(61.0), Err(Error::Argument));
}

/// The microphone hears nothing but the loudspeaker, 100 ms later and 6 dB softer; or two of them in opposite phase.
#[test]
fn the_far_end_is_no_speech_beside_its_reference() {
    the_far_end_is_no_speech(1);
    the_far_end_is_no_speech(2);
}

fn the_far_end_is_no_speech(channels: u32) {
    let recording = recordings::named("speech");
    let (played, rate) = (&recording.samples, recording.rate_hz as usize);
    let mut heard = vec![0; rate / 10];
    heard.extend(played.iter().map(|sample| sample / 2));
    heard.truncate(played.len());

    let config = Config::preset(recording.rate_hz, Preset::Notice);
    let mut detector = Detector::with_echo(&config, EchoReference::new(recording.rate_hz).unwrap()).unwrap();
    let mut events = Vec::new();
    for (index, (played, heard)) in played.chunks(rate / 100).zip(heard.chunks(rate / 100)).enumerate() {
        if index == 500 {
            let echo = EchoReference::restore(&detector.echo().unwrap().save().unwrap()).unwrap();
            detector = Detector::restore(&detector.save().unwrap(), Some(echo)).unwrap();
        }
        let both = |sample: &i16| [*sample, sample.wrapping_neg()];
        let frames: Vec<i16> =
            played.iter().flat_map(|sample| both(sample).into_iter().take(channels as usize)).collect();
        detector.echo().unwrap().push_interleaved_i16(&frames, channels).unwrap();
        events.extend_from_slice(detector.process_i16(heard).unwrap());
    }
    assert!(events.is_empty(), "{events:?}");
    let state = detector.echo().unwrap().state();
    assert!((80..=120).contains(&state.delay_ms) && state.fit > 0.15, "{state:?}");
    detector.reset();
    assert_eq!(detector.echo().unwrap().state().fit, 0.0);

    let mut without = Detector::new(&config).unwrap();
    assert!(without.echo().is_none());
    assert!(!without.process_i16(&heard).unwrap().is_empty());
}

#[test]
fn a_reference_is_refused_where_it_does_not_fit() {
    assert_eq!(EchoReference::new(7_999).err(), Some(Error::SampleRate));
    let mut echo = EchoReference::new(48_000).unwrap();
    echo.push(&[]).unwrap();
    echo.push(&[f32::NAN; 480]).unwrap();
    echo.push_silence(480).unwrap();
    echo.push_interleaved(&[0.0; 480], 2).unwrap();
    assert_eq!(echo.push_interleaved(&[0.0; 9], 9), Err(Error::Argument));
    assert_eq!(echo.push_interleaved(&[0.0; 9], 0), Err(Error::Argument));
    assert_eq!(echo.push_interleaved_i16(&[0; 9], 2), Err(Error::Argument));
    assert_eq!(echo.push_i16(&[0; 9600]), Err(Error::ReferenceEarly));
}

/// With the feature `system` the installed library has its own version.
#[cfg(not(feature = "system"))]
#[test]
fn the_crates_version_is_the_librarys() {
    assert_eq!(env!("CARGO_PKG_VERSION"), voiceactivity::version());
}
