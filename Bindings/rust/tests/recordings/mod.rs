//! The recordings of tests/data. Beside each are the segments that vadmon finds in it.
use std::fs;
use std::path::PathBuf;

pub struct Recording {
    pub name: String,
    pub rate_hz: u32,
    pub samples: Vec<i16>,
}

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data")
}

/// A mono WAV file of 16 bits with a header of 44 bytes.
pub fn named(name: &str) -> Recording {
    let path = folder().join(name).with_extension("wav");
    let bytes = fs::read(&path)
        .unwrap_or_else(|error| panic!("{}: {error}; make crate writes the recordings", path.display()));
    let (header, sound) = bytes.split_at(44);
    assert!(
        &header[36..40] == b"data" && header[22] == 1 && header[34] == 16,
        "{} is not as expected",
        path.display()
    );
    Recording {
        name: name.into(),
        rate_hz: u32::from_le_bytes(header[24..28].try_into().unwrap()),
        samples: sound.chunks_exact(2).map(|pair| i16::from_le_bytes([pair[0], pair[1]])).collect(),
    }
}

#[allow(dead_code)] // not every test uses all
pub fn all() -> Vec<Recording> {
    let entries =
        fs::read_dir(folder()).unwrap_or_else(|error| panic!("tests/data: {error}; make crate writes it"));
    let mut names: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter_map(|name| name.strip_suffix(".wav").map(String::from))
        .collect();
    names.sort();
    assert!(!names.is_empty());
    names.iter().map(|name| named(name)).collect()
}

impl Recording {
    #[allow(dead_code)]
    pub fn labels(&self) -> String {
        fs::read_to_string(folder().join(&self.name).with_extension("txt")).unwrap()
    }

    #[allow(dead_code)]
    pub fn cuts(&self) -> String {
        fs::read_to_string(folder().join(&self.name).with_extension("cuts")).unwrap()
    }

    #[allow(dead_code)]
    pub fn floats(&self) -> Vec<f32> {
        self.samples.iter().map(|&sample| f32::from(sample) / 32768.0).collect()
    }
}
