/* hiaton.h: simulated tagged-token dataflow machines for other programs to embed.
 *
 * A host loads an immutable program, describes a machine, and advances sessions. A session is one
 * run of the program on the machine, with all state of that run. Its digests, statistics and
 * results are those of `hiaton run` with the same program, settings, inputs and seed.
 *
 *     struct hiaton_program *program = hiaton_program_load("fact.df", NULL, NULL);
 *     struct hiaton_session *session = hiaton_session_new(program, NULL, NULL, NULL);
 *     hiaton_session_advance(session, NULL);
 *
 * Unstable until version 1.0: functions and structures may change with each version, and then the
 * name of the shared library does.
 *
 * Ownership. The caller owns what a function named _new, _load, _read or _open returns, and
 * releases it with the _free of its kind, which accepts NULL. Arguments are borrowed for the call
 * unless a comment says otherwise. Programs and machines are reference-counted: the caller may free
 * them as soon as sessions, pools or other programs were made of them.
 *
 * Errors. A function that fails returns NULL or a negative status, and passes diagnostics to its
 * reporter, if it has one; a session keeps the reporter that it was made with. A failed call leaves
 * its object as it was unless a comment says otherwise. The library never prints, never exits, and
 * does not touch signals, the environment or the locale. One exception: the process aborts when the
 * host has no more memory (hiaton_on_exhaustion).
 *
 * Missing arguments. A call with NULL for its object, for the path of its file, or for a structure
 * that it fills in, or with a structure without a size, returns HIATON_MISUSE or NULL. So calls can
 * follow each other, and the host checks the last one.
 *
 * Floating-point state. Results do not depend on the locale, rounding mode or other floating-point
 * state of the calling thread, and the library restores that state. Callbacks run in the state of
 * the host; in threads that a batch starts they run in C's default state.
 *
 * Threads. Any number of threads may use a program, a pool, or a machine that is in use. One thread
 * at a time may use any other object; hiaton_session_cancel is the exception.
 *
 * Structures. The caller sets the first member of each structure to its size in bytes;
 * `{sizeof options}` with zeros in all other members asks for the defaults. So a host compiled with
 * an earlier header works with a later library. */
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

struct hiaton_program;   /* a compiled program; immutable */
struct hiaton_graph;     /* a program that the host builds call by call */
struct hiaton_machine;   /* settings; immutable once something was made of them */
struct hiaton_session;   /* one run and all of its state */
struct hiaton_pool;      /* sessions to be used again and again */
struct hiaton_recording; /* a file from which a run can be repeated */

/* Outcome of a call; negative values are failures. */
enum hiaton_status {
    HIATON_OK = 0,
    /* hiaton_session_advance: the run is over; see hiaton_session_ending. */
    HIATON_ENDED = 1,
    /* hiaton_session_advance: hiaton_session_cancel stopped it; the run can be resumed. */
    HIATON_CANCELLED = 2,
    /* hiaton_recording_replay: the new run differed from the recorded one. */
    HIATON_DIFFERS = 3,
    /* hiaton_session_advance: the run waits until its host feeds or closes a port.
     * hiaton_session_take: the next element is not written yet. */
    HIATON_WAITING = 4,
    /* This header forbids the call, with these arguments or now. */
    HIATON_MISUSE = -1,
    /* A program, setting, value or file is wrong; the reporter gets the reason. */
    HIATON_REJECTED = -2,
    /* No object has that name or number. */
    HIATON_ABSENT = -3,
    /* The caller's buffer is too small; the structure says which size is needed. */
    HIATON_NO_ROOM = -4,
    /* The host failed: a disk is full, or a thread cannot be started. */
    HIATON_FAILED = -5
};

/* Returns the version of the library, such as "0.2.0", as a constant. Any thread. */
HIATON_API const char *hiaton_version(void);

/* Returns a status in words, such as "the run is over", as a constant. Any thread. */
HIATON_API const char *hiaton_status_text(enum hiaton_status status);

/* Sets the function that is called when the host has no more memory, by the calling thread and
 * threads of its batches; NULL removes it. `bytes` is the size of the failed request, 0 if unknown.
 * The handler may write to a log or end the process, but must not call functions of hiaton.h or
 * jump out. When it returns, the process aborts. */
HIATON_API void hiaton_on_exhaustion(void (*handler)(void *context, size_t bytes),
                                     void *context);

/* --- diagnostics ------------------------------------------------------------------------- */

enum hiaton_severity { HIATON_ERROR, HIATON_WARNING };

