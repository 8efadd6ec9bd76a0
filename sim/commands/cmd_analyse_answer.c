#include "sim/commands/cmd_analyse.h"

#include <inttypes.h>

#include "sim/loading/setup_words.h"

void sim_analyse_write_answer(const struct sim_analyse_answer *answer,
                              const struct sim_options *o,
                              const struct sim_session *session, bool csv,
                              struct lib_text *out)
{
    struct lib_json json = {.out = out};
    struct lib_findings f;
    const char *title = sim_program_title(&session->program);
    lib_findings_start(&f, answer->key, !o->json && !csv);
    answer->tell(answer->context, &f);
    if (o->json) {
        lib_json_open(&json, NULL, '{');
        lib_json_string(&json, "program", title);
        lib_json_string(&json, "machine", session->setup.machine);
        lib_json_uint(&json, "seed", session->seed);
        lib_json_string(&json, "status", answer->status);
        lib_json_open(&json, answer->key, '{');
        lib_findings_put_json(&f, NULL, &json);
        lib_json_close(&json);
        lib_json_close(&json);
    } else if (csv) {
        lib_findings_write(&f, LIB_FORM_CSV, NULL, out);
    } else {
        lib_text_printf(out, "%s on ", title);
        sim_setup_write_name(&session->setup, out);
        lib_text_printf(out, ": %s after %" PRIu64 " cycles\n", answer->status,
                        answer->cycles);
        if (*answer->reason)
            lib_text_printf(out, "%s\n", answer->reason);
        lib_findings_write(&f, LIB_FORM_TEXT, NULL, out);
    }
    lib_findings_free(&f);
}
