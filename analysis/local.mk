libhiaton_a_SOURCES +=
