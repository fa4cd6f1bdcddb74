/* Bytes as whole numbers that still add up, for output. */
#include <actuary/memory.h>

#include <math.h>

/* `figure` may differ from the sum of its rounded parts by the roundings; a figure that is no sum
 * of these parts is rounded by itself. */
static double sum_of_parts(double parts, double figure)
{
    return fabs(parts - figure) < ACT_COMPONENT_COUNT ? parts : round(figure);
}

void act_stage_whole(const struct act_stage *stage, struct act_stage *ret)
{
    double sum = 0;

    *ret = *stage;
    for (int i = 0; i < ACT_COMPONENT_COUNT; i++) {
        ret->component[i] = round(stage->component[i]);
        if (i < ACT_FRAGMENTATION)
            sum += ret->component[i];
    }
    ret->allocated = sum_of_parts(sum, stage->allocated);
    ret->reserved =
        sum_of_parts(ret->allocated + ret->component[ACT_FRAGMENTATION], stage->reserved);
    ret->device = sum_of_parts(ret->reserved + ret->component[ACT_CONTEXT], stage->device);
}
