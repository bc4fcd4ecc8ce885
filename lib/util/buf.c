/* SPDX-License-Identifier: MIT */
/* See buf.h. */
#include "util/buf.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "util/alloc.h"

static int make_room(struct mx_buf *b, size_t n)
{
    if (b->failed)
        return 0;
    if (b->room - b->size > n)
        return 1;
    size_t room = b->room ? b->room : 128;
    while (room - b->size <= n)
        room *= 2;
    char *p = mx_realloc_array(b->text, room, 1);
    if (!p) {
        b->failed = 1;
        return 0;
    }
    b->text = p;
    b->room = room;
    return 1;
}

void mx_buf_add(struct mx_buf *b, const char *text, size_t n)
{
    if (!make_room(b, n))
        return;
    memcpy(b->text + b->size, text, n);
    b->size += n;
    b->text[b->size] = 0;
}

void mx_buf_puts(struct mx_buf *b, const char *text)
{
    mx_buf_add(b, text, strlen(text));
}

void mx_buf_printf(struct mx_buf *b, const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    int n = vsnprintf(NULL, 0, format, ap);
    va_end(ap);
    if (n < 0 || !make_room(b, (size_t)n))
        return;
    va_start(ap, format);
    vsnprintf(b->text + b->size, (size_t)n + 1, format, ap);
    va_end(ap);
    b->size += (size_t)n;
}

char *mx_buf_take(struct mx_buf *b)
{
    char *text = NULL;
    if (make_room(b, 0)) {
        text = b->text;
        text[b->size] = 0;
        b->text = NULL;
    }
    mx_buf_free(b);
    return text;
}

void mx_buf_free(struct mx_buf *b)
{
    mx_free(b->text);
    *b = (struct mx_buf){ 0 };
}
