/* What the twins share: their arguments, their threads, the clock, and what they print. Each says how its data are
 * made and what is done with a part of them. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* The rows or elements from `begin` up to `end`, and what they come to. On a line of memory of its own. */
struct part {
    _Alignas(64) size_t begin;
    size_t end;
    double sum;
};

/* Work on a part, as a thread calls it. */
typedef void *work_on(void *part);

static void give_up(const char *why) {
    fprintf(stderr, "%s\n", why);
    exit(1);
}

static void *allocated(size_t count, size_t size) {
    /* Whole lines, as aligned_alloc wants it. */
    void *memory = aligned_alloc(64, (count * size + 63) / 64 * 64);
    if (memory == NULL) {
        give_up("there is not enough memory");
    }
    return memory;
}

/* All parts, each in a thread but the first, which is for this one. */
static double pass(struct part *parts, pthread_t *threads, size_t count, work_on *work) {
    for (size_t i = 1; i < count; i++) {
        if (pthread_create(&threads[i], NULL, work, &parts[i]) != 0) {
            give_up("a thread could not be started");
        }
    }
    work(&parts[0]);
    double sum = parts[0].sum;
    for (size_t i = 1; i < count; i++) {
        pthread_join(threads[i], NULL);
        sum += parts[i].sum;
    }
    return sum;
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* Times so many passes in so many threads, after one without the clock, and prints the result. */
static int run(size_t length, size_t count, size_t passes, work_on *work, const void *written, size_t bytes) {
    if (count > length) {
        count = length;
    }
    struct part *parts = allocated(count, sizeof *parts);
    pthread_t *threads = allocated(count, sizeof *threads);
    for (size_t i = 0; i < count; i++) {
        parts[i].begin = length * i / count;
        parts[i].end = length * (i + 1) / count;
    }
    pass(parts, threads, count, work);
    double total = 0, begin = now();
    for (size_t i = 0; i < passes; i++) {
        total += pass(parts, threads, count, work);
    }
    double seconds = now() - begin;
    printf("%.9f %.17g\n", seconds, total);
    return fwrite(written, 1, bytes, stdout) == bytes && fflush(stdout) == 0 ? 0 : 1;
}

/* The argument at a place, a number from one. */
static size_t number(int arguments, char **argument, int place) {
    size_t value = place < arguments ? strtoull(argument[place], NULL, 10) : 0;
    if (value == 0) {
        give_up("usage: SIZE THREADS PASSES");
    }
    return value;
}
