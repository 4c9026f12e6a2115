#!/usr/bin/env python3
"""Writes what a packed tree of vadmon, or a release, consists of, as SPDX 2.3 in JSON, to standard output.

    Packaging/make-sbom.py [--swift-licences FOLDER] VERSION COMMIT TREE MANIFEST
    Packaging/make-sbom.py --release VERSION COMMIT ARTEFACT…

MANIFEST has a line for each file that comes from a Debian package: the package and the path in TREE, separated by a tab.
The path is empty for what the program contains.
--release names the artefacts with their checksums, and what is linked into them. The archive and the image bring
documents of their own.
The Swift packages in vadmon are those that its target in Package.swift reaches, in the versions of Package.resolved.
--swift-licences copies their licences to FOLDER. SOURCE_DATE_EPOCH is the document's time, so that the same tree gives
the same bytes.
"""

import argparse
import datetime
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import urllib.parse
import uuid

# What the copyright file of a Debian source package says about the libraries that are built from it, without the tests
# and programs beside them. Those files have no common form that a program could read this from.
LICENCES = {
    "alsa-lib": "LGPL-2.1-or-later",
    "flac": "BSD-3-Clause",
    "gcc": "GPL-3.0-or-later WITH GCC-exception-3.1",
    "glibc": "LGPL-2.1-or-later",
    "lame": "LGPL-2.0-or-later",
    "libogg": "BSD-3-Clause",
    "libsndfile": "LGPL-2.1-or-later",
    "libvorbis": "BSD-3-Clause",
    "mpg123": "LGPL-2.1-only",
    "opus": "BSD-3-Clause",
    "speexdsp": "BSD-3-Clause",
}
APACHE_WITH_EXCEPTION = "Apache-2.0 WITH Swift-exception"


def fail(message: str):
    sys.exit(f"make-sbom: {message}")


def output(*command: str) -> str:
    try:
        return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    except (OSError, subprocess.CalledProcessError) as error:
        fail(f"{' '.join(command)} fails: {error}")


def spdx_id(*parts: str) -> str:
    return "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", "-".join(parts))


def package(identifier: str, name: str, version: str, supplier: str, licence: str, location: str, purl: str, **more) -> dict:
    reference = {"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": purl}
    return {
        "SPDXID": identifier,
        "name": name,
        "versionInfo": version,
        "supplier": supplier,
        "downloadLocation": location,
        "filesAnalyzed": False,
        "licenseConcluded": "NOASSERTION",
        "licenseDeclared": licence,
        "copyrightText": "NOASSERTION",
        "externalRefs": [reference],
        **more,
    }


def debian_package(name: str) -> dict:
    fields = "${Package}\t${Version}\t${Architecture}\t${source:Package}\t${source:Version}\t${Maintainer}"
    binary, version, architecture, source, source_version, maintainer = output(
        "dpkg-query", "--show", "--showformat", fields, name
    ).split("\t")
    licence = LICENCES.get(re.sub(r"-[0-9.]+$", "", source))
    if licence is None:
        fail(f"the licence of Debian's source package {source} is unknown; add it to LICENCES after reading "
             f"/usr/share/doc/{binary}/copyright")
    quoted = urllib.parse.quote(version, safe="")
    return package(
        spdx_id("deb", binary), binary, version, f"Organization: Debian ({maintainer.split(' <')[0]})", licence,
        f"https://snapshot.debian.org/package/{source}/{urllib.parse.quote(source_version, safe='')}/",
        f"pkg:deb/debian/{binary}@{quoted}?arch={architecture}",
        sourceInfo=f"built by Debian from its source package {source} {source_version}, which downloadLocation has",
    )


def swift_packages(licences: pathlib.Path | None) -> list[dict]:
    """The packages whose products the target vadmon reaches."""
    manifest = json.loads(output(os.environ.get("SWIFT", "swift"), "package", "dump-package"))
    targets = {target["name"]: target for target in manifest["targets"]}
    pending, seen, wanted = ["vadmon"], set(), set()
    while pending:
        name = pending.pop()
        if name in seen:
            continue
        seen.add(name)
        for dependency in targets[name]["dependencies"]:
            (kind, value), = dependency.items()
            condition = value[-1] or {}
            if condition.get("traits"):  # none is enabled in the program
                continue
            if kind == "product":
                wanted.add(value[1])
            elif value[0] in targets:
                pending.append(value[0])
            else:
                fail(f"the target {name} depends on {value[0]}, of which Package.swift does not say the package")
    pins = {pin["identity"]: pin for pin in json.loads(pathlib.Path("Package.resolved").read_text())["pins"]}
    found = []
    for identity in sorted(wanted):
        pin = pins[identity]
        version, revision = pin["state"]["version"], pin["state"]["revision"]
        checkout = pathlib.Path(".build/checkouts") / identity
        text = (checkout / "LICENSE.txt").read_text()
        if "Apache License" not in text:
            fail(f"{checkout}/LICENSE.txt is not Apache-2.0; read it, and teach this script")
        licence = APACHE_WITH_EXCEPTION if "Runtime Library Exception" in text else "Apache-2.0"
        if licences:
            (licences / identity).mkdir(parents=True, exist_ok=True)
            for name in ("LICENSE.txt", "NOTICE.txt"):
                if (checkout / name).exists():
                    shutil.copyfile(checkout / name, licences / identity / name)
        url = pin["location"].removesuffix(".git")
        found.append(package(
            spdx_id("swift", identity), identity, version, "Organization: Apple Inc. and the Swift project authors",
            licence, f"git+{url}@{revision}", f"pkg:swift/{url.removeprefix('https://')}@{version}"))
    return found


