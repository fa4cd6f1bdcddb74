/* The one table of fields.
 *
 * Each row is one thing a user can set. From a row come the struct member of `struct act_plan`,
 * the field's id, the YAML key, `--set`, the row in a pane, its steps, help, hint line, undo
 * label, comparison and the entry of `actuary list fields`. There is no other list of fields.
 *
 *   X(group, member, KIND, UNIT, min, max, default, steps, flags, names, when, label, help, source)
 *
 * KIND   INT int64_t · REAL double · BOOL, ENUM, SET int64_t · LIST struct act_list · TEXTn
 *        char[n] · GPUS no member (derived from tensor·context·pipeline·data)
 * UNIT   suffix of enum act_unit
 * min, max  inclusive, in base units
 * default   text as a file would have it; "auto" means derived by act_plan_resolve
 * steps  suffix of enum act_steps: where + and - go
 * flags  M main row of its pane · A "auto" is allowed · P comes with the group's preset ·
 *        B back room: not offered in the planner unless all fields are shown ·
 *        L lever: changes how the run is carried out, not what is trained, and its price in memory
 *        and time is modelled: advice tries it
 * names  suffix of the act_names_* table for ENUM and SET, else none
 * when   suffix of the applies_* rule in field.c
 *
 * All quantities are in base units: bytes, bytes/s, FLOP/s, tokens, days, shares.
 * The rows of the cost group stand in fields_cost.h, those of measured runs in
 * fields_calibration.h. */
#ifndef ACTUARY_FIELDS_H
#define ACTUARY_FIELDS_H

#include <actuary/fields_calibration.h>
#include <actuary/fields_cost.h>
#include <actuary/fields_hardware.h>

#define ACT_FIELDS_SCENARIO(X)                                                                     \
    X(scenario, name, TEXT96, NONE, 0, 0, "untitled", NONE, 0, none, always, "name",               \
      "Name of the scenario, shown on its tab and in reports.", "")                                \
    X(scenario, notes, TEXT1024, NONE, 0, 0, "", NONE, 0, none, always, "notes",                   \
      "Free text kept with the scenario.", "")

