/* SPDX-License-Identifier: MIT */
/* Where bytes are read from, as the back ends see it: loads are read when
   their node is evaluated. */
#ifndef MX_READER_H
#define MX_READER_H

#include <stddef.h>
#include <stdint.h>

#include <mlxc/io.h>

struct mlxc_reader {
    int refs;
    int eager;     /* may only be read inside a call of the user's */
    int in_memory; /* reading never waits for a device */
    uint64_t size;
    char *label;   /* for messages */
    /* All of the range, which lies inside `size`.  Any thread, several at
       once unless eager; sets no message but returns an errno value, or
       MX_READ_SHORT if the bytes are gone, or MX_READ_CALLBACK. */
    int (*read)(mlxc_reader *r, uint64_t offset, void *dst, size_t bytes);
    void (*close)(mlxc_reader *r);
    const char *data;          /* of a memory reader */
    int fd;                    /* of a file */
    mlxc_read_fn callback;
    mlxc_status callback_status;
    mlxc_release_fn release;
    void *payload;
};

enum {
    MX_READ_SHORT = -1,
    MX_READ_CALLBACK = -2, /* see callback_status; message kept */
};

/* The status and message for what `read` returned; 0 is MLXC_OK. */
mlxc_status mx_read_status(mlxc_reader *r, int code);

/* Bring elements of a file into this machine's form, in place: reverse the
   bytes of each unit of `swap` bytes (1: none), and make bools 0 or 1. */
void mx_load_convert(void *data, size_t bytes, int swap, int is_bool);

#endif
