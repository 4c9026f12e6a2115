"""What the synthetic talkers say: short plain sentences, and words made of syllables for every other script."""

SENTENCES = {
    'en': [
        'Good morning, did you sleep well?',
        'I think the train leaves at half past nine.',
        'Please close the window.',
        'We could meet at the corner and walk from there.',
        'No, that was the other one.',
        'How much is it altogether?',
        'Wait a moment, I will write it down.',
        'The soup needs a little more salt.',
        'Yes.',
        'Okay, thank you very much.',
        'My sister found the keys under the chair.',
        'Can you hear me now?',
        'It rained all week, and then the sun came out.',
        'Turn left after the bridge.',
        'Honestly, I have no idea what he wanted.',
        'Stop, stop, go back to the first page.',
    ],
    'de': [
        'Guten Morgen, hast du gut geschlafen?',
        'Der Zug fährt um halb zehn vom dritten Gleis.',
        'Mach bitte das Fenster zu.',
        'Wir könnten uns an der Ecke treffen.',
        'Nein, das war der andere.',
        'Was kostet das zusammen?',
        'Ja, genau.',
        'Moment, ich schreibe es mir auf.',
        'Die Suppe braucht noch etwas Salz.',
        'Hörst du mich jetzt?',
        'Es hat die ganze Woche geregnet.',
        'Nach der Brücke links abbiegen.',
        'Ich weiß wirklich nicht, was er wollte.',
    ],
    'es': [
        'Buenos días, ¿has dormido bien?',
        'El tren sale a las nueve y media.',
        'Cierra la ventana, por favor.',
        'Sí, claro.',
        'Podemos vernos en la esquina.',
        'No, era el otro.',
        '¿Cuánto cuesta todo?',
        'Espera, lo voy a apuntar.',
        'Llovió toda la semana.',
        '¿Me oyes ahora?',
        'A la sopa le falta un poco de sal.',
    ],
    'fr': [
        'Bonjour, tu as bien dormi ?',
        'Le train part à neuf heures et demie.',
        'Ferme la fenêtre, s’il te plaît.',
        'Oui, bien sûr.',
        'On peut se retrouver au coin de la rue.',
        'Non, c’était l’autre.',
        'Ça fait combien en tout ?',
        'Attends, je le note.',
        'Il a plu toute la semaine.',
        'Tu m’entends maintenant ?',
        'La soupe manque un peu de sel.',
    ],
    'it': [
        'Buongiorno, hai dormito bene?',
        'Il treno parte alle nove e mezza.',
        'Chiudi la finestra, per favore.',
        'Sì, certo.',
        'Possiamo vederci all’angolo.',
        'No, era l’altro.',
        'Quanto costa tutto insieme?',
        'Aspetta, lo scrivo.',
        'Ha piovuto tutta la settimana.',
        'Mi senti adesso?',
    ],
    'pt': [
        'Bom dia, dormiste bem?',
        'O comboio parte às nove e meia.',
        'Fecha a janela, por favor.',
        'Sim, claro.',
        'Não, era o outro.',
        'Quanto custa tudo?',
        'Espera, vou escrever.',
        'Choveu a semana toda.',
        'Consegues ouvir-me agora?',
    ],
    'nl': [
        'Goedemorgen, heb je goed geslapen?',
        'De trein vertrekt om half tien.',
        'Doe het raam even dicht.',
        'Ja, precies.',
        'Nee, dat was de andere.',
        'Wat kost dat bij elkaar?',
        'Wacht even, ik schrijf het op.',
        'Het heeft de hele week geregend.',
    ],
    'pl': [
        'Dzień dobry, dobrze spałeś?',
        'Pociąg odjeżdża o wpół do dziesiątej.',
        'Zamknij okno, proszę.',
        'Tak, oczywiście.',
        'Nie, to był ten drugi.',
        'Ile to kosztuje razem?',
        'Poczekaj, zapiszę to.',
        'Padało cały tydzień.',
    ],
    'sv': [
        'God morgon, har du sovit gott?',
        'Tåget går klockan halv tio.',
        'Kan du stänga fönstret?',
        'Ja, precis.',
        'Nej, det var den andra.',
        'Vad kostar det tillsammans?',
        'Vänta, jag skriver upp det.',
    ],
    'cs': [
        'Dobré ráno, spal jsi dobře?',
        'Vlak odjíždí v půl desáté.',
        'Zavři okno, prosím.',
        'Ano, jistě.',
        'Ne, to byl ten druhý.',
        'Kolik to stojí dohromady?',
        'Počkej, napíšu si to.',
        'Celý týden pršelo.',
        'Slyšíš mě teď?',
    ],
    'ca': [
        'Bon dia, has dormit bé?',
        'El tren surt a dos quarts de deu.',
        'Tanca la finestra, si us plau.',
        'Sí, és clar.',
        'No, era l’altre.',
        'Quant costa tot plegat?',
        'Espera, que ho apunto.',
        'Va ploure tota la setmana.',
    ],
    'tr': [
        'Günaydın, iyi uyudun mu?',
        'Tren dokuz buçukta kalkıyor.',
        'Pencereyi kapatır mısın?',
        'Evet, tabii.',
        'Hayır, öbürüydü.',
        'Hepsi ne kadar tutuyor?',
        'Bütün hafta yağmur yağdı.',
    ],
    'ru': [
        'Доброе утро, ты хорошо спал?',
        'Поезд отходит в половине десятого.',
        'Закрой, пожалуйста, окно.',
        'Да, конечно.',
        'Нет, это был другой.',
        'Сколько это стоит вместе?',
        'Подожди, я запишу.',
        'Всю неделю шёл дождь.',
    ],
    'ja': [
        'おはよう、よく ねむれた?',
        'でんしゃは くじはんに でます。',
        'まどを しめて ください。',
        'はい、そうです。',
        'いいえ、ちがいます。',
        'ぜんぶで いくら ですか。',
        'ちょっと まって ください。',
    ],
    'cmn': [
        '早上好,你睡得好吗?',
        '火车九点半开。',
        '请把窗户关上。',
        '对,没错。',
        '不是,是另一个。',
        '一共多少钱?',
        '等一下,我写下来。',
    ],
    'hi': [
        'नमस्ते, आप कैसे हैं?',
        'गाड़ी साढ़े नौ बजे जाती है।',
        'खिड़की बंद कर दीजिए।',
        'हाँ, ठीक है।',
        'नहीं, वह दूसरा था।',
        'कुल कितना हुआ?',
        'एक मिनट रुकिए।',
    ],
}

