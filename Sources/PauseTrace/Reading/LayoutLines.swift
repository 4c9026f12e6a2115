internal import Annotations
internal import VideoPause

// Lines about the layout, whose methods have an answer.

extension Fields {
  mutating func layout(_ at: Timestamp) throws(LineFault) -> TraceStep.Apply {
    let layout: VideoLayout = try required("layout", .word)
    return { (coordinator) throws(VideoPauseError) in
      TraceAnswer(try coordinator.setVideoLayout(layout, at: at))
    }
  }

  mutating func layoutStreams(_ at: Timestamp) throws(LineFault) -> TraceStep.Apply {
    let entries = try list("streams") { (fields) throws(LineFault) in
      VideoStreamConfiguration(
        requestedStreamQuality: try fields.required("quality", .word),
        participantID: try fields.optional("participant", .participant),
        streamPriority: try fields.optional("priority", .word))
    }
    return { (coordinator) throws(VideoPauseError) in
      TraceAnswer(try coordinator.setVideoStreamConfiguration(entries, at: at))
    }
  }
}

extension TraceAnswer {
  init(_ result: VideoLayoutResult) {
    switch result {
    case .success: self.init(result: "success")
    case .failure(let reason): self.init(result: "\(reason)")
    }
  }

  init(_ result: VideoStreamConfigurationResult) {
    switch result {
    case .success: self.init(result: "success")
    case .failure(.duplicateParticipantIds(let ids)):
      self.init(result: "duplicateParticipantIds", participants: ids)
    case .failure(.noParticipantsWithIds(let ids)):
      self.init(result: "noParticipantsWithIds", participants: ids)
    case .failure(let reason): self.init(result: "\(reason)")
    }
  }
}