/* Kind of an error or warning. */
enum hiaton_code {
    HIATON_CODE_SYNTAX,  /* a text cannot be parsed */
    HIATON_CODE_NAME,    /* a name is unknown, or defined twice */
    HIATON_CODE_TYPE,    /* a type, shape or kind of value does not fit */
    HIATON_CODE_MEANING, /* well-formed, but meaningless */
    HIATON_CODE_LIMIT,   /* larger than hiaton can hold */
    HIATON_CODE_FILE,    /* a file cannot be read, has an invalid path, or is damaged */
    HIATON_CODE_USAGE,   /* an invalid setting, input or call */
    HIATON_CODE_HOST     /* the host failed: a disk is full, a program is missing */
};

#define HIATON_NO_NODE UINT32_MAX

/* An error or a warning, valid only during the call of the reporter. */
struct hiaton_diagnostic {
    size_t size;
    enum hiaton_severity severity;
    enum hiaton_code code;
    const char *file;              /* name of the file as the caller gave it, or NULL */
    uint32_t line, column;         /* place of the fault, from 1; 0 if it has none */
    uint32_t end_line, end_column; /* first place after the fault */
    const char *text;              /* one sentence without its final point */
    const char *printed;           /* lines as `hiaton` prints them */
    /* Number of the node at fault if hiaton_graph_finish reports an error in a node: `line` and
     * `column` are then the ones given to hiaton_graph_place. Otherwise HIATON_NO_NODE. */
    uint32_t node;
};

/* Receiver of diagnostics. Sessions, pools and graphs keep a copy, and call it in the thread that
 * uses them. `report` must not call functions of hiaton.h. */
struct hiaton_reporter {
    size_t size;
    void (*report)(void *context, const struct hiaton_diagnostic *diagnostic);
    void *context;
};

/* --- programs ---------------------------------------------------------------------------- */

struct hiaton_program_options {
    size_t size;
    /* hiaton_program_read: name of the program in diagnostics; NULL: "program". */
    const char *name;
    /* hiaton_program_read: folder for `file("...")` in the program; NULL: the working directory. */
    const char *folder;
    /* Strategy, "static" or "expanding"; NULL: the strategy of an image or assembly text, "static"
     * for a source. */
    const char *strategy;
    /* Machine whose settings (loop.constants, grad.*, partition.*) decide how a source is compiled;
     * NULL: the preset `default`. */
    struct hiaton_machine *machine;
    /* For a source: folder with the value of each param in NAME.npy, as `hiaton train -o` writes
     * it; NULL: the initial values of the program. */
    const char *params;
};

/* Loads a program from a file, by its content: a source, an assembly text, an image, or a divided
 * program. Returns NULL if the file cannot be read, compiled or checked. `options` and `reporter`
 * may be NULL. Takes as long as `hiaton compile`: under a millisecond for the programs of the
 * manual. */
HIATON_API struct hiaton_program *
hiaton_program_load(const char *path, const struct hiaton_program_options *options,
                    const struct hiaton_reporter *reporter);

/* Like hiaton_program_load, from bytes in memory, which are copied. */
HIATON_API struct hiaton_program *
hiaton_program_read(const void *bytes, size_t length,
                    const struct hiaton_program_options *options,
                    const struct hiaton_reporter *reporter);

/* Returns the image of a program, as `hiaton compile` writes it, and sets *length to its bytes. The
 * program owns the image and makes it at the first call. Any thread. */
HIATON_API const void *hiaton_program_image(const struct hiaton_program *program,
                                            size_t *length);

/* Types of elements. The element type of a tensor is known only when it was computed. */
enum hiaton_type {
    HIATON_INT,    /* int64_t */
    HIATON_REAL,   /* double */
    HIATON_BOOL,   /* uint8_t: 0 or 1 */
    HIATON_REAL32, /* float */
    /* Tensor, as type of a symbol. Its value has the type of the tensor's elements instead. */
    HIATON_TENSOR,
    /* Data of constructors, and arrays of data. The value is text in UTF-8, as `hiaton run` prints
     * it, of rank 1: a uint8_t for each byte, without a final NUL; hiaton_session_item has it as
     * constructors and fields. No type of inputs and ports: a host that has a tree gives it as
     * arrays, and the program constructs it. */
    HIATON_DATA
};

enum hiaton_symbol_kind {
    HIATON_SYMBOL_INPUT, /* an input of the program */
    HIATON_SYMBOL_RESULT /* a part of the result; an n-tuple has n parts, other results one */
};

