/* Shared by tests of the DRAGNN host: a sentence, a specification, and a folder for both. */
#ifndef TESTS_UNIT_DRAGNN_H
#define TESTS_UNIT_DRAGNN_H

#include "programs/dragnn/session.h"
#include "tests/unit/main.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char dogs[] = "# a comment\n"
                           "1\tOld\told\tADJ\t_\t_\t2\tamod\t_\t_\n"
                           "2-3\tdogsbark\t_\t_\t_\t_\t_\t_\t_\t_\n"
                           "2\tdogs\tdog\tNOUN\t_\t_\t3\tnsubj\t_\t_\n"
                           "3\tbark\tbark\tVERB\t_\t_\t0\troot\t_\t_\n"
                           "4\tloudly\tloudly\tADV\t_\t_\t3\tadvmod\t_\t_\n"
                           "\n";

static const char parse_yaml[] =
    "lexicon: {file: dogs.conllu}\n"
    "components:\n"
    "  - name: tagger\n"
    "    system: tagger\n"
    "    fixed:\n"
    "      - {name: words, features: [input(-1).word, input(0).word, input(1).word]}\n"
    "    linked:\n"
    "      - {name: before, source: tagger, translator: history, features: "
    "[constant(0)]}\n"
    "  - name: parser\n"
    "    system: arc-hybrid\n"
    "    beam: 4\n"
    "    fixed:\n"
    "      - {name: tags, features: [stack(0).tag, input(0).tag]}\n"
    "    linked:\n"
    "      - {name: tokens, source: tagger, translator: identity, features: [stack(0), "
    "input(0)]}\n"
    "      - {name: trees, source: parser, translator: shift-reduce-step, features: "
    "[stack(0), "
    "input(0)]}\n"
    "      - {name: arcs, source: parser, translator: reduce-step, features: "
    "[child(0)]}\n"
    "      - {name: heads, source: parser, translator: parent-shift-reduce-step, "
    "features: "
    "[popped(0)]}\n"
    "      - {name: before, source: parser, translator: history, features: "
    "[constant(0)]}\n";

static char folder[64], path[128];
static struct dragnn_error error;

static inline const char *write_file(const char *name, const char *text)
{
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fputs(text, file);
    fclose(file);
    return path;
}

static inline void begin_folder(void)
{
    strcpy(folder, "/tmp/dragnn.XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    write_file("dogs.conllu", dogs);
}

static inline void end_folder(void)
{
    static const char *const names[] = {"dogs.conllu", "spec.yaml", "one.df"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        unlink(path);
    }
    rmdir(folder);
}

static inline struct dragnn_spec *read_spec(const char *text)
{
    struct dragnn_spec *spec = dragnn_spec_read(write_file("spec.yaml", text), &error);
    ck_assert_msg(spec != NULL, "%d:%d: %s", error.line, error.column, error.text);
    return spec;
}

static inline struct dragnn_session *begin_session(struct dragnn_pool *pool,
                                                   const char *text)
{
    struct dragnn_session *session = dragnn_get_session(pool);
    ck_assert_msg(dragnn_set_input_data(session, &text, 1, &error), "%s", error.text);
    return session;
}

static inline void begin_component(struct dragnn_session *session, const char *component,
                                   int beam)
{
    ck_assert_msg(dragnn_initialize_component_data(session, component, beam, &error),
                  "%s", error.text);
}

static inline void finish_by_oracle(struct dragnn_session *session, const char *component)
{
    while (!dragnn_is_terminal(session, component, NULL))
        ck_assert_msg(dragnn_advance_from_oracle(session, component, &error), "%s",
                      error.text);
    ck_assert_msg(dragnn_finalize_data(session, component, &error), "%s", error.text);
}

#endif
