/* Rent, the chapter's way: every GPU is paid for every hour of the calendar (engine.md 6). */
#include <actuary/cost.h>

void act_cost_of(const struct act_plan *plan, const struct act_time *time, double gpus,
                 struct act_cost *ret)
{
    double price = plan->cost.price_per_gpu_hour;
    struct act_cost cost = {.gpu_hours = gpus * time->calendar_days * 24};

    if (price >= 0) {
        cost.known = true;
        cost.price = price;
        cost.rent = cost.gpu_hours * price;
    }
    *ret = cost;
}
