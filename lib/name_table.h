/* Hash table from names to indexes, used for example to read and write assembly.
 *
 * The bytes of names are borrowed and must live as long as the table. A name added twice is
 * ambiguous and loses its index. */
#ifndef LIB_NAME_TABLE_H
#define LIB_NAME_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct lib_name_table;

#define LIB_NAME_TABLE_NONE UINT32_MAX /* result for an unknown name */
/* result for a name added more than once */
#define LIB_NAME_TABLE_AMBIGUOUS (UINT32_MAX - 1)

struct lib_name_table *lib_name_table_new(void);
void lib_name_table_free(struct lib_name_table *names); /* `names` may be NULL */

/* Adds a name with its index. Returns false if the table has the name already, which is then
 * ambiguous. */
bool lib_name_table_add(struct lib_name_table *names, const char *name, size_t length,
                        uint32_t index);

uint32_t lib_name_table_find(const struct lib_name_table *names, const char *name,
                             size_t length);

#endif
