/* Messages in the wire format of Protocol Buffers (protobuf.dev, "Encoding"): of a published
 * schema the few fields that an export fills. A message is bytes; one in another is built first,
 * and added. */
#ifndef TRACES_EXPORTS_PROTOBUF_H
#define TRACES_EXPORTS_PROTOBUF_H

#include "lib/text.h"

/* A number alone, as it stands before a message in a stream of them. */
void protobuf_raw(struct lib_text *message, uint64_t value);

void protobuf_number(struct lib_text *message, uint32_t field, uint64_t value);
void protobuf_fixed(struct lib_text *message, uint32_t field,
                    uint64_t value); /* fixed64 */
void protobuf_string(struct lib_text *message, uint32_t field, const char *string);
void protobuf_message(struct lib_text *message, uint32_t field,
                      const struct lib_text *inner);

#endif
