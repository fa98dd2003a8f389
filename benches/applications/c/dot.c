/* The dot product of two vectors: with one sum, as in textbooks, or with eight, given the argument `lanes`. */
#include "twin.h"

#define LANES 8

static double *left, *right;

/* Each addition waits for the previous one, because the compiler may not change their order. */
static void *one_sum(void *argument) {
    struct part *part = argument;
    double sum = 0;
    for (size_t i = part->begin; i < part->end; i++) {
        sum += left[i] * right[i];
    }
    part->sum = sum;
    return NULL;
}

static void *lanes(void *argument) {
    struct part *part = argument;
    const double *a = left + part->begin, *b = right + part->begin;
    size_t count = part->end - part->begin, i = 0;
    double s0 = 0, s1 = 0, s2 = 0, s3 = 0, s4 = 0, s5 = 0, s6 = 0, s7 = 0;
    for (; i + LANES <= count; i += LANES) {
        s0 += a[i] * b[i];
        s1 += a[i + 1] * b[i + 1];
        s2 += a[i + 2] * b[i + 2];
        s3 += a[i + 3] * b[i + 3];
        s4 += a[i + 4] * b[i + 4];
        s5 += a[i + 5] * b[i + 5];
        s6 += a[i + 6] * b[i + 6];
        s7 += a[i + 7] * b[i + 7];
    }
    double sum = s0 + s1 + s2 + s3 + s4 + s5 + s6 + s7;
    for (; i < count; i++) {
        sum += a[i] * b[i];
    }
    part->sum = sum;
    return NULL;
}

int main(int arguments, char **argument) {
    size_t size = number(arguments, argument, 1);
    left = allocated(size, sizeof *left);
    right = allocated(size, sizeof *right);
    for (size_t i = 0; i < size; i++) {
        left[i] = (double)(i % 61);
        right[i] = (double)(i % 29);
    }
    int several = arguments > 4 && strcmp(argument[4], "lanes") == 0;
    return run(size, number(arguments, argument, 2), number(arguments, argument, 3), several ? lanes : one_sum,
               NULL, 0);
}
