"""The recordings of Debian's packages go where they belong."""

import unittest

from debian import place

GAMES = 'usr/share/games'


class PlaceTests(unittest.TestCase):
    def test_every_kind(self):
        for package, path, expected in [
            ('tuxpaint-stamps-default', 'stamps/animals/dogs/dog_desc_fr.ogg', ('speech', 'tuxpaint-fr')),
            ('tuxpaint-stamps-default', 'stamps/animals/dogs/dog_desc_pt_BR.ogg', ('speech', 'tuxpaint-pt_BR')),
            ('tuxpaint-stamps-default', 'stamps/animals/dogs/dog_desc.ogg', ('speech', 'tuxpaint-en')),
            ('tuxpaint-stamps-default', 'stamps/animals/mammals/dogs/dog.ogg', ('speechless', 'animal_dogs')),
            ('tuxpaint-stamps-default', 'stamps/vehicles/train.ogg', ('noise', 'tuxpaint')),
            ('tuxpaint-stamps-default', 'stamps/symbols/a_outline.ogg', None),
            ('klettres-data', 'usr/share/klettres/nds/alpha/x.ogg', ('speech', 'klettres-nds')),
            ('ktuberling-data', 'usr/share/ktuberling/sounds/nds/hoot.wav', ('speech', 'ktuberling-nds')),
            ('asterisk-prompt-es-co', 'usr/share/asterisk/sounds/es/vm-from.gsm', ('speech', 'asterisk-es-co')),
            ('asterisk-prompt-es-co', 'usr/share/asterisk/sounds/es/silence/1.gsm', None),
            ('megaglest-data', f'{GAMES}/megaglest/techs/orc/sounds/orc_groan1.wav', ('noise', 'megaglest')),
            ('megaglest-data', f'{GAMES}/megaglest/techs/orc/music/theme.ogg', ('music', 'megaglest')),
            ('megaglest-data', f'{GAMES}/megaglest/techs/orc/sounds/orc_die1.wav', ('speechless', 'die_megaglest_orc')),
            ('0ad-data', f'{GAMES}/0ad/audio/actor/fauna/animal/cattle_01.ogg', ('speechless', 'animal_cattle')),
            ('0ad-data', f'{GAMES}/0ad/audio/actor/fauna/death/death_horse_10.ogg', ('speechless', 'animal_horse')),
            ('0ad-data', f'{GAMES}/0ad/audio/actor/human/death/female_death_01.ogg', ('speechless', 'scream_0ad_female')),
            ('0ad-data', f'{GAMES}/0ad/audio/attack/impact/arrow_11.ogg', ('noise', '0ad_attack_impact')),
            ('0ad-data', f'{GAMES}/0ad/audio/voice/greek/civ/civ_male_attack.ogg', ('speech', '0ad_greek')),
            ('0ad-data', f'{GAMES}/0ad/audio/music/peace.ogg', None),
            ('openarena-081-players', 'sound/player/liz/pain25_1.wav', ('speechless', 'pain_liz')),
            ('openarena-081-players', 'sound/player/liz/taunt.wav', None),
            ('nexuiz-data', 'sound/player/marine/player/pain25.ogg', ('speechless', 'pain_marine')),
            ('nexuiz-data', 'sound/player/marine/coms/coverme.ogg', ('speech', 'nexuiz_marine')),
            ('nexuiz-data', 'sound/player/torus/coverme.ogg', None),
            ('nexuiz-data', 'sound/weapons/lasergun_fire.wav', ('noise', 'nexuiz_weapons')),
            ('widelands-data', f'{GAMES}/widelands/data/sound/animals/wolf_00.ogg', ('speechless', 'animal_wolf')),
            ('hedgewars-data', f'{GAMES}/hedgewars/Data/Sounds/voices/British/Ow1.ogg', ('speechless', 'hedgewars_Ow')),
            ('hedgewars-data', f'{GAMES}/hedgewars/Data/Sounds/voices/British/Hello.ogg', ('speech', 'hedgewars_British')),
            ('hedgewars-data', f'{GAMES}/hedgewars/Data/Sounds/voices/British/Hmm.ogg', None),
            ('warzone2100-data', f'{GAMES}/warzone2100/audio/vtoltalk/v1.ogg', ('speech', 'warzone')),
            ('warzone2100-data', f'{GAMES}/warzone2100/audio/sfx/misc/steam.ogg', ('noise', 'warzone')),
            ('gcin-voice', 'usr/share/gcin-voice/ogg/ㄅㄚ4/3.ogg', ('speech', 'gcin_3')),
            ('hedgewars-data', f'{GAMES}/hedgewars/Data/Sounds/explosion.ogg', ('noise', 'hedgewars')),
            ('hyperrogue-music', 'usr/share/hyperrogue/sounds/tock.ogg', ('noise', 'hyperrogue')),
            ('hyperrogue-music', 'usr/share/hyperrogue/music/caves.ogg', ('music', 'hyperrogue')),
            ('wesnoth-1.16-data', f'{GAMES}/wesnoth/1.16/sounds/wail.wav', ('noise', 'wesnoth')),
            ('wesnoth-1.16-data', f'{GAMES}/wesnoth/1.16/sounds/Crowd1.ogg', None),
            ('unknown', 'x.wav', None),
        ]:
            self.assertEqual(place(package, path), expected, path)


if __name__ == '__main__':
    unittest.main()
