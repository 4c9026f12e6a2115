//! Holds src/ffi.rs to the header: a C program, written here from the names of the fields, prints what the C compiler
//! makes of them, and Rust's own sizes, offsets and constants must be the same.
use std::fmt::Write;
use std::mem::{offset_of, size_of};
use std::process::Command;
use voiceactivity::ffi::*;

macro_rules! describe {
    ($c:ident, $rust:ident, $($structure:ident { $($field:ident $(as $c_field:ident)?),* })*) => {$(
        describe!(@line $c, $rust, concat!("sizeof(", stringify!($structure), ")"), size_of::<$structure>());
        $(describe!(@line $c, $rust,
            concat!("offsetof(", stringify!($structure), ", ", describe!(@name $field $($c_field)?), ")"),
            offset_of!($structure, $field));)*
    )*};
    (@name $field:ident) => { stringify!($field) };
    (@name $field:ident $c_field:ident) => { stringify!($c_field) };
    (@line $c:ident, $rust:ident, $expression:expr, $value:expr) => {
        writeln!($c, "  printf(\"%s %zu\\n\", \"{0}\", (size_t)({0}));", $expression).unwrap();
        writeln!($rust, "{} {}", $expression, $value).unwrap();
    };
}

macro_rules! constants {
    ($c:ident, $rust:ident, $($name:ident)*) => {$(
        describe!(@line $c, $rust, stringify!($name), $name);
    )*};
}

/// The names and values as C has them, and as Rust has them.
fn descriptions() -> (String, String) {
    let mut c = String::from(
        "#include <stddef.h>\n#include <stdio.h>\n#include <voice_activity.h>\nint main(void) {\n",
    );
    let mut rust = String::new();
    describe!(c, rust,
        va_config { struct_size, sample_rate_hz, onset_threshold, offset_threshold, onset_debounce_ms, hangover_ms,
                    mute_grace_ms, mute_carry_over_ms, muted_speech_hold_ms, muted_speech_release_ms }
        va_event { r#type as type_, reserved, position, decided_at, length_samples }
        va_hop { position, posterior, level_dbfs, peak_dbfs, noise_floor_dbfs, state, flags, level_dbov, reserved,
                 hangover_left_ms }
        va_output { events, event_capacity, event_count, hops, hop_capacity, hop_count, more }
        va_status { struct_size, state, is_speech, is_muted, is_muted_speech, level_dbov, posterior, level_dbfs,
                    noise_floor_dbfs, reserved, hops, clipped_samples, non_finite_samples, missing_samples }
    );
    constants!(c, rust, VA_EVENT_ONSET VA_EVENT_OFFSET VA_EVENT_MUTED_SPEECH_BEGIN VA_EVENT_MUTED_SPEECH_END
        VA_EVENT_DISCONTINUITY VA_PRESET_CONVERSATION VA_PRESET_NOTICE VA_PRESET_TRANSCRIPTION);
    c.push_str("}\n");
    (c.replace("type_", "type"), rust.replace("type_", "type"))
}

#[test]
fn every_size_offset_and_constant_is_the_headers() {
    let (source, rust) = descriptions();
    let folder = std::env::temp_dir().join(format!("voiceactivity-layout-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let (c, program) = (folder.join("layout.c"), folder.join("layout"));
    std::fs::write(&c, source).unwrap();
    let compiled = Command::new("cc")
        .args(env!("VOICEACTIVITY_CFLAGS").split_whitespace())
        .arg(&c)
        .arg("-o")
        .arg(&program)
        .status();
    let printed = Command::new(&program).output();
    std::fs::remove_dir_all(&folder).unwrap();
    assert!(compiled.unwrap().success());
    assert_eq!(String::from_utf8(printed.unwrap().stdout).unwrap(), rust);
}

#[test]
fn what_a_remote_says_is_heard_at_once_and_from_any_thread() {
    let config = voiceactivity::Detector::preset(16_000, VA_PRESET_NOTICE).unwrap();
    let mut detector = voiceactivity::Detector::new(&config).unwrap();
    let remote = detector.remote();
    let other = std::thread::spawn(move || {
        remote.set_muted(true);
        remote
    });
    let remote = other.join().unwrap();
    detector.process(&[0.0; 1600], |_| {}).unwrap();
    assert!(remote.status().is_muted);
    assert_eq!(remote.status().hops, 7); // 100 ms less the look-ahead of 30
}

#[test]
fn a_rate_out_of_range_is_refused_with_the_librarys_sentence() {
    let config = voiceactivity::Detector::preset(7_999, VA_PRESET_NOTICE).unwrap();
    let error = voiceactivity::Detector::new(&config).err().unwrap();
    assert_eq!(error.0, 3); // VA_ERROR_SAMPLE_RATE
    assert!(error.to_string().contains("8000"));
}
