/* A block of an event file: events as columns of small numbers, a column for each field of each
 * kind of event. A number is stored as its distance from a prediction made from the events before
 * it in the block. So most numbers are small and alike, and compress well (traces/files/chunks.h).
 * A block can be decoded without any other one.
 *
 * Its bytes:
 *
 *   the number of its events, as a long number
 *   a byte for each event: its kind in the lower 6 bits; in the upper 2 the cycles since the event
 *     before, or 3 if these are a long number
 *   the columns of each kind of event, in the order of traces/events.def: one byte per event, or 3
 *     for activations: first the lowest bytes of all events, then the middle ones, then the highest
 *   long numbers
 *
 * A number that does not fit, or whose bits would all be 1, is stored as all 1s, and follows among
 * the long numbers, in the order of events; for each event first its cycle, then its sites, its
 * activations, and the other fields. A long number has 7 bits per byte, the lowest first; the
 * highest bit is set in all bytes except the last. Distances have their sign in the lowest bit.
 * traces/files/event_block.c defines the predictions. */
#ifndef TRACES_FILES_EVENT_BLOCK_H
#define TRACES_FILES_EVENT_BLOCK_H

#include "traces/events.h"

enum { TRACES_EVENT_BLOCK_MAX = 1 << 17 }; /* max events in a block */

struct traces_event_encoder;

/* Makes an encoder. `graph` is borrowed. */
struct traces_event_encoder *traces_event_encoder_new(const struct isa_graph *graph);
void traces_event_encoder_free(struct traces_event_encoder *encoder);

/* Adds as many of the events as the block has room for. Returns their number. */
size_t traces_event_encoder_add(struct traces_event_encoder *encoder,
                                const struct traces_event *events, size_t count);

/* Ends the block of events, sets `bytes` to it, and begins the next block. */
void traces_event_encoder_end(struct traces_event_encoder *encoder,
                              struct lib_text *bytes);

/* Exclusive upper bounds of values in events. A block with a value not below its bound is damaged.
 */
struct traces_event_bounds {
    uint32_t pes;    /* number of PEs, or of workers */
    uint32_t places; /* max number of queues of one kind */
    uint32_t ends;   /* number of values of enum isa_end */
};

struct traces_event_decoder;

/* Makes a decoder, which decodes blocks of events one after the other. */
struct traces_event_decoder *
traces_event_decoder_new(const struct isa_graph *graph,
                         const struct traces_event_bounds *bounds);
void traces_event_decoder_free(struct traces_event_decoder *decoder);

/* Begins to decode a block. `bytes` are borrowed until all its events are decoded. */
void traces_event_decoder_start(struct traces_event_decoder *decoder,
                                const struct lib_text *bytes);

/* Decodes up to `most` events of the block. Returns their number, 0 at its end. */
size_t traces_event_decoder_next(struct traces_event_decoder *decoder,
                                 struct traces_event *events, size_t most);

/* Whether the block is damaged, so that no event of it is valid. */
bool traces_event_decoder_failed(const struct traces_event_decoder *decoder);

#endif
