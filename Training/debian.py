#!/usr/bin/env python3
"""Fetches the free recordings that Debian's packages hold, sorted for train.sh.

    python3 Training/debian.py FOLDER
    Training/train.sh --speech FOLDER/speech --noise FOLDER/noise --speechless FOLDER/speechless --music FOLDER/music \\
        --teachers

It downloads the packages of SOURCES (3.3 GB), unpacks them in FOLDER/packages without installing anything, and links
their recordings into FOLDER/speech, noise, speechless and music, a folder for each family of material.py. Needs apt-get
and dpkg-deb, not root. A second run fetches what is missing. The licences are in each package's
usr/share/doc/PACKAGE/copyright, and in MODEL_CARD.md.

Sounds that are like voices but hold no words teach the most: the cries, groans and screams of games, and animals. They
are `speechless`: a teacher, which takes some of them for speech, is not asked. It leaves out the noise in which it hears
speech.
"""

import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import zipfile

from exits import IO, UNAVAILABLE, Parser, fail

# What material.py reads. It stands here because this script needs no package of requirements.txt.
SUFFIXES = {'.wav', '.flac', '.ogg', '.oga', '.opus', '.mp3', '.aiff', '.aif', '.au', '.m4a', '.wv', '.g722', '.gsm'}

# (kind, package, which of its files, family). A file belongs to the first line that it fits. No package of
# labelled.toml may be here: the speakers of Asterisk's prompts in English, Spanish, French, Italian and Russian are in
# a labelled set.
SOURCES = [
    ('speech', 'asterisk-prompt-es-co', r'/es/(?!.*(silence|beep|monkey))', 'asterisk-es-co'),
    ('speech', 'asterisk-prompt-fr-armelle', r'/fr/(?!.*(silence|beep|monkey))', 'asterisk-fr-armelle'),
    ('speech', 'fillets-ng-data-cs', r'/cs/', 'fillets-cs'),
    ('speech', 'fillets-ng-data-nl', r'/nl/', 'fillets-nl'),
    ('speech', 'klettres-data', r'/klettres/([^/]+)/', r'klettres-\1'),
    ('speech', 'ktuberling-data', r'/sounds/([^/]+)/', r'ktuberling-\1'),
    ('speech', 'tuxpaint-stamps-default', r'_desc_(\w+)\.ogg$', r'tuxpaint-\1'),
    ('speech', 'tuxpaint-stamps-default', r'_desc\.ogg$', 'tuxpaint-en'),
    ('speech', '0ad-data', r'/audio/voice/(\w+)/civ/', r'0ad_\1'),
    ('speech', 'nexuiz-data', r'/player/([\w-]+)/coms/', r'nexuiz_\1'),
    ('speech', 'nexuiz-data', r'/(tutorial|announcer/male)/', 'nexuiz'),
    ('speech', 'gcin-voice', r'/(\d)\.ogg$', r'gcin_\1'),
    ('speech', 'hedgewars-data', r'/voices/(\w+)/(?!Firepunch|Hmm|Jump|Laugh|Ooff|Ow|Poison)', r'hedgewars_\1'),
    ('speech', 'warzone2100-data', r'/audio/(?!extra|multi|proxmessages|radclick|sfx)\w+/', 'warzone'),
    ('speechless', '0ad-data', r'/fauna/\w+/(?:death_)?([A-Za-z]+)', r'animal_\1'),
    ('speechless', '0ad-data', r'/human/death/([a-z]+)', r'scream_0ad_\1'),
    ('speechless', 'ardentryst', r'/Sounds/.*(hurt|dead|death|PAIN)', 'pain_ardentryst'),
    ('speechless', 'freedink-data', r'/Sound/(grunt|wscream|bird)', 'pain_dink'),
    ('speechless', 'hedgewars-data', r'/voices/\w+/(Laugh|Ooff|Ow|Poison)', r'hedgewars_\1'),
    ('speechless', 'megaglest-data', r'/sounds/(?:.*_)?([a-z]+)_die', r'die_megaglest_\1'),
    ('speechless', 'nexuiz-data', r'/player/([\w-]+)/(?:player/)?(?:death|drown|fall|gasp|jump|pain)', r'pain_\1'),
    ('speechless', 'openarena-081-players', r'/player/(\w+)/(?!taunt)', r'pain_\1'),
    ('speechless', 'openarena-data', r'/player/(sarge)/(?!taunt)', r'pain_\1'),
    ('speechless', 'teeworlds-data', r'/audio/vo_', 'pain_teeworlds'),
    ('speechless', 'tuxpaint-stamps-default', r'/animals/(?:\w+/)*(\w+)/', r'animal_\1'),
    ('speechless', 'wesnoth-1.16-data', r'/sounds/([a-z]+).*(die|hit|growl|groan|scream)', r'die_\1'),
    ('speechless', 'widelands-data', r'/(?:animals|farm|critters/duck)/([a-z]+)', r'animal_\1'),
    ('noise', '0ad-data', r'/audio/(attack|resource|actor|ambient)/(\w+)', r'0ad_\1_\2'),
    ('noise', 'nexuiz-data', r'/sound/(?!player|tutorial|announcer)(\w+)/', r'nexuiz_\1'),
    ('noise', 'openarena-data', r'/sound/(?!player|voices|feedback|teamplay)(\w+)/', r'openarena_\1'),
    ('noise', 'tuxpaint-stamps-default', r'/stamps/(?!symbols/)', 'tuxpaint'),  # symbols are spoken letters and numbers
    ('noise', 'ardentryst', r'/Sounds/', 'ardentryst'),
    ('noise', 'bucklespring-data', '', 'bucklespring'),
    ('noise', 'bzflag-data', '', 'bzflag'),
    ('noise', 'colobot-common-sounds', r'/sounds/', 'colobot'),
    ('noise', 'enigma-data', r'/soundsets/', 'enigma'),
    ('noise', 'extremetuxracer-data', r'/sounds/', 'extremetuxracer'),
    ('noise', 'freedink-data', r'/Sound/', 'freedink'),
    ('noise', 'hedgewars-data', r'/Sounds/(?!voices/)', 'hedgewars'),
    ('noise', 'hydrogen-data', r'/drumkits/', 'hydrogen'),
    ('noise', 'hyperrogue-music', r'/sounds/', 'hyperrogue'),
    ('noise', 'lincity-ng-data', r'/sounds/', 'lincity'),
    ('noise', 'lmms-common', r'/samples/(?!beats|bassloops|latin|waveforms)', 'lmms'),
    ('noise', 'megaglest-data', r'/(?!music/)[^/]+/[^/]+$', 'megaglest'),
    ('noise', 'minetest-data', r'/minetest_game/', 'minetest'),
    ('noise', 'netpanzer-data', r'/sound/', 'netpanzer'),
    ('noise', 'oxygen-sounds', '', 'oxygen'),
    ('noise', 'pekka-kana-2-data', r'/sfx/', 'pekka-kana'),
    ('noise', 'pokerth-data', '', 'pokerth'),
    ('noise', 'simutrans-pak64', '', 'simutrans'),
    ('noise', 'sound-icons', '', 'sound-icons'),
    ('noise', 'sound-theme-freedesktop', '', 'freedesktop'),
    ('noise', 'teeworlds-data', r'/audio/(?!music)', 'teeworlds'),
    ('noise', 'wesnoth-1.16-data', '', 'wesnoth'),
    ('noise', 'warzone2100-data', r'/audio/sfx/', 'warzone'),
    ('noise', 'wordwarvi-sound', '', 'wordwarvi'),
    ('music', 'ardentryst', r'/Music/', 'ardentryst'),
    ('music', 'asterisk-moh-opsound-g722', '', 'asterisk'),
    ('music', 'colobot-common-sounds', r'/music/', 'colobot'),
    ('music', 'enigma-data', r'/music/', 'enigma'),
    ('music', 'extremetuxracer-data', r'/music/', 'extremetuxracer'),
    ('music', 'fillets-ng-data', r'/music/', 'fillets'),
    ('music', 'hedgewars-data', r'/Music/', 'hedgewars'),
    ('music', 'hyperrogue-music', '', 'hyperrogue'),
    ('music', 'lincity-ng-data', r'/music/', 'lincity'),
    ('music', 'megaglest-data', r'/music/', 'megaglest'),
    ('music', 'singularity-music', '', 'singularity'),
    ('music', 'warzone2100-music', '', 'warzone2100'),
    ('music', 'wesnoth-1.16-music', '', 'wesnoth'),
]
NO_NOISE = re.compile(r'crowd|laugh|talk|speech|voice|cheer|applause', re.I)  # names of what holds words or many people


