/* Names: which index a name stands for. For readers and writers of text.
 *
 * The bytes of a name are borrowed and must live as long as the table. A name that is
 * added twice stands for nothing any more: it is ambiguous. */
#ifndef ISA_NAMES_H
#define ISA_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct isa_names;

#define ISA_NAMES_NONE UINT32_MAX            /* no such name */
#define ISA_NAMES_AMBIGUOUS (UINT32_MAX - 1) /* added more than once */

struct isa_names *isa_names_new(void);
void isa_names_free(struct isa_names *names); /* NULL is allowed */

/* false: the name was there already, and is ambiguous from now on. */
bool isa_names_add(struct isa_names *names, const char *name, size_t length,
                   uint32_t index);

/* The index of a name, or ISA_NAMES_NONE, or ISA_NAMES_AMBIGUOUS. */
uint32_t isa_names_find(const struct isa_names *names, const char *name, size_t length);

#endif
