/* hiaton analyse: the causes of cycles. */
#include "sim/commands/cmd_analyse.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "isa/tag_path.h"

void sim_analyse_causes_start(struct sim_analyse_causes *causes)
{
    *causes = (struct sim_analyse_causes){.by = ANALYSIS_COST_BY_NOTHING};
}

void sim_analyse_causes_free(struct sim_analyse_causes *causes)
{
    sim_causes_summary_free(&causes->found);
}

/* Digits at *at, which moves behind them. */
static bool read_number(const char **at, uint64_t *number)
{
    char *end;
    if (**at < '0' || **at > '9')
        return false;
    errno = 0;
    *number = strtoull(*at, &end, 10);
    *at = end;
    return errno == 0;
}

/* A tag as messages write it, the innermost label first: its path. */
static bool read_tag(const char *text, uint64_t *path)
{
    enum { MOST = 1024 };
    struct label {
        uint64_t site, iteration;
        bool has_iteration;
    } labels[MOST];
    size_t count = 0;
    const char *at = text + 1;
    while (*at != ']') {
        struct label *l = &labels[count++];
        *l = (struct label){0};
        if (count == MOST || !read_number(&at, &l->site))
            return false;
        l->has_iteration = *at == '.';
        if (l->has_iteration && (at++, !read_number(&at, &l->iteration)))
            return false;
        if (*at == ',')
            at++;
        else if (*at != ']')
            return false;
    }
    *path = ISA_ROOT_PATH;
    while (count-- > 0) {
        *path = isa_tag_path(*path, (uint32_t)labels[count].site);
        if (labels[count].has_iteration)
            *path = isa_tag_iteration_path(*path, labels[count].iteration);
    }
    return at[1] == '\0';
}

static bool read_after(const char *text, const char *word, uint64_t *number)
{
    const size_t length = strlen(word);
    const char *at = text + length;
    return strncmp(text, word, length) == 0 && read_number(&at, number) && *at == '\0';
}

bool sim_analyse_take_why(void *place, const char *text, struct lib_text *why)
{
    struct sim_analyse_causes *causes = place;
    causes->why = text;
    causes->chain = true;
    if (strcmp(text, "result") == 0)
        causes->from = ANALYSIS_CAUSES_FROM_RESULT;
    else if (read_after(text, "line:", &causes->which))
        causes->from = ANALYSIS_CAUSES_FROM_LINE;
    else if (read_after(text, "cycle:", &causes->which))
        causes->from = ANALYSIS_CAUSES_FROM_CYCLE;
    else if (*text == '[' && read_tag(text, &causes->which))
        causes->from = ANALYSIS_CAUSES_FROM_TAG;
    else
        lib_text_printf(why,
                        "expected result, line:N, cycle:N or a whole tag such as "
                        "`[1,0.2]`, found `%s`",
                        text);
    return !why->length;
}

bool sim_analyse_causes_complete(const struct sim_complete_value *value)
{
    if (strcmp(value->name, "TARGET") != 0)
        return false;
    sim_complete_begin(SIM_COMPLETE_NOTHING, NULL);
    sim_complete_offer(value, 0, "result", "", "the last part of the result");
    sim_complete_offer(value, 0, "line:", "", "the last firing of a line");
    sim_complete_offer(value, 0, "cycle:", "",
                       "the last firing up to a cycle, to when its result is formed");
    return true;
}

bool sim_analyse_causes_run(struct sim_analyse_causes *causes,
                            const struct sim_session *session, struct sim_source *file,
                            const struct sim_watch *watch, struct lib_diags *diags)
{
    const struct sim_causes_request wish = {
        .of = {.from = causes->from, .which = causes->which},
        .chain = causes->chain,
        .is_brief = causes->is_brief,
        .from = causes->cycles_from,
        .to = causes->cycles_to,
    };
    return sim_causes_find(&causes->found, session, file, &wish, watch, diags);
}

void sim_analyse_causes_tell(struct sim_analyse_causes *causes,
                             struct lib_findings *findings)
{
    const struct analysis_causes_tables tables = {.by = causes->by,
                                                  .chain = causes->chain,
                                                  .backwards = causes->why != NULL,
                                                  .of = causes->why,
                                                  .source = causes->source};
    sim_causes_summary_write(&causes->found, &tables, findings);
}

static void drain(void *context, struct lib_text *out)
{
    sim_pieces_put(context, out);
}

static void start_findings(struct sim_analyse_causes *causes, const char *name,
                           bool for_people, struct lib_findings *f)
{
    lib_findings_start(f, name, for_people);
    sim_analyse_causes_tell(causes, f);
    f->drain = causes->pieces ? drain : NULL;
    f->drain_context = causes->pieces;
}

void sim_analyse_causes_write(struct sim_analyse_causes *causes, bool csv,
                              struct lib_text *out)
{
    struct lib_findings f;
    start_findings(causes, "causes", !csv, &f);
    lib_findings_write(&f, csv ? LIB_FORM_CSV : LIB_FORM_TEXT, NULL, out);
    lib_findings_free(&f);
}

/* Rows and the chain are findings; the sums stand alone, so that they add up to `cycles`. */
void sim_analyse_causes_write_json(struct sim_analyse_causes *causes,
                                   struct lib_json *json)
{
    struct lib_findings f;
    lib_json_open(json, "causes", '{');
    analysis_causes_summary_write_json(&causes->found.found, json);
    lib_json_close(json);
    start_findings(causes, "critical_path", false, &f);
    lib_json_open(json, "critical_path", '{');
    lib_findings_put_json(&f, "", json);
    for (size_t i = 0; i < f.tables.count; i++)
        if (strcmp(f.tables.items[i]->key, "causes") != 0)
            lib_findings_put_json(&f, f.tables.items[i]->key, json);
    lib_json_close(json);
    lib_findings_free(&f);
}
