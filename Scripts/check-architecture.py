#!/usr/bin/env python3
"""Compares docs/architecture.md with the package and the sources, and the formats of Annotations with their list.

  Scripts/check-architecture.py    exits 1 and reports what differs

- Each arrow of the picture is a dependency between two modules of Package.swift, and each dependency is an arrow. A
  dotted arrow is a dependency under a condition. Modules below Tests are not drawn.
- Each module has one row in the table: its abstract, which is the first sentence of its .docc page, of a C module's
  header, or of the comment of `struct Vadmon`, and the products that contain it.
- Each link leads to a file. A link whose text is code names something that this file declares.
- Each format of Annotations is described in one file and named in one list: no other source spells its name.
- Other code is a module, a product, a trait, a command of the Makefile or of vadmon, or a name that Sources/ or
  CSupport/ declares.
- In the folders of C below, no two files include each other, not even through others: a .c file and its header count as
  one.
"""

import json
import re
import subprocess
import sys
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "architecture.md"
C_FOLDERS = ["CSupport/CVoiceActivity", "plugins/gstreamer"]
# Names that Swift's standard library declares.
STANDARD = {"AsyncStream", "Bool", "Float", "Int", "Sendable", "Set", "Span", "String"}
TYPES = r"\b(?:actor|class|enum|extension|protocol|struct|typealias)"
MEMBERS = r"\b(?:case|func|init|let|typealias|var)"


def read_package():
    """Returns the dependencies as {(from, to): is conditional}, and by module the folder and the products, and the
    names of the traits."""
    dump = subprocess.run(["swift", "package", "dump-package"], cwd=ROOT, check=True, capture_output=True).stdout
    package = json.loads(dump)
    targets = {
        target["name"]: target for target in package["targets"]
        if target["type"] != "test" and not (target.get("path") or "").startswith("Tests/")
    }
    arrows = {}
    for name, target in targets.items():
        for dependency in target["dependencies"]:
            on, condition = (dependency.get("byName") or dependency.get("target") or (None, None))[:2]
            if on in targets:
                arrows[name, on] = condition is not None
    folders = {name: ROOT / (target.get("path") or f"Sources/{name}") for name, target in targets.items()}
    products = {name: [] for name in targets}
    for product in package["products"]:
        for name in product["targets"]:
            products[name].append(product["name"])
    return arrows, folders, products, {trait["name"] for trait in package["traits"]}


def abstract(name, folder):
    """Returns the sentence that says what a module does."""
    page, command = folder / f"{name}.docc" / f"{name}.md", folder / "Vadmon.swift"
    if page.exists():
        text = page.read_text().split("\n\n")[1]
    elif command.exists():
        text = "".join(re.search(r"((?:^/// .*\n)*)struct Vadmon\b", command.read_text(), re.M).group(1).split("///"))
    else:
        folders = [folder / "include", folder]
        header = next(path for folder in folders for path in sorted(folder.glob("*.h")))
        match = re.match(rf"/\* {re.escape(header.name)} — ([^.]*\.)", header.read_text())
        text = match.group(1) if match else f"{header.relative_to(ROOT)} does not begin with /* {header.name} — …"
        text = text[0].upper() + text[1:]
    return re.match(r".*?\.(?=\s|$)", " ".join(text.replace("``", "`").split()) + " .").group(0)


def check_picture(text, arrows):
    """Compares the arrows of the picture, `A --> B & C` or `A -.->|condition| B`, with the dependencies."""
    picture = re.search(r"```mermaid\n(.*?)```", text, re.S)
    if not picture:
        return ["there is no picture"]
    drawn = {}
    for line in picture.group(1).splitlines():
        if match := re.match(r"\s*(\w+)\s+(-->|-\.->)(?:\|[^|]*\|)?\s+(.*)$", line):
            for on in match.group(3).split("&"):
                drawn[match.group(1), on.strip()] = match.group(2) == "-.->"
    faults = [f"{a} → {b} is a dependency in Package.swift, but no arrow" for a, b in arrows.keys() - drawn.keys()]
    faults += [f"{a} → {b} is an arrow, but no dependency in Package.swift" for a, b in drawn.keys() - arrows.keys()]
    for pair in arrows.keys() & drawn.keys():
        if arrows[pair] != drawn[pair]:
            faults.append(f"{pair[0]} → {pair[1]} must be {'dotted' if arrows[pair] else 'solid'}")
    return sorted(faults)


