/* dice.h - random numbers for tests, the same in every run: splitmix64 (Steele, Lea and Flood) from a
 * fixed seed. */
#ifndef LIMITLAB_DICE_H
#define LIMITLAB_DICE_H
#include <stdbool.h>
#include <stdint.h>

struct dice { uint64_t state; };

static inline uint64_t dice_roll(struct dice *dice)
{
    uint64_t z = dice->state += UINT64_C(0x9e3779b97f4a7c15);

    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* Uniform in low .. high, both included. */
static inline int64_t dice_between(struct dice *dice, int64_t low, int64_t high)
{
    return low + (int64_t)(dice_roll(dice) % ((uint64_t)(high - low) + 1));
}

/* True once in `times`. */
static inline bool dice_chance(struct dice *dice, int64_t times)
{
    return dice_between(dice, 1, times) == 1;
}
#endif
