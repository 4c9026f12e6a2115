//! Speaking while muted, by the rows that the tests of every language replay; their head says what the columns mean.
use std::time::Duration;
use voiceactivity::{MutedNotice, Requirement, SpeakingGate, NOTICE_TEXT};

const TABLE: &str = include_str!("data/speaking-while-muted.txt");
const REQUIREMENTS: [(&str, Requirement); 10] = [
    ("supported_by_runtime", Requirement::SupportedByRuntime),
    ("enabled", Requirement::Enabled),
    ("session_active", Requirement::SessionActive),
    ("session_records", Requirement::SessionRecords),
    ("session_is_conversation", Requirement::SessionIsConversation),
    ("allowed_to_send_audio", Requirement::AllowedToSendAudio),
    ("recording_permitted", Requirement::RecordingPermitted),
    ("playout_is_not_stereo", Requirement::PlayoutIsNotStereo),
    ("microphone_muted", Requirement::MicrophoneMuted),
    ("data_flowing", Requirement::DataFlowing),
];

fn take(gate: &mut SpeakingGate, notice: &mut MutedNotice, input: &str, on: u64) -> bool {
    match input {
        "speech" => return gate.set_speech(on == 1),
        "input_replaced" => return gate.input_replaced(),
        "end" => return gate.end(),
        "dismiss" => _ = notice.dismiss(on),
        "is_enabled" => notice.is_enabled = on == 1,
        "is_once_per_mute" => notice.once_per_mute = on == 1,
        "interval_ms" => notice.interval = Duration::from_millis(on),
        "wait" => (),
        name => {
            let (_, requirement) = REQUIREMENTS.iter().find(|(known, _)| *known == name).expect(name);
            if *requirement == Requirement::MicrophoneMuted && on == 0 {
                notice.unmuted();
            }
            return gate.set(*requirement, on == 1);
        }
    }
    false
}

#[test]
fn speaking_while_muted_is_as_the_table_says() {
    let (mut gate, mut notice) = (SpeakingGate::new(), MutedNotice::new());
    let (mut row, mut rows) = ("", 0);
    for line in TABLE.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        if line.starts_with("row ") {
            (row, gate, notice) = (line, SpeakingGate::new(), MutedNotice::new());
            rows += line.starts_with("row SM-") as u32;
        } else if let Some(text) = line.strip_prefix("text ") {
            assert_eq!(text, NOTICE_TEXT);
        } else {
            let words: Vec<_> = line.split_whitespace().collect();
            let number = |word: &str| word.parse::<u64>().unwrap();
            let changed = take(&mut gate, &mut notice, words[1], number(words[2]));
            notice.update(gate.is_speaking(), Duration::from_millis(number(words[0])));
            let found = [
                changed as u64,
                gate.is_speaking() as u64,
                gate.is_detecting() as u64,
                notice.shown().unwrap_or(0),
                notice.is_still_speaking() as u64,
            ];
            let expected: Vec<_> = words[3..].iter().map(|word| number(word)).collect();
            assert_eq!(found[..], expected[..], "{row}: {line}");
        }
    }
    assert_eq!(rows, 19);
}