def check_table(text, folders, products):
    """Compares the rows `| [`Module`](folder) | sentence | products |` with the modules."""
    rows = re.findall(r"^\| \[`(\w+)`\]\(\.\./([^)]*)\) \| (.*) \| (.*) \|$", text, re.M)
    names = [row[0] for row in rows if row[0] in folders]
    faults = [f"{name} has {names.count(name)} rows" for name in folders if names.count(name) != 1]
    for name, folder, sentence, product in rows:
        if name not in folders:
            continue
        if ROOT / folder != folders[name]:
            faults.append(f"{name} is in {folders[name].relative_to(ROOT)}, not in {folder}")
        wanted = abstract(name, folders[name])
        if sentence != wanted:
            faults.append(f"{name}: the row has “{sentence}”, the module has “{wanted}”")
        wanted = ", ".join(f"`{it}`" for it in products[name]) or "—"
        if product != wanted:
            faults.append(f"{name}: the row has the products {product}, Package.swift has {wanted}")
    return faults


def declares(source, name, is_swift=True):
    """Whether a source declares a name: `Type`, `Type.member`, `Outer.Type.member`, or in C a function or a type."""
    if not is_swift:
        return bool(re.search(rf"^(?:[\w ]+[ *])?{name}\(|^}} {name};|^typedef struct {name}\b", source, re.M))
    *types, last = name.split(".")
    kinds = MEMBERS if types else f"(?:{TYPES}|{MEMBERS})"
    return all(re.search(rf"{TYPES} (?:\w+\.)*{part}\b", source) for part in types) and bool(
        re.search(rf"{kinds} {last}\b", source) or re.search(rf"{TYPES} (?:\w+\.)*{last}\b", source))


def check_links(text):
    """Checks that every link leads to a file, and that the file declares the link's text if that is code."""
    faults = []
    for label, target in re.findall(r"\[([^\]]*)\]\(([^)#]+)[^)]*\)", text):
        path, is_code = (PAGE.parent / target).resolve(), label.startswith("`")
        if not path.exists():
            faults.append(f"there is no {target}")
        elif is_code and path.is_file() and not declares(path.read_text(), label[1:-1], path.suffix == ".swift"):
            faults.append(f"{target} does not declare {label}")
    return faults


def check_code(text, known):
    """Checks the code outside of links."""
    def sources(pattern):
        folders = [ROOT / "Sources", ROOT / "CSupport"]
        return "\n".join(path.read_text() for folder in folders for path in sorted(folder.rglob(pattern)))

    swift, c = sources("*.swift"), sources("*.h")
    known = known | {f"make {name}" for name in re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.M)}
    known |= {f"vadmon {name}" for name in re.findall(r'commandName: "(\w+)"', swift)}
    faults = []
    for code in sorted(set(re.findall(r"`([^`]+)`", re.sub(r"\[`[^`]*`\]\([^)]*\)", "", text)))):
        names = re.findall(r"\w+(?:\.\w+)*", code)
        if code in known or all(it in known or declares(swift, it) or declares(c, it, False) for it in names):
            continue
        faults.append(f"`{code}` is unknown")
    return faults


def check_circles():
    """Checks that what the files of C include leads from none of them back to itself."""
    faults = []
    for folder in C_FOLDERS:
        needs = {}
        for path in sorted((ROOT / folder).rglob("*.[ch]")):
            if "tests" not in path.parts:
                included = re.findall(r'^#include "(?:.*/)?(\w+)\.h"', path.read_text(), re.M)
                needs.setdefault(path.stem, set()).update(set(included) - {path.stem})
        try:
            TopologicalSorter(needs).prepare()
        except CycleError as error:
            faults.append(f"{folder}: {' → '.join(error.args[1])} is a circle of includes")
    return faults


def check_formats():
    """Checks that the list of formats is complete, and that only the file of a format spells its name."""
    formats = ROOT / "Sources" / "Annotations" / "Formats"
    files = {path: path.read_text() for path in sorted((ROOT / "Sources").rglob("*.swift"))}
    listed = re.search(r"static let all = \[(.*?)\]", files[formats / "AnnotationFormat.swift"], re.S)
    listed = set(re.findall(r"\w+", listed.group(1)))
    found = {
        member: (name, path) for path, text in files.items()
        for member, name in re.findall(r'static let (\w+) = AnnotationFormat\(\s*name: "([^"]+)"', text)
    }
    faults = [f"the format {member} is not in AnnotationFormat.all" for member in sorted(found.keys() - listed)]
    faults += [f"AnnotationFormat.all has {member}, which no file describes" for member in sorted(listed - found.keys())]
    for name, owner in found.values():
        others = [path for path, text in files.items() if f'"{name}"' in text and path != owner]
        faults += [f"{path.relative_to(ROOT)} spells the format \"{name}\"" for path in others]
    return faults


def main():
    text = PAGE.read_text()
    arrows, folders, products, traits = read_package()
    prose = re.sub(r"```.*?```", "", text, flags=re.S)
    faults = check_picture(text, arrows) + check_table(text, folders, products)
    faults += check_links(prose) + check_code(prose, STANDARD | traits | set(folders))
    faults = [f"{PAGE.relative_to(ROOT)}: {fault}" for fault in faults] + check_circles() + check_formats()
    for fault in faults:
        print(f"check-architecture: {fault}", file=sys.stderr)
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
