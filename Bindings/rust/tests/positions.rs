//! A stream that has lasted for long: positions are whole numbers of 64 bits, from the core to the caller.
use std::{env, fs, path::PathBuf};
use voiceactivity::{Config, Detector, Event, Hop};

const RATE_HZ: u64 = 11_025; // odd: an f64 does not hold its positions beyond 2^53
const HOPS_A_SECOND: u64 = 100;

/// CRC-32, bit by bit.
fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| (crc >> 1) ^ (0xedb8_8320 * (crc & 1)))
    })
}

/// A new stream that begins at a position, a whole number of seconds. In what `save` returns, that is in 8 bytes, and
/// the hops follow.
fn started_at(position: u64) -> Detector {
    let mut saved = Detector::new(&Config::new(RATE_HZ as u32)).unwrap().save().unwrap();
    saved[52..60].copy_from_slice(&position.to_le_bytes());
    saved[60..68].copy_from_slice(&(position / RATE_HZ * HOPS_A_SECOND).to_le_bytes());
    let end = saved.len() - 4;
    let checksum = crc32(&saved[..end]).to_le_bytes();
    saved[end..].copy_from_slice(&checksum);
    Detector::restore(&saved, None).unwrap()
}

fn heard_from(start: u64, talk: &[i16]) -> (Vec<Event>, Vec<Hop>) {
    let mut detector = started_at(start);
    let (mut events, mut hops) = (Vec::new(), Vec::new());
    detector.keep_hops(true);
    for part in 0..4 {
        match part {
            1 => detector.push_gap(RATE_HZ),
            3 => detector.flush(),
            _ => detector.process_i16(talk),
        }
        .unwrap();
        events.extend_from_slice(detector.events());
        hops.extend_from_slice(detector.hops());
    }
    for event in &mut events {
        event.position -= start;
        event.decided_at -= start;
    }
    // Those that wait for their look-ahead began before the start.
    hops.iter_mut().for_each(|hop| hop.position = hop.position.wrapping_sub(start));
    (events, hops)
}

#[test]
fn a_late_stream_is_a_new_one_moved() {
    let Some(contract) = env::var_os("CONTRACT").map(PathBuf::from) else {
        return eprintln!("CONTRACT names no folder with the talk");
    };
    let talk: Vec<i16> = fs::read(contract.join("talk.s16"))
        .unwrap()
        .chunks_exact(2)
        .map(|bytes| i16::from_le_bytes([bytes[0], bytes[1]]))
        .collect();
    let expected = heard_from(60 * RATE_HZ, &talk); // not at 0, before which there is no hop
    assert!(expected.0.len() > 6);
    for bits in [31, 32, 53, 56] {
        let start = ((1 << bits) / RATE_HZ - 3) * RATE_HZ;
        assert!(heard_from(start, &talk) == expected, "2^{bits}");
    }
}