/* An input of a program, or a part of its result. The program owns the texts. */
struct hiaton_symbol {
    size_t size;
    const char *name; /* name of the input; "result" for a part of the result */
    const char *type; /* such as "int", "[[real]]", "tensor" */
    enum hiaton_type element;
    uint32_t rank; /* number of brackets around the element type */
};

/* Fills in symbol number `number` of a kind, from 0 on. Returns HIATON_ABSENT if there are fewer.
 * Any thread; cheap. */
HIATON_API enum hiaton_status hiaton_program_symbol(const struct hiaton_program *program,
                                                    enum hiaton_symbol_kind kind,
                                                    size_t number,
                                                    struct hiaton_symbol *symbol);

HIATON_API void hiaton_program_free(struct hiaton_program *program);

/* --- graphs ------------------------------------------------------------------------------ */

/* Begins a program that the host's own compiler builds call by call. Declarations, opcodes and
 * operands are written as in assembly (doc/assembly.md). The functions of a graph only collect;
 * hiaton_graph_finish checks. `stage` is "functions", in which a call is one APPLY and Hiaton
 * compiles the rest, or "static", "image" or "expanding". `source` names the program in diagnostics
 * and results. Returns NULL if the stage is unknown. */
HIATON_API struct hiaton_graph *hiaton_graph_new(const char *stage, const char *source,
                                                 const struct hiaton_reporter *reporter);

/* Adds a declaration: "function fact (int) -> (int)", "input n int = 3", "site 0 main -> fact",
 * "cell x int", "constructor Node of Tree 1 (data left, int)", or "shape \"(_, _)\"". The first
 * function is the top level. The order matters only among declarations of one kind. Returns
 * HIATON_MISUSE if the text is not one line. */
HIATON_API enum hiaton_status hiaton_graph_declare(struct hiaton_graph *graph,
                                                   const char *declaration);

/* Sets the place in the host's own source from which the following nodes come; diagnostics of runs
 * name it. Line 0: no place. */
HIATON_API void hiaton_graph_place(struct hiaton_graph *graph, uint32_t line,
                                   uint32_t column, uint32_t span);

/* Adds a node to a function. Returns the number of the node, from 0 on, or UINT32_MAX if a text is
 * not one line. `opcode` is listed by `hiaton ops` and includes the type: "add.int". `operands` is
 * the text between opcode and arrow in assembly, such as "_, 5", "$n" or "_, site 0"; NULL or "":
 * none. */
HIATON_API uint32_t hiaton_graph_node(struct hiaton_graph *graph, const char *function,
                                      const char *opcode, const char *operands);

/* Special values of `to` in hiaton_graph_arc. HIATON_TO_RETURN, at stage "image": the RETURN of the
 * caller for result number `operand`. HIATON_TO_NOWHERE: drops a result of an APPLY. */
#define HIATON_TO_RETURN (UINT32_MAX - 1)
#define HIATON_TO_NOWHERE UINT32_MAX

/* Adds an arc from output `output` of node `from` to operand `operand` of node `to`, which may be
 * added later. Operands are counted from 0, immediates included. Only an APPLY has outputs beyond 0
 * and 1. Arcs of one output keep the order in which they were added. Returns HIATON_MISUSE if node
 * `from` does not exist. */
HIATON_API enum hiaton_status hiaton_graph_arc(struct hiaton_graph *graph, uint32_t from,
                                               uint32_t output, uint32_t to,
                                               uint32_t operand);

/* Checks the graph and makes a program of it, as hiaton_program_read does with assembly. Returns
 * NULL if the graph is illegal. Diagnostics name the node by its number, as `%7 add.int`, or quote
 * the declaration. Warnings, which do not prevent the program, say which tokens can never meet. The
 * caller may add to the graph and finish it again. */
HIATON_API struct hiaton_program *
hiaton_graph_finish(struct hiaton_graph *graph,
                    const struct hiaton_program_options *options);

HIATON_API void hiaton_graph_free(struct hiaton_graph *graph);

/* --- machines ---------------------------------------------------------------------------- */

/* Makes a machine from a preset (`hiaton machines`) or a file of settings; NULL: the preset
 * `default`. Returns NULL if there is no such machine or its settings are wrong. Takes some 100
 * us. */
HIATON_API struct hiaton_machine *
hiaton_machine_new(const char *name, const struct hiaton_reporter *reporter);

