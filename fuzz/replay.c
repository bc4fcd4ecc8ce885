/* SPDX-License-Identifier: MIT */
/* Runs a fuzz target without a fuzzer: over the files of a corpus, over each
   cut short at every length, and over each with every byte changed in a few
   ways.  Arguments are folders; without any, fuzz/corpus/NAME of the source
   tree, where NAME follows "replay_" in the program's name. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST 4096

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* In a block of its own length, so that a sanitizer sees steps outside. */
static void run(const uint8_t *data, size_t size)
{
    uint8_t *copy = malloc(size ? size : 1);
    if (!copy)
        abort();
    memcpy(copy, data, size);
    LLVMFuzzerTestOneInput(copy, size);
    free(copy);
}

static void run_variants(uint8_t *data, size_t size)
{
    static const uint8_t changes[] = { 0x01, 0x02, 0x10, 0x80, 0xff };
    for (size_t n = 0; n <= size; n++)
        run(data, n);
    for (size_t i = 0; i < size; i++) {
        for (size_t k = 0; k < sizeof changes; k++) {
            data[i] ^= changes[k];
            run(data, size);
            data[i] ^= changes[k];
        }
    }
}

static int run_file(const char *path)
{
    uint8_t data[MOST];
    FILE *f = fopen(path, "rb");
    if (!f)
        return 0;
    size_t n = fread(data, 1, sizeof data, f);
    fclose(f);
    run_variants(data, n);
    return 1;
}

static int run_folder(const char *folder)
{
    char path[1024];
    struct dirent *e;
    int files = 0;
    DIR *d = opendir(folder);
    while (d && (e = readdir(d))) {
        if (*e->d_name == '.')
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
        files += run_file(path);
    }
    if (d)
        closedir(d);
    printf("%s: %d files\n", folder, files);
    return files;
}

int main(int argc, char **argv)
{
    int files = 0;
    for (int i = 1; i < argc; i++)
        files += run_folder(argv[i]);
    if (argc < 2) {
        char folder[1024];
        const char *top = getenv("top_srcdir");
        const char *name = strstr(argv[0], "replay_");
        while (name && strstr(name + 1, "replay_"))
            name = strstr(name + 1, "replay_");
        snprintf(folder, sizeof folder, "%s/fuzz/corpus/%s",
            top ? top : ".", name ? name + strlen("replay_") : "");
        files = run_folder(folder);
    }
    return files == 0;
}
