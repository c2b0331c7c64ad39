/* An engine that gives each byte of a text as its id, as `tokaudit.engine/1` asks: cc -o engine engine.c */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int count; /* ids of this text so far */

static void byte(unsigned id) { printf(count++ ? ", %u" : "%u", id); }

static unsigned unit(const char *digits) { return strtoul((char[5]){digits[0], digits[1], digits[2], digits[3]}, NULL, 16); }

static void character(unsigned code) {
    if (code < 0x80) { byte(code); return; }
    int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    byte((0xF0 << (3 - more) & 0xFF) | code >> 6 * more);
    while (more--) byte(0x80 | (code >> 6 * more & 0x3F));
}

/* Writes the bytes of a string of JSON, and returns what follows it. */
static const char *string(const char *at) {
    const char *escapes = "n\nr\rt\tb\bf\f";
    for (count = 0; *at != '"'; at++) {
        const char *known;
        if (*at != '\\') byte((unsigned char)*at);
        else if (*++at == 'u') {
            unsigned code = unit(at + 1);
            at += 4;
            if (code >> 10 == 0x36 && at[1] == '\\' && at[2] == 'u')
                code = 0x10000 + ((code & 0x3FF) << 10) + (unit(at + 3) & 0x3FF), at += 6;
            character(code);
        } else byte((known = strchr(escapes, *at)) ? (unsigned char)known[1] : (unsigned char)*at);
    }
    return at + 1;
}

int main(void) {
    char *line = NULL;
    for (size_t room = 0; getline(&line, &room, stdin) > 0; fflush(stdout)) {
        const char *at = strstr(line, "\"texts\": [");
        if (!strncmp(line, "{\"op\": \"hello\"", 14))
            puts("{\"protocol\": \"tokaudit.engine/1\", \"name\": \"bytes\", \"version\": \"1\", \"can\": [\"batch\"]}");
        else if (strncmp(line, "{\"op\": \"encode\"", 15) || !at)
            puts("{\"error\": \"unknown op\"}");
        else {
            const char *before = "{\"ids\": [[";
            for (at += 10; *at == '"'; at += 2 * (*at == ','), before = "], [") {
                fputs(before, stdout);
                at = string(at + 1);
            }
            puts("]]}");
        }
    }
    return 0;
}
