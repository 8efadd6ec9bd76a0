#include "sim/commands/cmd_analyse.h"

#include <string.h>

#include "isa/tag_path.h"
#include "traces/filter.h"

void sim_analyse_causes_start(struct sim_analyse_causes *causes)
{
    *causes = (struct sim_analyse_causes){.by = ANALYSIS_COST_BY_NOTHING};
}

void sim_analyse_causes_free(struct sim_analyse_causes *causes)
{
    sim_causes_summary_free(&causes->found);
}

/* Reads a tag as messages write it, innermost label first. Sets *path to its hash. */
static bool read_tag(struct lib_cursor *c, uint64_t *path)
{
    struct traces_tag_labels labels = {0};
    const bool good = traces_tag_read(&labels, c);
    *path = ISA_ROOT_PATH;
    for (size_t i = labels.count; i-- > 0;) {
        *path = isa_tag_path(*path, (uint32_t)labels.items[i].site);
        if (labels.items[i].has_iteration)
            *path = isa_tag_iteration_path(*path, labels.items[i].iteration);
    }
    LIB_VEC_FREE(&labels);
    return good;
}

bool sim_analyse_take_why(void *place, const char *text, struct lib_text *why)
{
    struct sim_analyse_causes *causes = place;
    causes->why = text;
    causes->chain = true;
    struct lib_cursor c;
    lib_cursor_on(&c, text, NULL, why);
    if (*text == '[') {
        causes->from = ANALYSIS_CAUSES_FROM_TAG;
        return read_tag(&c, &causes->which);
    }
    if (lib_cursor_accept(&c, "result")) {
        causes->from = ANALYSIS_CAUSES_FROM_RESULT;
        return lib_cursor_expect_end(&c);
    }
    const bool is_line = lib_cursor_accept(&c, "line:");
    if (!is_line && !lib_cursor_accept(&c, "cycle:"))
        return lib_cursor_found(
            &c, lib_cursor_until(&c, ""),
            "result, line:N, cycle:N or a whole tag such as `[1,0.2]`");
    causes->from = is_line ? ANALYSIS_CAUSES_FROM_LINE : ANALYSIS_CAUSES_FROM_CYCLE;
    return lib_cursor_number(&c, is_line ? "the number of a line" : "a cycle", 0,
                             UINT64_MAX, &causes->which) &&
           lib_cursor_expect_end(&c);
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

/* Rows and the chain are findings; the sums are separate, so that they add up to `cycles`. */
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