#define ACT_FIELDS_MODEL(X)                                                                        \
    X(model, preset, TEXT64, NONE, 0, 0, "llama2-70b", PRESET, 0, none, always, "model",           \
      "Model preset that fills this group; any value may be overruled beside it.", "")             \
    X(model, parameters, REAL, COUNT, 1e3, 1e15, "auto", DECADE, A | P, none, always,              \
      "parameters",                                                                                \
      "Overrules the counted parameters; states then scale with it. auto counts them.",            \
      "counting")                                                                                  \
    X(model, layers, INT, NONE, 1, 1024, "80", ONE, M | P, none, always, "layers",                 \
      "Transformer layers, without embedding, head and MTP layers.", "the model's config.json")    \
    X(model, hidden, INT, NONE, 8, 262144, "8192", HIDDEN, M | P, none, always, "hidden",          \
      "Width of the residual stream (hidden size).", "the model's config.json")                    \
    X(model, heads, INT, NONE, 1, 4096, "64", ONE, M | P, none, always, "heads",                   \
      "Query attention heads. Tensor parallel must divide them.", "the model's config.json")       \
    X(model, kv_heads, INT, NONE, 1, 4096, "auto", DIVISOR_HEADS, M | A | P, none, gqa,            \
      "KV heads", "Key/value heads: fewer than heads is GQA, 1 is MQA; auto equals heads.",        \
      "the model's config.json")                                                                   \
    X(model, head_dim, INT, NONE, 1, 4096, "auto", HIDDEN, A | P, none, gqa, "head width",         \
      "Width of one head; auto is hidden / heads. Qwen3 and Gemma give their own.",                \
      "the model's config.json")                                                                   \
    X(model, ffn, INT, NONE, 0, 2097152, "auto", HIDDEN, M | A | P, none, dense_ffn, "FFN",        \
      "Inner width of the dense MLP (intermediate size); auto is 4 x hidden.",                     \
      "the model's config.json")                                                                   \
    X(model, activation, ENUM, NONE, 0, 0, "swiglu", CYCLE, P, activation, always, "activation",   \
      "MLP activation: gated kinds (swiglu, geglu) have three matrices, plain ones two.",          \
      "the model's config.json")                                                                   \
    X(model, vocab, INT, NONE, 1, 16777216, "32000", ONE, M | P, none, always, "vocabulary",       \
      "Vocabulary before padding. Large ones make the loss the peak of the last stage.",           \
      "the model's config.json")                                                                   \
    X(model, tied_embeddings, BOOL, NONE, 0, 1, "false", CYCLE, P, none, always,                   \
      "tied embeddings",                                                                           \
      "Head shares the embedding's weights; with pipeline the last stage holds a copy.",           \
      "the model's config.json")                                                                   \
    X(model, positions, ENUM, NONE, 0, 0, "rope", CYCLE, P, positions, always, "positions",        \
      "Position encoding; learned positions add parameters.", "the model's config.json")           \
    X(model, max_positions, INT, NONE, 1, 1073741824, "auto", POW2, A | P, none, always,           \
      "max positions", "Longest sequence the model accepts; auto does not limit it.",              \
      "the model's config.json")                                                                   \
    X(model, position_rows, INT, NONE, 0, 1073741824, "auto", POW2, A | P | B, none, learned,      \
      "position rows",                                                                             \
      "Rows of the learned position table; auto is max positions (OPT has 2 more).",               \
      "the model's config.json")                                                                   \
    X(model, norm, ENUM, NONE, 0, 0, "rmsnorm", CYCLE, P, norm, always, "norm",                    \
      "Normalisation: rmsnorm h weights, layernorm 2h, layernorm-no-bias h, none 0.",              \
      "the model's config.json")                                                                   \
    X(model, norms_per_layer, INT, NONE, 0, 8, "2", ONE, P, none, always, "norms a layer",         \
      "Norms in a layer: 2, 4 (Gemma 2 and 3) or 1 (parallel blocks).", "the model's config.json") \
    X(model, final_norm, BOOL, NONE, 0, 1, "true", CYCLE, P | B, none, always, "final norm",       \
      "A norm stands before the head (OPT-350M has none).", "the model's config.json")             \
    X(model, qkv_bias, BOOL, NONE, 0, 1, "false", CYCLE, P, none, always, "QKV bias",              \
      "Query, key and value projections have a bias.", "the model's config.json")                  \
    X(model, out_bias, BOOL, NONE, 0, 1, "false", CYCLE, P, none, always, "output bias",           \
      "The attention output projection has a bias.", "the model's config.json")                    \
    X(model, mlp_bias, BOOL, NONE, 0, 1, "false", CYCLE, P, none, always, "MLP bias",              \
      "The dense MLP's matrices have a bias.", "the model's config.json")                          \
    X(model, head_bias, BOOL, NONE, 0, 1, "false", CYCLE, P | B, none, always, "head bias",        \
      "The language-model head has a bias (GPT-J, phi-2).", "the model's config.json")             \
    X(model, qk_norm, ENUM, NONE, 0, 0, "none", CYCLE, P, qk_norm, always, "QK norm",              \
      "Norm on queries and keys: per head (Qwen3, Gemma 3) or full width (OLMo 2).",               \
      "the model's config.json")                                                                   \
    X(model, embedding_norm, BOOL, NONE, 0, 1, "false", CYCLE, P | B, none, always,                \
      "embedding norm", "A norm follows the embedding (BLOOM).", "the model's config.json")        \
    X(model, embedding_width, INT, NONE, 1, 262144, "auto", HIDDEN, A | P | B, none, always,       \
      "embedding width",                                                                           \
      "Width of the embedding when it is not hidden (OPT-350M: 512), with a "                      \
      "projection in and out; auto is hidden.",                                                    \
      "the model's config.json")                                                                   \
    X(model, attention, ENUM, NONE, 0, 0, "gqa", CYCLE, P, attention, always, "attention",         \
      "gqa (also MHA and MQA) or mla, DeepSeek's latent attention.", "the model's config.json")    \
    X(model, q_lora_rank, INT, NONE, 0, 65536, "0", HIDDEN, P, none, mla, "MLA query rank",        \
      "Rank of the compressed queries; 0 projects queries directly.", "the model's config.json")   \
    X(model, kv_lora_rank, INT, NONE, 1, 65536, "512", HIDDEN, P, none, mla, "MLA KV rank",        \
      "Rank of the compressed keys and values.", "the model's config.json")                        \
    X(model, qk_nope_dim, INT, NONE, 0, 4096, "128", HIDDEN, P, none, mla, "MLA nope width",       \
      "Width of a query/key head without rotation.", "the model's config.json")                    \
    X(model, qk_rope_dim, INT, NONE, 0, 4096, "64", HIDDEN, P, none, mla, "MLA rope width",        \
      "Rotated width of a query head; keys share one.", "the model's config.json")                 \
    X(model, v_head_dim, INT, NONE, 1, 4096, "128", HIDDEN, P, none, mla, "MLA value width",       \
      "Width of a value head.", "the model's config.json")                                         \
    X(model, window, INT, NONE, 0, 1073741824, "0", POW2, P, none, always, "sliding window",       \
      "Tokens a local layer looks back; 0 is none.", "the model's config.json")                    \
    X(model, global_every, INT, NONE, 0, 1024, "0", ONE, P, none, windowed, "global every",        \
      "Every n-th layer attends globally; 0 makes all layers local.", "the model's config.json")   \
    X(model, experts, INT, NONE, 0, 65536, "0", POW2, M | P, none, always, "experts",              \
      "Routed experts of a MoE layer; 0 is a dense model.", "the model's config.json")             \
    X(model, experts_per_token, INT, NONE, 1, 1024, "2", ONE, M | P, none, moe, "experts a token", \
      "Routed experts each token goes to (top-k).", "the model's config.json")                     \
    X(model, expert_ffn, INT, NONE, 1, 2097152, "auto", HIDDEN, M | A | P, none, moe,              \
      "expert FFN", "Inner width of one routed expert; auto is FFN.", "the model's config.json")   \
    X(model, shared_ffn, INT, NONE, 0, 2097152, "0", HIDDEN, P, none, moe, "shared expert FFN",    \
      "Total inner width of the shared experts; 0 is none.", "the model's config.json")            \
    X(model, dense_layers, INT, NONE, 0, 1024, "0", ONE, P, none, moe, "first dense layers",       \
      "Leading layers with a dense MLP (3 in DeepSeek-V3).", "the model's config.json")            \
    X(model, moe_every, INT, NONE, 1, 1024, "1", ONE, P, none, moe, "MoE every",                   \
      "After the dense ones, every n-th layer is MoE.", "the model's config.json")                 \
    X(model, router_bias, BOOL, NONE, 0, 1, "false", CYCLE, P | B, none, moe, "router bias",       \
      "The router has one bias an expert (DeepSeek-V3, gpt-oss).", "the model's config.json")      \
    X(model, expert_bias, BOOL, NONE, 0, 1, "false", CYCLE, P | B, none, moe, "expert bias",       \
      "Every expert's matrices have a bias (gpt-oss).", "the model's config.json")                 \
    X(model, shared_gate, BOOL, NONE, 0, 1, "false", CYCLE, P | B, none, moe, "shared gate",       \
      "A sigmoid gate of hidden weights scales the shared expert (Qwen MoE).",                     \
      "the model's config.json")                                                                   \
    X(model, attention_sinks, BOOL, NONE, 0, 1, "false", CYCLE, P | B, none, always,               \
      "attention sinks", "One learned sink a head (gpt-oss).", "the model's config.json")          \
    X(model, soft_cap, BOOL, NONE, 0, 1, "false", CYCLE, P | B, none, always, "soft cap",          \
      "Logits and attention scores are soft-capped (Gemma 2): each keeps 2 bytes more.",           \
      "the model's config.json")                                                                   \
    X(model, mtp_layers, INT, NONE, 0, 16, "0", ONE, P, none, always, "MTP layers",                \
      "Multi-token-prediction layers trained on the last stage; 0 leaves them out.",               \
      "the model's config.json")                                                                   \
    X(model, index_heads, INT, NONE, 0, 4096, "0", ONE, P | B, none, mla, "indexer heads",         \
      "Heads of a sparse-attention indexer (DSA): counted, its attention is not modelled.",        \
      "the model's config.json")                                                                   \
    X(model, index_dim, INT, NONE, 1, 4096, "128", HIDDEN, P | B, none, indexer, "indexer width",  \
      "Width of one indexer head.", "the model's config.json")                                     \
    X(model, linear_layers, INT, NONE, 0, 1024, "0", ONE, P | B, none, always,                     \
      "linear-attention layers",                                                                   \
      "Layers with lightning attention (MiniMax-01): counted, their attention is not modelled.",   \
      "the model's config.json")

