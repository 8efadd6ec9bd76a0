/* Writer of messages in the wire format of Protocol Buffers (protobuf.dev, "Encoding"). A nested
 * message is built first, then added. */
#ifndef TRACES_EXPORTS_PROTOBUF_H
#define TRACES_EXPORTS_PROTOBUF_H

#include "lib/text.h"

/* Adds a number without a field, such as the length before each message of a stream. */
void protobuf_raw(struct lib_text *message, uint64_t value);

void protobuf_number(struct lib_text *message, uint32_t field, uint64_t value);
void protobuf_fixed(struct lib_text *message, uint32_t field, uint64_t value);
void protobuf_string(struct lib_text *message, uint32_t field, const char *string);
void protobuf_message(struct lib_text *message, uint32_t field,
                      const struct lib_text *inner);

#endif
