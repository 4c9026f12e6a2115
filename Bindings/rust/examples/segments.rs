//! Raw 16-bit PCM in, segments of speech out, as an Audacity label track.
//!
//!     sox speech.flac -t s16 -c 1 -r 16000 - | segments 16000
//!
//! Exit codes: 0, 64 wrong usage, 74 reading or writing failed.
use std::io::{Read, Write};
use std::process::ExitCode;
use voiceactivity::{Config, Detector, Event, EventKind};

fn run(rate_hz: u32, mut detector: Detector) -> std::io::Result<()> {
    let mut lines = Vec::new();
    let mut onset = 0;
    let seconds = |position: u64| position as f64 / f64::from(rate_hz);
    let mut print = |events: &[Event]| {
        for event in events {
            match event.kind {
                EventKind::Onset => onset = event.position,
                EventKind::Offset => {
                    writeln!(lines, "{:.3}\t{:.3}\tspeech", seconds(onset), seconds(event.position))
                        .expect("a Vec takes all")
                }
                _ => {}
            }
        }
    };

    let mut bytes = Vec::new();
    std::io::stdin().read_to_end(&mut bytes)?;
    let samples: Vec<i16> =
        bytes.chunks_exact(2).map(|pair| i16::from_le_bytes([pair[0], pair[1]])).collect();
    for packet in samples.chunks(rate_hz as usize / 50) {
        print(detector.process_i16(packet).expect("the stream is open"));
    }
    print(detector.flush().expect("a stream can be flushed"));
    std::io::stdout().write_all(&lines)
}

fn main() -> ExitCode {
    let Some(rate_hz) = std::env::args().nth(1).and_then(|text| text.parse().ok()) else {
        eprintln!("segments: give the sample rate in Hz; the sound is raw 16-bit PCM on standard input.");
        return ExitCode::from(64);
    };
    match Detector::new(&Config::new(rate_hz)) {
        Err(error) => {
            eprintln!("segments: {error}");
            ExitCode::from(64)
        }
        Ok(detector) => match run(rate_hz, detector) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                eprintln!("segments: reading or writing failed: {error}.");
                ExitCode::from(74)
            }
        },
    }
}
