/* Fuzzing of recorded files and states: an input says how such a file is damaged.
 *
 * The file is made here, and its hashes are made right after the damage, so that the readers
 * after the check of hashes are tested. The first byte of an input chooses the run (fuzz_run),
 * the rest is a list of edits, which have a meaning whatever the format of the file is. */
#ifndef TESTS_FUZZ_RECORDED_H
#define TESTS_FUZZ_RECORDED_H

#include "sim/session/session.h"
#include "tests/fuzz/fuzz.h"
#include "traces/files/chunks.h"

/* Returns one of several small runs; each is opened once. Its settings have limits. */
struct sim_session *fuzz_run(const char *target, unsigned number);

/* Whether settings are those of such a run, so that the run may be repeated here. */
bool fuzz_is_run(const struct sim_session *run, const struct sim_settings *settings);

/* --- edits ------------------------------------------------------------------------------- */

/* Bytes of an input that were not used yet. */
struct fuzz_bytes {
    const uint8_t *at;
    size_t left;
};

/* Returns the next byte, or 0 if none is left. */
unsigned fuzz_byte(struct fuzz_bytes *input);

/* Applies one edit, read from the input, to bytes. */
void fuzz_edit(struct fuzz_bytes *input, struct lib_text *bytes);

/* --- files of chunks ------------------------------------------------------------------------ */

/* Returns the path of a file about a run, in variant `how` of up to 8. Each process makes it
 * once, by `make`. */
typedef void fuzz_make(const struct sim_session *run, const char *path, unsigned how);
const char *fuzz_kept(const char *target, const struct sim_session *run, unsigned how,
                      fuzz_make *make);

/* Writes a copy of the file `from`, with the edits of the input, to `path`. Some edits change
 * the contents of chunks, others the file on disk. Returns how many there were. */
unsigned fuzz_edit_file(struct fuzz_bytes *input, const char *from, const char *path,
                        const struct traces_chunks_kind *kind);

#endif
