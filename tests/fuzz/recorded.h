/* Fuzzing what was recorded: for targets whose input says how a file, or a state, is damaged.
 *
 * Such a file is made here, and its hashes are right in spite of the damage, so that the readers
 * behind them are reached. An input is bytes: the first says which run it is (fuzz_run), and the
 * rest is a list of edits. So it means the same when the format changes. */
#ifndef TESTS_FUZZ_RECORDED_H
#define TESTS_FUZZ_RECORDED_H

#include "sim/session/session.h"
#include "tests/fuzz/fuzz.h"
#include "traces/files/chunks.h"

/* One of some small runs, chosen by any number: it is opened once. Its settings have limits. */
struct sim_session *fuzz_run(const char *target, unsigned number);

/* Whether settings are those of such a run, so that it may be run again here. */
bool fuzz_is_run(const struct sim_session *run, const struct machine_settings *settings);

/* --- edits ------------------------------------------------------------------------------- */

/* Bytes of an input that are left. */
struct fuzz_bytes {
    const uint8_t *at;
    size_t left;
};

/* The next one; 0 where there is none. */
unsigned fuzz_byte(struct fuzz_bytes *input);

/* Does one edit to bytes. */
void fuzz_edit(struct fuzz_bytes *input, struct lib_text *bytes);

/* --- files of chunks ------------------------------------------------------------------------ */

/* The path of a file of a run, in one of up to 8 ways: it is made once by each process. */
typedef void fuzz_make(const struct sim_session *run, const char *path, unsigned how);
const char *fuzz_kept(const char *target, const struct sim_session *run, unsigned how,
                      fuzz_make *make);

/* Writes the file at `path`: that at `from` with the edits of the input. Some are done to the
 * contents of chunks, others to the file as it is on disk. Returns how many there were. */
unsigned fuzz_edit_file(struct fuzz_bytes *input, const char *from, const char *path,
                        const struct traces_chunks_kind *kind);

#endif
