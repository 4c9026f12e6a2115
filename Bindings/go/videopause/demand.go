package videopause

/*
#include <video_pause.h>
*/
import "C"

// Outcome is what a decision makes of a layer.
type Outcome uint32

const (
	LayerForwarded    Outcome = C.VP_LAYER_FORWARDED
	LayerSurpassed    Outcome = C.VP_LAYER_SURPASSED
	LayerBandwidth    Outcome = C.VP_LAYER_BANDWIDTH
	LayerHeldBack     Outcome = C.VP_LAYER_HELD_BACK
	LayerAboveDemand  Outcome = C.VP_LAYER_ABOVE_DEMAND
	LayerBelowMinimum Outcome = C.VP_LAYER_BELOW_MINIMUM
	LayerDominated    Outcome = C.VP_LAYER_DOMINATED
	LayerNotSent      Outcome = C.VP_LAYER_NOT_SENT
	LayerNotWanted    Outcome = C.VP_LAYER_NOT_WANTED
)

// Verdict is a layer, and why another one is forwarded, or none.
type Verdict struct {
	Layer   Layer
	Outcome Outcome
}

// Verdicts returns what the last decision made of each layer of a stream.
func (d *Coordinator) Verdicts(id StreamID) ([]Verdict, error) {
	var verdicts [C.VP_LAYERS_MAX]C.vp_layer_verdict
	var count C.size_t
	if err := check(C.vp_layer_verdicts(d.c, C.uint64_t(id), &verdicts[0], C.VP_LAYERS_MAX, &count)); err != nil {
		return nil, err
	}
	result := make([]Verdict, count)
	for i := range result {
		result[i] = Verdict{layer(verdicts[i].layer), Outcome(verdicts[i].outcome)}
	}
	return result, nil
}

// DemandedLayers is how much of a published stream its subscribers need.
type DemandedLayers struct {
	Stream         StreamID
	IsDemanded     bool
	HighestSpatial uint32
}

// LayerDemand knows which layers of each stream the subscribers of a call need.
type LayerDemand struct{ c *C.vp_layer_demand }

// NewLayerDemand makes a demand without subscribers. hold is for how long, in microseconds, a layer stays demanded that nobody
// needs: 5 s is usual. Close frees it.
func NewLayerDemand(hold int64) (*LayerDemand, error) {
	demand := &LayerDemand{}
	if err := check(C.vp_layer_demand_create(C.int64_t(hold), &demand.c)); err != nil {
		return nil, err
	}
	return demand, nil
}

// Close frees the demand. Afterwards its methods return an error.
func (l *LayerDemand) Close() {
	C.vp_layer_demand_destroy(l.c)
	l.c = nil
}

// Update takes in the decision in force of a subscriber.
func (l *LayerDemand) Update(subscriber uint64, coordinator *Coordinator, at int64) error {
	return check(C.vp_layer_demand_update(l.c, C.uint64_t(subscriber), coordinator.c, C.int64_t(at)))
}

// Remove removes a subscriber that has left.
func (l *LayerDemand) Remove(subscriber uint64, at int64) error {
	return check(C.vp_layer_demand_remove(l.c, C.uint64_t(subscriber), C.int64_t(at)))
}

// DrainChanges returns what has changed since the last call, and when to call it again without an update, or Never.
func (l *LayerDemand) DrainChanges(at int64) ([]DemandedLayers, int64, error) {
	var changes [changesAtOnce]C.vp_demanded_layers
	var result []DemandedLayers
	next := C.int64_t(Never)
	for count := C.size_t(changesAtOnce); count == changesAtOnce; {
		err := check(C.vp_drain_demanded_layers(l.c, &changes[0], changesAtOnce, &count, &next, C.int64_t(at)))
		if err != nil {
			return nil, Never, err
		}
		for _, c := range changes[:count] {
			result = append(result, DemandedLayers{StreamID(c.stream), c.is_demanded != 0, uint32(c.highest_spatial)})
		}
	}
	return result, int64(next), nil
}
