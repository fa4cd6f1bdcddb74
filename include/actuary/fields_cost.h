/* The cost group of the one table of fields: see fields.h for what a row is.
 *
 * Money is in cost.currency and is never converted. A default that is not "auto" has its source
 * and date in the row; what depends on the accelerator (node_power, rack_power, rental_price)
 * stands in the hardware group and its presets. */
#ifndef ACTUARY_FIELDS_COST_H
#define ACTUARY_FIELDS_COST_H

#define ACT_FIELDS_COST(X)                                                                         \
    X(cost, basis, ENUM, NONE, 0, 0, "rent", CYCLE, M, basis, always, "paid by",                   \
      "rent: GPU-hours at a price; own: servers written off, and energy. Staff is added to both.", \
      "usual practice")                                                                            \
    X(cost, price_per_gpu_hour, REAL, MONEY, 0, 1e9, "auto", DECADE, M | A, none, rented,          \
      "price a GPU-hour",                                                                          \
      "Rent of one GPU for one hour; auto is the hardware preset's typical "                       \
      "one, with its date.",                                                                       \
      "usual practice")                                                                            \
    X(cost, currency, TEXT8, NONE, 0, 0, "USD", NONE, B, none, always, "currency",                 \
      "Currency of the price, never converted.", "")                                               \
    X(cost, price_date, TEXT16, NONE, 0, 0, "", NONE, B, none, always, "price date",               \
      "Month of the price, as 2026-08.", "")                                                       \
    X(cost, server_price, REAL, MONEY, 0, 1e12, "auto", DECADE, M | A, none, owned,                \
      "price a server", "What one server costs with its GPUs; auto is not known, and asked for.",  \
      "a quotation: prices differ by buyer, year and country")                                     \
    X(cost, network_share, REAL, SHARE, 0, 1, "24%", PERCENT, 0, none, owned, "network share",     \
      "Fabric and its optics, as a share of the servers' price.",                                  \
      "arXiv 2405.21015, 2024: interconnect 9-13 % beside servers 38-54 % of a run's cost")        \
    X(cost, amortise_years, REAL, NONE, 0.1, 50, "5", ONE, M, none, owned, "years in use",         \
      "Years over which servers and network are written off; a run bears its calendar share.",     \
      "useful lives in cloud providers' filings of 2025: 5 to 6 years")                            \
    X(cost, electricity_price, REAL, MONEY, 0, 1e6, "auto", DECADE, M | A, none, owned,            \
      "price a kWh", "Electricity; auto is not known, and energy is then left out of the total.",  \
      "a contract: prices differ by country and year")                                             \
    X(cost, pue, REAL, NONE, 1, 10, "1.54", TENTH, 0, none, always, "PUE",                         \
      "Power of the building over that of its computers: world average 1.54, hyperscale 1.1.",     \
      "Uptime Institute survey 2025")                                                              \
    X(cost, power_load, REAL, SHARE, 0.01, 1, "80%", PERCENT, B, none, always, "power load",       \
      "Average draw of an accelerator while it trains, over its TDP: 70-90 %.",                    \
      "FlagPerf matmul and published runs, 2026-08")                                               \
    X(cost, node_overhead, REAL, NONE, 1, 10, "1.4", TENTH, B, none, always, "node overhead",      \
      "Average draw of a server over that of its accelerators: 1.3-1.5.",                          \
      "GPT-3's 330 W a V100 with its host (arXiv 2104.10350) is 1.1 x TDP")                        \
    X(cost, staff_per_year, REAL, MONEY, 0, 1e12, "0", DECADE, 0, none, always, "staff a year",    \
      "Pay of everyone who runs the training, a year; the run bears its calendar share.", "")      \
    X(cost, budget, REAL, MONEY, 0, 1e15, "auto", DECADE, A, none, always, "budget",               \
      "What the run may cost; auto is none. A check compares.", "")                                \
    X(cost, goodput, REAL, SHARE, 0.01, 1, "auto", PERCENT, A, none, always, "goodput",            \
      "Share of calendar time that trains. auto: from the failures when they are given, else "     \
      "90 % from 1,000 GPUs, 97 % below.",                                                         \
      "Llama 3 and MegaScale report over 90 % (2024)")                                             \
    X(cost, failures_per_1000_gpu_days, REAL, NONE, 0, 1e5, "auto", TENTH, A, none, always,        \
      "failures",                                                                                  \
      "Interruptions in 1,000 GPU-days: 0.5 in a well-run cluster, 3 in a shared one. auto "       \
      "leaves goodput at its usual value.",                                                        \
      "Llama 3 (2024): 0.47; arXiv 2410.21680 (2024): 2.97")                                       \
    X(cost, restart_minutes, REAL, NONE, 0, 1e5, "10", DECADE, 0, none, fails, "restart minutes",  \
      "From an interruption until the run trains again.",                                          \
      "planning value, 2026-08; Llama 3's 90 % needs no less")                                     \
    X(cost, checkpoint_minutes, REAL, NONE, 0.01, 1e6, "auto", DECADE, A, none, always,            \
      "checkpoint minutes",                                                                        \
      "Training between two checkpoints; auto is the optimum, sqrt(2 x write time x mean time "    \
      "between failures). Moves goodput once failures are given.",                                 \
      "Young 1974, Daly 2006")                                                                     \
    X(cost, checkpoint_stall, REAL, SECONDS, 0.001, 1e6, "30s", DECADE, 0, none, always,           \
      "checkpoint stall",                                                                          \
      "How long training may wait for a checkpoint: the storage bandwidth that needs is shown.",   \
      "BLOOM wrote 2.3 TB in 40 s (2022)")                                                         \
    X(cost, checkpoint_bandwidth, REAL, BANDWIDTH, 1e6, 1e18, "auto", DECADE, A, none, always,     \
      "storage bandwidth",                                                                         \
      "What the storage takes from all GPUs together; auto is what the allowed stall needs.", "")  \
    X(cost, checkpoint_bytes_per_parameter, REAL, NONE, 0.1, 100, "auto", ONE, A | B, none,        \
      always, "checkpoint bytes",                                                                  \
      "Written for a trained parameter; auto: weights, fp32 master and the optimizer's states, "   \
      "14 with AdamW and a 16-bit copy.",                                                          \
      "AdamW; BLOOM's 2.3 TiB is 14.3 bytes a parameter (2022)")                                   \
    X(cost, switch_ports, INT, NONE, 4, 4096, "64", POW2, B, none, always, "ports a switch",       \
      "Ports of the switches from which the fat tree is built.",                                   \
      "NVIDIA QM9700: 64 x 400 Gb/s, 2022")

#endif
