/* Tracks of the devices of a machine over time, as part of the analysis `utilisation`: tensor units
 * that compute, and the two channels between each finite memory and its slower store. Shows how far
 * computing and copying overlap (paper 2, figure 13).
 *
 * Of tensor units, only those that are counted or batch emit when they compute (event BATCH). */
#ifndef ANALYSIS_STREAM_DEVICES_H
#define ANALYSIS_STREAM_DEVICES_H

#include "analysis/stream/stream.h"

struct analysis_devices;

/* Returns NULL if the machine has no such device. `run` must outlive the result. */
struct analysis_devices *analysis_devices_new(const struct analysis_stream_run *run);
void analysis_devices_free(struct analysis_devices *devices);

/* Takes an event of any kind, in order. `devices` may be NULL, here and below. */
void analysis_devices_take(struct analysis_devices *devices,
                           const struct traces_event *event);

/* Adds the table `devices`, and for programs `devices_over_time`. `cycles`: length of the analysed
 * part. */
void analysis_devices_report(const struct analysis_devices *devices, uint64_t cycles,
                             struct lib_findings *findings);

#endif
