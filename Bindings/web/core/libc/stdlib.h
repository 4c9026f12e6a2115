/* stdlib.h — what the core uses of it. */
#ifndef WEB_STDLIB_H
#define WEB_STDLIB_H

#include <stddef.h>

/* Returns NULL: a module has no environment. */
char *getenv(const char *name);

#endif
