/* fixed_point.c - see fixed_point.h. */
#include "fixed_point.h"

#include <assert.h>

static const uint64_t ln2_q63 = UINT64_C(0x58b90bfbe8e7bcd5);           /* ln 2, in units of 2^-63 */
static const uint64_t over_ln2_q62 = UINT64_C(0x5c551d94ae0bf85d);      /* 1 / ln 2, in units of 2^-62 */

/* One binary digit at a time: squaring a number in [1, 2) shifts its logarithm left by one. */
int64_t fixed_log2(uint64_t x)
{
    assert(x >= 1);
    int lead = __builtin_clzll(x);
    uint64_t digits = 63 - (uint64_t)lead;
    uint64_t mantissa = x << lead;                                      /* in [1, 2), in units of 2^-63 */

    for (int i = 0; i < FIXED_BITS; i++) {
        u128 square = (u128)mantissa * mantissa >> 63;
        unsigned digit = (unsigned)(square >> 64);
        mantissa = (uint64_t)(square >> digit);
        digits = digits << 1 | digit;
    }
    return (int64_t)digits;
}

int64_t fixed_times_ln2(int64_t x)
{
    return (int64_t)(((i128)x * (int64_t)ln2_q63) >> 63);
}

int64_t fixed_over_ln2(int64_t x)
{
    assert(x < INT64_MAX / 2 && x > INT64_MIN / 2);
    return (int64_t)(((i128)x * (int64_t)over_ln2_q62) >> 62);
}

/* 2^fraction for a fraction in [0, 1), in units of 2^-62: the series of e^x, innermost term first.  The
 * terms left out add less than 2^-66. */
static uint64_t power_of_two(uint64_t fraction)
{
    enum { TERMS = 20 };
    const uint64_t one = UINT64_C(1) << 62;
    uint64_t x = (uint64_t)(((u128)(fraction << (63 - FIXED_BITS)) * ln2_q63) >> 63);
    uint64_t sum = one;

    assert(fraction < (uint64_t)FIXED_ONE);
    for (uint64_t k = TERMS; k >= 1; k--)
        sum = one + (uint64_t)(((u128)x * sum) >> 63) / k;
    return sum;
}

int64_t fixed_scale(int64_t value, int64_t exponent)
{
    assert(value >= 0);
    assert(exponent / 64 <= FIXED_ONE && exponent / 64 >= -FIXED_ONE);
    int64_t whole = exponent >> FIXED_BITS;
    u128 product = (u128)value * power_of_two((uint64_t)exponent & (FIXED_ONE - 1));
    int64_t drop = 62 - whole;                                          /* -2 .. 126 */

    if (drop < 0)
        return value ? INT64_MAX : 0;
    u128 half = drop ? (u128)1 << (drop - 1) : 0;
    u128 scaled = (product + half) >> drop;
    return scaled > INT64_MAX ? INT64_MAX : (int64_t)scaled;
}

/* One binary digit of the root at a time, the highest first; *left becomes x - root^2. */
static uint32_t root_of_64(uint64_t x, uint64_t *left)
{
    uint64_t root = 0;

    *left = x;
    for (uint64_t bit = UINT64_C(1) << 62; bit; bit >>= 2) {
        uint64_t trial = root + bit;
        root >>= 1;
        if (*left >= trial) {
            *left -= trial;
            root += bit;
        }
    }
    return (uint32_t)root;
}

/* P. Zimmermann, "Karatsuba square root" (INRIA RR-3805, 1999), one level: the root s of the upper half
 * gives the upper half of the root, what was left over, divided by 2s, the lower half, one too large at
 * most. */
uint64_t fixed_sqrt(u128 x)
{
    uint64_t left, high = (uint64_t)(x >> 64);
    unsigned shift = high ? (unsigned)__builtin_clzll(high) / 2 * 2 : 64;

    if (shift == 64)
        return root_of_64((uint64_t)x, &left);
    x <<= shift;
    uint64_t upper = root_of_64((uint64_t)(x >> 64), &left);
    u128 rest = (u128)left << 32 | (uint32_t)(x >> 32);
    u128 root = ((u128)upper << 32) + rest / (2 * upper);
    if (root * root > x || root >> 64)
        root--;
    assert(root * root <= x);
    return (uint64_t)root >> shift / 2;
}

enum { COEFFICIENTS = 8, COEFFICIENT_BITS = 44 };

/* A ratio of two polynomials, lowest power first, coefficients in units of 2^-44. */
struct rational { int64_t above[COEFFICIENTS], below[COEFFICIENTS]; };

static const struct rational centre = {
    .above = { 59587071655391, 2342252991816119, 34684594801279794, 241570511427789735, 807867557086926113,
               1183351956569005971, 588116905238393342, 44140218498716400 },
    .below = { 17592186044416, 744383985861463, 12089121683105774, 94895699968952817, 373197016061483377,
               691511815929749282, 505407421148798332, 91945477305841298 },
};

static const struct rational tail = {
    .above = { 25041370474834, 81457764838086, 101498068502678, 64173626391046, 22350137938806, 4253451499276,
               399762108696, 13625939991 },
    .below = { 17592186044416, 36120129080649, 29491273814630, 12134515284419, 2605472707230, 267377769814,
               9633372156, 18485 },
};

static i128 polynomial(const int64_t *coefficient, int64_t x)
{
    i128 sum = coefficient[COEFFICIENTS - 1];

    for (int i = COEFFICIENTS - 2; i >= 0; i--)
        sum = (sum * x >> FIXED_BITS) + coefficient[i];
    return sum;
}

static int64_t rational(const struct rational *ratio, int64_t x)
{
    return (int64_t)((polynomial(ratio->above, x) << FIXED_BITS) / polynomial(ratio->below, x));
}

/* In the letters of AS 241: q = p - 1/2; r = 0.425^2 - q^2 in the middle, else r = sqrt(-ln(1 - p)), which
 * stays below 5 here, so that the routine's third branch is never needed.  The lower half mirrors the
 * upper. */
int64_t fixed_normal_quantile(uint64_t p)
{
    enum { P_BITS = 33, Q_SHIFT = FIXED_BITS - P_BITS };
    const uint64_t whole = UINT64_C(1) << P_BITS;
    const int64_t split1 = (int64_t)((i128)FIXED_ONE * 425 / 1000);         /* 0.425 */
    const int64_t const1 = (int64_t)((i128)FIXED_ONE * 180625 / 1000000);   /* 0.425^2 */
    const int64_t const2 = (int64_t)((i128)FIXED_ONE * 16 / 10);            /* 1.6 */

    assert(p > 0 && p < whole);
    if (p < whole / 2)
        return -fixed_normal_quantile(whole - p);
    int64_t q = (int64_t)((p - whole / 2) << Q_SHIFT);

    if (q <= split1) {
        int64_t r = const1 - (int64_t)((i128)q * q >> FIXED_BITS);
        return (int64_t)((i128)q * rational(&centre, r) >> FIXED_BITS);
    }
    int64_t minus_ln = fixed_times_ln2(P_BITS * FIXED_ONE - fixed_log2(whole - p));
    int64_t r = (int64_t)fixed_sqrt((u128)minus_ln << FIXED_BITS);
    return rational(&tail, r - const2);
}
