/* process_arguments.h — returns the arguments of the process, even where /proc is not mounted. */
#ifndef PROCESS_ARGUMENTS_H
#define PROCESS_ARGUMENTS_H

/**
 * The argument of the process with this index; 0 is the program's name. Returns NULL after the last.
 *
 * Swift's `CommandLine` reads them from /proc/self/cmdline and has none where /proc is not mounted, as in a chroot.
 * The text belongs to the process and stays as it is. Call it from any thread.
 */
const char *process_argument(int index);

#endif
