/* SwiftPM wants a source file; all is in the header. */
#include "kernels_for_benchmarks.h"