#define ACT_FIELDS_FRAMEWORK(X)                                                                    \
    X(framework, preset, TEXT64, NONE, 0, 0, "megatron", PRESET, 0, none, always, "framework",     \
      "Framework preset: byte widths, kernels, loss, buffers and defaults.",                       \
      "the framework's source and measured runs")                                                  \
    X(framework, family, ENUM, NONE, 0, 0, "megatron", CYCLE, P | B, family, always, "family",     \
      "Which formulas apply: textbook, megatron or fsdp (FSDP, ZeRO-3 and HF loops).",             \
      "the framework's source")                                                                    \
    X(framework, weight_bytes, REAL, NONE, 0, 16, "2", ONE, P, none, always, "weight bytes",       \
      "Bytes a parameter of the weights kept on the GPU in a 16-bit run.",                         \
      "the framework's source and measured runs")                                                  \
    X(framework, gradient_bytes, REAL, NONE, 0, 16, "4", ONE, P, none, always, "gradient bytes",   \
      "Bytes a parameter of the gradients kept through the step (bf16 run).",                      \
      "the framework's source and measured runs")                                                  \
    X(framework, gradient_bytes_fp16, REAL, NONE, 0, 16, "auto", ONE, A | P | B, none, always,     \
      "gradient bytes fp16", "The same in an fp16 run; auto is the bf16 value.",                   \
      "208 measured Megatron rows")                                                                \
    X(framework, master_weights, BOOL, NONE, 0, 1, "true", CYCLE, P, none, always,                 \
      "fp32 master weights", "The optimizer keeps an fp32 copy of the weights (4 bytes).",         \
      "the framework's source and measured runs")                                                  \
    X(framework, state_bytes, REAL, NONE, 0, 16, "auto", ONE, A | P | B, none, always,             \
      "optimizer state bytes",                                                                     \
      "Bytes a parameter of optimizer state without the master; auto by the optimizer.",           \
      "the framework's source")                                                                    \
    X(framework, step_bytes, REAL, NONE, 0, 32, "0", ONE, P | B, none, always, "step bytes",       \
      "Bytes a parameter that live only in the optimizer step (bf16), divided as the optimizer.",  \
      "208 measured Megatron rows")                                                                \
    X(framework, step_bytes_fp16, REAL, NONE, 0, 32, "0", ONE, P | B, none, always,                \
      "step bytes fp16", "The same in an fp16 run with a sharded optimizer.",                      \
      "208 measured Megatron rows")                                                                \
    X(framework, step_bytes_unsharded, REAL, NONE, 0, 32, "0", ONE, P | B, none, always,           \
      "step bytes, ZeRO-0", "The same in an fp16 run with ZeRO-0, on every GPU.",                  \
      "208 measured Megatron rows")                                                                \
    X(framework, kernels, ENUM, NONE, 0, 0, "fused", CYCLE, P, kernels, layered, "kernels",        \
      "fused (Transformer Engine), compiled, or eager kernels.",                                   \
      "the framework's source and measured runs")                                                  \
    X(framework, keeps_silu, BOOL, NONE, 0, 1, "false", CYCLE, P | B, none, layered,               \
      "keeps silu(gate)", "A gated MLP keeps silu(gate) as well: 8 bytes instead of 6.",           \
      "208 measured Megatron rows")                                                                \
    X(framework, flash_copies, BOOL, NONE, 0, 1, "false", CYCLE, P | B, none, layered,             \
      "flash output copied",                                                                       \
      "A batch-first flash kernel keeps its output and a transposed copy when micro batch > 1.",   \
      "208 measured Megatron rows")                                                                \
    X(framework, loss, ENUM, NONE, 0, 0, "unfused", CYCLE, M | P | L, loss, layered, "loss",       \
      "How the cross entropy is computed: bytes a logit it needs at its worst moment.",            \
      "counted with saved-tensor hooks; measured runs")                                            \
    X(framework, residual, ENUM, NONE, 0, 0, "bf16", CYCLE, P | B, residual, layered,              \
      "residual type", "Type of the residual stream between layers.",                              \
      "203 measured FSDP and HF rows")                                                             \
    X(framework, fused_qkv, BOOL, NONE, 0, 1, "false", CYCLE, P | B, none, fsdp, "fused QKV",      \
      "One matrix projects queries, keys and values; its output stays beside what is cut from "    \
      "it.",                                                                                       \
      "litgpt")                                                                                    \
    X(framework, expands_kv, BOOL, NONE, 0, 1, "false", CYCLE, P | B, none, fsdp, "expands KV",    \
      "Grouped keys and values are repeated to all query heads before attention.",                 \
      "litgpt, torchtune (eager)")                                                                 \
    X(framework, score_bytes, REAL, NONE, 0, 32, "auto", ONE, A | P | B, none, fsdp,               \
      "score bytes",                                                                               \
      "Bytes a score that math attention keeps; auto: an fp32 softmax, its 16-bit copy, a mask "   \
      "with dropout, 2 more with a soft cap.",                                                     \
      "Hugging Face transformers (eager attention)")                                               \
    X(framework, sp_keeps_inputs, BOOL, NONE, 0, 1, "false", CYCLE, P | B, none, fsdp,             \
      "SP keeps gathered inputs",                                                                  \
      "Under sequence parallel the linears keep their gathered inputs, not the split ones.",       \
      "torchtitan, nanotron")                                                                      \
    X(framework, untied_head, BOOL, NONE, 0, 1, "false", CYCLE, P | B, none, fsdp,                 \
      "head never tied",                                                                           \
      "The head is a matrix of its own even where the model ties it to the embedding.", "litgpt")  \
    X(framework, reshard, BOOL, NONE, 0, 1, "true", CYCLE, P | B, none, fsdp,                      \
      "reshard after forward",                                                                     \
      "Gathered weights are freed after a layer's forward; off (and in a pipeline always) all of " \
      "them stay.",                                                                                \
      "PyTorch FSDP2 (reshard_after_forward)")                                                     \
    X(framework, no_sync, BOOL, NONE, 0, 1, "false", CYCLE, P | B, none, fsdp,                     \
      "no-sync accumulation",                                                                      \
      "Micro batches accumulate whole gradients and reduce them at the last one.",                 \
      "Lightning Fabric, litgpt (no_backward_sync)")                                               \
    X(framework, mixed_units, BOOL, NONE, 0, 1, "false", CYCLE, P | B, none, fsdp, "mixed units",  \
      "Adapters and frozen weights share an FSDP1 unit: gradients exist for both.",                \
      "PyTorch FSDP1 (use_orig_params); litgpt #1417")                                             \
    X(framework, gradients_kept, BOOL, NONE, 0, 1, "false", CYCLE, P | B, none, fsdp,              \
      "gradients kept",                                                                            \
      "Gradients are zeroed, not freed: they exist during the forward pass too.",                  \
      "PyTorch (zero_grad, set_to_none=False), DeepSpeed")                                         \
    X(framework, unit_gradient_bytes, REAL, NONE, 0, 16, "6", ONE, P | B, none, fsdp,              \
      "unit gradient bytes",                                                                       \
      "Bytes a parameter of the one whole gradient in backward: itself and the fp32 copy that is " \
      "reduced.",                                                                                  \
      "PyTorch FSDP2 (reduce_dtype float32)")                                                      \
    X(framework, live_parameters, REAL, COUNT, 0, 1e15, "0", DECADE, P | B, none, fsdp,            \
      "live parameters",                                                                           \
      "Gathered parameters that ZeRO-3 lets stay on the GPU at least up to; 0 is no such limit.",  \
      "DeepSpeed (stage3_max_live_parameters)")                                                    \
    X(framework, load_whole, BOOL, NONE, 0, 1, "false", CYCLE, P | B, none, fsdp, "loads whole",   \
      "The loader puts the whole 16-bit model on each GPU before it is sharded.",                  \
      "PyTorch FSDP1 (wrapping a model on the GPU)")                                               \
    X(framework, frozen_bytes, REAL, NONE, 0, 16, "2", ONE, P | B, none, lora, "frozen bytes",     \
      "Bytes a parameter of a base that is frozen but not quantised (16-bit run).",                \
      "Hugging Face PEFT")                                                                         \
    X(framework, lifts_frozen, BOOL, NONE, 0, 1, "false", CYCLE, P | B, none, lora,                \
      "lifts to fp32",                                                                             \
      "k-bit preparation turns norms, embedding, head and the residual stream to fp32 (nf4 "       \
      "base).",                                                                                    \
      "Hugging Face PEFT (prepare_model_for_kbit_training)")                                       \
    X(framework, quantised_head, BOOL, NONE, 0, 1, "false", CYCLE, P | B, none, qlora,             \
      "quantised head", "The head is quantised too, and expanded whole for the loss.", "litgpt")   \
    X(framework, quantised_fp32, ENUM, NONE, 0, 0, "none", CYCLE, P | B, quantised_fp32, qlora,    \
      "fp32 beside 4-bit",                                                                         \
      "What stays in fp32 beside bitsandbytes linears: none, attention, or the whole layer.",      \
      "litgpt with bitsandbytes")                                                                  \
    X(framework, vocabulary_padding, INT, NONE, 1, 65536, "128", POW2, P, none, layered,           \
      "vocabulary padding", "The vocabulary is padded to a multiple of this times TP; 1 is none.", \
      "Megatron-LM argument checks")                                                               \
    X(framework, allocator, ENUM, NONE, 0, 0, "expandable", CYCLE, P | L, allocator, layered,      \
      "allocator", "Caching allocator: expandable segments or classic blocks.",                    \
      "measured runs: allocated, reserved and device")                                             \
    X(framework, stage_output_kept, BOOL, NONE, 0, 1, "false", CYCLE, P | B, none, layered,        \
      "stage output kept", "The pipeline engine keeps each live micro batch's stage output.",      \
      "208 measured Megatron rows")                                                                \
    X(framework, bucket_bytes, REAL, BYTES, 0, 1e12, "0", DECADE, P | B, none, layered,            \
      "bucket (bf16)", "Communication bucket held on the GPU in a bf16 run.",                      \
      "208 measured Megatron rows")                                                                \
    X(framework, bucket_bytes_fp16, REAL, BYTES, 0, 1e12, "auto", DECADE, A | P | B, none,         \
      layered, "bucket (fp16)", "The same in an fp16 run; auto is the bf16 value.",                \
      "208 measured Megatron rows")                                                                \
    X(framework, workspace, REAL, BYTES, 0, 1e12, "auto", DECADE, A | P | B, none, layered,        \
      "GEMM workspace",                                                                            \
      "Matmul workspaces of cuBLAS and Transformer Engine; auto is 0.1 GiB, 0 in the fsdp "        \
      "family.",                                                                                   \
      "208 measured Megatron rows")                                                                \
    X(framework, weight_gradient_scratch, BOOL, NONE, 0, 1, "false", CYCLE, P | B, none, layered,  \
      "weight-gradient scratch",                                                                   \
      "Transformer Engine >= 2.3 keeps one bf16 gradient for each distinct weight shape.",         \
      "208 measured Megatron rows")                                                                \
    X(framework, defer_embedding_gradient, BOOL, NONE, 0, 1, "false", CYCLE, P | B, none, layered, \
      "deferred embedding gradient",                                                               \
      "The embedding's weight gradient waits for the last micro batch: logits of all are kept.",   \
      "208 measured Megatron rows")                                                                \
    X(framework, stage_split, ENUM, NONE, 0, 0, "even", CYCLE, P | B, stage_split, layered,        \
      "stage split", "How layers that do not divide are dealt: even, or from the front.",          \
      "208 measured Megatron rows")                                                                \
    X(framework, moe_combine_kept, BOOL, NONE, 0, 1, "false", CYCLE, P | B, none, moe,             \
      "expert output kept",                                                                        \
      "Experts' output is kept for the weighted combine (Megatron-Core before 0.12).",             \
      "208 measured Megatron rows")                                                                \
    X(framework, recompute, ENUM, NONE, 0, 0, "none", CYCLE, P | B, recompute, layered,            \
      "default recompute", "Recompute of a scenario that gives none.",                             \
      "the framework's source and measured runs")                                                  \
    X(framework, zero, INT, NONE, 0, 3, "1", ONE, P | B, none, always, "default ZeRO",             \
      "ZeRO stage of a scenario that gives none.", "usual practice")                               \
    X(framework, max_zero, INT, NONE, 0, 3, "3", ONE, P | B, none, always, "highest ZeRO",         \
      "Highest ZeRO stage this framework has.", "Megatron-LM argument checks")                     \
    X(framework, max_zero_pipeline, INT, NONE, 0, 3, "3", ONE, P | B, none, always,                \
      "highest ZeRO with PP", "Highest ZeRO stage it has together with pipeline.",                 \
      "Megatron-LM argument checks")                                                               \
    X(framework, pipeline, BOOL, NONE, 0, 1, "true", CYCLE, P | B, none, always, "has pipeline",   \
      "The framework has pipeline parallelism.", "Megatron-LM argument checks")                    \
    X(framework, sequence_parallel, BOOL, NONE, 0, 1, "true", CYCLE, P | B, none, layered,         \
      "default SP", "Sequence parallelism is on by default when TP > 1.", "usual practice")        \
    X(framework, precision, ENUM, NONE, 0, 0, "bf16", CYCLE, P | B, precision, always,             \
      "default precision", "Precision of a scenario that gives none.",                             \
      "the framework's source and measured runs")                                                  \
    X(framework, attention_kernel, ENUM, NONE, 0, 0, "cudnn", CYCLE, P | B, attention_kernel,      \
      layered, "default attention kernel", "Attention kernel of a scenario that gives none.",      \
      "the framework's source and measured runs")                                                  \
    X(framework, hidden_dropout, REAL, SHARE, 0, 1, "0", PERCENT, P | B, none, layered,            \
      "default dropout", "Hidden and attention dropout of a scenario that gives none.",            \
      "the framework's source and measured runs")                                                  \
    X(framework, lengths, ENUM, NONE, 0, 0, "constant", CYCLE, P | B, lengths, layered,            \
      "default lengths",                                                                           \
      "Whether the lengths of a scenario that does not say vary from batch to batch.",             \
      "the framework's source and measured runs")                                                  \
    X(framework, expert_tensor, ENUM, NONE, 0, 0, "one", CYCLE, P | B, expert_tensor, moe,         \
      "default ETP", "Expert tensor parallel of a scenario that gives none: one, or as TP.",       \
      "the framework's source")                                                                    \
    X(framework, stream, REAL, NONE, 0.1, 100, "1", DECADE, P | B, none, layered, "stream factor", \
      "Bytes of streaming kernels over the fused minimum; it does not matter while the MFU is "    \
      "given.",                                                                                    \
      "659 measured step times")                                                                   \
    X(framework, tp_exposed, REAL, NONE, 0, 10, "0.4", DECADE, P | B, none, layered, "TP exposed", \
      "Share of tensor-parallel traffic that is not hidden; it does not matter while the MFU is "  \
      "given.",                                                                                    \
      "659 measured step times")                                                                   \
    X(framework, dp_exposed, REAL, NONE, 0, 10, "0.15", DECADE, P | B, none, layered,              \
      "DP exposed",                                                                                \
      "Share of data-parallel traffic that is not hidden; it does not matter while the MFU is "    \
      "given.",                                                                                    \
      "659 measured step times")                                                                   \
    X(framework, flash_generation, INT, NONE, 1, 4, "3", ONE, P | B, none, layered,                \
      "flash generation",                                                                          \
      "Generation of the flash kernel; it does not matter while the MFU is given.",                \
      "659 measured step times")                                                                   \
    X(framework, reduction_bytes, REAL, NONE, 1, 8, "2", ONE, P | B, none, layered,                \
      "reduction bytes",                                                                           \
      "Bytes a gradient on the wire; it does not matter while the MFU is given.",                  \
      "659 measured step times")                                                                   \
    X(framework, cuda_graphs, BOOL, NONE, 0, 1, "false", CYCLE, P | B | L, none, layered,          \
      "CUDA graphs",                                                                               \
      "Kernels are launched from captured graphs: half the CPU time a layer needs at least.",      \
      "659 measured step times")                                                                   \
    X(framework, step_error, REAL, SHARE, 0, 1, "25%", PERCENT, P | B, none, layered,              \
      "step error",                                                                                \
      "Error bar of step times estimated for this framework; 12 % where runs were compared.",      \
      "659 measured step times")                                                                   \
    X(framework, software_date, TEXT16, NONE, 0, 0, "2026-01", NONE, P | B, none, layered,         \
      "software date", "Month of the software; it does not matter while the MFU is given.",        \
      "usual practice")                                                                            \
    X(framework, validated, BOOL, NONE, 0, 1, "true", CYCLE, P | B, none, always,                  \
      "memory validated", "The preset's memory was compared with measured rows; else +-20 %.",     \
      "the framework's source and measured runs")                                                  \
    X(framework, textbook_activations, ENUM, NONE, 0, 0, "anyscale", CYCLE, M | P,                 \
      textbook_activations, textbook, "activation formula",                                        \
      "Which of the chapter's activation formulas is used.", "textbook chapter")

