/* dragnn: tags and parses sentences by a master specification (doc/dragnn.md). */
#include "programs/dragnn/compute.h"
#include "programs/dragnn/session.h"

#include <inttypes.h>
#include <malloc.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

enum { MAX_SENTENCES = 1000000000 };

static const char usage[] =
    "usage: dragnn [OPTION...] SPEC FILE.conllu\n"
    "       dragnn -l\n"
    "Tags and parses the sentences of a file, and prints them as CoNLL-U.\n"
    "  -b N        sentences in a session (1)\n"
    "  -k N        states in the beams of all components (those of SPEC)\n"
    "  -j N        threads, each with a session of the pool (1)\n"
    "  -s F:E:N    N sentences: number F, from 0 on, and then each E-th; N = 0: all "
    "(0:1:0)\n"
    "  -r N        computes these sentences N times (1)\n"
    "  -e          print for each sentence its number, words, tags and heads found, "
    "transitions and\n"
    "              score\n"
    "  -v          print what the networks took\n"
    "  -l          list transition systems and their names\n";

struct options {
    const char *spec, *file;
    int batch, beam, threads, first, every, count, repeat;
    bool is_each, is_verbose;
};

/* State shared by all threads. */
struct work {
    const struct options *options;
    const struct dragnn_spec *spec;
    struct dragnn_networks *networks;
    struct dragnn_pool *pool;
    struct dragnn_file file;
    pthread_mutex_t lock; /* protects the members below */
    pthread_cond_t printed_more;
    int chosen;         /* number of sentences chosen */
    int count;          /* sentences chosen, times repetitions */
    int taken, printed; /* sentences taken by threads, and printed */
    bool has_failed;
    int64_t words, tags, heads; /* words; correct tags and heads */
    struct dragnn_tally *tallies;
};

/* --- output ----------------------------------------------------------------------------- */

/* Hashes the transitions of a sentence, as digits modulo a prime. */
static int64_t hash_actions(const struct dragnn_session *session, int item)
{
    const struct dragnn_spec *spec = session->spec;
    const char *name = dragnn_spec_component(spec, spec->count - 1);
    const int count = dragnn_get_best(session, name, item, NULL, 0, NULL, NULL);
    int *actions = dragnn_new((size_t)(count > 0 ? count : 0) * sizeof *actions);
    int64_t hash = 0;
    dragnn_get_best(session, name, item, actions, count, NULL, NULL);
    for (int i = 0; i < count; i++)
        hash = (3 * hash + actions[i]) % 2147483647;
    free(actions);
    return hash;
}

/* Prints a real with the fewest digits that read back as the same number. */
static void print_real(double real)
{
    char text[32];
    int digits = 15;
    do
        snprintf(text, sizeof text, "%.*g", digits, real);
    while (digits++ < 17 && strtod(text, NULL) != real);
    printf("%s\n", text);
}

/* Counts the correct tags and heads, and prints them for one sentence if requested. */
static void report_sentence(struct work *work, const struct dragnn_session *session,
                            int item, int number)
{
    const struct dragnn_sentence *sentence = session->sentences[item];
    const char *last = dragnn_spec_component(work->spec, work->spec->count - 1);
    int tags = 0, heads = 0;
    double score = 0;
    for (int i = 0; i < sentence->length; i++) {
        tags += sentence->tokens[i].tag == sentence->tokens[i].gold_tag;
        heads += sentence->tokens[i].head == sentence->tokens[i].gold_head;
    }
    work->words += sentence->length;
    work->tags += tags;
    work->heads += heads;
    dragnn_get_best(session, last, item, NULL, 0, &score, NULL);
    if (!work->options->is_each)
        return;
    printf("%d %d %d %d %" PRId64 " ", number, sentence->length, tags, heads,
           hash_actions(session, item));
    print_real(score);
}

/* Returns the number in the file of the i-th chosen sentence. */
static int sentence_number(const struct work *work, int i)
{
    return work->options->first + i % work->chosen * work->options->every;
}

/* Prints a batch once all sentences before it are printed. */
static void print_batch(struct work *work, struct dragnn_session *session, int first,
                        int count)
{
    char **texts = dragnn_new((size_t)count * sizeof *texts);
    pthread_mutex_lock(&work->lock);
    while (work->printed < first && !work->has_failed)
        pthread_cond_wait(&work->printed_more, &work->lock);
    if (!work->has_failed) {
        for (int i = 0; i < count; i++)
            report_sentence(work, session, i, sentence_number(work, first + i));
        dragnn_get_serialized_predictions(session, texts, NULL);
        for (int i = 0; i < count; i++) {
            if (!work->options->is_each && texts[i])
                fputs(texts[i], stdout);
            free(texts[i]);
        }
    }
    work->printed = first + count;
    pthread_cond_broadcast(&work->printed_more);
    pthread_mutex_unlock(&work->lock);
    free(texts);
}

