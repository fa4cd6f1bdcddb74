/* Rows of the one table of fields (fields.h) on the accelerator and its node: memory, peaks, what
 * share of a peak is reached, links. */
#ifndef ACTUARY_FIELDS_HARDWARE_H
#define ACTUARY_FIELDS_HARDWARE_H

#define ACT_FIELDS_HARDWARE(X)                                                                     \
    X(hardware, preset, TEXT64, NONE, 0, 0, "a800-80gb-sxm", PRESET, 0, none, always, "hardware",  \
      "Accelerator preset with its node: memory, peaks, links.", "vendor data sheets")             \
    X(hardware, memory, REAL, BYTES, 1e6, 1e15, "80GiB", DECADE, P, none, always,                  \
      "marketed memory", "Memory as marketed; an \"80 GB\" HBM card is 80 GiB.",                   \
      "device totals that torch reports")                                                          \
    X(hardware, usable_memory, REAL, BYTES, 1e6, 1e15, "auto", DECADE, M | A | P, none, always,    \
      "usable memory", "What torch reports as the device's total: fit is judged against it.",      \
      "device totals that torch reports")                                                          \
    X(hardware, memory_kind, ENUM, NONE, 0, 0, "hbm", CYCLE, P | B, memory_kind, always,           \
      "memory kind", "Decides the usable share when it is not known: hbm, gddr, gddr-ecc, other.", \
      "device totals that torch reports")                                                          \
    X(hardware, memory_bandwidth, REAL, BANDWIDTH, 1e6, 1e18, "2039GB/s", DECADE, P | B, none,     \
      always, "memory bandwidth", "Peak bandwidth of the device memory.", "vendor data sheets")    \
    X(hardware, peak_tflops, REAL, FLOPS, 1e9, 1e21, "auto", DECADE, A | P, none, always, "peak",  \
      "Dense peak of the precision in use; auto is the preset's.", "vendor data sheets")           \
    X(hardware, peak_fp32, REAL, FLOPS, 1e9, 1e21, "auto", DECADE, A | P | B, none, always,        \
      "peak fp32", "Dense fp32 peak; auto: the card lacks it.", "vendor data sheets")              \
    X(hardware, peak_tf32, REAL, FLOPS, 1e9, 1e21, "auto", DECADE, A | P | B, none, always,        \
      "peak tf32", "Dense tf32 peak; auto: the card lacks it.", "vendor data sheets")              \
    X(hardware, peak_fp16, REAL, FLOPS, 1e9, 1e21, "auto", DECADE, A | P | B, none, always,        \
      "peak fp16", "Dense fp16 peak; auto: the card lacks it.", "vendor data sheets")              \
    X(hardware, peak_bf16, REAL, FLOPS, 1e9, 1e21, "auto", DECADE, A | P | B, none, always,        \
      "peak bf16", "Dense bf16 peak; auto: the card lacks it.", "vendor data sheets")              \
    X(hardware, peak_fp8, REAL, FLOPS, 1e9, 1e21, "auto", DECADE, A | P | B, none, always,         \
      "peak fp8", "Dense fp8 peak; auto: the card lacks it.", "vendor data sheets")                \
    X(hardware, peak_fp4, REAL, FLOPS, 1e9, 1e21, "auto", DECADE, A | P | B, none, always,         \
      "peak fp4", "Dense fp4 peak; auto: the card lacks it.", "vendor data sheets")                \
    X(hardware, sm_count, INT, NONE, 1, 4096, "auto", ONE, A | P | B, none, always, "SMs",         \
      "Streaming multiprocessors or cube cores; auto is peak bf16 / 2.9e12.",                      \
      "device totals that torch reports")                                                          \
    X(hardware, compute_capability, REAL, NONE, 0, 100, "auto", TENTH, A | P | B, none, always,    \
      "compute capability", "CUDA compute capability: decides bf16, flash and grouped matmul.",    \
      "Megatron-LM argument checks")                                                               \
    X(hardware, link_bandwidth, REAL, BANDWIDTH, 1e6, 1e18, "200GB/s", DECADE, P | B, none,        \
      always, "link bandwidth", "In-node link of one GPU, one direction.",                         \
      "vendor data sheets; cards without peer-to-peer: what step times show")                      \
    X(hardware, link_topology, ENUM, NONE, 0, 0, "switch", CYCLE, P | B, link_topology, always,    \
      "link topology", "switch, mesh (no switch: pairs share) or pcie.",                           \
      "device totals that torch reports")                                                          \
    X(hardware, link_domain, INT, NONE, 1, 65536, "auto", POW2, A | P, none, always,               \
      "link domain", "GPUs joined by the fast link; auto is GPUs a node.",                         \
      "device totals that torch reports")                                                          \
    X(hardware, nic_bandwidth, REAL, BANDWIDTH, 1e6, 1e18, "25GB/s", DECADE, P | B, none, always,  \
      "NIC a GPU", "Network bandwidth of one GPU, one direction.", "vendor data sheets")           \
    X(hardware, gpus_per_node, INT, NONE, 1, 65536, "8", POW2, P, none, always, "GPUs a node",     \
      "Accelerators of one server.", "vendor data sheets")                                         \
    X(hardware, context_memory, REAL, BYTES, 0, 1e13, "auto", DECADE, A, none, layered,            \
      "context memory",                                                                            \
      "Memory outside the allocator (CUDA/CANN context, NCCL/HCCL); auto by "                      \
      "framework.",                                                                                \
      "measured runs: allocated, reserved and device")                                             \
    X(hardware, fragmentation, REAL, NONE, 1, 10, "auto", TENTH, A, none, layered,                 \
      "reserved / allocated", "Allocator slack as a factor; auto by allocator.",                   \
      "measured runs: allocated, reserved and device")                                             \
    X(hardware, matmul_efficiency, REAL, SHARE, 0.01, 1, "auto", PERCENT, A | P | B, none, always, \
      "matmul efficiency",                                                                         \
      "Share of the 16-bit peak that large matmuls reach in steady training; auto is 60 %.",       \
      "659 measured step times")                                                                   \
    X(hardware, fp8_efficiency, REAL, SHARE, 0.01, 1, "auto", PERCENT, A | P | B, none, always,    \
      "fp8 efficiency", "The same of the fp8 peak; auto is the matmul efficiency.",                \
      "659 measured step times")                                                                   \
    X(hardware, fp4_efficiency, REAL, SHARE, 0.01, 1, "auto", PERCENT, A | P | B, none, always,    \
      "fp4 efficiency", "The same of the fp4 peak; auto is 55 %.", "659 measured step times")      \
    X(hardware, attention_efficiency, REAL, SHARE, 0.01, 1, "auto", PERCENT, A | P | B, none,      \
      always, "attention efficiency",                                                              \
      "Share of the 16-bit peak that a flash kernel for this card reaches; auto is 45 %.",         \
      "659 measured step times")                                                                   \
    X(hardware, step_error, REAL, SHARE, 0, 1, "25%", PERCENT, P | B, none, always, "step error",  \
      "Error bar of step times estimated on this card; 12 % where runs were compared.",            \
      "659 measured step times")                                                                   \
    X(hardware, mfu, REAL, SHARE, 0.001, 1, "auto", PERCENT, M | A, none, always, "MFU",           \
      "Model FLOPs utilisation; auto estimates the step, and so the MFU. Poor 10-20, average "     \
      "20-30, good 30-50, excellent 50+. 30 % is prudent.",                                        \
      "textbook chapter")                                                                          \
    X(hardware, tdp, REAL, WATT, 1, 1e6, "auto", DECADE, A | P | B, none, always, "TDP",           \
      "Rated power of one accelerator.", "vendor data sheets")                                     \
    X(hardware, node_power, REAL, WATT, 1, 1e8, "auto", DECADE, A | P | B, none, always,           \
      "power of a server",                                                                         \
      "Highest draw of one server; auto is GPUs a node x TDP x 1.83, as of a DGX H100.",           \
      "NVIDIA DGX documents, read 2026-08")                                                        \
    X(hardware, rack_power, REAL, WATT, 1, 1e9, "40kW", DECADE, P | B, none, always,               \
      "power of a rack", "What a rack can feed and cool: decides how many servers it holds.",      \
      "textbook chapter, 2026-08")                                                                 \
    X(hardware, host_memory, REAL, BYTES, 0, 1e16, "auto", DECADE, A | B, none, always,            \
      "host memory", "Memory of one server, for offload; auto does not limit it.", "")             \
    X(hardware, rental_price, REAL, MONEY, 0, 1e9, "auto", DECADE, A | P | B, none, always,        \
      "typical price", "The preset's typical rent, USD a GPU-hour; its note has the range.",       \
      "price lists of clouds, 2026-05 to 2026-08")                                                 \
    X(hardware, rental_price_date, TEXT16, NONE, 0, 0, "", NONE, P | B, none, always,              \
      "typical price date", "Month of the preset's typical rent, or from memory.",                 \
      "price lists of clouds, 2026-05 to 2026-08")

#endif
