"""What MkDocs cannot read in mkdocs.yml: which files of the repository are pages. Its hooks call this.

A page keeps the path that it has in the repository, so that its links hold here as on a code host. Whatever a page
links to is a page too: Markdown is rendered, the manual of an interface is laid out by references.py, and other text has
its syntax highlighted; a picture is copied. So no link needs a network, or the address of a repository.
"""

import os
import posixpath
import re
import subprocess
import sys
from pathlib import Path

import bs4
from markdown_it import MarkdownIt
from mkdocs.structure.files import File
from pygments.lexers import get_lexer_for_filename
from pygments.util import ClassNotFound
from references import BUILD, MANUALS, PACKAGE, ROOT, all_references, log, manual, run, swift_page

LINK = re.compile(r"\]\(([^)\s#]+)(#[^)\s]*)?\)")
PICTURES = (".svg", ".png")
aliases: dict[str, str] = {}  # what a page links to, by its path in the repository, and the page that shows it


def on_startup(**_):
    """Builds the package for Python before mkdocstrings looks for it: the comments of its extension are in C."""
    build = ["--quiet", "build", "--build-lib", PACKAGE, "--build-temp", BUILD / "objects"]
    folder, environment = ROOT / "Bindings" / "python", {**os.environ, "CFLAGS": "-O0", "PYTHONDONTWRITEBYTECODE": ""}
    subprocess.run([sys.executable, "-W", "ignore", "setup.py", *build], cwd=folder, env=environment, check=True)


def on_files(files, config):
    tracked = set(run("git", "ls-files", "--cached", "--others", "--exclude-standard").splitlines())

    def add(path, **source):
        files.append(File.generated(config, path, **source or {"abs_src_path": str(ROOT / path)}))

    for path, text in all_references().items():
        add(f"reference/{path}", content=text)
    for file in filter(Path.is_file, (BUILD / "rust").rglob("*")):
        add(f"reference/rust/{file.relative_to(BUILD / 'rust')}", abs_src_path=str(file))
    waiting, seen = {*pages_of(config.nav)} & tracked | {*MANUALS}, set()
    while waiting := waiting - seen:
        path = waiting.pop()
        seen.add(path)
        if path.endswith((".md", *PICTURES)):
            add(path)
            if path.endswith(".md"):
                waiting |= {page_for(target, tracked) for target in targets(path)} - {None}
        elif path in tracked:
            aliases[path] = f"{path}.md"
            add(f"{path}.md", content=manual(path) if path in MANUALS else source_page(path))
        else:
            aliases[path] = f"{path}/index.md"
            add(f"{path}/index.md", content=listing(path, tracked))
    return files


def pages_of(navigation):
    for item in navigation:
        for value in item.values() if isinstance(item, dict) else [item]:
            yield from pages_of(value) if isinstance(value, list) else [value]


def targets(path):
    return [joined(path, link[1]) for link in LINK.finditer((ROOT / path).read_text())]


def joined(path, address):
    return posixpath.normpath(posixpath.join(posixpath.dirname(path), address))


def page_for(path, tracked):
    """Returns the file or folder to show for a link; None if there is none to add."""
    if reference := swift_page(path):
        aliases[path] = reference
        return None
    if f"{path}/README.md" in tracked:
        aliases[path] = f"{path}/README.md"
    path = aliases.get(path, path)
    return path if path in tracked or any(name.startswith(f"{path}/") for name in tracked) else None


def source_page(path):
    try:
        language = get_lexer_for_filename(path).aliases[0]
    except ClassNotFound:
        language = "text"
    text = (ROOT / path).read_text().rstrip("\n")
    options = "---\nsearch: {exclude: true}\nhide: [navigation, toc]\n---\n\n"
    return f"{options}# {posixpath.basename(path)}\n\n`{path}`\n\n~~~~~~ {language}\n{text}\n~~~~~~\n"


def listing(path, tracked):
    names = sorted(name.removeprefix(f"{path}/") for name in tracked if name.startswith(f"{path}/"))
    items = "".join(f"- `{name}`\n" for name in names)
    return f"---\nsearch: {{exclude: true}}\n---\n\n# {path}\n\nThis folder of the repository has:\n\n{items}"


def on_page_markdown(markdown, page, **_):
    def replaced(link):
        target = aliases.get(joined(page.file.src_uri, link[1]))
        here = posixpath.dirname(page.file.src_uri)
        return f"]({posixpath.relpath(target, here)}{link[2] or ''})" if target else link[0]

    return LINK.sub(replaced, re.sub(r"^<!--.*-->$", "", markdown, flags=re.M))


def on_page_content(html, page, **_):
    """Warns where a page reads otherwise than on a code host, as of a list without an empty line before it."""
    source = ROOT / page.file.src_uri
    if source.is_file():
        here, there = bs4.BeautifulSoup(html, "html.parser"), MarkdownIt().enable("table").render(source.read_text())
        there = bs4.BeautifulSoup(there, "html.parser")
        for part in here.select(".headerlink, .flowchart") + there.select(".language-mermaid"):
            part.decompose()
        here, there = ("".join(soup.get_text().split()) for soup in (here, there))
        if here != there:
            same = len(posixpath.commonprefix([here, there]))
            log.warning("%s does not read here as CommonMark: “%s”", page.file.src_uri, here[same:][:60])
    # Names in tables break at their seams.
    seam = re.compile(r"(?<=[a-z]{2})(?=[A-Z])|(?<=\w[._])(?=\w)")
    names = re.compile(r"(?<=<code>)[\w.]+(?=</code>)")
    return re.sub(r"<td.*?</td>", lambda cell: names.sub(lambda name: seam.sub("<wbr>", name[0]), cell[0]), html)


def flowchart(source, *_, **__):
    """Draws a flowchart of mermaid with graphviz, because a browser needs a large script for it."""
    c_modules = re.search(r"class (\S+) c$", source, re.M)
    lines = [f"{name} [style=dashed]" for name in (c_modules[1].split(",") if c_modules else [])]
    for start, arrow, label, ends in re.findall(r"^\s*(\w+) (-->|-\.->)(?:\|(\w+)\|)? (.+)$", source, re.M):
        style = f' [style=dotted label="{label}"]' if arrow != "-->" else ""
        lines += [f"{start} -> {end}{style}" for end in ends.split(" & ")]
    nodes = 'node [shape=box fontsize=9 fontname=sans height=.2 margin=".08,.04"]'
    look = f"rankdir=LR nodesep=.1 ranksep=.3 bgcolor=transparent {nodes} edge [fontsize=9 fontname=sans arrowsize=.6]"
    graph = "\n".join([f"digraph {{ {look}", *lines, "}"])
    drawn = subprocess.run(["dot", "-Tsvg"], input=graph, stdout=subprocess.PIPE, text=True, check=True).stdout
    return f'<div class="flowchart">{drawn[drawn.index("<svg") :]}</div>'
