/* hiaton.h: simulated tagged-token dataflow machines, inside other programs.
 *
 * A host loads an immutable program, describes a machine, and advances sessions: runs of the
 * program on the machine, each of which holds all the state of its run. The digests, statistics and
 * results of a session are those of `hiaton run` with the same program, settings, inputs and seed.
 *
 *     struct hiaton_program *program = hiaton_program_load("fact.df", NULL, NULL);
 *     struct hiaton_session *session = hiaton_session_new(program, NULL, NULL, NULL);
 *     hiaton_session_advance(session, NULL);
 *
 * Unstable until version 1.0: functions and structures may change with each version, and then the
 * name of the shared library does.
 *
 * Ownership. What a function named _new, _load, _read or _open returns belongs to the caller, who
 * releases it with the _free of its kind; NULL is allowed there. Arguments are borrowed for the
 * call, if nothing else is said. Programs and machines count their holders: they may be freed as
 * soon as sessions, pools or other programs were made of them.
 *
 * Errors. A function returns NULL, or a status other than HIATON_OK, and says why to the reporter
 * that it was given, if any: a session keeps its own. An object that a function failed on is as it
 * was before, if nothing else is said. The library writes to no stream, ends no process, and leaves
 * signals, the environment and the locale alone. There is one exception: when the host has no more
 * memory, the process ends (hiaton_on_exhaustion).
 *
 * Worlds. The locale, the rounding mode and the other floating-point state of a thread do not
 * matter, and are left as they are. Callbacks find them as the host has them; in the threads that a
 * batch starts they are C's defaults.
 *
 * Threads. A program, and a machine that is in use, may be used by any number of threads at once.
 * Everything else is used by one thread at a time, but for hiaton_session_cancel and for pools.
 *
 * Structures begin with their size in bytes, which the caller sets: `{sizeof options}` and zero for
 * the rest asks for the defaults. So a host compiled earlier works with a later library. */
#ifndef HIATON_H
#define HIATON_H

#include <stddef.h>
#include <stdint.h>

#if defined __GNUC__
#define HIATON_API __attribute__((visibility("default")))
#else
#define HIATON_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

struct hiaton_program;   /* what runs: immutable */
struct hiaton_graph;     /* a program that is built call by call */
struct hiaton_machine;   /* settings: immutable as soon as something is made of it */
struct hiaton_session;   /* a run: all of its state */
struct hiaton_pool;      /* sessions to be used again */
struct hiaton_recording; /* a run from which all of it can be made again */

/* What functions return. What is negative is a failure. */
enum hiaton_status {
    HIATON_OK = 0,
    HIATON_ENDED = 1,     /* advance: the run is over; hiaton_session_ending says how */
    HIATON_CANCELLED = 2, /* advance: another thread asked for it; the run may go on */
    HIATON_DIFFERS = 3,   /* replay: the run was not the recorded one */
    HIATON_MISUSE =
        -1, /* the header forbids this call, as it was made or when it was made */
    HIATON_REJECTED =
        -2, /* a program, setting, value or file is wrong: the reporter knows why */
    HIATON_ABSENT = -3, /* what was asked for by name or number does not exist */
    HIATON_NO_ROOM =
        -4, /* the caller's memory is too small: the size says what is needed */
    HIATON_FAILED =
        -5 /* the host could not: a disk is full, a thread cannot be started */
};

/* The version of the library: "0.1.0". Constant; any thread. */
HIATON_API const char *hiaton_version(void);

/* A status in words: "the run is over". Constant; any thread. */
HIATON_API const char *hiaton_status_text(enum hiaton_status status);

/* Has the calling thread, and the threads that a batch of it starts, call `handler` (NULL: none)
 * when the host has no more memory, with the bytes that were asked for, or 0. Then the process ends
 * by abort(). The handler may write to a log, or end the process itself. It can call nothing of
 * hiaton.h, and cannot jump out. */
HIATON_API void hiaton_on_exhaustion(void (*handler)(void *context, size_t bytes),
                                     void *context);

/* --- diagnostics ------------------------------------------------------------------------- */

enum hiaton_severity { HIATON_ERROR, HIATON_WARNING };

/* What a diagnostic is about. */
enum hiaton_code {
    HIATON_CODE_SYNTAX,  /* a text cannot be read */
    HIATON_CODE_NAME,    /* a name is unknown, or defined twice */
    HIATON_CODE_TYPE,    /* one type was expected, another one found */
    HIATON_CODE_MEANING, /* well-formed, but without meaning */
    HIATON_CODE_LIMIT,   /* larger than hiaton can hold */
    HIATON_CODE_FILE,    /* a file cannot be read or written, or is damaged */
    HIATON_CODE_USAGE    /* a setting, an input, a call */
};

