import static jdk.incubator.foreign.CLinker.C_CHAR;
import static jdk.incubator.foreign.CLinker.C_INT;
import static jdk.incubator.foreign.CLinker.C_LONG;
import static jdk.incubator.foreign.CLinker.C_POINTER;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import jdk.incubator.foreign.CLinker;
import jdk.incubator.foreign.FunctionDescriptor;
import jdk.incubator.foreign.MemoryAccess;
import jdk.incubator.foreign.MemoryAddress;
import jdk.incubator.foreign.MemoryLayout;
import jdk.incubator.foreign.MemorySegment;
import jdk.incubator.foreign.ResourceScope;
import jdk.incubator.foreign.SymbolLookup;

/**
 * A face of libvideopause by the foreign-function API of Java 17, the only JDK of Debian 12. That API was an incubator module;
 * from Java 22 on it is java.lang.foreign, with other names, for which this file has to be changed. One thread at a time
 * may use a coordinator. Times are µs of a monotonic clock. Streams are named by {@link #stream}.
 */
final class VideoPause implements AutoCloseable {
  /** One quality at which a stream can be forwarded. The rate includes the layers that it depends on. */
  record Layer(int spatial, int temporal, int width, int height, double framesPerSecond, long bitrateBps) {}

  /** The decision for a stream: a vp_pause_reason, and the layer to forward, or null. */
  record Row(long stream, int reason, boolean needsKeyFrame, Layer layer) {}

  record Change(long stream, boolean isPaused) {}

  static final class Failure extends RuntimeException {
    Failure(String sentence) {
      super(sentence);
    }
  }

  static final int SCREEN_SHARE = 0, VIDEO = 1; // vp_track
  static final int CAMERA = 0, SCREEN = 1; // vp_kind
  static final int FORWARDED = 0; // vp_pause_reason

  // The sizes of vp_layer, vp_stream_decision and vp_paused_change, and how many changes are read at once.
  private static final long LAYER = 40, ROW = 104, CHANGE = 16, CHANGES = 16;

  private static final Map<MemoryLayout, Class<?>> TYPES =
      Map.of(C_CHAR, byte.class, C_INT, int.class, C_LONG, long.class, C_POINTER, MemoryAddress.class);

  static {
    System.load(System.getProperty("videopause.library", "/usr/local/lib/libvideopause.so"));
  }

  private static final MethodHandle STATUS_TEXT = function("vp_status_text", C_POINTER, C_INT);
  private static final MethodHandle CREATE = function("vp_coordinator_create", C_INT, C_POINTER, C_POINTER);
  private static final MethodHandle DESTROY = function("vp_coordinator_destroy", null, C_POINTER);
  private static final MethodHandle UPSERT =
      function("vp_upsert_stream", C_INT, C_POINTER, C_LONG, C_INT, C_CHAR, C_POINTER, C_LONG, C_LONG);
  private static final MethodHandle REMOVE = function("vp_remove_stream", C_INT, C_POINTER, C_LONG, C_LONG);
  private static final MethodHandle LOCKED = function("vp_layer_locked", C_INT, C_POINTER, C_LONG, C_LONG);
  private static final MethodHandle SPEAKERS =
      function("vp_set_speaker_order", C_INT, C_POINTER, C_POINTER, C_LONG, C_LONG);
  private static final MethodHandle ESTIMATE =
      function("vp_set_bandwidth_estimate", C_INT, C_POINTER, C_LONG, C_INT, C_LONG);
  private static final MethodHandle AUDIO = function("vp_set_audio", C_INT, C_POINTER, C_INT, C_LONG, C_LONG);
  private static final MethodHandle DECIDE = function("vp_decide", C_INT, C_POINTER, C_LONG, C_POINTER);
  private static final MethodHandle ROWS =
      function("vp_stream_decisions", C_INT, C_POINTER, C_POINTER, C_LONG, C_POINTER);
  private static final MethodHandle DRAIN =
      function("vp_drain_paused_changes", C_INT, C_POINTER, C_POINTER, C_LONG, C_POINTER);

  private final ResourceScope scope = ResourceScope.newConfinedScope();
  private final MemorySegment count = MemorySegment.allocateNative(8, 8, scope);
  private final MemorySegment changes = MemorySegment.allocateNative(CHANGES * CHANGE, 8, scope);
  private final MemoryAddress coordinator;

  private static MethodHandle function(String name, MemoryLayout result, MemoryLayout... arguments) {
    Class<?>[] types = Stream.of(arguments).map(TYPES::get).toArray(Class<?>[]::new);
    MemoryAddress address = SymbolLookup.loaderLookup().lookup(name).orElseThrow();
    return CLinker.getInstance().downcallHandle(
        address,
        MethodType.methodType(result == null ? void.class : TYPES.get(result), types),
        result == null ? FunctionDescriptor.ofVoid(arguments) : FunctionDescriptor.of(result, arguments));
  }

  private static Object call(MethodHandle function, Object... arguments) {
    try {
      return function.invokeWithArguments(arguments);
    } catch (Throwable error) {
      throw new IllegalStateException(error);
    }
  }

  private static void check(MethodHandle function, Object... arguments) {
    int code = (int) call(function, arguments);
    if (code != 0) throw new Failure(CLinker.toJavaString((MemoryAddress) call(STATUS_TEXT, code)));
  }

