/* SwiftPM wants a source file; all is in the header. */
#include "internals.h"
