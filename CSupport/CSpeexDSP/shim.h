/* shim.h — makes libspeexdsp available to Swift. */
#include <speex/speex_resampler.h>
