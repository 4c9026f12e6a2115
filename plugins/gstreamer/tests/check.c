/* check.c — the main function of each test program. `meson test NAME` runs tests/test_NAME.c, and `meson test --gdb
 * NAME` in a debugger, with CK_FORK=no. PCM_DIR, SAMPLES_DIR and GST_PLUGIN_PATH locate the files. */
#include "support.h"

int main(int argc, char **argv) {
  gst_check_init(&argc, &argv);
  Suite *suite = suite_create("voiceactivity");
  TCase *tests = test_case();
  tcase_set_timeout(tests, 900); /* s; valgrind is 30 times slower */
  suite_add_tcase(suite, tests);
  return gst_check_run_suite(suite, "voiceactivity", __FILE__);
}
