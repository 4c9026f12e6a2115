"""Talkers: espeak-ng, flite and festival, each phrase by itself, with pauses between, then mildly bent."""

import io
import itertools
import pathlib
import subprocess
import tempfile

import numpy as np
import soundfile

from .sound import RATE, chance, log_uniform, room, samples, swell, unit, wander, warp
from .texts import phrase

ESPEAK_LANGUAGES = (
    'af am an ar as az ba be bg bn bs ca cmn cs cv cy da de el en-029 en-gb en-gb-scotland en-gb-x-gbclan '
    'en-gb-x-gbcwmd en-gb-x-rp en-us en-us-nyc eo es es-419 et eu fa fi fr-be fr-ch fr-fr ga gd gn gu hak haw he hi hr ht '
    'hu hy hyw ia id io is it ja ka kk kn ko kok ku ky la lb lt ltg lv mi mk ml mr ms mt nb ne nl nog om or pa pap '
    'pl pt pt-br quc ro ru ru-lv sd sk sl smj sq sr sv sw ta te th tk tn tr tt ug uk ur uz vi yue'
).split()
COMMON = 'en-us en-gb de es fr-fr it pt-br ru cmn ja hi ar nl pl sv tr'.split()  # a third of the talkers
VARIANTS = (
    'm1 m2 m3 m4 m5 m6 m7 m8 f1 f2 f3 f4 f5 croak whisper whisperf klatt klatt2 klatt3 klatt4 klatt5 klatt6 Alex '
    'Alicia Andrea Annie Denis Diogo Gene Henrique Hugo Jacky Lee Marco Mario Michael Mike Nguyen Storm adam anika '
    'antonio aunty belinda benjamin boris caleb david ed edward grandma grandpa gustave iven john kaukovalta linda '
    'marcelo max michel miguel norbert pablo paul pedro quincy rob robert sandro shelby steph steph2 travis victor '
    'zac'
).split()

FLITE_VOICES = {'kal16': 100, 'awb': 120, 'rms': 95, 'slt': 180}  # and the pitch that they usually speak at, Hz

FESTIVAL_VOICES = {  # voice: language, how festival wants its text encoded, and the Debian packages
    'kal_diphone': ('en', 'ascii', 'festvox-kallpc16k'),
    'ked_diphone': ('en', 'ascii', 'festvox-kdlpc16k'),
    'cmu_us_slt_arctic_hts': ('en', 'ascii', 'festvox-us-slt-hts'),
    'lp_diphone': ('it', 'latin-1', 'festvox-italp16k'),
    'pc_diphone': ('it', 'latin-1', 'festvox-itapc16k'),
    'upc_ca_ona_hts': ('ca', 'latin-1', 'festvox-ca-ona-hts'),
    'czech_dita': ('cs', 'iso8859-2', 'festvox-czech-dita'),
    'czech_krb': ('cs', 'iso8859-2', 'festvox-czech-krb'),
    'czech_machac': ('cs', 'iso8859-2', 'festvox-czech-machac'),
    'czech_ph': ('cs', 'iso8859-2', 'festvox-czech-ph'),
    'msu_ru_nsh_clunits': ('ru', 'utf-8', 'festvox-ru'),
    'hindi_NSK_diphone': ('hi', 'utf-8', 'festvox-hi-nsk'),
    'marathi_NSK_diphone': ('mr', 'utf-8', 'festvox-mr-nsk'),
    'telugu_NSK_diphone': ('te', 'utf-8', 'festvox-te-nsk'),
}
FESTIVAL = pathlib.Path('/usr/share/festival')

REQUIRED = {  # program or path: the Debian package that holds it
    'espeak-ng': 'espeak-ng',
    'flite': 'flite',
    'festival': 'festival',
    **{
        f'{FESTIVAL}/{language}_scm': package
        for language, package in (('hindi', 'festival-hi'), ('marathi', 'festival-mr'), ('telugu', 'festival-te'))
    },
    **{
        next(map(str, FESTIVAL.glob(f'voices/*/{voice}')), voice): package
        for voice, (_, _, package) in FESTIVAL_VOICES.items()
    },
}


def run(command, text=None):
    """The command's output. Some synthesisers crash on some text: that is an empty output, and the talker goes on."""
    return subprocess.run(command, input=text, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False).stdout


def wav(data):
    """Samples and rate; none of broken data."""
    try:
        x, rate = soundfile.read(data)
        return np.nan_to_num(x), rate
    except soundfile.SoundFileError:
        return np.zeros(0), RATE


# Each engine draws a talker; it returns the family and an endless run of phrases as (samples, rate).