#define ACT_FIELDS_TRAINING(X)                                                                     \
    X(training, method, ENUM, NONE, 0, 0, "full", CYCLE, M, method, always, "method",              \
      "full training, LoRA, QLoRA (LoRA on a quantised base) or freeze (leading layers frozen).",  \
      "usual practice")                                                                            \
    X(training, frozen_layers, INT, NONE, 0, 1024, "0", ONE, 0, none, freeze, "frozen layers",     \
      "Leading layers (and the embedding) that are not trained.", "usual practice")                \
    X(training, lora_rank, INT, NONE, 1, 65536, "16", POW2, M, none, ranked, "LoRA rank",          \
      "Rank of the adapters: rank x (in + out) parameters a matrix.", "ZeRO, arXiv 1910.02054")    \
    X(training, lora_targets, ENUM, NONE, 0, 0, "all", CYCLE, 0, lora_targets, ranked,             \
      "LoRA targets",                                                                              \
      "Matrices that get an adapter: all linear ones, those of a part, or the head as well.",      \
      "Hugging Face PEFT (target_modules)")                                                        \
    X(training, lora_dropout, REAL, SHARE, 0, 1, "0", PERCENT, B, none, ranked, "LoRA dropout",    \
      "Dropout before the adapters: each then keeps its own input.",                               \
      "203 measured FSDP and HF rows")                                                             \
    X(training, adapter, ENUM, NONE, 0, 0, "lora", CYCLE, B, adapter, lora, "adapter",             \
      "lora, or LLaMA-Adapter: learned prompts (llama-adapter), with scales and biases (v2).",     \
      "Hu et al. 2021; Zhang et al. 2023, Gao et al. 2023; litgpt")                                \
    X(training, trained_embeddings, BOOL, NONE, 0, 1, "false", CYCLE, 0, none, lora_fsdp,          \
      "trained embeddings",                                                                        \
      "Embedding and head are trained whole beside the adapters: 11 bytes a parameter.",           \
      "Hugging Face PEFT (modules_to_save)")                                                       \
    X(training, quantisation, ENUM, NONE, 0, 0, "nf4", CYCLE, M, quantisation, qlora,              \
      "quantisation", "Storage of the frozen base.", "203 measured FSDP and HF rows")              \
    X(training, tokens, REAL, COUNT, 1, 1e18, "auto", DECADE, M | A, none, always, "tokens",       \
      "Training tokens in all; auto is 1T for full training, 100M for tuning.", "usual practice")  \
    X(training, sequence, INT, COUNT, 1, 1073741824, "4096", POW2, M, none, always, "sequence",    \
      "Tokens of one sequence; 4k is 4000, 4Ki is 4096.", "")                                      \
    X(training, document_length, INT, COUNT, 1, 1073741824, "auto", POW2, A | B, none, always,     \
      "document length", "Length of packed documents, limits attention; auto is the sequence.",    \
      "659 measured step times")                                                                   \
    X(training, lengths, ENUM, NONE, 0, 0, "auto", CYCLE, A | B, lengths, always, "lengths",       \
      "Whether sequence lengths vary from batch to batch (allocator slack); auto is the "          \
      "framework's.",                                                                              \
      "measured runs: allocated, reserved and device")                                             \
    X(training, micro_batch, INT, NONE, 1, 65536, "1", POW2, M | L, none, always, "micro batch",   \
      "Sequences of one forward pass on one replica.", "")                                         \
    X(training, global_batch, INT, COUNT, 1, 1073741824, "auto", POW2, M | A, none, always,        \
      "global batch", "Sequences of one optimizer step; auto is 1024, for tuning 16.",             \
      "usual practice")                                                                            \
    X(training, precision, ENUM, NONE, 0, 0, "auto", CYCLE, M | A | L, precision, always,          \
      "precision",                                                                                 \
      "Compute type: fp32, tf32, fp16, bf16, fp8 kinds, nvfp4; auto is the framework's.",          \
      "usual practice")                                                                            \
    X(training, optimizer, ENUM, NONE, 0, 0, "adamw", CYCLE, 0, optimizer, always, "optimizer",    \
      "Optimizer: decides the bytes of state a trained parameter.", "the framework's source")      \
    X(training, attention_kernel, ENUM, NONE, 0, 0, "auto", CYCLE, A | L, attention_kernel,        \
      layered, "attention kernel",                                                                 \
      "cudnn or flash keep no scores; math keeps them; auto is the framework's.",                  \
      "208 measured Megatron rows")                                                                \
    X(training, hidden_dropout, REAL, SHARE, 0, 1, "auto", PERCENT, A, none, layered,              \
      "hidden dropout",                                                                            \
      "Dropout on the residual branches: its masks are kept; auto is the "                         \
      "framework's.",                                                                              \
      "208 measured Megatron rows")                                                                \
    X(training, attention_dropout, REAL, SHARE, 0, 1, "auto", PERCENT, A, none, layered,           \
      "attention dropout", "Dropout on attention scores; auto is the framework's.",                \
      "208 measured Megatron rows")                                                                \
    X(training, deadline_days, REAL, DAYS, 0.001, 100000, "auto", DECADE, A, none, always,         \
      "deadline", "Days the training may take; auto is none. A check compares.", "")               \
    ACT_FIELDS_MEASURED(X)

