package import SystemPackage

/// What the extensions of file names say about their content, in upper or lower case.
package enum MediaName {
  /// Returns whether a file with that name is a recording, or should be.
  package static func isRecording(_ path: FilePath) -> Bool {
    path.extension.map(isRecording(ending:)) ?? false
  }

  /// Returns whether an extension, without its dot, is that of a recording.
  package static func isRecording(ending: String) -> Bool {
    let ending = ending.lowercased()
    return readable.contains(ending) || foreign[ending] != nil
  }

  /// Returns the name of a format that ffmpeg reads and libsndfile does not, judging by the extension.
  static func foreignFormat(of path: FilePath) -> String? {
    path.extension.flatMap { foreign[$0.lowercased()] }
  }

  /// The extensions of formats that libsndfile reads.
  private static let readable: Set = [
    "wav", "wave", "bwf", "rf64", "bw64", "w64", "rifx", "flac", "ogg", "oga", "opus", "spx", "mp3",
    "mp2", "mpga", "aif", "aiff", "aifc", "au", "snd", "caf", "voc", "sph", "nist", "ircam",
    "sf", "paf", "avr", "wve", "sds", "pvf", "8svx", "16svx", "iff",
  ]

  private static let foreign = [
    "m4a": "MP4", "m4b": "MP4", "mp4": "MP4", "m4v": "MP4", "mov": "MP4", "3gp": "MP4",
    "3g2": "MP4",
    "aac": "AAC", "webm": "WebM", "weba": "WebM", "mkv": "Matroska", "mka": "Matroska",
    "wma": "WMA", "asf": "WMA", "amr": "AMR", "awb": "AMR", "avi": "AVI", "flv": "Flash video",
    "ac3": "AC-3", "ape": "Monkey's Audio", "wv": "WavPack", "tta": "True Audio",
    "ts": "MPEG-TS", "m2ts": "MPEG-TS", "mts": "MPEG-TS", "mpg": "MPEG-PS", "mpeg": "MPEG-PS",
    "vob": "MPEG-PS", "dts": "DTS", "rm": "RealMedia", "ra": "RealMedia", "nut": "NUT",
    "gsm": "GSM",
  ]
}
