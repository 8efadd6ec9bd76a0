/* Texts of users as literals of other languages, so that nothing in them acts as code. Each
 * language has one function, and every writer of that language uses it: gnuplot, sh, make and Slurm
 * here; HTML, XML and labels of dot lib_text_html; LaTeX lib_latex_text; CSV lib_csv_word; JSON
 * lib_text_json; SQL traces_database_add_name and traces_database_add_text. */
#ifndef LIB_QUOTE_H
#define LIB_QUOTE_H

#include "lib/text.h"

/* Adds a text as an expression of gnuplot whose value is the text: strings in single quotes, in
 * which gnuplot substitutes no commands, with "\n" between lines. Other control characters are
 * omitted; invalid UTF-8 becomes U+FFFD. */
void lib_quote_gnuplot(struct lib_text *out, const char *text);

/* Adds a text as one word of the shell: as it is if it has no special characters, else in single
 * quotes. */
void lib_quote_shell(struct lib_text *out, const char *word);

/* Whether lib_quote_shell adds a word as it is. */
bool lib_quote_is_plain(const char *word);

/* Adds a text as the value of a variable of make. The text has no line breaks. */
void lib_quote_make(struct lib_text *out, const char *text);

/* Returns the first character that no quoting can bring through the lists of files of make and then
 * through the shell, or that begins an option; NULL if the name can be used. */
const char *lib_quote_find_bad_make(const char *name);

/* Adds a text as the value of an option in a line "#SBATCH --option=value". The text passed
 * lib_quote_find_bad_slurm. */
void lib_quote_slurm(struct lib_text *out, const char *text);

/* Returns the first character that a line #SBATCH cannot have in a value, or NULL. */
const char *lib_quote_find_bad_slurm(const char *text);

#endif