/* Changes a setting (`hiaton settings`), such as "pe.count" to "16". Returns HIATON_ABSENT if
 * the key is unknown, HIATON_REJECTED if the value is wrong, HIATON_MISUSE if the machine is in
 * use. */
HIATON_API enum hiaton_status hiaton_machine_set(struct hiaton_machine *machine,
                                                 const char *key, const char *value,
                                                 const struct hiaton_reporter *reporter);

/* Writes the value of a setting to `text`, at most `capacity` bytes with the final NUL. Returns the
 * length of the whole value, as snprintf does, or 0 if the key is unknown. */
HIATON_API size_t hiaton_machine_get(const struct hiaton_machine *machine,
                                     const char *key, char *text, size_t capacity);

HIATON_API void hiaton_machine_free(struct hiaton_machine *machine);

/* --- sessions ---------------------------------------------------------------------------- */

/* Progress of a run. A limit of 0 means no limit. */
struct hiaton_progress {
    size_t size;
    int is_timed;         /* 0: a run without a machine, which has no cycles */
    uint64_t cycle;       /* first cycle that is not simulated yet */
    uint64_t tokens;      /* tokens delivered so far */
    uint64_t activations; /* live activations */
    uint64_t deepest;     /* labels in the longest tag so far */
    uint64_t memory;      /* bytes of simulated state */
    uint64_t limit_cycles, limit_tokens, limit_depth, limit_memory;
};

/* Called before a run begins and then about every 20 ms. If the result is not 0, the run is
 * cancelled. */
typedef int hiaton_look(void *context, const struct hiaton_progress *progress);

struct hiaton_session_options {
    size_t size;
    uint64_t seed;
    /* Limits of this session; 0: the limits of the machine. A run that reaches a limit ends with
     * HIATON_END_LIMIT, which is not a failure. */
    uint64_t limit_memory; /* bytes of simulated state, checked between cycles */
    uint64_t limit_cycles;
    uint64_t limit_tokens;
    int untimed;       /* not 0: run by the interpreter, as `hiaton interp` does */
    hiaton_look *look; /* NULL: none */
    void *context;     /* passed to look */
};

/* Makes a session at its start. If `machine` is NULL, uses the one that the program was loaded
 * with. Returns NULL if the machine cannot exist or cannot run the program. The session holds a
 * reference to both. Memory for the run is allocated at the first advance and kept by
 * hiaton_session_reset. */
HIATON_API struct hiaton_session *
hiaton_session_new(struct hiaton_program *program, struct hiaton_machine *machine,
                   const struct hiaton_session_options *options,
                   const struct hiaton_reporter *reporter);

/* Sets an input before the run begins. `extents` has `rank` numbers, and `data` the elements in
 * row-major order, which are copied. A scalar has rank 0 and extents NULL. An array of n-tuples has
 * one axis more than the array, of extent n, if elements of one type can be all its parts. An int
 * is accepted for a real. Returns HIATON_ABSENT if the input is unknown, HIATON_REJECTED if its
 * type or rank differs, or at the memory limit. */
HIATON_API enum hiaton_status hiaton_session_input(struct hiaton_session *session,
                                                   const char *name,
                                                   enum hiaton_type type, uint32_t rank,
                                                   const uint64_t *extents,
                                                   const void *data);

/* Sets an input as an argument NAME=VALUE of `hiaton run` does: "5", "[(1, true), (2, false)]",
 * "@edges.txt". Returns as hiaton_session_input does; errors name the place in the text or file. */
HIATON_API enum hiaton_status hiaton_session_input_text(struct hiaton_session *session,
                                                        const char *name,
                                                        const char *text);

/* A field of an event: the text `word`, or the number `value` if `word` is NULL. An element fed to
 * a port appears as its 64 bits; a tensor as the 64-bit word by which tokens refer to it. */
struct hiaton_event_field {
    const char *name; /* such as "pe", "node", "activation" */
    const char *word;
    uint64_t value; /* HIATON_NONE if missing, as the PE of an activation without one */
};

#define HIATON_NONE UINT64_MAX

/* An event of a run. doc/model.md ("The events of a run") lists all events and their total order.
 * The event is valid only during the call of the listener; names and words are constants. */
struct hiaton_event {
    size_t size;
    const char *name; /* such as "fired", "call" */
    uint64_t cycle;
    const struct hiaton_event_field *fields;
    size_t field_count;
};

