/* layout.h — for the abi/layout.c of a library: statements that only compile if a public struct or value is as they
 * say. */
#ifndef LAYOUT_H
#define LAYOUT_H

#include <stddef.h>

#define SIZE(type, bytes) _Static_assert(sizeof(type) == bytes, "the size of " #type)
#define FIELD(structure, name, type, at)                                                          \
  _Static_assert(offsetof(structure, name) == at, "the place of " #structure "." #name);          \
  _Static_assert(_Generic(&((structure *)0)->name, type *: 1, default: 0), "the type of " #structure "." #name)
#define VALUE(name, value) _Static_assert(name == value, "the value of " #name)

#endif