/* An error or a warning. It, and what it points to, lives as long as the call of the reporter. */
struct hiaton_diagnostic {
    size_t size;
    enum hiaton_severity severity;
    enum hiaton_code code;
    const char *file;              /* as the caller named it; NULL: about no file */
    uint32_t line, column;         /* from 1; 0: about no place */
    uint32_t end_line, end_column; /* first place behind it */
    const char *text;              /* one sentence without its final point */
    const char *printed; /* lines as `hiaton` prints them, with the source and a caret */
};

/* Whom to tell. A session, pool or graph copies it, and tells it from the thread that uses the
 * object. The function calls nothing of hiaton.h. */
struct hiaton_reporter {
    size_t size;
    void (*report)(void *context, const struct hiaton_diagnostic *diagnostic);
    void *context;
};

/* --- programs ---------------------------------------------------------------------------- */

struct hiaton_program_options {
    size_t size;
    /* Of hiaton_program_read: the name in diagnostics (NULL: "program"), and the folder where
     * `file` in the program looks (NULL: that of the process). */
    const char *name, *folder;
    /* "static" or "expanding"; NULL: that of an image or assembly text, else "static". */
    const char *strategy;
    /* The machine whose settings decide how a source is compiled: loop.constants, grad.mode,
     * partition.*. NULL: the preset `default`. */
    struct hiaton_machine *machine;
};

/* Loads a program from a file: a source, an assembly text, an image, or a divided program; they are
 * told apart by content. Returns NULL if it cannot be read, compiled or checked. Costs what
 * `hiaton compile` does: under a millisecond for the programs of the manual. */
HIATON_API struct hiaton_program *
hiaton_program_load(const char *path, const struct hiaton_program_options *options,
                    const struct hiaton_reporter *reporter);

/* The same from bytes, which are copied. */
HIATON_API struct hiaton_program *
hiaton_program_read(const void *bytes, size_t length,
                    const struct hiaton_program_options *options,
                    const struct hiaton_reporter *reporter);

/* Returns the image of a program, what `hiaton compile` writes, and its length. It lives as long as
 * the program. Any thread; made at the first call. */
HIATON_API const void *hiaton_program_image(const struct hiaton_program *program,
                                            size_t *length);

/* Types of elements. A tensor's elements are known when it is there. */
enum hiaton_type {
    HIATON_INT,    /* int64_t */
    HIATON_REAL,   /* double */
    HIATON_BOOL,   /* uint8_t: 0 or 1 */
    HIATON_REAL32, /* float */
    HIATON_TENSOR  /* of symbols: its elements and axes are those of the value */
};

enum hiaton_symbol_kind {
    HIATON_SYMBOL_INPUT, /* what hiaton_session_input gives a value */
    HIATON_SYMBOL_RESULT /* a part of the result: one of a scalar, array or tensor, n of n-tuples */
};

/* An input, or a part of the result. Its texts live as long as the program. */
struct hiaton_symbol {
    size_t size;
    const char *name; /* of a part of the result: "result" */
    const char *type; /* "int", "[[real]]", "tensor" */
    enum hiaton_type element;
    uint32_t rank; /* number of brackets around the element */
};

/* Says which symbol of a kind has a number, from 0 on. HIATON_ABSENT: there are no more. Any
 * thread; cheap. */
HIATON_API enum hiaton_status hiaton_program_symbol(const struct hiaton_program *program,
                                                    enum hiaton_symbol_kind kind,
                                                    size_t number,
                                                    struct hiaton_symbol *symbol);

HIATON_API void hiaton_program_free(struct hiaton_program *program);

/* --- graphs ------------------------------------------------------------------------------ */

/* Begins a program that is built call by call, by a host that has a compiler of its own. What is
 * declared is written as in assembly (doc/assembly.md), and so are opcodes and operands. The
 * functions of a graph only note what they are told: all is checked by _finish. `stage` is
 * "functions", where a call is one APPLY and compiling goes on from there; or "static", "image" or
 * "expanding". `source` is what diagnostics and results call the program. NULL for an unknown
 * stage. */
HIATON_API struct hiaton_graph *hiaton_graph_new(const char *stage, const char *source,
                                                 const struct hiaton_reporter *reporter);

