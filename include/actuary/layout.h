/* Groups, stages, chunks, micro batches and what is in flight where (engine.md 0,
 * memory-megatron.md 1.3). */
#ifndef ACTUARY_LAYOUT_H
#define ACTUARY_LAYOUT_H

#include <actuary/plan.h>

struct act_layout {
    double gpus, nodes;
    int64_t shard;        /* D: ranks over which dense state is sharded */
    int64_t expert_shard; /* D_e = t c d / (x n), at least 1 */
    double micro_batches; /* m = round(global / (b d)), at least 1 */
    double sequences;     /* of a step: m b d */
    bool whole;           /* they are the global batch exactly */
    double tokens;        /* T of a micro batch on one rank: s b / c */
    int stages, chunks;   /* p and v */
    int groups; /* communicator groups in use: world, TP, PP, DP·CP, EP, tied embedding */
};

void act_layout_of(const struct act_plan *plan, struct act_layout *ret);

/* Layers of each chunk, dealt as the plan says (explicit list, even, front-loaded, slots).
 * Chunk j of stage r has its first layer at ret_first[j * p + r] and ret_count[j * p + r] layers;
 * model order is j-major: chunk 0 of all stages, then chunk 1, … Arrays of ACT_LIST_MAX.
 * p x v above ACT_LIST_MAX is clamped by lowering v. Returns the number of chunks a stage, v. */
int act_layout_deal(const struct act_plan *plan, int64_t *ret_first, int64_t *ret_count);

/* How many micro batches of chunk `j` (0 … v-1) of stage `r` are alive at the peak: the i-th live
 * chunk is chunk floor((i mod p v) / p). v = 1: one chunk, 1F1B min(m, p - r), GPipe m,
 * ZB-1p min(m, p), ZB-2p min(m, 2p), DualPipe (p + 1 of p stages). */
double act_layout_in_flight(const struct act_plan *plan, const struct act_layout *layout, int stage,
                            int chunk);

#endif
