/* CPlayedMix.h — makes one channel of what several loudspeakers play, as an echo of the core does. */
#include "../../CVoiceActivity/played_mix.h"
