/* string.h — what the core uses of it. clang turns most calls into single instructions; libc.c has the rest. */
#ifndef WEB_STRING_H
#define WEB_STRING_H

#include <stddef.h>

void *memcpy(void *restrict to, const void *restrict from, size_t size);
void *memmove(void *to, const void *from, size_t size);
void *memset(void *to, int byte, size_t size);
int memcmp(const void *a, const void *b, size_t size);
int strcmp(const char *a, const char *b);

#endif
