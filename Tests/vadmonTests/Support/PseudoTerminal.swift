import Foundation
import TestSupport

/// vadmon on a real terminal: a pseudo-terminal from Python's standard library, with a shell's job control and a screen
/// that supports the few sequences that vadmon may send and fails on any other.
struct PseudoTerminal: Decodable {
  /// The actions of a user, in order.
  enum Step: Encodable {
    /// Waits until the screen shows a text, or no longer shows it.
    case see(String)
    case seeNo(String)
    case press(String)
    case signal(Int32)
    case resize(columns: Int, rows: Int)
    /// Waits until the program is stopped, as by Ctrl-Z; `resume` brings it to the foreground again.
    case waitForStop
    case resume
    /// Waits until this many more lines have arrived from the pipe that is standard output.
    case receive(lines: Int)
    /// Records the screen and the terminal's modes in ``PseudoTerminal/looks``.
    case look

    /// Encodes the step's name and its arguments for the script.
    func encode(to encoder: any Encoder) throws {
      var list = encoder.unkeyedContainer()
      try list.encode(name)
      switch self {
      case .see(let text), .seeNo(let text), .press(let text): try list.encode(text)
      case .signal(let number): try list.encode(number)
      case .resize(let columns, let rows): try list.encode([columns, rows])
      case .receive(let lines): try list.encode(lines)
      case .waitForStop, .resume, .look: break
      }
    }

    private var name: String {
      switch self {
      case .see: "see"
      case .seeNo: "see_no"
      case .press: "press"
      case .signal: "signal"
      case .resize: "resize"
      case .waitForStop: "wait_for_stop"
      case .resume: "resume"
      case .receive: "receive"
      case .look: "look"
      }
    }
  }

  /// A screen and the modes of the terminal at one time.
  struct Look: Decodable {
    var lines: [String]
    var showsCursor: Bool
    var wrapsLines: Bool
    var hasKeys: Bool

    var text: String { lines.joined(separator: "\n") }
  }

  /// The exit code, or the negative number of the signal that ended the program.
  var status: Int32
  /// Everything that was sent to the terminal.
  var sent: String
  var looks: [Look]
  /// The screen and modes at the end.
  var end: Look
  /// Whether the terminal's attributes (tcgetattr) at the end equal those before.
  var isRestored: Bool
  /// The data from standard output, if that was not a terminal.
  var output: String
  /// The condition that was waited for and did not occur.
  var missed: String?

  private struct Request: Encodable {
    var command: [String]
    var environment: [String: String]
    var columns: Int
    var rows: Int
    var output: String
    var steps: [Step]
  }

  /// Runs vadmon; `output` is the kind of standard output: "terminal", "pipe" or the path of a file.
  static func run(
    _ arguments: [String], columns: Int = 80, rows: Int = 24, output: String = "terminal",
    environment: [String: String] = [:], steps: [Step] = []
  ) throws -> PseudoTerminal {
    let request = Request(
      command: [Program.path] + arguments,
      environment: ["TERM": "xterm", "LC_ALL": "C.UTF-8"].merging(environment) { $1 },
      columns: columns, rows: rows,
      output: output, steps: steps)
    let result = try Program.python(script, input: try JSONEncoder().encode(request))
    guard result.status == 0 else { throw CommandFailure(result) }
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    return try decoder.decode(PseudoTerminal.self, from: result.bytes)
  }

  private static let script = #"""
    import codecs, fcntl, json, os, re, select, signal, struct, sys, termios, time

    class Screen:
        """As much of a terminal (ECMA-48, xterm) as vadmon uses. Lines that are too long are cut."""
        def __init__(self, columns, rows):
            self.rows, self.row, self.column = rows, 0, 0
            self.cells = [{} for _ in range(rows)]
            self.resize(columns, rows)
            self.cursor = self.wraps = True
            self.updating = False # a drawing has begun and is not complete
            self.other = None
            self.rest = ""

