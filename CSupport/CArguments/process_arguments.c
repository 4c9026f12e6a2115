#include "process_arguments.h"

#include <features.h>
#include <stddef.h>
#ifndef __GLIBC__
#error "only glibc calls constructors with the arguments of main"
#endif

static char *const *arguments;
static int argument_count;

/* glibc calls what is in .init_array with the arguments of main (csu/libc-start.c, elf/dl-init.c). */
__attribute__((constructor)) static void keep(int count, char **values) {
  argument_count = count;
  arguments = values;
}

const char *process_argument(int index) {
  return index >= 0 && index < argument_count ? arguments[index] : NULL;
}
