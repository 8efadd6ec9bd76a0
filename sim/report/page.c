#include "sim/report/page.h"

#include "config.h"

#include <inttypes.h>
#include <string.h>

#include "sim/loading/setup_words.h"

/* --- the page ------------------------------------------------------------------------------ */

static void put_embedded(struct lib_text *out, const char *name)
{
    const struct sim_report_text *text = sim_report_texts;
    while (text->name && strcmp(text->name, name) != 0)
        text++;
    lib_text_puts(out, text->text);
}

/* XML reads the text in brackets as characters; HTML, as a comment of style or script. */
void sim_page_open(struct lib_text *out, const char *title,
                   const struct sim_report_section *sections, size_t count)
{
    lib_text_puts(
        out,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
        "<meta name=\"viewport\" content=\"width=device-width, "
        "initial-scale=1\"/>\n<meta name=\"generator\" content=\"hiaton " PACKAGE_VERSION
        "\"/>\n<title>");
    lib_html_text(out, title);
    lib_text_puts(out, "</title>\n<style>/*<![CDATA[*/\n");
    put_embedded(out, "report.css");
    lib_text_puts(out,
                  "/*]]>*/</style>\n</head>\n<body>\n"
                  "<a class=\"skip\" href=\"#main\">Go to the report</a>\n<header><h1>");
    lib_html_text(out, title);
    lib_text_puts(out, "</h1></header>\n<nav aria-label=\"Sections\"><ul>\n");
    for (size_t i = 0; i < count; i++)
        lib_text_printf(out, "<li><a href=\"#%s\">%s</a></li>\n", sections[i].id,
                        sections[i].title);
    lib_text_puts(out, "</ul></nav>\n<main id=\"main\">\n");
}

void sim_page_close(struct lib_text *out, bool has_script)
{
    lib_text_puts(out,
                  "</main>\n<footer><p>Made by hiaton " PACKAGE_VERSION
                  ", a simulator of tagged-token dataflow machines. The same run makes "
                  "the same page. Links name what is looked at: a section, a line "
                  "(#L4), a part of the timeline (#gantt=100-200).</p></footer>\n");
    if (has_script) {
        lib_text_puts(out, "<script>//<![CDATA[\n");
        put_embedded(out, "report.js");
        lib_text_puts(out, "//]]></script>\n");
    }
    lib_text_puts(out, "</body>\n</html>\n");
}

void sim_section_open(struct lib_text *out, const struct sim_report_section *section)
{
    lib_text_printf(
        out, "<section id=\"%s\" aria-labelledby=\"%s-h\">\n<h2 id=\"%s-h\">%s</h2>\n",
        section->id, section->id, section->id, section->title);
}

void sim_section_close(struct lib_text *out)
{
    lib_text_puts(out, "</section>\n");
}

/* --- what ran -------------------------------------------------------------------------------- */

void sim_page_name(const struct sim_reported *r, struct lib_text *text)
{
    const struct sim_session *session = sim_reported_session(r);
    lib_text_printf(text, "%s on ", sim_program_title(&session->program));
    sim_setup_write_name(&session->setup, text);
}

static void put_term(struct lib_text *out, const char *term)
{
    lib_text_printf(out, "<dt>%s</dt><dd>", term);
}

static void put_inputs(const struct sim_session *session, struct lib_text *out)
{
    const struct isa_graph *graph = session->program.graph;
    LIB_TEXT_OWN value = {0};
    put_term(out, "inputs");
    for (uint32_t i = 0; i < graph->input_count; i++) {
        lib_text_clear(&value);
        sim_input_write(&value, &graph->inputs[i], session->inputs.values[i]);
        lib_text_puts(out, i ? ", <code>" : "<code>");
        lib_html_text(out, graph->inputs[i].name);
        lib_text_puts(out, "=");
        lib_html_text(out, lib_text_get(&value));
        lib_text_printf(out, "</code>%s",
                        session->inputs.given[i] ? ""
                                                 : " (the program\xe2\x80\x99s own)");
    }
    lib_text_printf(out, "%s</dd>\n", graph->input_count ? "" : "none");
}

static void put_setting(const struct sim_settings *settings, const struct lib_setting *s,
                        struct lib_text *out)
{
    LIB_TEXT_OWN text = {0};
    sim_setting_write_shown(settings, s, &text);
    lib_text_puts(out, "<code>");
    lib_html_text(out, s->key);
    lib_text_puts(out, "=");
    lib_html_text(out, lib_text_get(&text));
    lib_text_puts(out, "</code>");
}

static void put_settings(const struct sim_session *session, struct lib_text *out)
{
    const struct sim_setup *setup = &session->setup;
    bool any = false;
    put_term(out, "settings");
    struct machine_class_row made;
    const struct lib_setting *s;
    for (size_t i = 0; (s = sim_setting_of(&setup->settings, i, &made)); i++) {
        if (lib_setting_is_equal(&setup->settings, &setup->preset, s))
            continue;
        lib_text_puts(out, any ? ", " : "");
        put_setting(&setup->settings, s, out);
        any = true;
    }
    lib_text_puts(out, any ? "; all others as the machine has them</dd>\n"
                           : "as the machine has them</dd>\n");
}