        def resize(self, columns, rows):
            self.columns = columns
            while len(self.cells) > rows:
                if self.row < len(self.cells) - 1: self.cells.pop()
                else: self.cells.pop(0); self.row -= 1
            while len(self.cells) < rows: self.cells.append({})
            self.rows, self.row = rows, max(0, self.row)

        def feed(self, text):
            text = self.rest + text
            self.rest = ""
            while text:
                if text[0] == "\x1b":
                    found = re.match(r"\x1b\[([?0-9;]*)([A-Za-z])", text)
                    if not found:
                        if len(text) < 12: self.rest = text; return
                        raise SystemExit("unknown sequence " + repr(text[:12]))
                    self.command(found[1], found[2])
                    text = text[found.end():]
                else:
                    self.character(text[0])
                    text = text[1:]

        def command(self, number, letter):
            if letter == "m": return
            if letter == "H" and not number: self.row = self.column = 0
            elif letter == "A": self.row = max(0, self.row - int(number or 1))
            elif letter == "K" and not number: self.erase_right()
            elif letter == "J" and not number:
                self.erase_right()
                for row in range(self.row + 1, self.rows): self.cells[row] = {}
            elif number == "?25" and letter in "hl": self.cursor = letter == "h"
            elif number == "?7" and letter in "hl": self.wraps = letter == "h"
            elif number == "?2026" and letter in "hl": self.updating = letter == "h"
            elif number == "?1049" and letter == "h":
                self.other = self.cells, self.row, self.column
                self.cells, self.row, self.column = [{} for _ in range(self.rows)], 0, 0
            elif number == "?1049" and letter == "l":
                self.cells, self.row, self.column = self.other
                while len(self.cells) > self.rows: self.cells.pop()
                while len(self.cells) < self.rows: self.cells.append({})
            else: raise SystemExit("unknown sequence CSI " + number + letter)

        def erase_right(self):
            line = self.cells[self.row]
            for column in [c for c in line if c >= self.column]: del line[column]

        def character(self, character):
            if character == "\r": self.column = 0
            elif character == "\n":
                if self.row == self.rows - 1: self.cells.pop(0); self.cells.append({})
                else: self.row += 1
            elif character == "\b": self.column = max(0, self.column - 1)
            elif character == "\t": self.column = self.column // 8 * 8 + 8
            elif character < " ": raise SystemExit("unknown control " + repr(character))
            else:
                if self.column >= self.columns:
                    if not self.wraps: self.column = self.columns - 1
                    else: self.character("\r"); self.character("\n")
                self.cells[self.row][self.column] = character
                self.column += 1

        def lines(self):
            made = ["".join(line.get(c, " ") for c in range(max(line, default=-1) + 1)) for line in self.cells]
            while made and not made[-1].strip(): made.pop()
            return made

    class Terminal:
        def __init__(self, request):
            self.steps = request["steps"]
            self.master, self.slave = os.openpty()
            self.set_size(request["columns"], request["rows"])
            self.screen = Screen(request["columns"], request["rows"])
            self.before = termios.tcgetattr(self.slave)
            self.sent, self.decoder = "", codecs.getincrementaldecoder("utf-8")()
            self.output, self.missed, self.status, self.stopped = b"", None, None, False
            self.looks = []
            # What a login shell does: a session with this terminal, and each job a process group of its own.
            os.setsid()
            fcntl.ioctl(self.slave, termios.TIOCSCTTY, 0)
            signal.signal(signal.SIGTTOU, signal.SIG_IGN)
            self.pipe = None
            self.start(request)