def espeak(rng, _):
    language = str(rng.choice(COMMON if chance(rng, 0.33) else ESPEAK_LANGUAGES))
    voice = language + '+' + str(rng.choice(VARIANTS))
    speed, pitch = rng.uniform(90, 260), rng.uniform(10, 90)

    def phrases():
        while True:
            text = f'<prosody range="{int(rng.uniform(30, 200))}%">{phrase(rng, language)}</prosody>'
            pace, height = speed * rng.uniform(0.9, 1.1), np.clip(pitch + rng.normal(0, 6), 1, 99)
            command = f'espeak-ng -v {voice} -s {pace:.0f} -p {height:.0f} -m --stdin --stdout'
            yield wav(io.BytesIO(run(command.split(), text.encode())))

    return 'espeak-' + language, phrases()


def flite(rng, folder):
    name = str(rng.choice(list(FLITE_VOICES)))
    mean, stretch = FLITE_VOICES[name] * rng.uniform(0.8, 1.3), rng.uniform(0.7, 1.5)

    def phrases():
        while True:
            path = folder / 'a.wav'
            path.unlink(missing_ok=True)
            prosody = {
                'duration_stretch': stretch * rng.uniform(0.9, 1.1),
                'int_f0_target_mean': mean * rng.uniform(0.9, 1.1),
                'int_f0_target_stddev': rng.uniform(8, 40),
            }
            settings = [word for key, value in prosody.items() for word in ('--setf', f'{key}={value:.2f}')]
            run(['flite', '-voice', name, *settings, '-t', phrase(rng, 'en', 0.7), '-o', str(path)])
            yield wav(path)

    return 'flite-' + name, phrases()


def festival(rng, folder):
    name = str(rng.choice(list(FESTIVAL_VOICES)))
    language, encoding, _ = FESTIVAL_VOICES[name]
    stretch = rng.uniform(0.75, 1.4)

    def phrases():
        while True:
            lines, paths = [f'(voice_{name})'], [folder / f'{i}.wav' for i in range(3)]
            for path in paths:  # festival starts slowly: three phrases at a time
                path.unlink(missing_ok=True)
                text = phrase(rng, language, 0.6).replace('’', "'")
                lines += [
                    f"(Parameter.set 'Duration_Stretch {stretch * rng.uniform(0.9, 1.1):.2f})",
                    f'(utt.save.wave (SynthText "{text}") "{path}")',
                ]
            script = folder / 'a.scm'
            script.write_bytes('\n'.join(lines).encode(encoding, 'ignore'))
            run(['festival', '-b', str(script)])
            yield from map(wav, paths)

    return 'festival-' + name.removesuffix('_diphone').replace('_', '-').lower(), phrases()


def trim(x):
    """x without the quiet start and end; exact zeros in between stay."""
    loud = np.flatnonzero(np.abs(x) > max(0.005 * np.abs(x).max(initial=0), 1e-4))
    return x[loud[0] : loud[-1] + 1] if len(loud) else x[:0]


def bend(rng, x, rate):
    """Another throat: resampled by up to 15 %, the pitch wavering by a few per cent over seconds, a spectral tilt."""
    waver = rng.uniform(0, 0.025) * wander(rng, 200, 40 / max(len(x) / rate, 0.1))
    return warp(x, rate, np.exp(rng.uniform(-0.14, 0.14) + waver), rng.uniform(-3, 3))


def talk(rng):
    """One file: family and 2 … 12 s of one talker with pauses of 0.1 … 1.5 s between the phrases."""
    engine = rng.choice([espeak, flite, festival], p=[0.68, 0.1, 0.22])
    wanted, rests, throat = rng.uniform(2, 12), log_uniform(rng, 0.1, 1.0), int(rng.integers(1 << 60))
    parts, total = [np.zeros(samples(rng.uniform(0.05, 0.4)))], 0.0
    with tempfile.TemporaryDirectory() as folder:
        family, phrases = engine(rng, pathlib.Path(folder))
        for x, rate in itertools.islice(phrases, 12):
            x = trim(x)
            if len(x) < 0.05 * rate:
                continue
            x = trim(bend(np.random.default_rng(throat), x, rate))
            x = x * swell(len(x), 0.005, 0.01) * 10 ** (rng.normal(0, 2) / 20)
            parts += [x, np.zeros(samples(np.clip(rests * rng.uniform(0.5, 2), 0.1, 1.5)))]
            total += (len(parts[-2]) + len(parts[-1])) / RATE
            if total > wanted:
                break
    return family, np.concatenate(parts)[: samples(12)]


def babble(rng):
    """A crowd in a hall: 24 voices or more, each talker twice, in a room so long that no word is left."""
    n = samples(rng.uniform(6, 15))
    out = np.zeros(n)
    for _ in range(rng.integers(12, 17)):
        x = np.resize(talk(rng)[1], n)
        for _ in range(2):
            out += rng.uniform(0.5, 1) * unit(np.roll(x, rng.integers(n)))
    return room(rng, out, rng.uniform(1.5, 3)) * swell(n, 0.3, 0.3)
