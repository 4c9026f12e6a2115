/* layout.c — the places that src/core/layout.js reads and writes: those of the library, and those that depend on the
 * size of a pointer. It only has to compile. */
#include "../../../CSupport/libvoiceactivity/abi/layout.c"

#include "arena.h"

FIELD(va_output, events, va_event *, 0);
FIELD(va_output, event_count, size_t, 8);
FIELD(va_output, hops, va_hop *, 12);
FIELD(va_output, hop_capacity, size_t, 16);
FIELD(va_output, hop_count, size_t, 20);
FIELD(va_output, more, bool, 24);

VALUE(ARENA_SAMPLES, 4096);
VALUE(ARENA_CUTTER, 4096);
VALUE(VA_ECHO_CHANNELS_MAX, 8);
SIZE(arena_saved, 6144);
_Static_assert(VA_ECHO_SAVED_SIZE_MAX <= sizeof arena_saved, "room for a saved echo");