static void report_fault(struct work *work, const struct dragnn_error *error, int first)
{
    pthread_mutex_lock(&work->lock);
    if (!work->has_failed && error->line > 0)
        fprintf(stderr, "dragnn: %s:%d:%d: %s\n", work->options->file,
                work->file.lines[sentence_number(work, first)] + error->line - 1,
                error->column, error->text);
    else if (!work->has_failed)
        fprintf(stderr, "dragnn: %s: sentence %d: %s\n", work->options->file,
                sentence_number(work, first) + 1, error->text);
    work->has_failed = true;
    pthread_cond_broadcast(&work->printed_more);
    pthread_mutex_unlock(&work->lock);
}

/* --- work ------------------------------------------------------------------------------- */

/* Takes the next batch. Returns its number of sentences, 0 at the end. */
static int take_batch(struct work *work, int *first)
{
    pthread_mutex_lock(&work->lock);
    int count = work->has_failed ? 0 : work->count - work->taken;
    count = count < work->options->batch ? count : work->options->batch;
    *first = work->taken;
    work->taken += count;
    pthread_mutex_unlock(&work->lock);
    return count;
}

/* Gives the session its sentences. An error has its position in the first one. */
static bool set_input(struct work *work, struct dragnn_session *session, int first,
                      int count, struct dragnn_error *error)
{
    const char **texts = dragnn_new((size_t)count * sizeof *texts);
    for (int i = 0; i < count; i++)
        texts[i] = work->file.texts[sentence_number(work, first + i)];
    const bool is_good = dragnn_set_input_data(session, texts, count, error);
    free(texts);
    return is_good;
}

static void add_tallies(struct work *work, const struct dragnn_tally *tallies)
{
    pthread_mutex_lock(&work->lock);
    for (int c = 0; c < work->spec->count; c++)
        dragnn_tally_add(&work->tallies[c], &tallies[c]);
    pthread_mutex_unlock(&work->lock);
}

static void *run_thread(void *context)
{
    struct work *work = context;
    struct dragnn_tally *tallies = dragnn_new((size_t)work->spec->count *
                                              sizeof *tallies);
    int first, count;
    while ((count = take_batch(work, &first)) > 0) {
        struct dragnn_error error = {.line = 0};
        struct dragnn_session *session = dragnn_get_session(work->pool);
        if (set_input(work, session, first, count, &error) &&
            dragnn_compute(session, work->networks, work->options->beam, tallies, &error))
            print_batch(work, session, first, count);
        else
            report_fault(work, &error, first);
        dragnn_return_session(work->pool, session);
    }
    add_tallies(work, tallies);
    free(tallies);
    return NULL;
}

static void run_threads(struct work *work)
{
    const int count = work->options->threads - 1;
    pthread_t *threads = dragnn_new((size_t)count * sizeof *threads);
    int started = 0;
    while (started < count && !pthread_create(&threads[started], NULL, run_thread, work))
        started++;
    run_thread(work);
    for (int i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    free(threads);
}

static void print_tallies(const struct work *work)
{
    fprintf(stderr, "%" PRId64 " words, %" PRId64 " tags and %" PRId64 " heads found\n",
            work->words, work->tags, work->heads);
    struct rusage used = {.ru_maxrss = 0};
    getrusage(RUSAGE_SELF, &used);
    const struct mallinfo2 heap = mallinfo2();
    fprintf(stderr,
            "%d sessions in the pool, %zu KiB allocated, %ld KiB of memory at most\n",
            dragnn_pool_made(work->pool), (heap.uordblks + heap.hblkhd) / 1024,
            used.ru_maxrss);
    for (int c = 0; c < work->spec->count; c++) {
        const struct dragnn_tally *t = &work->tallies[c];
        fprintf(stderr, "%s: %" PRIu64 " runs, %" PRIu64 " rows\n",
                dragnn_spec_component(work->spec, c), t->runs, t->rows);
        fprintf(stderr, "  border: %" PRIu64 " numbers in, %" PRIu64 " out\n",
                t->numbers_in, t->numbers_out);
        fprintf(stderr, "  machine: %" PRIu64 " cycles, %" PRIu64 " firings\n", t->cycles,
                t->firings);
        fprintf(stderr,
                "  at most: %" PRIu64 " live tokens, %" PRIu64 " activations, %" PRIu64
                " bytes of tensors\n",
                t->peak_tokens, t->peak_tags, t->peak_bytes);
    }
}

static int run_file(const struct options *options, const struct dragnn_spec *spec,
                    struct dragnn_networks *networks)
{
    struct dragnn_error error = {.line = 0};
    struct work work = {.options = options,
                        .spec = spec,
                        .networks = networks,
                        .lock = PTHREAD_MUTEX_INITIALIZER,
                        .printed_more = PTHREAD_COND_INITIALIZER};
    if (!dragnn_file_read(&work.file, options->file, &error)) {
        fprintf(stderr, "dragnn: %s\n", error.text);
        return 2;
    }
    const int left = work.file.count - options->first;
    work.chosen = left > 0 ? (left + options->every - 1) / options->every : 0;
    if (options->count > 0 && options->count < work.chosen)
        work.chosen = options->count;
    if (work.chosen > 0 && options->repeat > MAX_SENTENCES / work.chosen) {
        fprintf(stderr, "dragnn: more than %d sentences\n", MAX_SENTENCES);
        dragnn_file_free(&work.file);
        return 2;
    }
    work.count = work.chosen * options->repeat;
    work.pool = dragnn_pool_new(spec);
    work.tallies = dragnn_new((size_t)spec->count * sizeof *work.tallies);
    run_threads(&work);
    if (options->is_verbose && !work.has_failed)
        print_tallies(&work);
    dragnn_pool_free(work.pool);
    dragnn_file_free(&work.file);
    free(work.tallies);
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fprintf(stderr, "dragnn: cannot write the output\n");
        return 1;
    }
    return work.has_failed ? 2 : 0;
}

