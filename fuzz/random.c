/* SPDX-License-Identifier: MIT */
/* Runs a fuzz target without a fuzzer on pseudo-random bytes, for targets
   whose every input means something.  Arguments: how many inputs, and the
   first of the seeds, which are printed on failure only. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#define BYTES 400

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char failed[64];

static void name_seed(int signal)
{
    (void)signal;
    if (write(2, failed, strlen(failed)) < 0)
        _exit(2);
}

int main(int argc, char **argv)
{
    long n = argc > 1 ? atol(argv[1]) : 1000;
    uint64_t first = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    uint8_t data[BYTES];
    signal(SIGABRT, name_seed);
    for (uint64_t seed = first; seed < first + (uint64_t)n; seed++) {
        uint64_t x = seed * 0x9e3779b97f4a7c15u + 1;
        for (int i = 0; i < BYTES; i++) {
            x ^= x << 13;
            x ^= x >> 7;
            x ^= x << 17;
            data[i] = (uint8_t)(x >> 32);
        }
        snprintf(failed, sizeof failed, "failed: 1 input from seed %llu\n",
            (unsigned long long)seed);
        LLVMFuzzerTestOneInput(data, BYTES);
    }
    printf("%ld inputs from seed %llu\n", n, (unsigned long long)first);
    return 0;
}
