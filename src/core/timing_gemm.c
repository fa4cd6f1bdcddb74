/* Matmuls (timing.md 2.1). */
#include "core/timing_parts.h"

#include <math.h>

double act_gemm(const struct act_matmul_rate *rate, double batch, double m, double n, double k,
                double share)
{
    /* Tiles of 128 x 256 on all multiprocessors: what is left of the last wave idles. */
    double waves = batch * fmax(1, m / 128) * fmax(1, n / 256) / rate->multiprocessors;
    double flop = 2 * batch * m * n * k / (rate->flops * share) * (1 + rate->inner / k) *
                  (1 + 0.40 / fmax(waves, 0.25));
    /* Outputs have 16 bits also where inputs have fewer. */
    double bytes =
        batch * (rate->element * (m * k + k * n) + fmax(rate->element, 2) * m * n) / rate->memory;

    return fmax(flop, bytes) + ACT_GAP;
}

struct act_linear act_linear_of(const struct act_matmul_rate *rate, double batch, double m,
                                double n, double k, double share, bool frozen, double micro_batches)
{
    struct act_linear ret = {act_gemm(rate, batch, m, n, k, share),
                             act_gemm(rate, batch, m, k, n, share)};

    if (!frozen)
        ret.backward += act_gemm(rate, batch, k, n, m, share);
    /* Inputs and weights are cast before the forward matmul, gradients before the backward one. */
    ret.forward += rate->cast * batch * (m * k + k * n / micro_batches);
    ret.backward += rate->cast * batch * m * n;
    return ret;
}
