//! Replays Tests/Contract/streams.txt, which every binding replays.
use std::env;
use std::fs;
use std::path::PathBuf;
use std::time::Duration;
use voiceactivity::{
    Config, Cut, CutRules, Cutter, Detector, EchoReference, Event, EventKind, Hop, Preset, State,
};

fn event(event: &Event) -> String {
    let name = match event.kind {
        EventKind::Onset => "onset",
        EventKind::Offset => "offset",
        EventKind::MutedSpeechBegin => "muted_speech_begin",
        EventKind::MutedSpeechEnd => "muted_speech_end",
        EventKind::Discontinuity => "discontinuity",
        _ => "unknown",
    };
    format!("> event {name} {} {} {}", event.position, event.decided_at, event.length)
}

fn hop(hop: &Hop) -> String {
    let state = match hop.state {
        State::Silence => "silence",
        State::PendingOnset => "pending_onset",
        State::Speech => "speech",
        State::Hangover => "hangover",
        _ => "unknown",
    };
    let flags: Vec<_> = [
        (hop.is_speech(), "speech"),
        (hop.is_muted(), "muted"),
        (hop.is_muted_speech(), "muted_speech"),
        (hop.is_missing(), "missing"),
        (hop.is_level_only(), "level_only"),
        (hop.is_echo(), "echo"),
    ]
    .into_iter()
    .filter_map(|(is_set, name)| is_set.then_some(name))
    .collect();
    format!("{state} {}", if flags.is_empty() { "-".into() } else { flags.join("+") })
}

fn cut(cut: &Cut) -> String {
    format!("> cut {} {} {} {}", cut.start, cut.end, cut.decided_at, u8::from(cut.continues))
}

struct Stream<'a> {
    talk: &'a [i16],
    config: Config,
    rules: Option<CutRules>,
    has_echo: bool,
    detector: Option<Detector>,
    cutter: Option<Cutter>,
    position: u64,
    answers: Vec<String>,
    cuts: Vec<String>,
    hops: Vec<String>,
}