#define ACT_FIELDS_PARALLEL(X)                                                                     \
    X(parallel, gpus, GPUS, NONE, 1, 1048576, "1", GPUS, M | L, none, always, "GPUs",              \
      "All GPUs: tensor x context x pipeline x data. Typing a count sets data.", "Megatron-LM")    \
    X(parallel, tensor, INT, NONE, 1, 1024, "1", TENSOR, M | L, none, always, "tensor TP",         \
      "Splits every layer over the GPUs of one node; must divide heads and FFN.",                  \
      "Megatron-LM argument checks")                                                               \
    X(parallel, sequence_parallel, BOOL, NONE, 0, 1, "auto", CYCLE, A | L, none, tp_layered,       \
      "sequence parallel SP",                                                                      \
      "Splits norms and dropout over the TP group too; auto is on when "                           \
      "TP > 1 where the framework does so.",                                                       \
      "usual practice")                                                                            \
    X(parallel, pipeline, INT, NONE, 1, 256, "1", PIPELINE, M | L, none, always, "pipeline PP",    \
      "Splits layers into stages; the first stage holds most micro batches.",                      \
      "Megatron-LM argument checks")                                                               \
    X(parallel, interleave, INT, NONE, 1, 64, "1", INTERLEAVE, M | L, none, pipelined_layered,     \
      "interleave VPP", "Virtual chunks a stage: a smaller bubble for more activations.",          \
      "Megatron-LM argument checks")                                                               \
    X(parallel, schedule, ENUM, NONE, 0, 0, "1f1b", CYCLE, 0, schedule, pipelined_layered,         \
      "schedule", "Pipeline schedule: how many micro batches are alive on a stage.",               \
      "208 measured Megatron rows")                                                                \
    X(parallel, context, INT, NONE, 1, 4096, "1", POW2, M | L, none, layered, "context CP",        \
      "Splits the sequence over GPUs; for long context.", "Megatron-LM argument checks")           \
    X(parallel, expert, INT, NONE, 1, 65536, "1", EXPERT, M | L, none, moe, "expert EP",           \
      "Spreads the experts over GPUs of the data-parallel group.", "Megatron-LM argument checks")  \
    X(parallel, expert_tensor, INT, NONE, 1, 1024, "auto", POW2, A | L, none, moe, "expert TP",    \
      "Tensor parallel inside one expert (ETP); auto is the framework's.",                         \
      "the framework's source")                                                                    \
    X(parallel, data, INT, NONE, 1, 1048576, "1", DATA, M, none, always, "data DP",                \
      "Replicas that see different sequences.", "Megatron-LM")                                     \
    X(parallel, zero, INT, NONE, 0, 3, "auto", ONE, M | A | L, none, always, "ZeRO",               \
      "What data parallel shards: 1 optimizer, 2 gradients too, 3 weights too.",                   \
      "ZeRO, arXiv 1910.02054")                                                                    \
    X(parallel, shard_group, INT, NONE, 1, 1048576, "auto", POW2, A | B, none, always,             \
      "shard group",                                                                               \
      "Ranks over which dense state is sharded (HSDP, optimizer instances); "                      \
      "auto is data x context.",                                                                   \
      "Megatron-LM, FSDP2")                                                                        \
    X(parallel, layers_per_stage, LIST, NONE, 0, 1024, "auto", NONE, A, none, pipelined,           \
      "layers per stage", "Layers of each stage, or of each chunk in order; auto deals evenly.",   \
      "208 measured Megatron rows")                                                                \
    X(parallel, embedding_slot, BOOL, NONE, 0, 1, "false", CYCLE, B, none, pipelined_layered,      \
      "embedding is a slot", "The embedding counts as a layer when layers are dealt to stages.",   \
      "Megatron-LM argument checks")                                                               \
    X(parallel, loss_slot, BOOL, NONE, 0, 1, "false", CYCLE, B, none, pipelined_layered,           \
      "loss is a slot", "The head and loss count as a layer when layers are dealt to stages.",     \
      "Megatron-LM argument checks")                                                               \
    X(parallel, recompute, ENUM, NONE, 0, 0, "auto", CYCLE, M | A | L, recompute, always,          \
      "recompute",                                                                                 \
      "Activations computed again in backward instead of kept; full keeps a layer's input only.",  \
      "arXiv 2205.05198 and measured runs")                                                        \
    X(parallel, recompute_modules, SET, NONE, 0, 0, "layernorm", CYCLE, 0, recompute_modules,      \
      recompute_modules, "recomputed modules", "Parts of a layer that recompute: modules drops.",  \
      "208 measured Megatron rows")                                                                \
    X(parallel, recompute_layers, INT, NONE, 1, 1024, "auto", ONE, A | L, none, recompute_layers,  \
      "recomputed layers",                                                                         \
      "first-n: how many layers of a chunk (auto 1); alternate: every n-th layer (auto 2).",       \
      "arXiv 2205.05198 and measured runs")                                                        \
    X(parallel, moe_imbalance, REAL, NONE, 1, 64, "1.1", TENTH, 0, none, moe, "MoE imbalance",     \
      "Rows of the busiest rank over the mean; 1 where balance is forced.",                        \
      "208 measured Megatron rows")                                                                \
    X(parallel, moe_dispatcher, ENUM, NONE, 0, 0, "all-to-all", CYCLE, 0, moe_dispatcher, moe,     \
      "MoE dispatcher", "How tokens reach their experts: all-to-all or all-gather.",               \
      "208 measured Megatron rows")                                                                \
    X(parallel, activation_offload, BOOL, NONE, 0, 1, "false", CYCLE, 0, none, fsdp,               \
      "activation offload", "What is kept for backward waits in host memory.",                     \
      "torchtune (enable_activation_offloading)")                                                  \
    X(parallel, offload, ENUM, NONE, 0, 0, "none", CYCLE, L, offload, always, "offload",           \
      "States kept in host memory: none, optimizer, optimizer+weights.", "ZeRO, arXiv 1910.02054")

#define ACT_FIELDS(X)                                                                              \
    ACT_FIELDS_SCENARIO(X)                                                                         \
    ACT_FIELDS_MODEL(X)                                                                            \
    ACT_FIELDS_TRAINING(X)                                                                         \
    ACT_FIELDS_FRAMEWORK(X)                                                                        \
    ACT_FIELDS_PARALLEL(X)                                                                         \
    ACT_FIELDS_HARDWARE(X)                                                                         \
    ACT_FIELDS_CALIBRATION(X)                                                                      \
    ACT_FIELDS_COST(X)

#endif
