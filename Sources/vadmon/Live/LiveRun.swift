import Glibc
import SystemPackage

/// `vadmon live` from checked options to an exit code.
struct LiveRun: CommandRun {
  let options: LiveOptions

  func run() -> Int32 {
    do throws(RunError) {
      let inbox = try makeInbox()
      let stage = LiveStage(options)
      // Before anything starts a thread.
      Self.watchSignals(inbox, stage.screen)
      defer { TerminalModes.giveBack() }
      return try listen(inbox, stage)
    } catch {
      let messages = Messages(isQuiet: options.isQuiet, progress: nil)
      for message in error.messages { messages.error(message) }
      return error.exitCode
    }
  }

  private func listen(_ inbox: LiveInbox, _ stage: LiveStage) throws(RunError) -> Int32 {
    do throws(RunError) {
      let input = try LiveInput.open(options)
      var session = try LiveSession(options, input, stage, inbox)
      return try session.run()
    } catch {
      stage.screen?.erase()
      // Whoever reads the records is told as well; whether that works does not matter any more.
      try? stage.output.write(LiveRecords.error(error))
      throw error
    }
  }

  private func makeInbox() throws(RunError) -> LiveInbox {
    do {
      return try LiveInbox()
    } catch {
      throw RunError("cannot wait for anything: \(error)", exitCode: ExitStatus.inputOutput)
    }
  }

  private static func watchSignals(_ inbox: LiveInbox, _ screen: MeterScreen?) {
    TerminalModes.giveBackInCrashes()
    EndingSignals.begin(
      onInterrupt: { inbox.put(.interrupted) },
      others: [
        SIGTERM: { inbox.put(.terminated) },
        SIGWINCH: { inbox.put(.resized) },
        SIGCONT: {
          screen?.resume()
          inbox.put(.resumed)
        },
        SIGTSTP: {
          screen?.suspend()
          EndingSignals.stopProcess()
          // SIGCONT does not come where nothing was stopped.
          screen?.resume()
          inbox.put(.resumed)
        },
      ])
  }
}
