/* The product of two square matrices of unsigned integers, row by row of the result. */
#include "twin.h"

static size_t size;
static unsigned *left, *right, *product;

static void *rows(void *argument) {
    struct part *part = argument;
    for (size_t i = part->begin; i < part->end; i++) {
        unsigned *restrict row = product + i * size;
        memset(row, 0, size * sizeof *row);
        for (size_t k = 0; k < size; k++) {
            unsigned factor = left[i * size + k];
            const unsigned *other = right + k * size;
            for (size_t j = 0; j < size; j++) {
                row[j] += factor * other[j];
            }
        }
    }
    part->sum = (double)((part->end - part->begin) * size);
    return NULL;
}

int main(int arguments, char **argument) {
    size = number(arguments, argument, 1);
    size_t count = size * size;
    left = allocated(count, sizeof *left);
    right = allocated(count, sizeof *right);
    product = allocated(count, sizeof *product);
    for (size_t i = 0; i < count; i++) {
        left[i] = right[i] = (unsigned)(i % size);
    }
    return run(size, number(arguments, argument, 2), number(arguments, argument, 3), rows, product,
               count * sizeof *product);
}
