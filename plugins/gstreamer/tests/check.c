/* check.c — runs the tests of the element `voiceactivity` for `make check`. PCM_DIR, SAMPLES_DIR and
 * GST_PLUGIN_PATH locate the files. CK_RUN_CASE=times runs one case alone; CK_FORK=no is for a debugger. */
#include "support.h"

int main(int argc, char **argv) {
  gst_check_init(&argc, &argv);
  Suite *suite = suite_create("voiceactivity");
  TCase *cases[] = {audio_case(), times_case(), holes_case(), states_case(),
                    muted_case(), level_case(), rtp_case(),   seek_case(),
                    loss_case(), webrtc_case(), readme_case(), probe_case(), reference_case(),
                    played_case()};
  for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
    tcase_set_timeout(cases[i], 900); /* s; valgrind is 30 times slower */
    suite_add_tcase(suite, cases[i]);
  }
  return gst_check_run_suite(suite, "voiceactivity", __FILE__);
}
