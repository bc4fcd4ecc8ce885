/* SPDX-License-Identifier: MIT */
/* A growing string.  Failure is remembered, so a writer checks once. */
#ifndef MX_BUF_H
#define MX_BUF_H

#include <stddef.h>

struct mx_buf {
    char *text; /* zero-terminated once anything was added */
    size_t size;
    size_t room;
    int failed;
};

void mx_buf_add(struct mx_buf *b, const char *text, size_t n);
void mx_buf_puts(struct mx_buf *b, const char *text);
void mx_buf_printf(struct mx_buf *b, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* The text, now the caller's (mx_free); NULL if anything failed. */
char *mx_buf_take(struct mx_buf *b);
void mx_buf_free(struct mx_buf *b);

#endif
