/* SwiftPM wants a source file; the core has the functions. */
#include "include/CPlayedMix.h"