        def start(self, request):
            target = self.slave
            if request["output"] == "pipe": self.pipe, target = os.pipe()
            elif request["output"] != "terminal":
                target = os.open(request["output"], os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
            environment = dict(os.environ, **request["environment"])
            self.child = os.fork()
            if self.child == 0:
                os.setpgid(0, 0)
                os.tcsetpgrp(self.slave, os.getpid())
                signal.pthread_sigmask(signal.SIG_SETMASK, [])
                for number in range(1, 32):
                    try: signal.signal(number, signal.SIG_DFL)
                    except (OSError, ValueError): pass
                for descriptor, source in enumerate((self.slave, target, self.slave)): os.dup2(source, descriptor)
                os.closerange(3, 100)
                os.execve(request["command"][0], request["command"], environment)
            if target != self.slave: os.close(target)

        def set_size(self, columns, rows):
            fcntl.ioctl(self.slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

        def look(self):
            flags = termios.tcgetattr(self.slave)[3]
            return {"lines": self.screen.lines(), "shows_cursor": self.screen.cursor,
                    "wraps_lines": self.screen.wraps, "has_keys": not flags & termios.ICANON and not flags & termios.ECHO}

        def pump(self, seconds):
            """Takes what comes for so long, or less."""
            sources = [self.master] + ([self.pipe] if self.pipe is not None else [])
            for source in select.select(sources, [], [], seconds)[0]:
                data = os.read(source, 65536)
                if source == self.master:
                    text = self.decoder.decode(data)
                    self.sent += text
                    self.screen.feed(text)
                elif data: self.output += data
                else: self.pipe = None
            if self.status is None:
                child, status = os.waitpid(self.child, os.WNOHANG | os.WUNTRACED)
                if child and os.WIFSTOPPED(status): self.stopped = True
                elif child: self.status = os.waitstatus_to_exitcode(status)

        def settled(self, quiet=0.02):
            """What was written arrives in pieces and a moment later, because the kernel hands it over on a thread of its
            own: takes it until nothing has come for so many seconds and the drawing is complete, for two seconds at most."""
            end = time.monotonic() + 2
            while time.monotonic() < end and (select.select([self.master], [], [], quiet)[0] or self.screen.updating):
                self.pump(0)
            return self

        def until(self, what, condition):
            end = time.monotonic() + 20
            while not condition():
                if time.monotonic() > end or (self.status is not None and what != "the end"):
                    raise LookupError(what)
                self.pump(0.02)

        def shows(self, text): return not self.screen.updating and any(text in line for line in self.screen.lines())

        def step(self, name, value=None):
            if name == "see": self.until(value, lambda: self.shows(value))
            elif name == "see_no":
                self.until("no " + value, lambda: not self.settled().shows(value))
            elif name == "press": os.write(self.master, value.encode())
            elif name == "signal": os.kill(self.child, value)
            elif name == "resize":
                self.screen.resize(*value)
                self.set_size(*value)
            elif name == "wait_for_stop":
                self.until("a stop", lambda: self.stopped)
                self.settled(0.2)
                os.tcsetpgrp(self.slave, os.getpgrp())
            elif name == "resume":
                self.stopped = False
                os.tcsetpgrp(self.slave, self.child)
                os.kill(-self.child, signal.SIGCONT)
            elif name == "receive":
                count = self.output.count(b"\n") + value
                self.until(f"{value} lines", lambda: self.output.count(b"\n") >= count)
            elif name == "look": self.looks.append(self.settled().look())

        def run(self):
            try:
                for step in self.steps: self.step(*step)
                self.until("the end", lambda: self.status is not None)
            except LookupError as error:
                self.missed = str(error) + "; the screen was " + repr(self.screen.lines())
                if self.status is None: os.kill(self.child, signal.SIGKILL)
                self.until("the end", lambda: self.status is not None)
            while self.pipe is not None: self.pump(0)
            self.settled(0.2)
            return {"status": self.status, "sent": self.sent, "looks": self.looks, "end": self.look(),
                    "is_restored": termios.tcgetattr(self.slave) == self.before,
                    "output": self.output.decode(), "missed": self.missed}

    request = json.load(sys.stdin)
    # Whoever leads a process group cannot begin a session.
    child = os.fork()
    if child:
        sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
    result = Terminal(request).run()
    os.write(1, json.dumps(result).encode())
    os._exit(0)
    """#
}