LATIN = (
    'p b t d k g m n l r s f v h j z st tr pl br kr sl ch sh'.split(),
    'a e i o u a e o ai au ei ou'.split(),
    ' n l r s t m k'.split(' '),
)
CYRILLIC = (
    'п б т д к г м н л р с ф в х з ж ш ч ст тр пл кр'.split(),
    'а е и о у а о'.split(),
    ' н л р с т м к'.split(' '),
)
GREEK = ('π β τ δ κ γ μ ν λ ρ σ φ χ θ ζ ξ στ τρ'.split(), 'α ε ι ο ου α ει'.split(), ' ν ς'.split(' '))
ARABIC = ('ب ت د ك ج م ن ل ر س ف ش ه ز'.split(), 'ا و ي ا'.split(), ' ن ل ر م'.split(' '))
HEBREW = ('ב ת ד ק ג מ נ ל ר ס פ ש ה ז'.split(), 'ַ ִ ֶ ּו ֹ'.split(), [''])
GEORGIAN = ('პ ბ ტ დ კ გ მ ნ ლ რ ს ვ ხ ზ შ ჩ'.split(), 'ა ე ი ო უ'.split(), ' ნ ლ რ ს მ'.split(' '))
ARMENIAN = ('պ բ տ դ կ գ մ ն լ ր ս վ խ զ շ չ'.split(), 'ա ե ի ո ու'.split(), ' ն լ ր ս մ'.split(' '))
KANA = (
    'か き く け こ さ し す せ そ た ち つ て と な に ぬ ね の ま み む め も ら り る れ ろ は ひ ふ へ ほ や ゆ よ わ'.split(),
    [''],
    ['', '', '', 'ん', 'う'],
)
HAN = (
    list(
        '你好大小人天地上中下水火山木月日子女口手心明早晚东西南北来去说话听看走开吃喝家车电书学生老师朋友今年点半时候很多'
    ),
    [''],
    [''],
)
HANGUL = (
    [
        chr(0xAC00 + lead * 588 + vowel * 28 + tail)
        for lead in (0, 2, 3, 5, 6, 7, 9, 11, 12, 18)
        for vowel in (0, 4, 8, 13, 18, 20)
        for tail in (0, 0, 4, 8, 16)
    ],
    [''],
    [''],
)
ETHIOPIC = (
    [
        chr(row + order)
        for row in (0x1208, 0x1218, 0x1228, 0x1230, 0x1260, 0x1270, 0x1290, 0x12A8, 0x12F0, 0x1308)
        for order in range(7)
    ],
    [''],
    [''],
)
THAI = ('ก ค จ ด ต น บ ป ม ร ล ส ห'.split(), 'า ี ู ะ'.split(), ' น ม ง'.split(' '))


