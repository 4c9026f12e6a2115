/* shim.h — makes libFLAC available to Swift. */
#include <FLAC/stream_decoder.h>