/* --- command line ----------------------------------------------------------------------- */

static void list_systems(void)
{
    for (size_t i = 0; dragnn_systems[i]; i++) {
        const struct dragnn_system *system = dragnn_systems[i];
        printf("%s\n  places: input constant", system->name);
        for (const struct dragnn_place *p = system->places; p && p->name; p++)
            printf(" %s", p->name);
        printf("\n  attributes: word tag");
        for (const struct dragnn_attribute *a = system->attributes; a && a->name; a++)
            printf(" %s", a->name);
        printf("\n  translators: identity history");
        for (const struct dragnn_translator *t = system->translators; t && t->name; t++)
            printf(" %s", t->name);
        printf("\n");
    }
}

/* Reads the number of an option. Returns false with a message if it is invalid. */
static bool read_number(const char *text, char after, int low, int *number,
                        const char **rest)
{
    char *end;
    const long value = strtol(text, &end, 10);
    if (end == text || *end != after || value < low || value > MAX_SENTENCES) {
        fprintf(stderr, "dragnn: expected a number from %d on; found `%s`\n", low, text);
        return false;
    }
    *number = (int)value;
    *rest = end + (after != '\0');
    return true;
}

static bool read_options(int argc, char **argv, struct options *o)
{
    const char *rest;
    int option;
    while ((option = getopt(argc, argv, "b:k:j:s:r:evl")) != -1) {
        bool is_good = true;
        switch (option) {
        case 'b':
            is_good = read_number(optarg, '\0', 1, &o->batch, &rest);
            break;
        case 'k':
            is_good = read_number(optarg, '\0', 1, &o->beam, &rest);
            break;
        case 'j':
            is_good = read_number(optarg, '\0', 1, &o->threads, &rest);
            break;
        case 's':
            is_good = read_number(optarg, ':', 0, &o->first, &rest) &&
                      read_number(rest, ':', 1, &o->every, &rest) &&
                      read_number(rest, '\0', 0, &o->count, &rest);
            break;
        case 'r':
            is_good = read_number(optarg, '\0', 1, &o->repeat, &rest);
            break;
        case 'e':
            o->is_each = true;
            break;
        case 'v':
            o->is_verbose = true;
            break;
        case 'l':
            list_systems();
            exit(0);
        default:
            is_good = false;
        }
        if (!is_good)
            return false;
    }
    if (argc - optind != 2)
        return false;
    o->spec = argv[optind];
    o->file = argv[optind + 1];
    return true;
}

int main(int argc, char **argv)
{
    struct options options = {.batch = 1, .threads = 1, .every = 1, .repeat = 1};
    struct dragnn_error error = {.line = 0};
    if (!read_options(argc, argv, &options)) {
        fputs(usage, stderr);
        return 2;
    }
    struct dragnn_spec *spec = dragnn_spec_read(options.spec, &error);
    struct dragnn_networks *networks = spec ? dragnn_networks_new(spec, &error) : NULL;
    int status = 2;
    if (networks)
        status = run_file(&options, spec, networks);
    else if (error.line > 0)
        fprintf(stderr, "dragnn: %s:%d:%d: %s\n", options.spec, error.line, error.column,
                error.text);
    else
        fprintf(stderr, "dragnn: %s\n", error.text);
    dragnn_networks_free(networks);
    dragnn_spec_free(spec);
    return status;
}