/* Declares something: "function fact (int) -> (int)", "input n int = 3", "site 0 main -> fact",
 * "cell x int", "shape \"(_, _)\"". The first function is the top level; else the order matters
 * only among declarations of a kind. HIATON_MISUSE if the text is not one line. */
HIATON_API enum hiaton_status hiaton_graph_declare(struct hiaton_graph *graph,
                                                   const char *declaration);

/* Says where in the host's own source the nodes come from that follow: diagnostics of runs name it.
 * Line 0: nowhere. */
HIATON_API void hiaton_graph_place(struct hiaton_graph *graph, uint32_t line,
                                   uint32_t column, uint32_t span);

/* Adds a node to a function and returns its number, from 0 on; UINT32_MAX if a text is no line.
 * `opcode` is one of `hiaton ops`, with its type: "add.int"; `operands` is what the assembly has
 * between opcode and arrow: "_, 5", "$n", "_, site 0"; "" or NULL for nothing. */
HIATON_API uint32_t hiaton_graph_node(struct hiaton_graph *graph, const char *function,
                                      const char *opcode, const char *operands);

/* Ends of arcs that are no node: the RETURN of result `operand` of whoever called, at stage
 * "image"; and nothing at all, for a result of an APPLY that nobody takes. */
#define HIATON_TO_RETURN (UINT32_MAX - 1)
#define HIATON_TO_NOWHERE UINT32_MAX

/* Adds an arc from an output of a node, 0 or 1 but of an APPLY, to an operand of a node, which may
 * be added later. The order of the arcs of an output is that of the calls. HIATON_MISUSE if there
 * is no node `from`. */
HIATON_API enum hiaton_status hiaton_graph_arc(struct hiaton_graph *graph, uint32_t from,
                                               uint32_t output, uint32_t to,
                                               uint32_t operand);

/* Checks the graph and makes a program of it, as hiaton_program_read does with its assembly text.
 * Returns NULL if it is illegal: diagnostics then name lines of that text, and print them. The
 * graph may be changed and finished again. */
HIATON_API struct hiaton_program *
hiaton_graph_finish(struct hiaton_graph *graph,
                    const struct hiaton_program_options *options);

HIATON_API void hiaton_graph_free(struct hiaton_graph *graph);

/* --- machines ---------------------------------------------------------------------------- */

/* Makes a machine from a preset (`hiaton machines`) or a file of settings; NULL: the preset
 * `default`. Returns NULL if there is none such, or it is wrong. Costs some 100 us. */
HIATON_API struct hiaton_machine *
hiaton_machine_new(const char *name, const struct hiaton_reporter *reporter);

/* Changes a setting (`hiaton settings`): "pe.count", "16". HIATON_ABSENT if there is none such,
 * HIATON_REJECTED if the value is wrong, HIATON_MISUSE if the machine is in use already. */
HIATON_API enum hiaton_status hiaton_machine_set(struct hiaton_machine *machine,
                                                 const char *key, const char *value,
                                                 const struct hiaton_reporter *reporter);

/* Writes the value of a setting with its final NUL to `text`, which has room for `capacity` bytes,
 * as far as it fits, and returns its length, as snprintf does; 0 if there is no such setting. */
HIATON_API size_t hiaton_machine_get(const struct hiaton_machine *machine,
                                     const char *key, char *text, size_t capacity);

HIATON_API void hiaton_machine_free(struct hiaton_machine *machine);

/* --- sessions ---------------------------------------------------------------------------- */

/* How far a run is. A limit of 0 means that there is none. */
struct hiaton_progress {
    size_t size;
    int is_timed;         /* it has a machine, and so cycles */
    uint64_t cycle;       /* all before it are over */
    uint64_t tokens;      /* that were delivered */
    uint64_t activations; /* that are alive */
    uint64_t deepest;     /* labels of the longest tag so far */
    uint64_t memory;      /* bytes of simulated state */
    uint64_t limit_cycles, limit_tokens, limit_depth, limit_memory;
};

/* Looks on while a run goes, before it begins and then every 20 ms or so. Not 0 cancels it. */
typedef int hiaton_look(void *context, const struct hiaton_progress *progress);

