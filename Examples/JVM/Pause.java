import java.util.List;

/**
 * A call of six cameras on a path that becomes narrow for ten seconds: which videos are paused, and when they are back.
 *
 * <pre>
 * javac --add-modules jdk.incubator.foreign -d build *.java
 * java --add-modules jdk.incubator.foreign --enable-native-access=ALL-UNNAMED -cp build \
 *   -Dvideopause.library=/usr/local/lib/libvideopause.so Pause
 * </pre>
 */
final class Pause {
  private static long capacityBps(long atUs) {
    return atUs >= 2_000_000 && atUs < 12_000_000 ? 320_000 : 4_000_000;
  }

  public static void main(String[] arguments) {
    List<VideoPause.Layer> layers = List.of(
        new VideoPause.Layer(0, 0, 320, 180, 30, 150_000), new VideoPause.Layer(1, 0, 640, 360, 30, 500_000));
    try (VideoPause coordinator = new VideoPause()) {
      for (long participant = 1; participant <= 6; participant++)
        coordinator.upsertStream(VideoPause.stream(participant, VideoPause.VIDEO), VideoPause.CAMERA, layers, 0);
      coordinator.setSpeakerOrder(new long[] {4, 2}, 0);
      for (long atUs = 0; atUs < 40_000_000; atUs += 100_000) {
        coordinator.setBandwidthEstimate(capacityBps(atUs), 0, atUs);
        coordinator.decide(atUs);
        for (VideoPause.Change change : coordinator.drainChanges())
          System.out.printf("%.1f s: participant %d is %s%n", atUs / 1e6, VideoPause.participant(change.stream()),
              change.isPaused() ? "paused" : "back");
      }
      List<VideoPause.Row> rows = coordinator.rows();
      if (VideoPause.participant(rows.get(0).stream()) != 4 || !rows.get(0).layer().equals(layers.get(1)))
        throw new IllegalStateException("the speaker is not first, in full size: " + rows.get(0));
      try {
        coordinator.removeStream(99, 40_000_000);
        throw new IllegalStateException("an unknown stream was removed");
      } catch (VideoPause.Failure failure) {
        if (!failure.getMessage().contains("no such stream")) throw failure;
      }
      coordinator.close();
      coordinator.close();
      try {
        coordinator.setAudio(1, 0, 40_000_000);
        throw new AssertionError("a closed coordinator was used");
      } catch (IllegalStateException closed) {
        // as it should be
      }
    }
  }
}