static void put_digests(const struct sim_reported *r, struct lib_text *out)
{
    struct lib_text digest = {0};
    isa_digest_write(sim_reported_session(r)->image_digest, &digest);
    put_term(out, "image digest");
    lib_text_printf(out, "<code>%s</code></dd>\n", lib_text_get(&digest));
    lib_text_free(&digest);
    for (size_t i = 0; i < traces_stat_count; i++) {
        const struct traces_stat *s = &traces_stat_table[i];
        if (s->kind != TRACES_STAT_DIGEST)
            continue;
        lib_text_printf(out, "<dt>%.*s digest</dt><dd><code>%016" PRIx64 "</code></dd>\n",
                        (int)strcspn(s->key, "_"), s->key,
                        traces_stat_integer(&r->ending.stats, s));
    }
}

static void put_end(const struct sim_ending *ending, bool links_lines,
                    struct lib_text *out)
{
    put_term(out, "ended");
    lib_html_text(out, sim_end_name(ending->end));
    lib_text_printf(out, " after %" PRIu64 " cycles", ending->stats.cycles);
    if (ending->end != ISA_END_COMPLETED && ending->reason.length) {
        lib_text_puts(out, ": ");
        lib_html_text(out, lib_text_get(&ending->reason));
        if (ending->place.line && links_lines)
            lib_text_printf(out, " (<a href=\"#L%u\">line %u</a>)", ending->place.line,
                            ending->place.line);
    }
    lib_text_puts(out, "</dd>\n");
    if (ending->waiting.length) {
        put_term(out, "waiting");
        lib_text_puts(out, "<pre>");
        lib_html_text(out, lib_text_get(&ending->waiting));
        lib_text_puts(out, "</pre></dd>\n");
    }
    if (ending->end == ISA_END_COMPLETED) {
        enum { LONGEST = 2000 };
        const size_t length = ending->result.length;
        put_term(out, "result");
        lib_text_puts(out, "<code>");
        lib_text_html(out, lib_text_get(&ending->result),
                      length < LONGEST ? length : LONGEST);
        lib_text_printf(out, "</code>%s</dd>\n",
                        length < LONGEST ? "" : " (the first 2000 characters)");
    }
}

void sim_page_what(const struct sim_reported *r, bool links_lines, struct lib_text *out)
{
    const struct sim_session *session = sim_reported_session(r);
    const struct traces_machine *const machine = &r->run.machine;
    const uint32_t count = machine->pe_count;
    lib_text_puts(out, "<dl>\n");
    put_term(out, "program");
    lib_html_text(out, sim_program_title(&session->program));
    lib_text_puts(out, ", strategy ");
    lib_html_text(out, isa_strategy_name(session->program.graph->stage));
    lib_text_puts(out, "</dd>\n");
    put_inputs(session, out);
    put_end(&r->ending, links_lines, out);
    put_term(out, "machine");
    lib_html_text(out, session->setup.machine);
    lib_text_printf(out, ", %" PRIu32 " %s%s, seed %" PRIu64 "</dd>\n", count,
                    machine->has_workers ? "worker" : "PE", count == 1 ? "" : "s",
                    session->seed);
    put_settings(session, out);
    put_digests(r, out);
    put_term(out, "made by");
    lib_text_puts(out, "hiaton " PACKAGE_VERSION "</dd>\n</dl>\n");
}

/* --- what was measured ---------------------------------------------------------------- */

void sim_page_stat(const struct traces_stats *stats, const struct traces_stat *stat,
                   struct lib_text *out)
{
    if (!traces_stat_is_known(stats, stat))
        lib_text_puts(out, "-");
    else if (stat->kind == TRACES_STAT_RATIO)
        lib_html_real(out, traces_stat_real(stats, stat));
    else
        lib_text_printf(out,
                        stat->kind == TRACES_STAT_DIGEST ? "%016" PRIx64 : "%" PRIu64,
                        traces_stat_integer(stats, stat));
}

void sim_page_needs(const struct sim_reported *r, enum traces_level level,
                    struct lib_text *out)
{
    lib_text_printf(out,
                    "<p class=\"dim\">Left out: the file has events of the level "
                    "<code>%s</code>, and this needs <code>%s</code>.</p>\n",
                    traces_level_table[r->level].text, traces_level_table[level].text);
}

enum shown_when { SHOWN_ALWAYS, SHOWN_IF_ANY, SHOWN_UNLESS_LAST };

/* Statistics that `hiaton run` prints. */
static const struct {
    size_t offset;
    enum shown_when when;
} rows[] = {
#define ROW(key, when, how, remark) {offsetof(struct traces_stats, key), SHOWN_##when},
#include "sim/session/record.def"
#undef ROW
};

void sim_page_each_stat(bool is_main,
                        void (*found)(void *context, const struct traces_stat *stat,
                                      bool if_any),
                        void *context)
{
    for (size_t i = 0; is_main && i < sizeof rows / sizeof *rows; i++)
        found(context, traces_stat_at(rows[i].offset), rows[i].when != SHOWN_ALWAYS);
    for (size_t i = 0; !is_main && i < traces_stat_count; i++)
        if (traces_stat_table[i].kind != TRACES_STAT_DIGEST)
            found(context, &traces_stat_table[i], false);
}
