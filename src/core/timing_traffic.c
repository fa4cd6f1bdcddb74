/* Traffic between GPUs (timing.md 2.5), and what of it a step waits for (2.6). */
#include "core/timing_parts.h"

#include <math.h>

double act_ranks_inside(const struct act_wires *wires, double group, double stride)
{
    return fmax(1, fmin(group, floor(wires->domain / stride)));
}

/* Link speed of a group of `ranks` inside a domain; a mesh without switch uses its pairs only. */
static double link_of(const struct act_wires *wires, double ranks)
{
    if (!wires->mesh || wires->domain <= 1)
        return wires->link;
    return wires->link * fmin(1, (ranks - 1) / (wires->domain - 1));
}

double act_ring(const struct act_wires *wires, double size, double group, double inside)
{
    double bus;

    if (group <= 1)
        return 0;
    if (group <= inside)
        bus = ACT_LINK_SHARE * link_of(wires, group);
    else /* every rank of a node brings its own NIC */
        bus = inside > 1 ? fmin(ACT_LINK_SHARE * link_of(wires, inside),
                                ACT_NIC_SHARE * wires->nic * inside)
                         : fmin(ACT_LINK_SHARE * wires->link, ACT_NIC_SHARE * wires->nic);
    return size * (group - 1) / group / bus + ACT_LATENCY * log2(group);
}

static double ring_at(const struct act_step_plan *step, double size, double group, double stride)
{
    return act_ring(&step->wires, size, group, act_ranks_inside(&step->wires, group, stride));
}

/* All-to-alls that bring tokens to experts and back. A token goes once to each remote domain, where
 * the link passes it on (DeepEP, HybridEP); 60 % of the time stays visible. */
static double expert_traffic(const struct act_step_plan *step)
{
    const struct act_wires *wires = &step->wires;
    double n = step->n, r = fmin(n, wires->domain), domains = n / r;
    double bytes = step->element * step->T * step->h / step->t;
    double link = step->k * (r - 1) / n / (ACT_LINK_SHARE * (r > 1 ? link_of(wires, r) : 1));
    double network =
        (domains - 1) * (1 - pow(1 - 1 / domains, step->k)) / (ACT_NIC_SHARE * wires->nic);

    return ACT_EXPERT_VISIBLE * 2 * (bytes * (link + network) + 20e-6);
}

/* Keys and values around the ring, hidden behind the scores of what is there already. */
static void context_traffic(const struct act_step_plan *step, double forward, double backward,
                            struct act_layer_traffic *ret)
{
    double c = step->c, hidden = (c - 1) / c;
    double heads = step->plan->model.attention == ACT_MLA ? step->a / step->t : step->kv;
    double one =
        ring_at(step, step->element * step->T * c * heads * (step->key + step->value), c, step->t);

    ret->context_forward = fmax(0, one - forward * hidden) + 0.1 * one;
    ret->context_backward = fmax(0, 2 * one - backward * hidden) + 0.2 * one;
}

void act_layer_traffic_of(const struct act_step_plan *step, bool moe, double attention_forward,
                          double attention_backward, struct act_layer_traffic *ret)
{
    *ret = (struct act_layer_traffic){0};
    if (step->t > 1) {
        /* An all-gather and a reduce-scatter around attention and around the MLP; whole experts
         * have their all-to-all instead. */
        double blocks = moe && step->x <= 1 && step->fs <= 0 ? 1 : 2;
        ret->tensor = blocks * 2 * ring_at(step, step->element * step->T * step->h, step->t, 1) *
                      step->plan->framework.tp_exposed;
    }
    if (moe && step->n > 1)
        ret->expert = expert_traffic(step);
    if (step->c > 1)
        context_traffic(step, attention_forward, attention_backward, ret);
}

double act_stage_transfers(const struct act_step_plan *step)
{
    double stride = step->t * step->c * step->d;

    if (step->p <= 1)
        return 0;
    /* A rank sends its 1/t, with or without SP, and gathers over the link; chunks hide theirs as
     * well as TP hides its traffic. */
    double wire = stride < step->wires.domain ? ACT_LINK_SHARE * link_of(&step->wires, 2)
                                              : ACT_NIC_SHARE * step->wires.nic;
    double one = step->element * step->T * step->h / step->t / wire + ACT_LATENCY;
    return 2 * step->v * one * (step->v > 1 ? step->plan->framework.tp_exposed : 1);
}

/* Ranks of an expert's replicas in one domain, those of other experts standing between. */
static double experts_inside(const struct act_step_plan *step)
{
    double domain = step->wires.domain;
    double r = fmin(domain, step->t * step->c * step->d) / fmin(step->n * step->x, domain);

    return fmax(1, fmin(r, (double)step->layout->expert_shard));
}

/* DDP, ZeRO-1, ZeRO-2: gradients out and weights back once a step, behind the last backward. */
static double once_a_step(const struct act_step_plan *step, const struct act_step_weights *weights,
                          double layer)
{
    double D = step->d * step->c, De = fmax(1, step->t * D / (step->n * step->x));
    double gradient = step->plan->framework.reduction_bytes;
    double bytes = weights->trained * (step->plan->parallel.zero > 0 ? gradient + 2 : 2 * gradient);
    double exposed = step->plan->framework.dp_exposed;
    double wire = ring_at(step, weights->dense * bytes, D, step->t);

    if (weights->experts > 0)
        wire += act_ring(&step->wires, weights->experts * bytes, De, experts_inside(step));
    double room = 0.93 * (double)step->plan->model.layers / step->p * layer;
    return fmax(0, wire - room) + exposed * fmin(wire, room);
}

/* ZeRO-3 and FSDP: every micro batch gathers each layer forward and backward and reduces its
 * gradient. HSDP does so in the inner group and reduces over the outer one once a step. */
static double every_layer(const struct act_step_plan *step, const struct act_step_weights *weights,
                          double layer)
{
    double D = step->d * step->c, De = fmax(1, step->t * D / (step->n * step->x));
    double group = fmin((double)step->layout->shard, D);
    double gradient = step->plan->framework.reduction_bytes;
    double exposed = step->plan->framework.dp_exposed;
    double gathers = step->lora ? 2 : 2 + weights->trained * gradient / 2;
    double wire = ring_at(step, step->weight_bytes * weights->layer / step->t, group, step->t);
    /* The head has no layer behind which it could hide; half of it is seen. Frozen it is gathered
     * once, else forward, backward and for its gradient. */
    double head = ring_at(step, step->weight_bytes * step->V * step->h / step->t, group, step->t);

    wire *= gathers;
    /* A MoE model's layers all count as MoE layers here. */
    if (weights->layer_experts > 0)
        wire += 4 * act_ring(&step->wires, 2 * weights->layer_experts, De, experts_inside(step));
    double seconds = step->m * ((double)step->plan->model.layers / step->p *
                                    (fmax(0, wire - layer) + exposed * fmin(wire, layer)) +
                                0.5 * (step->lora ? 1 : 3) * head);
    if (group < D && !step->lora)
        seconds += exposed * 2 *
                   act_ring(&step->wires, weights->trained * weights->dense * gradient / group,
                            D / group, 1);
    return seconds;
}

double act_data_traffic(const struct act_step_plan *step, const struct act_step_weights *weights,
                        double layer)
{
    if (step->sharded)
        return every_layer(step, weights, layer);
    /* Adapters are too small to wait for. */
    return step->lora ? 0 : once_a_step(step, weights, layer);
}
