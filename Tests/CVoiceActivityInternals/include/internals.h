/* The C core's internal headers, for tests of its stages. */
#include "../../../CSupport/CVoiceActivity/bands.h"
#include "../../../CSupport/CVoiceActivity/detector_state.h"
#include "../../../CSupport/CVoiceActivity/echo.h"
#include "../../../CSupport/CVoiceActivity/fast_math.h"
#include "../../../CSupport/CVoiceActivity/kernels.h"
#include "../../../CSupport/CVoiceActivity/smoother.h"
#include "../../../CSupport/CVoiceActivity/tables.h"
