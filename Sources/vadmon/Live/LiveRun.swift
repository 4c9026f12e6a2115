import Annotations
import AudioInput
import Glibc
import RealTime
import SystemPackage

/// A run of `vadmon live`, from checked options to an exit code.
struct LiveRun: CommandRun {
  let options: LiveOptions

  /// Ends the process and does not return. A thread that hangs in libasound or in a write may hold a resource that an
  /// ordinary exit would clean up.
  func run() -> Int32 { TemporaryFiles.removeAllAndExit(status()) }

  private func status() -> Int32 {
    do throws(RunError) {
      if options.showsConfiguration {
        let run = RunConfiguration(options).sourced(by: options.settings)
        let text = options.isJSON ? run.jsonLine.text + "\n" : run.table
        try ResultOutput.deliver(text, to: nil, beside: options.settings.given)
        return 0
      }
      try FileIdentity.check([], replacing: options.input.files)
      if let hook = options.hook {
        try ProgramSearch.check(
          hook.program, of: "--on-event", argumentOption: "--on-event-argument")
      }
      let inbox = try makeInbox()
      let screen = LiveStage.screen(options)
      // Signals must be blocked before any other thread starts.
      Self.watchSignals(inbox, screen)
      return listen(inbox, try LiveStage(options, screen, inbox))
    } catch {
      Messages(isQuiet: options.isQuiet).report(error)
      return error.exitCode
    }
  }

  private func listen(_ inbox: LiveInbox, _ stage: LiveStage) -> Int32 {
    let messages = Messages(isQuiet: options.isQuiet, progress: stage.display)
    defer { stage.display.finish(Patience(.seconds(1), until: inbox.deadline)) }
    do throws(RunError) {
      let hook = try options.hook.map { command throws(RunError) in
        try EventHook(command, isQuiet: options.isQuiet || stage.hasMeter) {
          inbox.put(.warning($0))
        }
      }
      let opened: InputOpening.Opened
      let outcome = try InputOpening(options, inbox).wait { change, isNew in
        stage.draw(MeterState(options, waiting: change))
        guard isNew else { return }
        let event = LiveEvent(kind: .device(change), time: .zero, decidedAt: .zero)
        hook?.put(event)
        stage.output.write(event)
      }
      switch outcome {
      case .opened(let result): opened = result
      case .interrupted:
        stage.display.close()
        let patience = Patience(StopDeadline.patience, until: inbox.deadline)
        _ = hook?.finish(patience.reserving(StopDeadline.hookReserve))
        _ = try? stage.output.finish(patience)
        messages.note(LiveTally().sentence(duration: .zero))
        return 0
      }
      if let warning = opened.input.recording.flatMap(options.raw.warning(for:)) {
        inbox.put(.warning(warning))
      }
      if let note = opened.input.recording.flatMap(options.raw.note(for:)) { messages.note(note) }
      try Self.checkRoom()
      var session = try LiveSession(options, opened, stage, hook, inbox, messages)
      return session.run()
    } catch {
      stage.display.close()
      messages.report(error)
      // Also report the error to the reader of the records. Whether this succeeds no longer matters.
      stage.output.write(LiveRecords.error(error))
      inbox.deadline.begin()
      _ = try? stage.output.finish(Patience(StopDeadline.patience, until: inbox.deadline))
      return error.exitCode
    }
  }

  /// Throws unless a few more files can be opened and threads started. libdispatch, which runs Swift's tasks, traps
  /// where it gets no file for its timers, and waits for a thread for ever.
  private static func checkRoom() throws(RunError) {
    let isOver = Guarded(false)
    var (files, threads): ([WakeEvent], [JoinableThread]) = ([], [])
    defer {
      isOver.change { $0 = true }
      for thread in threads { thread.join() }
    }
    do throws(Errno) {
      while files.count < 4 { files.append(try WakeEvent()) }
      while threads.count < 6 {
        threads.append(try JoinableThread { _ = isOver.wait { $0 ? true : nil } })
      }
    } catch {
      throw RunError(noThread: "for the analysis", error)
    }
  }

  private func makeInbox() throws(RunError) -> LiveInbox {
    do {
      return try LiveInbox()
    } catch {
      throw RunError(noThread: "for the messages", error)
    }
  }

  private static func watchSignals(_ inbox: LiveInbox, _ screen: MeterScreen?) {
    TerminalModes.giveBackInCrashes()
    EndingSignals.catchRequest { inbox.put(.interrupted) }
    EndingSignals.begin(
      others: [
        SIGUSR1: { inbox.put(.mute(true)) },
        SIGUSR2: { inbox.put(.mute(false)) },
        SIGWINCH: { inbox.put(.resized) },
        SIGCONT: {
          screen?.resume()
          inbox.put(.resumed)
        },
        SIGTSTP: {
          screen?.suspend()
          EndingSignals.stopProcess()
          // SIGCONT does not arrive if the process was not actually stopped.
          screen?.resume()
          inbox.put(.resumed)
        },
      ])
  }
}