def swift_runtime() -> dict:
    version = re.search(r"Swift version ([0-9.]+)", output(os.environ.get("SWIFT", "swift"), "--version")).group(1)
    return package(
        spdx_id("swift", "runtime"), "swift", version, "Organization: Apple Inc. and the Swift project authors",
        APACHE_WITH_EXCEPTION, f"git+https://github.com/swiftlang/swift@swift-{version}-RELEASE",
        f"pkg:swift/github.com/swiftlang/swift@{version}", comment="the run-time and standard library, linked statically")


def file(tree: pathlib.Path, path: str) -> dict:
    data = (tree / path).read_bytes()
    return {
        "SPDXID": spdx_id("file", path),
        "fileName": f"./{path}",
        "checksums": [
            {"algorithm": name, "checksumValue": hashlib.new(name.lower(), data).hexdigest()} for name in ("SHA1", "SHA256")
        ],
        "licenseConcluded": "NOASSERTION",
        "copyrightText": "NOASSERTION",
    }


def related(one: str, kind: str, other: str) -> dict:
    return {"spdxElementId": one, "relationshipType": kind, "relatedSpdxElement": other}


PROJECT = "Organization: The voice-activity authors"


def own_package(name: str, version: str, commit: str, **more) -> dict:
    quoted = urllib.parse.quote(version, safe="")
    return package(
        spdx_id(name), name, version, PROJECT, "Apache-2.0", "NOASSERTION", f"pkg:generic/{name}@{quoted}",
        sourceInfo=f"git commit {commit}", **more)


def describe_tree(tree: pathlib.Path, version: str, commit: str, manifest: pathlib.Path, licences: pathlib.Path | None) -> dict:
    program = own_package("vadmon", version, commit, primaryPackagePurpose="APPLICATION")
    packages, files, relationships = [program], [], [related("SPDXRef-DOCUMENT", "DESCRIBES", program["SPDXID"])]

    binary, = (path for path in ("bin/vadmon", "usr/bin/vadmon") if (tree / path).exists())
    files.append(file(tree, binary))
    relationships.append(related(files[0]["SPDXID"], "GENERATED_FROM", program["SPDXID"]))
    for statically in swift_packages(licences) + [swift_runtime()]:
        packages.append(statically)
        relationships.append(related(program["SPDXID"], "STATIC_LINK", statically["SPDXID"]))

    known = {}
    for line in sorted(set(manifest.read_text().splitlines())):
        name, path = line.split("\t")
        if name not in known:
            known[name] = debian_package(name)
            packages.append(known[name])
            kind = "DEPENDS_ON" if path else "STATIC_LINK"
            relationships.append(related(program["SPDXID"], kind, known[name]["SPDXID"]))
        if not path:
            continue
        files.append(file(tree, path))
        relationships.append(related(files[-1]["SPDXID"], "GENERATED_FROM", known[name]["SPDXID"]))
    return {"packages": packages, "files": files, "relationships": relationships}


def describe_release(version: str, commit: str, artefacts: list[pathlib.Path]) -> dict:
    runtime, swift = swift_runtime(), swift_packages(None)
    packages, relationships = [runtime, *swift], []
    for artefact in artefacts:
        digest = hashlib.sha256(artefact.read_bytes()).hexdigest()
        own = own_package(artefact.name, version, commit, packageFileName=artefact.name,
                          checksums=[{"algorithm": "SHA256", "checksumValue": digest}])
        packages.append(own)
        relationships.append(related("SPDXRef-DOCUMENT", "DESCRIBES", own["SPDXID"]))
        contents = {"vadmon": [runtime, *swift], "libvideopause1": [runtime]}.get(re.split("[-_]", artefact.name)[0], [])
        relationships += [related(own["SPDXID"], "STATIC_LINK", linked["SPDXID"]) for linked in contents]
    return {"packages": packages, "relationships": relationships}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--swift-licences", type=pathlib.Path, metavar="FOLDER")
    parser.add_argument("--release", action="store_true")
    parser.add_argument("version")
    parser.add_argument("commit")
    parser.add_argument("paths", type=pathlib.Path, nargs="+")
    arguments = parser.parse_args()
    version, commit, paths = arguments.version, arguments.commit, arguments.paths
    if arguments.release:
        name, content = f"voice-activity-{version}", describe_release(version, commit, paths)
    else:
        tree, manifest = paths
        name, content = tree.name, describe_tree(tree, version, commit, manifest, arguments.swift_licences)
    created = datetime.datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), datetime.timezone.utc)
    document = {
        "spdxVersion": "SPDX-2.3",
        "dataLicense": "CC0-1.0",
        "SPDXID": "SPDXRef-DOCUMENT",
        "name": name,
        "documentNamespace": uuid.uuid5(uuid.NAMESPACE_OID, json.dumps(content)).urn,
        "creationInfo": {
            "created": created.strftime("%Y-%m-%dT%H:%M:%SZ"),
            "creators": [PROJECT, "Tool: make-sbom.py"],
        },
        **content,
    }
    json.dump(document, sys.stdout, indent=1)
    print()


if __name__ == "__main__":
    main()