impl Stream<'_> {
    fn set(&mut self, name: &str, value: f32) {
        let config = &mut self.config;
        let duration = match name {
            "onset_threshold" => return config.move_thresholds(value),
            "offset_threshold" => return config.offset_threshold = value,
            "onset_debounce_ms" => &mut config.onset_debounce,
            "hangover_ms" => &mut config.hangover,
            "mute_grace_ms" => &mut config.mute_grace,
            "mute_carry_over_ms" => &mut config.mute_carry_over,
            "muted_speech_hold_ms" => &mut config.muted_speech_hold,
            "muted_speech_release_ms" => &mut config.muted_speech_release,
            _ => panic!("unknown: {name}"),
        };
        *duration = Duration::from_millis(value as u64);
    }

    fn rule(&mut self, name: &str, value: u64) {
        let rules = self.rules.get_or_insert_with(CutRules::default);
        let length = match name {
            "min_silence_ms" => &mut rules.min_silence,
            "min_speech_ms" => &mut rules.min_speech,
            "max_length_ms" => &mut rules.max_length,
            "pad_before_ms" => &mut rules.pad_before,
            "pad_after_ms" => &mut rules.pad_after,
            _ => panic!("unknown: {name}"),
        };
        *length = Duration::from_millis(value);
    }

    fn heard(&self, first: i64, count: i64, shift: i64) -> Vec<i16> {
        let copies = self.config.sample_rate_hz as usize / 8000;
        (first..first + count)
            .map(|n| usize::try_from(n).map_or(0, |n| self.talk[n] >> shift))
            .flat_map(|sample| std::iter::repeat(sample).take(copies))
            .collect()
    }

    fn run(&mut self, call: impl FnOnce(&mut Detector) -> Result<&[Event], voiceactivity::Error>) {
        let detector = self.detector.as_mut().unwrap();
        self.answers.extend(call(detector).unwrap().iter().map(event));
        self.hops.extend(detector.hops().iter().map(hop));
        if let Some(cutter) = &mut self.cutter {
            self.cuts.extend(cutter.push(detector).iter().map(cut));
        }
    }

    fn take(&mut self, step: &str, words: &[&str]) {
        if step == "set" {
            return self.set(words[0], words[1].parse().unwrap());
        }
        if step == "rule" {
            return self.rule(words[0], words[1].parse().unwrap());
        }
        let detector = self.detector.get_or_insert_with(|| {
            let rate_hz = self.config.sample_rate_hz;
            let mut made = match self.has_echo {
                true => Detector::with_echo(&self.config, EchoReference::new(rate_hz).unwrap()),
                false => Detector::new(&self.config),
            }
            .unwrap();
            made.keep_hops(true);
            self.cutter = self.rules.as_ref().map(|rules| Cutter::new(rules, &made).unwrap());
            made
        });
        let level: f32 = words.first().map_or(0.0, |word| word.parse().unwrap());
        let numbers: Vec<i64> = words.iter().map(|word| word.parse().unwrap_or(0)).collect();
        match (step, numbers[..].try_into().unwrap_or([numbers.first().copied().unwrap_or(0), 0, 0, 0])) {
            ("hear", _) => {
                let heard = self.heard(numbers[0], numbers[1], numbers[2]);
                self.position += heard.len() as u64;
                self.run(|detector| detector.process_i16(&heard));
            }
            ("echo", [first, count, late, shift]) => {
                for at in (first..first + count).step_by(80) {
                    let (played, heard) = (self.heard(at, 80, 0), self.heard(at - late, 80, shift));
                    self.detector.as_mut().unwrap().echo().unwrap().push_i16(&played).unwrap();
                    self.run(|detector| detector.process_i16(&heard));
                }
            }
            ("level", [times, count, dbov, voice]) => {
                for _ in 0..times {
                    self.run(|detector| detector.push_level(count as u64, (dbov | voice << 7) as u8));
                }
            }
            ("mute", [muted, ..]) => detector.set_muted(muted != 0),
            ("gap", [count, ..]) => {
                self.position += count as u64;
                self.run(|detector| detector.push_gap(count as u64));
            }
            ("margin", _) => detector.set_speaker_margin(level).unwrap(),
            ("speaker", _) => {
                detector.set_speaker_level(level, Duration::from_millis(numbers[1] as u64)).unwrap()
            }
            ("gain", _) => detector.change_input_gain(level).unwrap(),
            ("flush", _) => self.run(Detector::flush),
            _ => panic!("unknown: {step}"),
        }
    }

    fn answers(mut self) -> Vec<String> {
        if let Some(cutter) = &mut self.cutter {
            self.cuts.extend(cutter.finish(self.position).iter().map(cut));
        }
        self.answers.append(&mut self.cuts);
        for run in self.hops.chunk_by(|one, next| one == next) {
            self.answers.push(format!("> hops {} {}", run.len(), run[0]));
        }
        let status = self.detector.unwrap().status();
        self.answers.push(format!("> status {} {}", status.hops, status.missing_samples));
        self.answers
    }
}

#[test]
fn every_stream_has_the_answers_of_c() {
    let Some(contract) = env::var_os("CONTRACT").map(PathBuf::from) else {
        return eprintln!("CONTRACT names no folder with the streams");
    };
    let streams = fs::read_to_string(contract.join("streams.txt")).unwrap();
    let talk: Vec<i16> = fs::read(contract.join("talk.s16"))
        .unwrap()
        .chunks_exact(2)
        .map(|bytes| i16::from_le_bytes([bytes[0], bytes[1]]))
        .collect();
    for text in streams.trim().split("\n\n").skip(1) {
        let (head, lines) = text.split_once('\n').unwrap();
        let [_, name, rate_hz, preset] = head.split(' ').collect::<Vec<_>>().try_into().unwrap();
        let preset = match preset {
            "notice" => Preset::Notice,
            "transcription" => Preset::Transcription,
            _ => Preset::Conversation,
        };
        let mut stream = Stream {
            talk: &talk,
            config: Config::preset(rate_hz.parse().unwrap(), preset),
            rules: None,
            has_echo: name.contains("echo"),
            detector: None,
            cutter: None,
            position: 0,
            answers: vec![],
            cuts: vec![],
            hops: vec![],
        };
        for line in lines.lines().filter(|line| !line.starts_with('>')) {
            let words: Vec<_> = line.split(' ').collect();
            stream.take(words[0], &words[1..]);
        }
        let expected: Vec<_> = lines.lines().filter(|line| line.starts_with('>')).collect();
        assert_eq!(stream.answers(), expected, "{name}");
    }
}
