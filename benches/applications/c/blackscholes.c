/* The prices of options by the formula of Black and Scholes, in single precision. */
#include "twin.h"

#include <math.h>

struct option {
    float spot, strike, rate, volatility, years;
    int is_put;
};

static struct option *options;
static float *prices;

/* The normal distribution by a polynomial of five terms. */
static float normal(float x) {
    float distance = fabsf(x);
    float k = 1.0f / (1.0f + 0.2316419f * distance);
    float terms = 1.330274429f * k - 1.821255978f;
    terms = terms * k + 1.781477937f;
    terms = terms * k - 0.356563782f;
    terms = terms * k + 0.319381530f;
    float tail = 0.39894228040143270286f * expf(-0.5f * distance * distance) * (terms * k);
    return x < 0.0f ? tail : 1.0f - tail;
}

static float price(const struct option *option) {
    float deviation = option->volatility * sqrtf(option->years);
    float drift = option->rate + 0.5f * option->volatility * option->volatility;
    float d1 = (logf(option->spot / option->strike) + drift * option->years) / deviation;
    float d2 = d1 - deviation;
    float future = option->strike * expf(-option->rate * option->years);
    float n1 = normal(d1), n2 = normal(d2);
    return option->is_put ? future * (1.0f - n2) - option->spot * (1.0f - n1) : option->spot * n1 - future * n2;
}

static void *block(void *argument) {
    struct part *part = argument;
    for (size_t i = part->begin; i < part->end; i++) {
        prices[i] = price(&options[i]);
    }
    part->sum = (double)(part->end - part->begin);
    return NULL;
}

/* Value number `which` of `count` equidistant values, of which the first and the last are given. */
static float step(float first, float last, unsigned which, unsigned count) {
    return first + (last - first) * (float)which / (float)(count - 1);
}

/* Option number `which` of the set; each field has a different period. */
static struct option of_set(unsigned which) {
    struct option option = {
        .spot = step(40.0f, 120.0f, which * 7 % 41, 41),
        .strike = step(40.0f, 120.0f, which * 11 % 37, 37),
        .rate = step(0.02f, 0.1f, which * 5 % 9, 9),
        .volatility = step(0.1f, 0.65f, which * 3 % 23, 23),
        .years = step(0.05f, 1.0f, which * 13 % 31, 31),
        .is_put = (int)(which % 2),
    };
    return option;
}

int main(int arguments, char **argument) {
    size_t size = number(arguments, argument, 1);
    options = allocated(size, sizeof *options);
    prices = allocated(size, sizeof *prices);
    for (size_t i = 0; i < size; i++) {
        options[i] = of_set((unsigned)(i % 1000));
    }
    return run(size, number(arguments, argument, 2), number(arguments, argument, 3), block, prices,
               size * sizeof *prices);
}
