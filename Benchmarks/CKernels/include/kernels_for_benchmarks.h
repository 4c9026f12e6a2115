/* The C core's vector kernels, for measuring them alone. */
#include "../../../CSupport/CVoiceActivity/kernels.h"
#include "../../../CSupport/CVoiceActivity/tables.h"
