#!/usr/bin/env python3
"""Writes what CSupport/contract owns into the files that need it.

    python3 Scripts/generate_contract.py            # writes the files
    python3 Scripts/generate_contract.py --check    # exits 1, and names the parts, if a file differs

A part of a file lies between a line that ends in `contract: NAME` and one that ends in `contract end`, in the file's own
kind of comment. Single numbers and versions within a line are found by their pattern. Structs of C are read from the
header, which owns them. It uses Python's standard library alone; what it writes is checked in, so that nobody needs it
to build.
"""
import re
import sys
import textwrap
import tomllib
from functools import partial
from itertools import chain
from json import dumps
from pathlib import Path

import schemas

literal = partial(dumps, ensure_ascii=False)

ROOT = Path(__file__).resolve().parent.parent
CONTRACT, PAUSE = (tomllib.loads((ROOT / f"CSupport/contract/{name}.toml").read_text("utf-8"))
                   for name in ("voice_activity", "video_pause"))
CONSTANTS = {constant["name"]: constant["value"] for constant in CONTRACT["constant"]}
SETTINGS = CONTRACT["setting"]
ERRORS = [entry for entry in CONTRACT["status"] if entry["value"] != 0 and not entry.get("is_misuse")]  # that users can meet
LENGTHS = [setting for setting in SETTINGS if setting["name"].endswith("_ms")]
CORE = "CSupport/CVoiceActivity/"
HEADER = CORE + "include/voice_activity.h"
GSTREAMER = "plugins/gstreamer/"
PYTHON = "Bindings/python/extension/"
STUB = "Bindings/python/src/voiceactivity/_core.pyi"
FACE = "CSupport/libvideopause/Face/"
ARGUMENTS = "Sources/vadmon/Arguments/"
PAUSE_HEADER = "CSupport/libvideopause/include/video_pause.h"
WIDTH = 120
SWIFT_WIDTH = 100


# Names

def pascal(name):
    return "".join(part.capitalize() for part in name.split("_"))


def camel(name):
    return name.split("_")[0] + pascal(name[len(name.split("_")[0]):])


def kebab(name):
    return name.replace("_", "-")


def has(entry, language):
    return entry.get("names", {}).get(language) != "-"


def bare(setting):
    return setting["name"].removesuffix("_ms")


DECISION = "    [{c}] = {{{decision[0]:.2f}f, {decision[1]:.2f}f, {decision[2]}, {decision[3]}}},"
PRESET_DOC = "{doc} ({decision[0]:.2f}, {decision[1]:.2f}, {decision[2]}, {decision[3]})"
PREFIXES = {"status": "ERROR", "flag": "HOP"}  # of values in C, where they are not the kind's name


def in_c(kind, entry, library="VA"):
    return f"{library}_OK" if entry["name"] == "ok" else f"{library}_{PREFIXES.get(kind, kind.upper())}_{entry['name'].upper()}"


def says(entry):
    """Returns what an entry is in languages without C's names, with the constants that the text names."""
    return re.sub(r"\{(\w+)\}", lambda found: str(CONSTANTS[found[1]]), entry.get("says") or entry.get("doc", ""))


def sentence(text):
    return text[:1].upper() + text[1:]


def spellings(entry):
    """Returns what a line of an entry is written from."""
    name, short = entry["name"], bare(entry)
    option = entry.get("names", {}).get("option", short)
    return {"default": "", **entry, "bare": short, "camel": camel(short), "pascal": pascal(short),
            "kebab": kebab(short), "upper": short.upper(), "script": camel(name), "words": name.replace("_", " "),
            "joined": name.replace("_", ""), "option": camel(option), "flag": kebab(option),
            "property": literal(entry["property"]) if "property" in entry else "NULL", "group": entry.get("group", "").upper()}


def each(kind, form, language=""):
    """Yields a line of each entry of a kind that a language has. `says` is a sentence."""
    for entry in (entry for entry in CONTRACT[kind] if has(entry, language)):
        text = sentence(says(entry))
        yield form.format(**spellings(entry) | {"c": in_c(kind, entry), "says": text, "text": literal(text)})