/* Receiver of events. The session copies the texts. */
struct hiaton_listener {
    size_t size;
    void (*hear)(void *context, const struct hiaton_event *event);
    void *context;
    const char *level; /* "summary", "firings", "all", "queues"; NULL: "all" */
    const char *kinds; /* names of events, such as "fired,call"; NULL: all */
    /* Filters, as the options of `hiaton trace` with these names; NULL: no filter. */
    const char *pe, *function, *line, *below;
};

/* Sends the events of a session to a listener while it advances, until it is reset. The simulation
 * does not change, but takes two to five times as long, plus the time of the listener. Must be
 * called at most once, before the run begins. Returns HIATON_MISUSE otherwise and for an untimed
 * session, HIATON_REJECTED if a text is wrong. */
HIATON_API enum hiaton_status
hiaton_session_listen(struct hiaton_session *session,
                      const struct hiaton_listener *listener);

/* Destination of a recording. */
struct hiaton_record_options {
    size_t size;
    /* Receives the next bytes. A result other than 0 means failure, and ends the recording. */
    int (*write)(void *context, const void *bytes, size_t length);
    void *context;
    uint64_t interval;   /* cycles between digests; 0: chosen by the library */
    uint64_t checkpoint; /* cycles between recorded states; 0: no states */
};

/* Records a run from its start, as a file that `hiaton replay` reads. The call begins the run, so
 * inputs and listeners must be set before. The recording is complete when hiaton_session_advance
 * returns HIATON_ENDED, or HIATON_FAILED instead if `write` failed; an unfinished one can be read
 * too. Returns HIATON_MISUSE if the run has begun, and for an untimed session. */
HIATON_API enum hiaton_status
hiaton_session_record(struct hiaton_session *session,
                      const struct hiaton_record_options *options);

/* Bounds of an advance; 0 or NULL: none. How a run is divided into advances does not change it. */
struct hiaton_until {
    size_t size;
    uint64_t cycle;  /* simulate all cycles before this one; above 2^63 - 1: that one */
    uint64_t tokens; /* deliver about this many more tokens */
    /* Called after each cycle in which something happened and after its events were sent. If the
     * result is not 0, the advance ends. An untimed session calls it every few thousand tokens. */
    int (*event)(void *context);
    void *context;
};

/* Advances a session as far as `until` says; NULL: to the end. Returns HIATON_OK if a bound was
 * reached, HIATON_ENDED if the run is over (however it ended), HIATON_WAITING if nothing can happen
 * before the host feeds or closes a port, HIATON_CANCELLED if it was cancelled, HIATON_REJECTED if
 * the run cannot begin. While a run waits, an advance to a cycle lets time pass and returns
 * HIATON_OK. Takes about 20 ns per token, plus 1 us. */
HIATON_API enum hiaton_status hiaton_session_advance(struct hiaton_session *session,
                                                     const struct hiaton_until *until);

/* Makes the current advance, or else the next one, return HIATON_CANCELLED within about 20 ms. Any
 * thread and signal handlers may call it while the session exists. */
HIATON_API void hiaton_session_cancel(struct hiaton_session *session);

/* Returns the first cycle that is not simulated yet; 0 after the end and for an untimed session. */
HIATON_API uint64_t hiaton_session_cycle(const struct hiaton_session *session);

/* Ways in which a run ends. */
enum hiaton_end {
    HIATON_END_COMPLETED,
    HIATON_END_TRAPPED,    /* an instruction failed: a division by 0, a wrong index */
    HIATON_END_DEADLOCKED, /* no instruction can fire, and there is no result */
    HIATON_END_LIMIT,      /* the run reached one of limits.* */
    HIATON_END_STORE_FULL, /* a finite queue or matching store of the machine is full */
    HIATON_END_TAGS_EXHAUSTED,
    HIATON_END_FAULTED, /* a message between nodes was lost or duplicated */
    HIATON_END_NOT_YET  /* the run has not ended */
};

/* How a run ended. Texts are valid until the session is reset, restored or freed, or until the next
 * call of hiaton_session_ending. A text that does not apply is NULL. */
struct hiaton_ending {
    size_t size;
    enum hiaton_end end;
    const char *name;    /* status in `hiaton run --json`: "completed", "store_full" */
    const char *result;  /* result of a completed run, as `hiaton run` prints it */
    const char *reason;  /* why a run that did not complete has no result; one sentence */
    const char *waiting; /* in a deadlock: lines that say what waits for what */
    const char *limit;   /* the setting that ended the run */
    const char *math;    /* the library that multiplied matrices */
    uint32_t line, column; /* place in the source where a trap occurred; 0: none */
    /* Number of the node that trapped, from 0 on, in the order of definition, in a program of
     * hiaton_graph_finish or of assembly. HIATON_NO_NODE otherwise. */
    uint32_t node;
};