  /** The number of a participant's stream; the track is VIDEO or SCREEN_SHARE. */
  static long stream(long participant, int track) {
    return participant << 1 | track;
  }

  static long participant(long stream) {
    return stream >>> 1;
  }

  /** Makes a coordinator with the default settings. */
  VideoPause() {
    MemorySegment result = MemorySegment.allocateNative(C_POINTER, scope);
    check(CREATE, MemoryAddress.NULL, result.address());
    coordinator = MemoryAccess.getAddress(result);
  }

  /** Ends it. It may be closed again, but not used. */
  @Override
  public void close() {
    if (!scope.isAlive()) return;
    call(DESTROY, coordinator);
    scope.close();
  }

  private MemoryAddress coordinator() {
    if (!scope.isAlive()) throw new IllegalStateException("the coordinator is closed");
    return coordinator;
  }

  /** Adds or updates a stream with every layer that it may have. */
  void upsertStream(long stream, int kind, List<Layer> layers, long atUs) {
    try (ResourceScope call = ResourceScope.newConfinedScope()) {
      MemorySegment list = MemorySegment.allocateNative(LAYER * Math.max(1, layers.size()), 8, call);
      for (int i = 0; i < layers.size(); i++) write(list.asSlice(i * LAYER, LAYER), layers.get(i));
      check(UPSERT, coordinator(), stream, kind, (byte) 0, list.address(), (long) layers.size(), atUs);
    }
  }

  void removeStream(long stream, long atUs) {
    check(REMOVE, coordinator(), stream, atUs);
  }

  /** The key frame of the layer to forward has arrived. */
  void layerLocked(long stream, long atUs) {
    check(LOCKED, coordinator(), stream, atUs);
  }

  /** The participants who spoke most recently, the dominant speaker first. */
  void setSpeakerOrder(long[] participants, long atUs) {
    try (ResourceScope call = ResourceScope.newConfinedScope()) {
      MemorySegment order = MemorySegment.allocateNative(8L * Math.max(1, participants.length), 8, call);
      for (int i = 0; i < participants.length; i++) MemoryAccess.setLongAtIndex(order, i, participants[i]);
      check(SPEAKERS, coordinator(), order.address(), (long) participants.length, atUs);
    }
  }

  /** The estimate for everything that the subscriber receives; congestion is a vp_congestion. */
  void setBandwidthEstimate(long bps, int congestion, long atUs) {
    check(ESTIMATE, coordinator(), bps, congestion, atUs);
  }

  /** How many audio streams the subscriber receives, and their measured rate; 0 if it is not known. */
  void setAudio(int streams, long measuredBps, long atUs) {
    check(AUDIO, coordinator(), streams, measuredBps, atUs);
  }

  /** Returns whether there is anything new to forward. */
  boolean decide(long atUs) {
    check(DECIDE, coordinator(), atUs, count.address());
    return MemoryAccess.getByte(count) != 0;
  }

  /** Returns a row for each stream, the most important first. */
  List<Row> rows() {
    call(ROWS, coordinator(), MemoryAddress.NULL, 0L, count.address()); // how many?
    long rows = MemoryAccess.getLong(count);
    List<Row> result = new ArrayList<>();
    try (ResourceScope call = ResourceScope.newConfinedScope()) {
      MemorySegment list = MemorySegment.allocateNative(ROW * Math.max(1, rows), 8, call);
      check(ROWS, coordinator(), list.address(), rows, count.address());
      for (long i = 0; i < rows; i++) result.add(readRow(list.asSlice(i * ROW, ROW)));
    }
    return result;
  }

  /** Returns what has changed in the paused tracks since the last call. */
  List<Change> drainChanges() {
    List<Change> result = new ArrayList<>();
    do {
      check(DRAIN, coordinator(), changes.address(), CHANGES, count.address());
      for (long i = 0; i < MemoryAccess.getLong(count); i++) {
        MemorySegment change = changes.asSlice(i * CHANGE, CHANGE);
        result.add(new Change(MemoryAccess.getLong(change), MemoryAccess.getIntAtOffset(change, 8) != 0));
      }
    } while (MemoryAccess.getLong(count) == CHANGES);
    return result;
  }

  private static void write(MemorySegment to, Layer layer) {
    int[] words = {layer.spatial, layer.temporal, layer.width, layer.height, 1, 0};
    for (int i = 0; i < words.length; i++) MemoryAccess.setIntAtIndex(to, i, words[i]);
    MemoryAccess.setDoubleAtOffset(to, 24, layer.framesPerSecond);
    MemoryAccess.setLongAtOffset(to, 32, layer.bitrateBps);
  }

  private static Row readRow(MemorySegment from) {
    MemorySegment layer = from.asSlice(24, LAYER);
    int reason = MemoryAccess.getIntAtOffset(from, 8);
    Layer target = reason != FORWARDED ? null : new Layer(
        MemoryAccess.getIntAtIndex(layer, 0), MemoryAccess.getIntAtIndex(layer, 1),
        MemoryAccess.getIntAtIndex(layer, 2), MemoryAccess.getIntAtIndex(layer, 3),
        MemoryAccess.getDoubleAtOffset(layer, 24), MemoryAccess.getLongAtOffset(layer, 32));
    return new Row(MemoryAccess.getLong(from), reason, MemoryAccess.getIntAtOffset(from, 12) != 0, target);
  }
}