def settings(length, threshold="", spell="{name}", is_default=None):
    """Yields a line of each setting, or only of those that have one default, or that presets decide.

    `doc` is what it is, with the names of settings as `spell` has them; `says` is that as a sentence.
    """
    names = {setting["name"]: spell.format(**spellings(setting)) for setting in SETTINGS}
    for setting in SETTINGS:
        form = length if setting in LENGTHS else threshold
        if form and is_default in (None, "default" in setting):
            doc = re.sub(r"\w+", lambda word: names.get(word[0], word[0]), setting["doc"])
            yield form.format(**spellings(setting) | {"doc": doc, "says": sentence(doc)})


# Layout

def columns(rows, indent, separator=" "):
    """Returns lines of cells in columns, without blanks at their ends."""
    count = max(len(row) for row in rows)
    widths = [max((len(row[place]) for row in rows if len(row) > place + 1), default=0) for place in range(count)]
    return [indent + separator.join(
        cell.ljust(width) if place + 1 < len(row) else cell
        for place, (cell, width) in enumerate(zip(row, widths))) for row in rows]


def commented(rows, indent, before, after=""):
    """Returns lines of code with comments in one column, where consecutive lines have one."""
    lines, run = [], []
    for code, doc in [*rows, (None, None)]:
        if doc:
            run.append([code, f"{before}{doc}{after}"])
            continue
        lines += columns(run, indent) if run else []
        run = []
        lines += [] if code is None else [indent + code]
    return lines


def wrapped(text, first, rest=None, width=WIDTH):
    return textwrap.wrap(text, width, initial_indent=first, subsequent_indent=first if rest is None else rest,
                         break_on_hyphens=False, break_long_words=False)


# C

def enum(kind, name, contract=CONTRACT, library="VA"):
    rows = []
    for place, entry in enumerate(contract[kind]):
        comma = "," if place + 1 < len(contract[kind]) else ""
        doc = (PRESET_DOC if kind == "preset" else "{doc}").format(**{"doc": "", **entry})
        rows.append((f"{in_c(kind, entry, library)} = {entry['value']}{comma}", doc))
    return [f"typedef enum {name} {{", *commented(rows, "  ", "/* ", " */"), f"}} {name};"]


def config():
    size = ("uint32_t struct_size;", "sizeof(va_config); va_config_default and va_config_preset set it")
    rate = ("uint32_t sample_rate_hz;", "of the input, VA_SAMPLE_RATE_MIN_HZ … VA_SAMPLE_RATE_MAX_HZ")
    rows = [size, rate, *((f"{s['type']} {s['name']};", s["doc"]) for s in SETTINGS)]
    return ["typedef struct va_config {", *commented(rows, "  ", "/* ", " */"), "} va_config;"]


def texts():
    for entry in CONTRACT["status"]:
        text = re.sub(r"\{(\w+)\}", r'" TEXT(VA_\1) "', entry["text"])
        line = f'    case {in_c("status", entry)}: return "{text}";'
        yield from [line] if len(line) <= WIDTH else [
            f'    case {in_c("status", entry)}:', f'      return "{text}";']


def decisions():
    for preset, numbers in zip(CONTRACT["preset"], each("preset", DECISION)):
        # A space that does not break keeps the end of the comment with its last word.
        yield from (line.replace("\xa0", " ") for line in wrapped(f"/* {preset['why']}\xa0*/", "    ", "     * "))
        yield numbers


# What the headers own

TEXTS = {}


def read(file):
    """Returns a file's text, with what this run has changed."""
    if file not in TEXTS:
        TEXTS[file] = (ROOT / file).read_text("utf-8")
    return TEXTS[file]