/* Fills in how a run ended. Before the end, sets only `end`, to HIATON_END_NOT_YET. Takes some 10
 * us, because it makes texts. */
HIATON_API enum hiaton_status hiaton_session_ending(struct hiaton_session *session,
                                                    struct hiaton_ending *ending);

enum { HIATON_MAX_RANK = 20 };

/* A value: a scalar, an array or a tensor. */
struct hiaton_value {
    size_t size;
    enum hiaton_type type;
    uint32_t rank; /* number of axes: of the array, plus the axes of its tensors */
    uint64_t extents[HIATON_MAX_RANK];
    void *data;   /* the caller's buffer for the elements in row-major order, or NULL */
    size_t bytes; /* size of `data` in bytes; set to the size of the elements */
};

/* Copies part number `part`, from 0 on, of the result of a completed run to value->data, and fills
 * in type, extents and bytes. Returns HIATON_NO_ROOM if the buffer is too small or NULL; then all
 * but the elements is filled in. Returns HIATON_ABSENT if there is no such part or no result,
 * HIATON_REJECTED for an array whose rows have different lengths (hiaton_ending.result has it as
 * text). */
HIATON_API enum hiaton_status hiaton_session_result(struct hiaton_session *session,
                                                    size_t part,
                                                    struct hiaton_value *value);

/* An item of the result of a completed run: a scalar, a tensor, an array, or data of a constructor
 * (`data Tree = Leaf | Node(left: Tree, key: int, right: Tree)`). The host takes what is in arrays
 * and data item by item, so that it needs no deep stack for long lists. Two items of equal type,
 * rank and word are the same item: an array, or data with fields, that is reached in two ways. */
struct hiaton_item {
    size_t size;
    enum hiaton_type type; /* of an array: that of its innermost elements */
    uint32_t rank;         /* number of brackets around the type; 0: not an array */
    uint64_t count;        /* elements of an array, fields of data; 0 of others */
    /* Constructor of data, and the name of the field of which this is the item, owned by the
     * program; NULL: it is not data, not a field, or the field has no name. */
    const char *constructor, *field;
    uint64_t
        word; /* of an int or real: its 64 bits; of a bool: 0 or 1; of others: opaque */
};

/* Fills in element or field number `number` of `of`, an item that this function has filled in
 * since the end of the run; `of` NULL: part `number` of the result. A field that is a tuple is a
 * field for each of its parts, and an array of tuples is an array for each. Returns HIATON_ABSENT
 * if there is no such element, field or part, or no result; HIATON_MISUSE if `of` is no such item.
 * `item` may be `of`. Takes some 10 ns. */
HIATON_API enum hiaton_status hiaton_session_item(struct hiaton_session *session,
                                                  const struct hiaton_item *of,
                                                  uint64_t number,
                                                  struct hiaton_item *item);

/* Copies an item that is a scalar, a tensor, or an array of these to value->data, as
 * hiaton_session_result copies a part. Returns as that does; HIATON_MISUSE for data. */
HIATON_API enum hiaton_status hiaton_session_copy(struct hiaton_session *session,
                                                  const struct hiaton_item *item,
                                                  struct hiaton_value *value);

enum hiaton_number_kind { HIATON_COUNT, HIATON_RATIO, HIATON_DIGEST };

/* Value of a statistic. */
struct hiaton_number {
    size_t size;
    enum hiaton_number_kind kind;
    uint64_t count; /* value of a count or digest; 0 for a ratio */
    double real;    /* value of a ratio or count */
};

/* Fills in the current value of a statistic (`hiaton settings --statistics`), such as "cycles".
 * Returns HIATON_ABSENT if the key is unknown, which is reported, or if the statistic has no value.
 * The first call after an advance takes some microseconds, each further one less than one. */
HIATON_API enum hiaton_status hiaton_session_statistic(struct hiaton_session *session,
                                                       const char *key,
                                                       struct hiaton_number *number);

/* --- ports ------------------------------------------------------------------------------- */

/* A port of a program (`port in xs : [t]`, `port out ys = E`): while the run advances, the host
 * feeds elements to input ports and takes elements from output ports, one after the other. A run
 * with ports is a function of its program, machine, inputs, seed, and feeds with their cycles, not
 * of how it is divided into calls or how long the host takes. */
