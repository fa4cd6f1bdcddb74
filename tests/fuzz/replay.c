/* Replays the texts of the fuzz corpus, and seeded changes of each: files that once broke the
 * loader, or might. Names starting with "ok-" must be read, others must be refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "roundtrip.h"
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { FILES_MAX = 200, CHANGES = 200 };

struct text {
    char name[256];
    char *bytes;
    size_t size;
};

static struct text texts[FILES_MAX];
static int count;

static void load(const char *folder, const char *name)
{
    char path[1024];
    assert_true(count < FILES_MAX);
    struct text *text = &texts[count++];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    snprintf(text->name, sizeof text->name, "%s", name);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    text->bytes = malloc(ACT_YAML_SIZE_MAX);
    assert_non_null(text->bytes);
    text->size = fread(text->bytes, 1, ACT_YAML_SIZE_MAX, file);
    fclose(file);
}

static int compare(const void *a, const void *b)
{
    return strcmp(((const struct text *)a)->name, ((const struct text *)b)->name);
}

static int load_all(void **state)
{
    (void)state;
    const char *root = getenv("ACTUARY_SOURCE_ROOT");
    char folder[768];
#ifdef SOURCE_ROOT
    if (!root)
        root = SOURCE_ROOT;
#endif
    snprintf(folder, sizeof folder, "%s/tests/fuzz/corpus", root ? root : ".");
    DIR *entries = opendir(folder);
    if (!entries) {
        perror(folder);
        return -1;
    }
    const struct dirent *entry;
    while ((entry = readdir(entries)))
        if (entry->d_name[0] != '.')
            load(folder, entry->d_name);
    closedir(entries);
    qsort(texts, (size_t)count, sizeof *texts, compare);
    return 0;
}

static int free_all(void **state)
{
    (void)state;
    for (int i = 0; i < count; i++)
        free(texts[i].bytes);
    act_presets_free();
    return 0;
}

static void replays_the_corpus(void **state)
{
    (void)state;
    assert_true(count > 40);
    for (int i = 0; i < count; i++) {
        bool read;
        clock_t start = clock();
        const char *wrong = roundtrip_text(texts[i].bytes, texts[i].size, &read);
        double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
        if (wrong)
            fail_msg("%s %s", texts[i].name, wrong);
        if (read != (strncmp(texts[i].name, "ok-", 3) == 0))
            fail_msg("%s is %s", texts[i].name, read ? "read" : "refused");
        if (seconds > 1)
            fail_msg("%s takes %.1f s", texts[i].name, seconds);
    }
}

static uint64_t random_next(uint64_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return *seed;
}

/* One small change: a byte, a piece left out, doubled, or taken from another text. */
static size_t change(char *bytes, size_t size, size_t room, uint64_t *seed)
{
    static const char marks[] = "{}[]:,-?&*!|>'\"%@`#~ \n\t\r\\0123456789aeT_.";
    if (size == 0)
        return 0;
    size_t at = random_next(seed) % size;
    size_t length = 1 + random_next(seed) % 16;
    if (length > size - at)
        length = size - at;
    const struct text *other = &texts[random_next(seed) % (uint64_t)count];
    switch (random_next(seed) % 6) {
    case 0:
        bytes[at] = (char)random_next(seed);
        return size;
    case 1:
        bytes[at] = marks[random_next(seed) % (sizeof marks - 1)];
        return size;
    case 2:
        memmove(bytes + at, bytes + at + length, size - at - length);
        return size - length;
    case 3:
        if (size + length > room)
            return size;
        memmove(bytes + at + length, bytes + at, size - at);
        return size + length;
    case 4:
        if (length > other->size)
            length = other->size;
        if (length > 0)
            memcpy(bytes + at, other->bytes + random_next(seed) % (other->size - length + 1),
                   length);
        return size;
    default:
        return at;
    }
}

static void replays_changed_texts(void **state)
{
    (void)state;
    enum { ROOM = 8192 };
    char *bytes = malloc(ROOM);
    assert_non_null(bytes);
    for (int i = 0; i < count; i++) {
        if (texts[i].size > ROOM / 2)
            continue;
        for (uint64_t number = 1; number <= CHANGES; number++) {
            uint64_t seed = number * 0x9E3779B97F4A7C15u + (uint64_t)i;
            size_t size = texts[i].size;
            memcpy(bytes, texts[i].bytes, size);
            for (uint64_t times = 1 + random_next(&seed) % 4; times > 0; times--)
                size = change(bytes, size, ROOM, &seed);
            bool read;
            const char *wrong = roundtrip_text(bytes, size, &read);
            if (wrong)
                fail_msg("%s, change %d: %s", texts[i].name, (int)number, wrong);
        }
    }
    free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(replays_the_corpus),
        cmocka_unit_test(replays_changed_texts),
    };
    return cmocka_run_group_tests(tests, load_all, free_all);
}