def structs(header, but=""):
    """Yields name, fields as (type, name, place), and size of each public struct that a header defines, but one."""
    sizes = {"bool": 1, "uint8_t": 1, "uint32_t": 4, "float": 4, "va_status_code": 4}  # others and pointers: 8
    text = re.sub(r"/\*.*?\*/", "", read(header), flags=re.S)
    for name, body in re.findall(r"typedef struct (\w+) \{\n(.*?)\n\} \1;", text, flags=re.S):
        at, widest, fields = 0, 1, []
        for kind, names in re.findall(r"^  ([\w ]+?[ *]+)(\w+(?:, \w+)*);", body, flags=re.M):
            kind = kind.strip()
            size = sizes.get(kind, 8)
            place = min(size, 8)
            for field in names.split(", "):
                at, widest = -(-at // place) * place, max(widest, place)
                fields.append((kind, field, at))
                at += size
        sizes[name] = -(-at // widest) * widest
        if name != but:
            yield name, fields, sizes[name]


def enums(header):
    """Yields name, and values as (name, number), of each public enum that a header defines."""
    text = re.sub(r"/\*.*?\*/", "", read(header), flags=re.S)
    for name, body in re.findall(r"typedef enum (\w+) \{(.*?)\} \1;", text, flags=re.S):
        yield name, re.findall(r"(\w+) = (\d+)", body)


def promises(header):
    for name, fields, size in structs(header):
        lines = [f"SIZE({name}, {size});", *(f"FIELD({name}, {field}, {kind}, {at});" for kind, field, at in fields)]
        if any("*" in kind or kind == "size_t" for kind, _, _ in fields):
            lines = ["#if UINTPTR_MAX > UINT32_MAX", *lines, "#endif"]
        yield from [*lines, ""]
    for _, values in enums(header):
        yield from [*(f"VALUE({name}, {value});" for name, value in values), ""]
    for name, value in re.findall(r"^#define (V[AP]_(?!ABI)\w+) (?:INT64_C\()?(\d+(?:ull)?|INT64_MAX)\)?(?: +/\*.*)?$", read(header), flags=re.M):
        yield f"VALUE({name}, {value});"


# Other languages

RUST = {"uint8_t": "u8", "uint32_t": "u32", "uint64_t": "u64", "int64_t": "i64", "float": "f32", "double": "f64",
        "size_t": "usize", "bool": "bool"}
RUST_TYPES = {"status": "c_int", "preset": "c_int", "state": "u8", "event": "u32", "flag": "u8"}


def rust_values():
    """Yields what the crate uses of the header: name, type and value."""
    for kind, rust in RUST_TYPES.items():
        entries = [CONTRACT["status"][0], *ERRORS] if kind == "status" else CONTRACT[kind]
        yield from ((in_c(kind, entry), rust, entry["value"]) for entry in entries)
    yield "VA_DETECTOR_ALIGNMENT", "usize", CONSTANTS["DETECTOR_ALIGNMENT"]


def rust_struct(name, fields, traits):
    yield "#[repr(C)]"
    if not any("*" in kind for kind, _, _ in fields):
        yield f"#[derive({traits})]"
    yield f"pub struct {name} {{"
    for kind, field, _ in fields:
        rust = "*mut " + kind.rstrip("* ") if "*" in kind else RUST.get(kind, kind)
        yield f"    pub {'r#type' if field == 'type' else field}: {rust},"
    yield from ["}", ""]


def rust_ffi():
    for name, fields, _ in structs(HEADER, "va_batch_item"):
        yield from rust_struct(name, fields, "Clone, Copy, Debug, Default")
    yield from (f"pub const {name}: {rust} = {value};" for name, rust, value in rust_values())


def rust_pause_ffi():
    for name, fields, _ in structs(PAUSE_HEADER):
        yield from rust_struct(name, fields, "Clone, Copy, Debug, Default, PartialEq")
    for enum_name, values in enums(PAUSE_HEADER):
        rust = {"vp_status_code": "c_int", "vp_track": "u64"}.get(enum_name, "u32")
        yield from (f"pub const {name}: {rust} = {value};" for name, value in values)


def rust_layout():
    yield "    describe!(c, rust,"
    for name, fields, _ in structs(HEADER, "va_batch_item"):
        names = ["r#type as type_" if field == "type" else field for _, field, _ in fields]
        yield from wrapped(f"{name} {{ {', '.join(names)} }}", " " * 8, " " * 12)
    yield "    );"
    yield from wrapped("constants!(c, rust, " + " ".join(name for name, _, _ in rust_values()) + ");", " " * 4, " " * 8)


def go_constants(kind, go, prefix=""):
    entries = ERRORS if kind == "status" else CONTRACT[kind]
    return columns([[prefix + pascal(e["name"]), go, f"= C.{in_c(kind, e)}", f"// {says(e)}"] for e in entries], "\t")


def quoted(kind, spell, separator, quote='"'):
    return separator.join(f'{quote}{spell(entry["name"])}{quote}' for entry in CONTRACT[kind])


def web_layout():
    yield f"export const PRESETS = [{quoted('preset', camel, ', ')}];"
    yield f"const STATES = [{quoted('state', camel, ', ')}];"
    yield f"export const NOTICE_MS = {CONSTANTS['NOTICE_MS']}, NOTICE_TEXT = {literal(CONTRACT['notice_text'])};"
    yield from wrapped(f"export const REQUIREMENTS = [{quoted('requirement', camel, ', ')}];", "", "  ")
    yield f"const EVENTS = [, {quoted('event', camel, ', ')}];"
    flags = [f"{e['name'].upper()} = {e['value']}" for e in CONTRACT["flag"] if has(e, "web")]
    yield f"const {', '.join(flags)};"
    yield from ["", "/** The settings of a detector by their names, and how they are written. */", "export const SETTINGS = {"]
    places = {name: {field: (kind, at) for kind, field, at in fields} for name, fields, _ in structs(HEADER)}
    for setting in SETTINGS:
        kind, at = places["va_config"][setting["name"]]
        view = {"float": "Float32", "uint32_t": "Uint32"}[kind]
        yield f'  {camel(setting["name"])}: {{ at: {at}, set: "set{view}", get: "get{view}" }},'
    rules = ", ".join(f"{camel(rule)}: {places['va_cut_rules'][rule][1]}" for rule in CONTRACT["cut_rule"])
    yield from ["};", "", "/** Where the rules of a cutter are, each a number of milliseconds. */",
                f"export const CUT_RULES = {{ {rules} }};"]


def web_types():
    return ["/**", " * What the thresholds are tuned for.",
            *(f" * - `{camel(preset['name'])}`: {preset['doc']}" for preset in CONTRACT["preset"]), " */",
            f"export type Preset = {quoted('preset', camel, ' | ')};", "",
            f"export type SpeechState = {quoted('state', camel, ' | ')};", "",
            f"export type EventType = {quoted('event', camel, ' | ')};", "", "export type MutedSpeechRequirement =",
            *(f'  | "{camel(e["name"])}" // {e["doc"]}' for e in CONTRACT["requirement"])]


def gstreamer_groups():
    for group in dict.fromkeys(entry["group"] for entry in CONTRACT["event"]):
        names = ", ".join(kebab(entry["name"]) for entry in CONTRACT["event"] if entry["group"] == group)
        yield f'      {{GST_VOICE_ACTIVITY_{group.upper()}, "{names}", "{kebab(group)}"}},'


# Video pause

def in_swift(setting):
    return setting.get("names", {}).get("swift") or camel(re.sub(r"_(bps|us)$", "", setting["name"]))


def in_json(setting):
    return setting.get("names", {}).get("json") or re.sub(r"_us$", "_ms", setting["name"])


def range_of(setting):
    return "lengths" if setting["kind"] == "length" else setting.get("range")


def pause_settings(is_in_c=False, is_ranged=False):
    return [s for s in PAUSE["setting"] if not (is_in_c and not has(s, "c")) and not (is_ranged and not range_of(s))]


def defaults(setting):
    """Returns a default in Swift, and in the comments of C."""
    value = setting["default"]
    match setting["kind"]:
        case "length" if value % 1_000_000 == 0: return f".seconds({value // 1_000_000})", f"{value // 1_000_000} s"
        case "length": return f".milliseconds({value // 1_000:_})", f"{value / 1e6:g} s" if value >= 1e6 else f"{value / 1e3:g} ms"
        case "flag": return str(value).lower(), str(int(value))
        case "word": return f".{value}", value
        case "factor" | "share": return str(value), str(value)
    return f"{value:_}", f"{value:,}"


def sentences():
    for entry in PAUSE["status"]:
        line = f'  case {in_c("status", entry, "VP")}: "{entry["text"]}"'
        yield from [line] if len(line) <= SWIFT_WIDTH else line.replace(': "', ':\n    "', 1).split("\n")


def to_c():
    wraps = {"rate": "Int64({})", "count": "UInt32({})", "length": "{}.wholeMicroseconds", "flag": "{} ? 1 : 0", "word": "{}.numberInC"}
    for setting in pause_settings(is_in_c=True):
        yield f"    {setting['name']} = " + wraps.get(setting["kind"], "{}").format("configuration." + in_swift(setting))


def from_c():
    wraps = {"rate": "Int({})", "count": "Int({})", "length": ".microseconds({})", "flag": "{} != 0"}
    for setting in pause_settings(is_in_c=True):
        if setting["kind"] != "word":
            yield f"    {in_swift(setting)} = " + wraps.get(setting["kind"], "{}").format("config." + setting["name"])


def trace_fields():
    for setting in PAUSE["setting"]:
        has_range = setting["kind"] in ("rate", "count") and range_of(setting) != "bitrates"
        limits = f", VideoPauseLimits.{range_of(setting)}" if has_range else ""
        yield f'      {setting["kind"]}("{in_json(setting)}", \\.{in_swift(setting)}{limits}),'


def go_pause_struct(name):
    fields = next(fields for struct, fields, _ in structs(PAUSE_HEADER) if struct == name)
    types = {"double": "float64"}
    rows = [["structSize" if field == "struct_size" else pascal(field), types.get(kind, kind.removesuffix("_t"))]
            for kind, field, _ in fields]
    return columns(rows, "\t")


# JSON

def member(setting):
    limits = {"minimum": 0, "maximum": CONSTANTS["DURATION_MAX_MS"]} if setting in LENGTHS else {
        "exclusiveMinimum": 0, "exclusiveMaximum": 1}
    kind = "integer" if setting in LENGTHS else "number"
    return {"description": sentence(setting["doc"]) + ".", "type": kind, **limits}


# Where it goes

def parts():
    """Yields file, part and lines."""
    for kind, name in (("status", "va_status_code"), ("preset", "va_preset"), ("flag", "va_hop_flags"),
                       ("requirement", "va_requirement")):
        yield HEADER, kind, enum(kind, name)
    yield HEADER, "results", [*enum("state", "va_speech_state"), "", *enum("event", "va_event_type")]
    yield HEADER, "setting", config()
    yield PAUSE_HEADER, "status", enum("status", "vp_status_code", PAUSE, "VP")
    yield CORE + "library.c", "status", texts()
    yield CORE + "library.c", "preset", decisions()
    yield CORE + "library.c", "setting", settings("      .{name} = {default},", is_default=True)
    yield CORE + "library.c", "length", wrapped(" ".join(settings("config->{name},")), "      ")
    yield CORE + "save.c", "setting", settings(
        "  va_archive_u32(a, &config->{name}, UINT32_MAX);", "  va_archive_floats(a, &config->{name}, 1, 0, 1);")
    yield "CSupport/libvoiceactivity/abi/layout.c", "promises", promises(HEADER)
    yield "CSupport/libvideopause/abi/layout.c", "promises", promises(PAUSE_HEADER)
    yield FACE + "Status.swift", "status", sentences()
    yield FACE + "Settings.swift", "to C", to_c()
    yield FACE + "Settings.swift", "from C", from_c()
    yield FACE + "Settings.swift", "names in C", [
        f'    case .{in_swift(s)}: "{s["name"]}"' for s in pause_settings(is_ranged=True)]
    yield "Sources/VideoPause/Configuration.swift", "fields", [line.rstrip(",") for line in wrapped(
        ", ".join(in_swift(s) for s in pause_settings(is_ranged=True)), "    case ", width=SWIFT_WIDTH)]
    yield "Sources/VideoPause/Configuration.swift", "ranges", [
        f"    case .{in_swift(s)}: Limits.{range_of(s)}.contains({in_swift(s)})" for s in pause_settings(is_ranged=True)]
    yield "Sources/PauseTrace/Reading/ConfigurationField.swift", "settings", trace_fields()
    yield "Bindings/rust/videopause/src/ffi.rs", "layout", rust_pause_ffi()
    yield "Bindings/go/videopause/coordinator.go", "config", go_pause_struct("vp_config")
    yield "Bindings/go/videopause/coordinator.go", "demand", go_pause_struct("vp_demand")
    yield "Bindings/rust/src/ffi.rs", "layout", rust_ffi()
    yield "Bindings/rust/src/layout.rs", "layout", rust_layout()
    yield "Bindings/go/library.go", "status", go_constants("status", "Error", "Err")
    for kind, file, go in (("event", "results", "EventType"), ("state", "results", "State"), ("requirement", "muted", "Requirement")):
        yield f"Bindings/go/{file}.go", kind, go_constants(kind, go)
        yield f"Bindings/go/{file}.go", f"{kind} names", each(kind, '\tcase {pascal}:\n\t\treturn "{words}"')
    yield "Bindings/go/results.go", "flag", go_constants("flag", "HopFlags", "Hop")
    yield "Bindings/go/options.go", "preset", go_constants("preset", "Preset")
    yield "Bindings/go/options.go", "setting", columns([line.split("|") for line in settings(
        "{pascal}|time.Duration|// {doc}", "{pascal}|float32|// {doc}", spell="{pascal}")], "\t")
    yield "Bindings/go/options.go", "settings of C", columns([line.split() for line in settings(
        "{pascal}: duration(config.{name}),", "{pascal}: float32(config.{name}),")], "\t\t")
    yield "Bindings/go/options.go", "durations of C", settings("\t\t{{&config.{name}, s.{pascal}}},")
    for file, kind, indent in ((PYTHON + "results.c", "event", 4), (PYTHON + "settings.c", "preset", 6),
                               (PYTHON + "muted.c", "requirement", 4), ("Tests/Library/muted.c", "requirement", 4)):
        yield file, kind, each(kind, " " * indent + '[{c}] = "{name}",')
    variant = "    /// {says}.\n    {pascal} = {value},"
    yield "Bindings/rust/src/muted.rs", "requirement", each("requirement", variant)
    for kind, rust in (("event", "EventKind"), ("state", "State")):
        yield "Bindings/rust/src/results.rs", kind, each(kind, variant)
        yield "Bindings/rust/src/results.rs", f"{kind} of C", each(kind, f"            ffi::{{c}} => {rust}::{{pascal}},")
    yield "Bindings/rust/src/config.rs", "setting", settings(
        "    /// {says}.\n    pub {bare}: Duration,", "    /// {says}.\n    pub {bare}: f32,", spell="`{bare}`")
    yield "Bindings/rust/src/config.rs", "settings of C", settings(
        "            {bare}: duration(config.{name}),", "            {bare}: config.{name},")
    yield "Bindings/rust/src/config.rs", "settings to C", settings(
        "            {name}: ms(self.{bare})?,", "            {name}: self.{bare},")
    yield "Bindings/rust/src/muted.rs", "notice text", [f"pub const NOTICE_TEXT: &str = {literal(CONTRACT['notice_text'])};"]
    yield PYTHON + "settings.h", "setting", [
        "#define THRESHOLDS(DO) " + " ".join(settings("", "DO({name})")), "#define LENGTHS(DO) \\",
        " \\\n".join(wrapped(" ".join(settings("DO({name})")), "  ", width=WIDTH - 2))]
    yield PYTHON + "detector.c", "preset", each("preset", '     "\\n{name}: " {text}')
    help_line = '     "\\n{name}: {doc}'
    yield PYTHON + "detector.c", "setting", chain(
        settings(help_line + '"', help_line + '"', is_default=False), settings(help_line + ' ({default})"', is_default=True))
    yield PYTHON + "muted.c", "requirement names", each("requirement", '    " {name}"')
    yield PYTHON + "results.c", "event names", ['    "' + quoted("event", str, ", ", "'") + '"']
    yield STUB, "setting", settings("        {name}: int | None = None,", "        {name}: float | None = None,")
    yield "Bindings/web/src/core/layout.js", "layout", web_layout()
    yield "Bindings/web/src/index.d.ts", "types", web_types()
    yield "Bindings/web/src/index.d.ts", "length", settings("  /** {says}. */\n  {script}?: number;", spell="{script}")
    yield "Bindings/web/src/index.d.ts", "event", each("event", "  {joined}: CustomEvent<VoiceActivityEvent>;")
    yield GSTREAMER + "messages.c", "event", each("event", '    [{c}] = {{"{kebab}", {property}, GST_VOICE_ACTIVITY_{group}}},')
    yield GSTREAMER + "properties.h", "length", settings("  PROP_{upper},")
    yield GSTREAMER + "properties.c", "length", settings("    case PROP_{upper}: return &config->{name};")
    yield GSTREAMER + "declarations.c", "length", settings(
        '      {{PROP_{upper}, "{kebab}",\n       "{says} (ns)"}},', spell="{kebab}")
    yield GSTREAMER + "declarations.c", "event", gstreamer_groups()
    yield GSTREAMER + "declarations.c", "preset", each("preset", '      {{{c}, {text}, "{kebab}"}},')
    yield GSTREAMER + "declarations.c", "requirement", each(
        "requirement", '      {{1 << {c}, {text},\n       "{kebab}"}},', "gstreamer")
    yield ARGUMENTS + "Arguments.swift", "preset", (
        f"    case .{camel(e['name'])}: {literal(e['doc'])}" for e in CONTRACT["preset"])
    yield ARGUMENTS + "DetectorOptions.swift", "length", settings(
        "      .init(.{camel}, given: {option}?.duration),", is_default=True)
    yield ARGUMENTS + "Settings/SettingKey.swift", "length", settings(
        '  static var {camel}: Self {{ length("{name}") }}')
    row = '      Self(.{camel}, "--{flag}", \\.{camel}'
    yield ARGUMENTS + "Settings/DetectorSettings.swift", "length", chain(
        settings(row + ", isOfPreset: true),", is_default=False), settings(row + "),", is_default=True))
    yield "Sources/VoiceActivity/Configuration.swift", "settings of C", settings(
        "      {camel} = .milliseconds(defaults.{name})", "      {camel} = defaults.{name}")
    yield "Sources/VoiceActivity/Configuration.swift", "settings to C", settings(
        "    value.{name} = {camel}.wholeMilliseconds", "    value.{name} = {camel}")
    yield "docs/terminal.md", "preset", chain(
        ["| preset | for | onset | offset | debounce | hangover |", "|---|---|--:|--:|--:|--:|"], each(
            "preset", "| `{name}` | {doc} | {decision[0]:.2f} | {decision[1]:.2f} | {decision[2]} ms | {decision[3]} ms |"))


def lines():
    """Yields file, pattern with one group, and what the group must be."""
    for name, value in CONSTANTS.items():
        yield HEADER, rf"^#define VA_{name} (\S+)(?: +/\*.*)?$", f"{value}ull" if value > 0xFFFFFFFF else str(value)
    yield HEADER, r"^#define VA_ABI_VERSION (\d+)$", str(CONTRACT["abi"])
    for setting in PAUSE["setting"]:
        prefix = "Duration" if setting["kind"] == "length" else "AllocationStrategy" if setting["kind"] == "word" else ""
        yield ("Sources/VideoPause/Configuration.swift", rf"^  public var {in_swift(setting)} = {prefix}(.*)$",
               defaults(setting)[0])
        if has(setting, "c") and setting["kind"] != "word":
            yield PAUSE_HEADER, rf"^  \w+ {setting['name']}; +/\*[^\n]*?: ([\w,.]+(?: m?s\b)?)", defaults(setting)[1]
    yield FACE + "Status.swift", r'vp_version\(\).*text\("(.*)"\)', PAUSE["version"]
    for kind, file in (("state", "VoiceActivity/Results"), ("event", "VoiceActivity/Results"),
                       ("requirement", "VoiceMonitor/MutedSpeech/MutedSpeechRequirement")):
        yield from ((f"Sources/{file}.swift", rf"^ +case {camel(e['name'])} = (\d+)$", str(e["value"]))
                    for e in CONTRACT[kind] if has(e, "swift"))
    for entry in CONTRACT["preset"]:
        doc = sentence(entry["doc"])
        yield "Sources/VoiceActivity/Configuration.swift", rf"/// (.*)\.\n      case {camel(entry['name'])}$", doc
        yield "Bindings/rust/src/config.rs", rf"/// (.*)\.\n(?:    #\[default\]\n)?    {pascal(entry['name'])},$", doc
        yield "plugins/gstreamer/tests/inspect.txt", rf"\({entry['value']}\): {kebab(entry['name'])} +- (.*)$", doc
    yield from (("plugins/gstreamer/tests/inspect.txt", rf"\(0x{1 << e['value']:08x}\): {kebab(e['name'])} +- (.*)$",
                 sentence(e["doc"])) for e in CONTRACT["requirement"] if has(e, "gstreamer"))
    yield STUB, r"^    type: Literal\[(.*)\]$", quoted("event", str, ", ")
    yield STUB, r"^        preset: Literal\[(.*)\] = ", quoted("preset", str, ", ")
    standard = re.search(r"^FLAGS := -std=(\w+)", read("CSupport/libvoiceactivity/Makefile"), flags=re.M)[1]
    yield "Package.swift", r"^  cLanguageStandard: \.(\w+)$", standard
    yield "Bindings/cpp/CMakeLists.txt", r"C_STANDARD (\d+) C_EXTENSIONS ON", standard.removeprefix("gnu")
    yield CORE + "speaking_gate.c", r"^#define REQUIREMENTS (\d+)$", str(len(CONTRACT["requirement"]))
    yield HEADER, r'^#define VA_NOTICE_TEXT "(.*)"$', CONTRACT["notice_text"]
    for file, pattern in (
            (CORE + "library.c", r'va_version\(void\) \{ return "(.*)";'),
            ("Bindings/rust/Cargo.toml", r'^version = "(.*?)"'),
            ("Bindings/rust/Cargo.lock", r'name = "voiceactivity"\nversion = "(.*)"'),
            ("Bindings/web/package.json", r'"version": "(.*)"'),
            ("Bindings/web/README.md", r"voice-activity-([\d.]+)\.tgz"),
            ("Packaging/debian/changelog", r"\Avoice-activity \((.*?)-"),
            ("Sources/ActivityReporting/ActivityReporting.docc/ActivityReporting.md", r'from: "(.*?)"'),
            ("README.md", r'<this repository>", from: "(.*?)"')):
        yield file, pattern, CONTRACT["version"]
    yield "Bindings/cpp/README.md", r"find_package\(voiceactivity (\S+) CONFIG", CONTRACT["version"].rpartition(".")[0]


def is_growth(line, content):
    """Returns whether a line is the size of a struct that may grow, because callers state which one they know."""
    struct = re.match(r"SIZE\((\w+), ", line)
    return bool(struct) and f"FIELD({struct[1]}, struct_size, uint32_t, 0);" in content


def with_part(text, part, content):
    line = r"^[^\n]*\bcontract{}(?: \*/| -->)?"
    found = re.findall(rf"({line.format(': ' + re.escape(part))}\n)(.*?)(?={line.format(' end')}$)", text, flags=re.M | re.S)
    if len(found) != 1:
        raise ValueError(f"{len(found)} parts 'contract: {part}', expected one")
    begin, old = found[0]
    content = list(content)
    if part == "promises":
        gone = [line for line in old.splitlines() if line not in content and not is_growth(line, content)]
        if gone:
            raise ValueError(f"'{gone[0]}' would go or change, which breaks compiled programs: delete the line only for a new SONAME, or before the first release")
    return text.replace(begin + old, begin + "".join(line + "\n" for line in content), 1)


def with_line(text, pattern, wanted):
    found = list(re.finditer(pattern, text, flags=re.M))
    if len(found) != 1:
        raise ValueError(f"{len(found)} lines match '{pattern}', expected one, written by hand")
    return text[:found[0].start(1)] + wanted + text[found[0].end(1):]


def main():
    is_check = sys.argv[1:] == ["--check"]
    if sys.argv[1:] and not is_check:
        print("generate_contract: unknown argument: give --check or nothing", file=sys.stderr)
        return 64
    faults = []
    # The headers come first: others are written from them.
    owned = {setting["name"]: member(setting) for setting in SETTINGS}, [
        [entry["name"] for entry in CONTRACT[kind]] for kind in ("preset", "state")]
    json = ((f"docs/schemas/{path.name}", "properties", owned) for path in sorted((ROOT / "docs/schemas").glob("*.json")))
    for change, rules in ((with_line, lines()), (with_part, parts()), (lambda text, _, owned: schemas.current(text, *owned), json)):
        for file, key, content in rules:
            text = read(file)
            try:
                TEXTS[file] = change(text, key, content)
            except ValueError as fault:
                faults.append(f"{file}: {fault}")
            if is_check and TEXTS[file] != text:
                faults.append(f"{file}: '{key}' is not what CSupport/contract says: edit the contract, then run `make contract`")
    sys.stderr.writelines(fault + "\n" for fault in faults)
    if not is_check:
        for file, text in TEXTS.items():
            if text != (ROOT / file).read_text("utf-8"):
                (ROOT / file).write_text(text, "utf-8")
                print(f"wrote {file}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
