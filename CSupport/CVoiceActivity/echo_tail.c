#include "echo_tail.h"

/* Until a room is known. */
#define VA_TAIL_DB (-10)

/* A level is within these limits. Errors whose mean is far above them are somebody's who speaks. */
#define VA_TAIL_MIN_DB (-14)
#define VA_TAIL_MAX_DB 2
#define VA_TAIL_ERROR_MAX_DB 8

/* Errors count if there are so many, and if they lie together. Those of a user spread by 6 dB and more. */
#define VA_TAIL_ERRORS_MIN 6
#define VA_TAIL_SPREAD_DB 5
#define VA_TAIL_FEW_ERRORS 4

/* A step weighs 1 / (steps + the first number), but at least 1 / the second. It moves the level as 6 dB would at
 * most. */
#define VA_TAIL_START 4
#define VA_TAIL_STEPS 33
#define VA_TAIL_CHANGE_MAX_DB 6

static int between(int value, int least, int most) { return value < least ? least : value > most ? most : value; }

void va_echo_tail_init(va_echo_tail *tail) { *tail = (va_echo_tail){.level = va_path_of_db(VA_TAIL_DB)}; }

void va_echo_tail_step(va_echo_tail *tail, const va_echo_errors *errors) {
  if (errors->count < VA_TAIL_ERRORS_MIN || !va_errors_lie_together(errors, VA_TAIL_SPREAD_DB, VA_TAIL_FEW_ERRORS))
    return;
  const int mean = errors->sum * (VA_PATH_UNITS_PER_DB / VA_HALF_DB(1)) / errors->count;
  if (mean > va_path_of_db(VA_TAIL_ERROR_MAX_DB)) return;
  const int most = va_path_of_db(VA_TAIL_CHANGE_MAX_DB), change = between(mean - tail->level, -most, most);
  const int level = tail->level + change / (tail->steps + VA_TAIL_START);
  tail->level = (int16_t)between(level, va_path_of_db(VA_TAIL_MIN_DB), va_path_of_db(VA_TAIL_MAX_DB));
  if (tail->steps + VA_TAIL_START < VA_TAIL_STEPS) tail->steps++;
}
