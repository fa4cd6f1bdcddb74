/* libFuzzer target for scenario files:
 *
 *     clang -fsanitize=fuzzer,address,undefined … tests/fuzz/fuzz_scenario.c libactuary-io.a …
 *     ./fuzz_scenario -dict=tests/fuzz/scenario.dict -max_len=4096 FOLDER tests/fuzz/corpus */
#include "roundtrip.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    bool read;
    const char *wrong = roundtrip_text((const char *)data, size, &read);
    if (wrong) {
        fprintf(stderr, "the text %s\n", wrong);
        abort();
    }
    return 0;
}
