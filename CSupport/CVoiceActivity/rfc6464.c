/* rfc6464.c — the byte of RFC 6464's header extension (client-to-mixer audio level): the voice bit, then seven bits of
 * -dBov. */
#include "level.h"
#include "voice_activity.h"

#define VA_VOICE_BIT 0x80u

uint8_t va_rfc6464_byte(uint8_t level_dbov, bool voice) {
  unsigned level = level_dbov < VA_DBOV_MAX ? level_dbov : VA_DBOV_MAX;
  return (uint8_t)((voice ? VA_VOICE_BIT : 0u) | level);
}

uint8_t va_rfc6464_level(uint8_t byte) { return (uint8_t)(byte & ~VA_VOICE_BIT); }

bool va_rfc6464_voice(uint8_t byte) { return (byte & VA_VOICE_BIT) != 0; }