struct hiaton_session_options {
    size_t size;
    uint64_t seed;
    /* Limits of this session in place of those of the machine; 0: those of the machine. A run that
     * reaches one ends by it, which is no failure. */
    uint64_t limit_memory; /* bytes of simulated state, looked at between cycles */
    uint64_t limit_cycles;
    uint64_t limit_tokens;
    int untimed; /* not 0: without a machine, by the interpreter, as `hiaton interp` runs it */
    hiaton_look *look; /* NULL: nobody looks on */
    void *context;
};

/* Makes a session at its start. `machine` NULL: the one that the program was loaded with.
 * Returns NULL if the machine cannot be, or cannot run the program. The session holds both.
 * Memory for the run is allocated when it begins to advance; a session that was reset has it
 * already. */
HIATON_API struct hiaton_session *
hiaton_session_new(struct hiaton_program *program, struct hiaton_machine *machine,
                   const struct hiaton_session_options *options,
                   const struct hiaton_reporter *reporter);

/* Gives an input a value, before the run begins: `extents` has `rank` numbers, `data` the
 * elements in row-major order, which are copied. Of a scalar, rank is 0 and extents are NULL. An
 * int is taken for a real. HIATON_ABSENT if there is no such input, HIATON_REJECTED if it is of
 * another type: inputs of today's programs are scalars. */
HIATON_API enum hiaton_status hiaton_session_input(struct hiaton_session *session,
                                                   const char *name,
                                                   enum hiaton_type type, uint32_t rank,
                                                   const uint64_t *extents,
                                                   const void *data);

/* A field of an event: a number, or one of some words (then `word` is not NULL). HIATON_NONE: it
 * has none, as an activation that is not placed has no PE. */
struct hiaton_event_field {
    const char *name; /* "pe", "node", "activation" */
    const char *word;
    uint64_t value;
};

#define HIATON_NONE UINT64_MAX

/* An event: what doc/model.md ("The events of a run") lists, in its total order. It lives as long
 * as the call of the listener; names and words are constants. */
struct hiaton_event {
    size_t size;
    const char *name; /* "fired", "call" */
    uint64_t cycle;
    const struct hiaton_event_field *fields;
    size_t field_count;
};

/* Who is told events. Texts are copied. */
struct hiaton_listener {
    size_t size;
    void (*hear)(void *context, const struct hiaton_event *event);
    void *context;
    const char *level; /* "summary", "firings", "all", "queues"; NULL: "all" */
    const char *kinds; /* "fired,call": the events of these names; NULL: all */
    /* As the options of `hiaton trace`; NULL: all. */
    const char *pe, *function, *line, *below;
};

/* Has a session tell its events while it advances, until it is reset. What is simulated stays the
 * same. Before the run begins, once; HIATON_MISUSE else, and untimed. HIATON_REJECTED for a wrong
 * text. A run of a listener takes two to five times as long, and the time of the listener. */
HIATON_API enum hiaton_status
hiaton_session_listen(struct hiaton_session *session,
                      const struct hiaton_listener *listener);

/* Where a recording goes. */
struct hiaton_record_options {
    size_t size;
    /* Takes the next bytes of the recording. Not 0: they could not be taken; no more follow. */
    int (*write)(void *context, const void *bytes, size_t length);
    void *context;
    uint64_t interval;   /* cycles from one digest to the next; 0: it is chosen */
    uint64_t checkpoint; /* cycles from one recorded state to the next; 0: none */
};

/* Records a run, from its beginning on: its bytes are a file that `hiaton replay` reads. Begins the
 * run, so inputs and listeners come before. The recording is whole when hiaton_session_advance
 * returns HIATON_ENDED; it returns HIATON_FAILED in its place if bytes could not be taken. What is
 * there of one that goes no further can be read too. HIATON_MISUSE after the beginning, and
 * untimed. */
HIATON_API enum hiaton_status
hiaton_session_record(struct hiaton_session *session,
                      const struct hiaton_record_options *options);

/* How far to go; zero sets no bound. How a run is divided into calls changes nothing in it. */
struct hiaton_until {
    size_t size;
    uint64_t cycle;  /* all cycles before it are over */
    uint64_t tokens; /* about so many more were delivered */
    /* Asked after each cycle in which something happens, and after its events were told: not 0 ends
     * the call. An interpreter has no cycles: there it is asked after some thousand tokens. */
    int (*event)(void *context);
    void *context;
};

/* Advances a session; `until` NULL: to the end. HIATON_OK: as far as asked for; HIATON_ENDED: the
 * run is over, however it ended; HIATON_CANCELLED. HIATON_REJECTED: it cannot begin. Costs what the
 * run does, some 20 ns a token, and 1 us. */