def place(package, path):
    """(kind, family) of a file, named by its path in the package; None if it is of no use."""
    for kind, of, files, family in SOURCES:
        found = of == package and re.search(files, f'/{path}')
        if not found:
            continue
        if kind == 'noise' and NO_NOISE.search(pathlib.PurePath(path).name):
            return None
        return kind, found.expand(family)
    return None


def unpacked(package, folder):
    """The folder of an unpacked package, fetched unless it is there."""
    to = folder / 'packages' / package
    if to.is_dir():
        return to
    part = to.with_name(f'{package}.part')
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir(parents=True)
    if subprocess.run(['apt-get', 'download', '-qq', package], cwd=part, check=False).returncode:
        fail(UNAVAILABLE, f'apt-get cannot download {package}: run apt-get update, or remove its lines from SOURCES')
    archive, = part.glob('*.deb')
    subprocess.run(['dpkg-deb', '-x', archive.name, '.'], cwd=part, check=True)
    archive.unlink()
    for packed in [path for path in part.rglob('*') if path.suffix in ('.zip', '.pk3', '.wz')]:  # games keep their sounds in them
        with zipfile.ZipFile(packed) as members:
            names = [name for name in members.namelist() if pathlib.PurePath(name).suffix.lower() in SUFFIXES]
            members.extractall(packed.parent, names)
        packed.unlink()
    part.rename(to)
    return to


def main():
    parser = Parser(__doc__)
    parser.add_argument('folder', metavar='FOLDER', type=pathlib.Path)
    folder = parser.parse_args().folder
    for program in ('apt-get', 'dpkg-deb'):
        if not shutil.which(program):
            fail(UNAVAILABLE, f'{program} is not on PATH: this needs Debian or one of its descendants')
    seen, counts = set(), {}
    for package in dict.fromkeys(package for _, package, _, _ in SOURCES):
        root = unpacked(package, folder)
        for source in sorted(path for path in root.rglob('*') if path.suffix.lower() in SUFFIXES and path.is_file()):
            path = source.relative_to(root)
            found, content = place(package, str(path)), hashlib.sha256(source.read_bytes()).digest()
            if not found or content in seen:  # packages repeat recordings under several names
                continue
            seen.add(content)
            # A number behind a hyphen would make a family of its own (material.py).
            to = folder / found[0] / found[1] / str(path).replace('/', '_').replace('-', '_')
            to.parent.mkdir(parents=True, exist_ok=True)
            if not to.exists():
                os.link(source.resolve(), to)
            counts[found[0], package] = counts.get((found[0], package), 0) + 1
    for (kind, package), count in sorted(counts.items()):
        print(f'{kind:6}  {count:5}  {package}')


if __name__ == '__main__':
    try:
        main()
    except OSError as error:
        fail(IO, str(error))
