/* The C core's internal headers, for tests of its stages. */
#include <voice_activity.h>