HIATON_API enum hiaton_status hiaton_session_advance(struct hiaton_session *session,
                                                     const struct hiaton_until *until);

/* Has the advance under way, or else the next one, return HIATON_CANCELLED within some 20 ms. Any
 * thread, and signal handlers, while the session exists. */
HIATON_API void hiaton_session_cancel(struct hiaton_session *session);

/* Returns the cycle of what happens next: all before it are over. After the end, and untimed: 0. */
HIATON_API uint64_t hiaton_session_cycle(const struct hiaton_session *session);

/* How a run ended. */
enum hiaton_end {
    HIATON_END_COMPLETED,
    HIATON_END_TRAPPED,    /* an instruction failed: a division by 0, a wrong index */
    HIATON_END_DEADLOCKED, /* nothing moves, and there is no result */
    HIATON_END_LIMIT,      /* one of limits.* */
    HIATON_END_STORE_FULL, /* finite queues or matching stores of the machine */
    HIATON_END_TAGS_EXHAUSTED,
    HIATON_END_FAULTED, /* a message between nodes was lost, or came twice */
    HIATON_END_NOT_YET  /* the run goes on */
};

/* Its texts live until the session is reset, restored or freed, or until the next call of
 * hiaton_session_ending. */
struct hiaton_ending {
    size_t size;
    enum hiaton_end end;
    const char *name; /* "completed", "store_full": the status of `hiaton run --json` */
    /* NULL where there is none: */
    const char *result;    /* of a completed run, as `hiaton run` prints it */
    const char *reason;    /* of any other: a sentence on why there is no result */
    const char *waiting;   /* of a deadlock: lines on what waits for what */
    const char *limit;     /* the setting that ended the run */
    const char *math;      /* who multiplied matrices: OpenBLAS, or the reference */
    uint32_t line, column; /* of the source, where it trapped; 0: nowhere */
};

/* Says how a run ended; of one that goes on, HIATON_END_NOT_YET and nothing else. Costs some 10 us,
 * as it makes texts. */
HIATON_API enum hiaton_status hiaton_session_ending(struct hiaton_session *session,
                                                    struct hiaton_ending *ending);

enum { HIATON_MAX_RANK = 20 };

/* A value: a scalar, an array or a tensor. */
struct hiaton_value {
    size_t size;
    enum hiaton_type type;
    uint32_t rank; /* of arrays of tensors, the axes of both */
    uint64_t extents[HIATON_MAX_RANK];
    void *data;   /* of the caller: room for the elements in row-major order, or NULL */
    size_t bytes; /* of that room; then those that the elements take */
};

/* Copies a part of the result of a completed run, from 0 on, to value->data, and says its type,
 * extents and bytes. HIATON_NO_ROOM if there is too little room, or data is NULL: all but the
 * elements is said then. HIATON_ABSENT: there is no such part, or no result. HIATON_REJECTED: an
 * array of arrays of several lengths, which hiaton_ending.result has as text. */
HIATON_API enum hiaton_status hiaton_session_result(struct hiaton_session *session,
                                                    size_t part,
                                                    struct hiaton_value *value);

enum hiaton_number_kind { HIATON_COUNT, HIATON_RATIO, HIATON_DIGEST };

struct hiaton_number {
    size_t size;
    enum hiaton_number_kind kind;
    uint64_t count; /* of a count or digest; of a ratio 0 */
    double real;    /* of a ratio or count */
};

/* Says what a statistic is so far, by its key (`hiaton settings --statistics`): "cycles".
 * HIATON_ABSENT: there is none such, or it has no value. The first call since an advance costs some
 * microseconds, each other one less than one. */
HIATON_API enum hiaton_status hiaton_session_statistic(struct hiaton_session *session,
                                                       const char *key,
                                                       struct hiaton_number *number);

/* Says what the state of a run that goes on is, as bytes, with its seed and inputs. They live until
 * the next call with the session. HIATON_MISUSE if it has not begun, has ended or is untimed, or of
 * a machine with a platform of SimGrid. Costs what copying the state does. */
HIATON_API enum hiaton_status hiaton_session_save(struct hiaton_session *session,
                                                  const void **bytes, size_t *length);

/* Goes to a state that was saved by a session of the same program, machine and version of the
 * library, whose seed and inputs it takes; and goes on from there as that would have done. What
 * listens goes on to. HIATON_REJECTED if the bytes are no such state: the session is at its start
 * then. HIATON_MISUSE while it is recorded, and untimed. */