struct hiaton_port {
    size_t size;
    const char *name;  /* owned by the program */
    int is_input;      /* 1: input port; 0: output port */
    size_t part_count; /* parts of an element: n for an n-tuple, otherwise 1 */
    /* Types of the parts of an element; owned by the program. */
    const enum hiaton_type *types;
    const uint32_t *ranks; /* number of axes of each part; 0: a scalar */
    /* Input port: elements fed, also for later cycles. Output port: elements before the first
     * unwritten one. */
    uint64_t fed;
    uint64_t taken; /* output port: elements taken by the host */
    uint64_t room;  /* elements that port.capacity allows now, or HIATON_NONE */
    int is_waiting; /* the run waits for this port */
    int is_closed;  /* no element will be added */
};

/* Fills in port number `number`, from 0 on, in the order of declaration. Returns HIATON_ABSENT if
 * there are fewer. Begins the run if it has not begun. */
HIATON_API enum hiaton_status hiaton_session_port(struct hiaton_session *session,
                                                  size_t number,
                                                  struct hiaton_port *port);

/* Feeds one element to port number `port`. `parts` has a value for each part of the element, of
 * which `type`, `rank`, `extents` and `data` are read and copied. An int is accepted for a real.
 * Begins the run if it has not begun.
 *
 * The element can be read from the beginning of `cycle` on. `cycle` must not be before that of the
 * previous feed; HIATON_NONE: the first cycle that is not simulated yet. An untimed session has no
 * cycles. If memory.capacity leaves no room in a later cycle, the feed ends the run then.
 *
 * Returns HIATON_REJECTED if a value has the wrong type; HIATON_NO_ROOM if port.capacity leaves no
 * room now, or memory.capacity none in the first cycle that is not simulated yet (nothing has
 * happened then); HIATON_ENDED if the run is over; HIATON_MISUSE for an output port, a closed port,
 * a cycle that is over, or one after 2^63 - 1. */
HIATON_API enum hiaton_status hiaton_session_feed(struct hiaton_session *session,
                                                  size_t port,
                                                  const struct hiaton_value *parts,
                                                  size_t part_count, uint64_t cycle);

/* Closes an input port: no element follows. It is closed at the beginning of `cycle`, for which the
 * rules of hiaton_session_feed hold. */
HIATON_API enum hiaton_status hiaton_session_close(struct hiaton_session *session,
                                                   size_t port, uint64_t cycle);

/* Takes the next element of an output port: copies each part to `data` of a value, as
 * hiaton_session_result does. Returns HIATON_WAITING if the element is not written yet;
 * HIATON_ENDED if all elements were taken and none follows; HIATON_NO_ROOM if a buffer is too small
 * or NULL: then all but the elements is filled in, and the element is still the next one. Elements
 * that were written can be taken after the end of the run, too. */
HIATON_API enum hiaton_status hiaton_session_take(struct hiaton_session *session,
                                                  size_t port, struct hiaton_value *parts,
                                                  size_t part_count);

/* --- states ------------------------------------------------------------------------------ */

/* Returns the state of a run as bytes, with its seed and inputs, valid until the next call with the
 * session. Returns HIATON_MISUSE if the run has not begun or has ended, for an untimed session, and
 * for a machine with a platform of SimGrid. Takes as long as copying the state. */
HIATON_API enum hiaton_status hiaton_session_save(struct hiaton_session *session,
                                                  const void **bytes, size_t *length);

/* Restores a state that a session of the same program, machine and version of the library saved,
 * with seed and inputs. The run then continues as the saved one would have. The listener stays.
 * Returns HIATON_REJECTED if the bytes are not such a state; the session is then at its start.
 * Returns HIATON_MISUSE while the session is recorded, and if it is untimed. */
HIATON_API enum hiaton_status hiaton_session_restore(struct hiaton_session *session,
                                                     const void *bytes, size_t length);

/* Returns a session to its start, with a new seed and the program's own inputs. Removes the
 * listener, and ends an unfinished recording. Keeps memory, so that it takes about a microsecond.
 * On a platform of SimGrid each run makes its machine again; about 12 such runs fit into a process,
 * and the next one is rejected. */
HIATON_API enum hiaton_status hiaton_session_reset(struct hiaton_session *session,
                                                   uint64_t seed);

