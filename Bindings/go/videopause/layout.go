package videopause

/*
#include <video_pause.h>
*/
import "C"

import "unsafe"

// Layout is how the client arranges its videos; NoLayout if none was chosen, or the chosen one is not available.
type Layout uint32

const (
	NoLayout      Layout = C.VP_LAYOUT_NONE
	GalleryLayout Layout = C.VP_LAYOUT_GALLERY
	PeopleLayout  Layout = C.VP_LAYOUT_PEOPLE
	SpeakerLayout Layout = C.VP_LAYOUT_SPEAKER
	CustomLayout  Layout = C.VP_LAYOUT_CUSTOM
)

// LayoutStream is an entry of a custom layout, as in video_pause.h.
type LayoutStream struct {
	Participant    uint64
	HasParticipant uint32
	Quality        uint32
	Priority       uint32
	_              uint32
}

var _ = [1]int{}[unsafe.Sizeof(LayoutStream{})-C.sizeof_vp_layout_stream]

// SetInMeeting reports that the meeting began or ended.
func (d *Coordinator) SetInMeeting(isInMeeting bool, at int64) error {
	return check(C.vp_set_in_meeting(d.c, C.bool(isInMeeting), C.int64_t(at)))
}

// SetCustomLayoutAvailable sets whether the meeting supports custom layouts.
func (d *Coordinator) SetCustomLayoutAvailable(isAvailable bool, at int64) error {
	return check(C.vp_set_custom_layout_available(d.c, C.bool(isAvailable), C.int64_t(at)))
}

// SetParticipants sets the participants of the meeting, with or without video.
func (d *Coordinator) SetParticipants(participants []uint64, at int64) error {
	return check(C.vp_set_participants(d.c, first[C.uint64_t](participants), C.size_t(len(participants)), C.int64_t(at)))
}

// SetLayout chooses a layout; the error of a refusal says why.
func (d *Coordinator) SetLayout(layout Layout, at int64) error {
	return check(C.vp_set_video_layout(d.c, C.vp_video_layout(layout), C.int64_t(at)))
}

// SetLayoutStreams replaces all entries of the custom layout; the error of a refusal says why.
func (d *Coordinator) SetLayoutStreams(streams []LayoutStream, at int64) error {
	return check(C.vp_set_layout_streams(d.c, first[C.vp_layout_stream](streams), C.size_t(len(streams)), C.int64_t(at)))
}

// Layout returns the layout in force.
func (d *Coordinator) Layout() Layout {
	var layout C.vp_video_layout
	C.vp_current_layout(d.c, &layout)
	return Layout(layout)
}