HIATON_API enum hiaton_status hiaton_session_restore(struct hiaton_session *session,
                                                     const void *bytes, size_t length);

/* Goes back to the start with another seed. Inputs are the program's own again, what listens is
 * forgotten, and a recording that was not finished ends there. Keeps the memory of the run. */
HIATON_API enum hiaton_status hiaton_session_reset(struct hiaton_session *session,
                                                   uint64_t seed);

HIATON_API void hiaton_session_free(struct hiaton_session *session);

/* --- pools ------------------------------------------------------------------------------- */

/* Makes a pool of up to `count` sessions of a program on a machine, which are made when they are
 * needed, and keep their memory. The reporter may be told by several threads at once. Returns NULL
 * if hiaton_session_new would. A pool may be used by any number of threads. */
HIATON_API struct hiaton_pool *
hiaton_pool_new(struct hiaton_program *program, struct hiaton_machine *machine,
                size_t count, const struct hiaton_session_options *options,
                const struct hiaton_reporter *reporter);

/* Hands out a session at its start, with a seed. If all are handed out: waits until one comes back,
 * or returns NULL if `waits` is 0. The session is the caller's until hiaton_pool_put. */
HIATON_API struct hiaton_session *hiaton_pool_get(struct hiaton_pool *pool, uint64_t seed,
                                                  int waits);

/* Gives a session back, however far it is. Nothing of it may be used any more. */
HIATON_API void hiaton_pool_put(struct hiaton_pool *pool, struct hiaton_session *session);

/* Frees a pool, when the last of its sessions is back. */
HIATON_API void hiaton_pool_free(struct hiaton_pool *pool);

/* --- batches ----------------------------------------------------------------------------- */

/* Many runs of one program on one machine. */
struct hiaton_batch {
    size_t size;
    struct hiaton_program *program;
    struct hiaton_machine *machine;
    const struct hiaton_session_options *options;
    uint64_t count;   /* of runs */
    uint32_t threads; /* the calling one among them; 0: one */
    /* Called before run `number` with its session at the start: gives it inputs, another seed
     * (hiaton_session_reset), a listener. Called by several threads at once. May be NULL. */
    void (*begin)(void *context, struct hiaton_session *session, uint64_t number);
    /* Called with run after run, in order and one at a time, by any of the threads. Not 0: ends the
     * batch; no later run is told. */
    int (*end)(void *context, struct hiaton_session *session, uint64_t number);
    void *context;
};

/* Makes the runs, each once, and returns when all were told: HIATON_OK; HIATON_CANCELLED if `end`
 * ended it; HIATON_REJECTED if the runs cannot begin. Twice as many sessions are held as there are
 * threads. Which thread makes a run changes nothing in it. If the host has too few threads, there
 * are fewer. */
HIATON_API enum hiaton_status hiaton_batch_run(const struct hiaton_batch *batch,
                                               const struct hiaton_reporter *reporter);

/* --- recordings -------------------------------------------------------------------------- */

/* Opens a recording (`hiaton run --record`, hiaton_session_record) or a file of events (--trace),
 * and checks all of it but its checkpoints. NULL if it is none, or damaged. */
HIATON_API struct hiaton_recording *
hiaton_recording_open(const char *path, const struct hiaton_reporter *reporter);

struct hiaton_replay_options {
    size_t size;
    const char *program;     /* the file of another program; NULL: the recorded one */
    const char *const *sets; /* settings that are changed: "pe.count=4"; so many: */
    size_t set_count;
    hiaton_look *look; /* NULL: nobody; `progress` is NULL while a file is read */
    void *context;
};

/* Outcome of a replay. Its texts live until the next replay, and as long as the recording. */
struct hiaton_replay {
    size_t size;
    int is_same;
    const char *text; /* as `hiaton replay` prints it, */
    const char *json; /* and with --json */
};

/* Makes the recorded run again and compares. HIATON_OK: it is the same; HIATON_DIFFERS: `replay`
 * says where; HIATON_CANCELLED; HIATON_REJECTED: it cannot run, or the recording has no end.
 * `options` may be NULL. Costs what the run does. */
HIATON_API enum hiaton_status hiaton_recording_replay(
    struct hiaton_recording *recording, const struct hiaton_replay_options *options,
    struct hiaton_replay *replay, const struct hiaton_reporter *reporter);

HIATON_API void hiaton_recording_free(struct hiaton_recording *recording);

#ifdef __cplusplus
}
#endif

#endif
