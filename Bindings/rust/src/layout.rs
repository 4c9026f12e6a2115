//! Holds ffi.rs to the header: a C program, written here from the names of the fields, prints what the C compiler
//! makes of them, and Rust's own sizes, offsets and constants must be the same.
use crate::ffi::*;
use std::fmt::Write;
use std::mem::{offset_of, size_of};
use std::process::Command;

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
    // contract: layout
    describe!(c, rust,
        va_config { struct_size, sample_rate_hz, onset_threshold, offset_threshold, onset_debounce_ms, hangover_ms,
            mute_grace_ms, mute_carry_over_ms, muted_speech_hold_ms, muted_speech_release_ms }
        va_event { r#type as type_, reserved, position, decided_at, length_samples }
        va_hop { position, posterior, level_dbfs, peak_dbfs, noise_floor_dbfs, state, flags, level_dbov, reserved,
            hangover_left_ms }
        va_output { events, event_capacity, event_count, hops, hop_capacity, hop_count, more }
        va_status { struct_size, state, is_speech, is_muted, is_muted_speech, level_dbov, posterior, level_dbfs,
            noise_floor_dbfs, reserved, hops, clipped_samples, non_finite_samples, missing_samples }
        va_speaking_gate { unmet, is_speaking }
        va_muted_notice { duration_ms, interval_ms, shown, count, shown_at_ms, ends_at_ms, is_enabled, is_once_per_mute,
            is_speaking, was_shown_during_mute }
        va_echo_status { struct_size, delay_ms, fit, coupling_db, late_samples }
        va_cut_rules { struct_size, min_silence_ms, min_speech_ms, max_length_ms, pad_before_ms, pad_after_ms }
        va_cut { start, end, decided_at, continues }
    );
    constants!(c, rust, VA_OK VA_ERROR_ARGUMENT VA_ERROR_SAMPLE_RATE VA_ERROR_THRESHOLD VA_ERROR_DURATION
        VA_ERROR_SAVED_DATA VA_ERROR_SAVED_VERSION VA_ERROR_REFERENCE_EARLY VA_PRESET_CONVERSATION VA_PRESET_NOTICE
        VA_PRESET_TRANSCRIPTION VA_STATE_SILENCE VA_STATE_PENDING_ONSET VA_STATE_SPEECH VA_STATE_HANGOVER VA_EVENT_ONSET
        VA_EVENT_OFFSET VA_EVENT_MUTED_SPEECH_BEGIN VA_EVENT_MUTED_SPEECH_END VA_EVENT_DISCONTINUITY VA_HOP_SPEECH
        VA_HOP_MUTED VA_HOP_MUTED_SPEECH VA_HOP_MISSING VA_HOP_LEVEL_ONLY VA_HOP_ECHO VA_DETECTOR_ALIGNMENT);
    // contract end
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
    let mut compiler = env!("VOICEACTIVITY_CC").split_whitespace();
    let compiled = Command::new(compiler.next().unwrap())
        .args(compiler)
        .args(["-I", env!("VOICEACTIVITY_INCLUDE")])
        .arg(&c)
        .arg("-o")
        .arg(&program)
        .status();
    let printed = Command::new(&program).output();
    std::fs::remove_dir_all(&folder).unwrap();
    assert!(compiled.unwrap().success());
    assert_eq!(String::from_utf8(printed.unwrap().stdout).unwrap(), rust);
}
