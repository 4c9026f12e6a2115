/* shim.h — makes libasound available to Swift. */
#include <alsa/asoundlib.h>
