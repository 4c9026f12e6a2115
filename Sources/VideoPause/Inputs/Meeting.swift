/// Who takes part, who speaks, and what the application shows of them.
struct Meeting {
  /// The participants that the host named.
  var participants: Set<ParticipantID> = []
  var speakers = SpeakerOrder()
  var layout = LayoutState()
}
