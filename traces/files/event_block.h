/* A block of an event file: events as columns of small numbers, a column per field of each kind
 * of event. A number is told as its distance from what can be guessed from the events before it
 * in the block. So most are small and alike, and compress well; traces/files/chunks.h does that.
 * A block is decoded without any other one.
 *
 * Its bytes:
 *
 *   the number of its events, as a long number
 *   a byte for each event: its kind in the lower 5 bits; above them how many cycles it comes after the
 *     one before, or 7
 *   the columns of each kind of event, in the order of traces/events.def: one byte per event, or 3 for
 *     activations, of which the lowest bytes of all events come first, then the middle ones, and then
 *     the highest ones
 *   long numbers
 *
 * A number that does not fit, which is also one whose bits would all be 1, has all bits 1. It
 * stands among the long numbers, in the order in which numbers are told: of each event its cycle,
 * if that has a 7, its sites, its activations, the rest. These have 7 bits per byte, the lowest
 * first, and the highest bit is set in all bytes but the last. Distances have their sign in the
 * lowest bit. What the guesses are, traces/files/event_block.c says: none of them needs more than
 * the events before. */
#ifndef TRACES_FILES_EVENT_BLOCK_H
#define TRACES_FILES_EVENT_BLOCK_H

#include "traces/events.h"

enum { TRACES_EVENT_BLOCK_MAX = 1 << 17 }; /* events in a block */

struct traces_event_encoder;

/* `graph`: that of the events; borrowed. */
struct traces_event_encoder *traces_event_encoder_new(const struct isa_graph *graph);
void traces_event_encoder_free(struct traces_event_encoder *encoder);

/* Adds as many events to the block as it has room for; returns how many. */
size_t traces_event_encoder_add(struct traces_event_encoder *encoder,
                                const struct traces_event *events, size_t count);

/* The block's bytes replace what `bytes` holds, and the next block begins. */
void traces_event_encoder_end(struct traces_event_encoder *encoder,
                              struct lib_text *bytes);

/* What numbers may be; an event with a greater one is damaged. */
struct traces_event_bounds {
    uint32_t pes;    /* PEs, or workers */
    uint32_t places; /* of any kind */
    uint32_t ends;   /* ways to end */
};

struct traces_event_decoder;

/* One that decodes block after block. */
struct traces_event_decoder *
traces_event_decoder_new(const struct isa_graph *graph,
                         const struct traces_event_bounds *bounds);
void traces_event_decoder_free(struct traces_event_decoder *decoder);

/* Begins with the bytes of a block, which are borrowed until it is over. */
void traces_event_decoder_start(struct traces_event_decoder *decoder,
                                const struct lib_text *bytes);

/* Decodes up to `most` events; returns how many. 0: the block is over. */
size_t traces_event_decoder_next(struct traces_event_decoder *decoder,
                                 struct traces_event *events, size_t most);

/* Whether what was decoded so far cannot be a block: nothing of it is to be trusted. */
bool traces_event_decoder_failed(const struct traces_event_decoder *decoder);

#endif
