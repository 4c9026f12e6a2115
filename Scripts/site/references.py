"""Writes the references of the languages as Markdown, so that one search, one navigation and one look serve all.

Swift's is what docc writes of each symbol (make docs), put together by type; Python's is mkdocstrings', Go's go/doc's
(reference.go). The headers in C and the declarations for JavaScript are manuals already, whose comments often belong to
several functions at once: doxygen and typedoc would want a tag on each, so they are split at their declarations. Only
rustdoc writes no Markdown: its own pages are copied, and a page that the search covers leads to them.
"""

import importlib
import inspect
import json
import posixpath
import re
import shutil
import subprocess
import sys
from pathlib import Path

import griffe
from mkdocs.plugins import get_plugin_logger

ROOT = Path(__file__).resolve().parent.parent.parent
BUILD = ROOT / ".build-site"
PACKAGE = BUILD / "package"
SWIFT = ROOT / ".build" / "docs" / "data" / "documentation"
log = get_plugin_logger("references")


def run(*command):
    done = subprocess.run([str(part) for part in command], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    if done.returncode:
        sys.exit(f"make site: {command[0]} {command[1]} failed")
    return done.stdout


def all_references():
    go = run("go", "run", "Scripts/site/reference.go", "Bindings/go", "Bindings/go/videopause")
    return {"python.md": PYTHON, "go.md": f"# Go\n\n{go}", "rust.md": rust(), **swift()}


# MARK: Headers and declarations

MANUALS = {
    "CSupport/CVoiceActivity/include/voice_activity.h": "c",
    "CSupport/libvideopause/include/video_pause.h": "c",
    "Bindings/web/src/index.d.ts": "ts",
}
DECLARED = {
    "c": r"^#define (\w+)|^typedef \w+ \w+ \*?(\w+);|^(?:typedef enum \w+ \{.*)?\} (\w+);|^V._API [^(]*?(\w+)\(",
    "ts": r"^(?:export )?(?:class|interface|type|function) (\w+)()",
}
# A comment at the margin, or what follows up to the next one.
PART = re.compile(r"^/\*\*?((?:.|\n)*?)\*/[ \t]*\n|((?:^(?!/\*).*\n)+)", re.M)
# What a compiler needs and a reader does not.
PLUMBING = {
    "c": r'^(?:#(?:if|else|endif|include|define V\w+_H\b|define V._API).*|extern "C" \{|\}|/\* contract.*\*/)\n',
    "ts": r"^// contract.*\n",
}


def manual(path):
    """Returns a header as Markdown: sections, and for each declaration a heading, its comment and its code."""
    language = MANUALS[path]
    text = re.sub(PLUMBING[language], "", (ROOT / path).read_text(), flags=re.M)
    text = re.sub(r"\A(?://.*\n)+", lambda head: "/*" + re.sub(r"^//", "", head[0], flags=re.M) + "*/\n", text)
    blocks, comment = [], ""  # each: a heading or None, the names declared, the comment, the code
    for part in PART.finditer(text):
        if part[1] is None:
            for code in declarations(part[2]):
                names = [next(filter(None, found)) for found in re.findall(DECLARED[language], code, re.M)]
                if names or comment:
                    blocks.append((None, names, comment, code if names else ""))
                    comment = ""
            continue
        first, *rest = [re.sub(r"^ ?\* ?|^ ", "", line) for line in part[1].split("\n")]
        section = re.match(r"---- (.+?) -{3,}", first)
        if section:
            blocks.append((section[1], [], "\n".join(rest), ""))
        elif not blocks:
            blocks.append((None, [], "\n".join([first, *rest]), ""))
        else:
            comment = "\n".join([first, *rest])
    homes = {}
    for _, names, _, code in blocks:
        values = re.findall(r"\bV[AP]_\w+", code) if code.startswith("typedef enum") else []
        homes |= {name: names[0] for name in [*names, *values] if name not in homes}
    out = [f"# {posixpath.basename(path)}\n"]
    for heading, names, said, code in blocks:
        title = ", ".join(f"`{name}`" for name in dict.fromkeys(names))
        out += [f"## {heading}\n"] if heading else [f'### {title} {{ id="{names[0]}" }}\n'] if names else []
        out.append(prose(said, {name: home for name, home in homes.items() if home not in names}))
        code = re.sub(r"^V._API (.*(?:\n {7} +\S.*)*)", lambda found: found[1].replace("\n       ", "\n"), code, flags=re.M)
        out += [f"``` {language}\n{code.strip()}\n```\n"] if code else []
    return "\n".join(out)


def declarations(code):
    """Splits code at the empty lines outside braces."""
    found, depth = [""], 0
    for line in code.splitlines(keepends=True):
        depth += line.count("{") - line.count("}")
        found[-1] += line
        if not line.strip() and depth == 0:
            found.append("")
    return found


# What a comment says as code, except what stands in backquotes already.
NAME = re.compile(
    r"(`[^`]*`)|(?:\*|\b\w+->|\b\w+\.)?\b[A-Za-z]?\w*_\w+(?:->\w+|\.\w+|\(\))*…?|(?<![\w*])\*[a-z]\w*|\b\w+->\w+"
)


def prose(comment, homes):
    """Returns a comment as Markdown, with names as code, and as links to where they are declared."""

    def named(match):
        home = homes.get(match[0].strip("*()"))
        return match[0] if match[1] else f"[`{match[0]}`](#{home})" if home else f"`{match[0]}`"

    out, is_code = [], False
    for line in comment.rstrip().split("\n"):
        if re.match(r" {4}\S", line) or is_code and (line.startswith("    ") or not line):
            out += [line[4:]] if is_code else ["", "``` c", line[4:]]
            is_code = True
            continue
        out += ["```", ""] if is_code else []
        is_code = False
        if key := re.match(r"(REAL TIME|[A-Z]{4,}(?=  )|[fs]\d\d(?=: )):? +", line):
            line = f"\n**{key[1]}**: {line[key.end() :]}"
        line = line.strip(" ")
        if line.startswith("Errors") or line.startswith("- ") and not out[-1].startswith("- "):
            out.append("")
        out.append(NAME.sub(named, line))
    return "\n".join([*out, "```"] if is_code else out).strip("\n") + "\n"


# MARK: Python


PYTHON = """# Python

::: voiceactivity

::: voiceactivity.segments.segments
    options: {heading_level: 3}

::: voiceactivity.compat.webrtcvad

::: voiceactivity.compat.silero

::: voiceactivity.compat.pysilero

::: voiceactivity.adapters.pipecat

::: voiceactivity.adapters.livekit

::: voiceactivity.adapters.faster_whisper
"""  # the module `segments` hides the function of that name


class RuntimeDocstrings(griffe.Extension):
    """Gives the declarations of the extension, which have types only, the documentation that it has at run time."""

    def on_package(self, *, pkg, **_):
        sys.path.insert(0, str(PACKAGE))
        self.document(pkg["_core"], importlib.import_module("voiceactivity._core"))

    def document(self, declared, existing):
        for name, member in declared.members.items():
            found = getattr(existing, name, None)
            if member.is_alias or member.docstring or found is None or name in ("__new__", "__init__"):
                continue
            if not member.is_attribute or inspect.isdatadescriptor(found):
                member.docstring = griffe.Docstring(inspect.getdoc(found) or "", parent=member)
            if member.is_class:
                if new := member.members.get("__new__"):  # mkdocstrings shows the arguments of __init__ beside the class
                    new.name = "__init__"
                    member.set_member(new.name, new)
                self.document(member, found)


# MARK: Rust


def rust():
    shutil.rmtree(BUILD / "rust", ignore_errors=True)
    out = ["# Rust\n\nThe links lead to the pages of rustdoc.\n"]
    for crate, folder in (("voiceactivity", "Bindings/rust/src"), ("videopause", "Bindings/rust/videopause/src")):
        run("rustdoc", "--edition", "2021", "--crate-name", crate, f"{folder}/lib.rs", "--out-dir", BUILD / "rust")
        out.append(f"## [`{crate}`](rust/{crate}/index.html)\n")
        for file in sorted((BUILD / "rust" / crate).glob("*.*.html")):
            kind, name, _ = file.name.split(".")
            page = file.read_text().split('id="trait-implementations"')[0]
            said = re.search(r'<meta name="description" content="(.*?)"', page)[1]
            said = "" if said.startswith("API documentation for") else f": {said}"
            out.append(f"- {kind} [`{name}`](rust/{crate}/{file.name}){said}")
            for method in re.findall(r'<section id="method\.(\w+)"', page):
                out.append(f"    - [`{method}`](rust/{crate}/{file.name}#method.{method})")
        out.append("")
    return "\n".join(out)


# MARK: Swift

ORDER = ["Case", "Initializer", "Type Property", "Instance Property", "Type Method", "Instance Method"]
BEHIND_THE_PAGES = "---\nsearch: {boost: 0.3}\n---\n\n"  # in what the search finds
COMPILED = ("encode(to:)", "init(from:)", "!=(_:_:)")  # what the compiler writes, or a protocol


def swift():
    """Joins docc's page of each symbol to a page for each module, each article and each type of a module."""
    symbols = {}  # by the names from the module on: what it is, its title, and its Markdown
    for file in SWIFT.rglob("*.md"):
        facts, text = re.fullmatch(r"<!--\n(.*?)\n-->\s*(.*)", file.read_text(), re.S).groups()
        facts = json.loads(facts)
        names = tuple(facts["identifier"].removeprefix("/documentation/").split("/"))
        if facts["role"] != "collectionGroup" and names[-1] not in COMPILED:
            symbols[names] = (facts["role"], facts["title"], f"{text.strip()}\n\n")
    if not symbols:
        sys.exit(f"make site: {SWIFT} has no Markdown of docc; run make docs")

    def order(names):  # what belongs to a type follows it, cases first
        roles = [symbols.get(names[: end + 1], ("",))[0] for end in range(len(names))]
        return [(ORDER.index(role) if role in ORDER else len(ORDER), name) for role, name in zip(roles, names)]

    pages = {"swift.md": "# Swift\n\n| module | purpose |\n|---|---|\n"}
    for names in sorted(symbols, key=order):
        role, _, text = symbols[names]
        path = f"swift/{'/'.join(names[:2])}.md"
        if len(names) == 1:
            purpose = linked(text.split("\n\n")[1].replace("\n", " "), "swift.md", symbols)
            pages["swift.md"] += f"| [{names[0]}]({path}) | {purpose} |\n"
            text = re.sub(r"^(\[.+\))\n\n(?=\S)", r"- \1: ", text, flags=re.M)
            inside = sorted(other for other in symbols if other[:1] == names and len(other) == 2)
            links = [(other[1], f"(/documentation/{'/'.join(other)})") for other in inside]
            more = [f"- [`{name}`]{address}\n" for name, address in links if address not in text]
            text += "## More\n\n" + "".join(more) if more else ""
        elif role != "article":
            text = re.sub(r"^## Topics\n.*", "", text, flags=re.M | re.S)
            text = re.sub(r"^## (?:Overview|Discussion)\n\n", "", text, flags=re.M)
            text = re.sub(r"^## (Parameters|Return Value)$", r"**\1**", text, flags=re.M)
            text = re.sub(r"^```\n", "```swift\n", text, count=1, flags=re.M)
            titles = [symbols[names[:end]][1] for end in range(min(len(names), 3), len(names) + 1)]
            title = f"{'#' * min(len(names) - 1, 3)} `{'.'.join(titles)}`"
            title += f' {{ id="{anchor(names)}" }}' if names[2:] else ""
            text = re.sub(r"^# .*", lambda _: title, text, count=1)
        pages[path] = pages.get(path, BEHIND_THE_PAGES) + linked(text, path, symbols)
    return pages


def anchor(names):
    return re.sub(r"[\W_]+", "-", ".".join(names[2:])).strip("-")


def linked(text, page, symbols):
    """Puts links to pages in the place of docc's, some of which it leaves as they were written."""

    def link(match):
        names = tuple((match[1] or match[2]).split("/"))
        if names not in symbols:
            log.warning("%s: docc has no page of %s", page, "/".join(names))
        path = posixpath.relpath(f"swift/{'/'.join(names[:2])}.md", posixpath.dirname(page))
        address = f"({path}#{anchor(names)})" if names[2:] else f"({path})"
        return f"]{address}" if match[1] else f"[`{names[-1]}`]{address}"

    address = r"((?:[^\s()]|\([^\s()]*\))*)"
    return re.sub(rf"\]\(/documentation/{address}\)|``doc://[^/]+/documentation/([^`]+)``", link, text)


def swift_page(path):
    """Returns the page of a module, for its folder or the text of its documentation."""
    module = re.fullmatch(r"Sources/(\w+)(?:/\1\.docc/\1\.md)?", path)
    return f"reference/swift/{module[1]}.md" if module and (SWIFT / module[1].lower()).is_dir() else None
