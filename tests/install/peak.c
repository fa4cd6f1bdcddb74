/* What a program of somebody else would be: the engine, asked once. */
#include <actuary/estimate.h>
#include <stdio.h>

int main(void)
{
    struct act_plan plan;
    static struct act_result result;
    act_plan_init(&plan);
    act_estimate(&plan, &result);
    printf("peak %.1f GiB\n", result.memory.peak / 1073741824.0);
    return 0;
}