/* Frees a session. From then on malloc keeps up to 8 MB that are freed at the end of its heap, so
 * that later sessions need no new pages of the host; a host that has set M_TRIM_THRESHOLD or
 * M_MMAP_THRESHOLD by mallopt keeps its choice. */
HIATON_API void hiaton_session_free(struct hiaton_session *session);

/* --- pools ------------------------------------------------------------------------------- */

/* Makes a pool of up to `count` sessions, made when first needed; they keep their memory. Several
 * threads may call the reporter at once. Returns NULL if hiaton_session_new would fail. Any number
 * of threads may use a pool. */
HIATON_API struct hiaton_pool *
hiaton_pool_new(struct hiaton_program *program, struct hiaton_machine *machine,
                size_t count, const struct hiaton_session_options *options,
                const struct hiaton_reporter *reporter);

/* Returns a session at its start, with a seed. If all sessions are in use, waits for one, or
 * returns NULL if `waits` is 0. The caller owns the session until hiaton_pool_put. */
HIATON_API struct hiaton_session *hiaton_pool_get(struct hiaton_pool *pool, uint64_t seed,
                                                  int waits);

/* Returns a session to its pool, however far its run is. The caller must not use the session any
 * more. */
HIATON_API void hiaton_pool_put(struct hiaton_pool *pool, struct hiaton_session *session);

/* Frees a pool, at once or when the last of its sessions is returned. */
HIATON_API void hiaton_pool_free(struct hiaton_pool *pool);

/* --- batches ----------------------------------------------------------------------------- */

/* Many runs of one program on one machine. A study of several machines needs one batch for each. */
struct hiaton_batch {
    size_t size;
    struct hiaton_program *program;
    struct hiaton_machine *machine; /* NULL: the machine of the program */
    const struct hiaton_session_options *options;
    uint64_t count;
    uint32_t threads; /* number of threads, including the caller's; 0: one */
    /* Called before run `number`, with a session at its start, to set inputs, a seed
     * (hiaton_session_reset) or a listener. Several threads call it at once. May be NULL. */
    void (*begin)(void *context, struct hiaton_session *session, uint64_t number);
    /* Called after each run, however it ended, in the order of their numbers and one at a time, by
     * any of the threads. If the result is not 0, the batch ends. May be NULL. */
    int (*end)(void *context, struct hiaton_session *session, uint64_t number);
    void *context;
};

/* Makes all runs of a batch. Returns HIATON_OK when `end` was called for all, HIATON_CANCELLED if
 * `end` ended the batch, HIATON_REJECTED if the runs cannot begin. Holds two sessions per thread. A
 * run does not depend on its thread. If the host cannot start all threads, the batch uses fewer. */
HIATON_API enum hiaton_status hiaton_batch_run(const struct hiaton_batch *batch,
                                               const struct hiaton_reporter *reporter);

/* --- recordings -------------------------------------------------------------------------- */

/* Opens a recording (`hiaton run --record`, hiaton_session_record) or a file of events (--trace),
 * and checks all except checkpoints. Returns NULL if the file is neither, or damaged. */
HIATON_API struct hiaton_recording *
hiaton_recording_open(const char *path, const struct hiaton_reporter *reporter);

struct hiaton_replay_options {
    size_t size;
    const char *program;     /* file of another program; NULL: the recorded program */
    const char *const *sets; /* settings to change, such as "pe.count=4" */
    size_t set_count;
    /* Called to show progress or to cancel the replay; NULL: not called. Its `progress` is NULL
     * while a file is read. */
    hiaton_look *look;
    void *context; /* passed to look */
};

/* Outcome of a replay. The recording owns the texts; they are valid until the next replay. */
struct hiaton_replay {
    size_t size;
    int is_same;
    const char *text; /* the output of `hiaton replay` */
    const char *json; /* the output of `hiaton replay --json` */
};

/* Repeats the recorded run and compares. Returns HIATON_OK if the runs are the same, HIATON_DIFFERS
 * if not (`replay` says where), HIATON_CANCELLED if it was cancelled, HIATON_REJECTED if the run
 * cannot begin or the recording is unfinished. An unfinished recording of a run with ports is
 * replayed to the last feed. `options` may be NULL. Takes as long as the run. */
HIATON_API enum hiaton_status hiaton_recording_replay(
    struct hiaton_recording *recording, const struct hiaton_replay_options *options,
    struct hiaton_replay *replay, const struct hiaton_reporter *reporter);

HIATON_API void hiaton_recording_free(struct hiaton_recording *recording);

#ifdef __cplusplus
}
#endif

#endif
