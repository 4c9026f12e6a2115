/* shim.h — makes libsndfile available to Swift. */
#include <sndfile.h>