def indic(block):
    """The Indic scripts lie in parallel in Unicode, letter for letter."""
    return (
        [chr(block + c) for c in (0x15, 0x1A, 0x24, 0x28, 0x2A, 0x2E, 0x2F, 0x30, 0x32, 0x38)],
        [''] + [chr(block + v) for v in (0x3E, 0x3F, 0x40, 0x41, 0x42, 0x47, 0x4B)],
        [''],
    )


SCRIPTS = {
    **dict.fromkeys('ru ru-lv be bg uk mk sr kk ky tt ba cv'.split(), CYRILLIC),
    **dict.fromkeys('el grc'.split(), GREEK),
    **dict.fromkeys('ar fa ur sd ug'.split(), ARABIC),
    'he': HEBREW,
    'ka': GEORGIAN,
    'hy': ARMENIAN,
    'hyw': ARMENIAN,
    'ja': KANA,
    **dict.fromkeys('cmn yue hak'.split(), HAN),
    'ko': HANGUL,
    'am': ETHIOPIC,
    'th': THAI,
    **dict.fromkeys('hi mr ne kok'.split(), indic(0x900)),
    **dict.fromkeys('bn as bpy'.split(), indic(0x980)),
    'pa': indic(0xA00),
    'gu': indic(0xA80),
    'or': indic(0xB00),
    'ta': indic(0xB80),
    'te': indic(0xC00),
    'kn': indic(0xC80),
    'ml': indic(0xD00),
}


def word(rng, language):
    onsets, vowels, codas = SCRIPTS.get(language, LATIN)
    return ''.join(rng.choice(onsets) + rng.choice(vowels) + rng.choice(codas) for _ in range(rng.integers(1, 5)))


def phrase(rng, language, real=0.5):
    """A sentence from above where there is one, else up to eight words and numbers, told, asked or cried."""
    sentences = SENTENCES.get(language) or SENTENCES.get(language.split('-')[0])
    if sentences and rng.random() < real:
        return str(rng.choice(sentences))
    words = [
        str(rng.integers(0, 3000)) if rng.random() < 0.12 else word(rng, language) for _ in range(rng.integers(1, 9))
    ]
    marks = rng.choice(['', '', '', ','], len(words) - 1).tolist() + [str(rng.choice(['.', '.', '?', '!']))]
    return ' '.join(w + m for w, m in zip(words, marks))
