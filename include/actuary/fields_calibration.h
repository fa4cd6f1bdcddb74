/* Rows of the one table of fields (fields.h) on a run that was measured: what it showed, and how
 * its figures correct the estimates (calibrate.h). */
#ifndef ACTUARY_FIELDS_CALIBRATION_H
#define ACTUARY_FIELDS_CALIBRATION_H

/* Of the training group: figures of one run. Setting one pins it on the layout of that moment. */
#define ACT_FIELDS_MEASURED(X)                                                                     \
    X(training, measured_step_seconds, REAL, SECONDS, 1e-6, 1e7, "auto", NONE, A, none, layered,   \
      "measured step",                                                                             \
      "Seconds of one optimizer step of a run on this layout; estimated steps then take "          \
      "calibration.time_factor times as long. Del forgets it.",                                    \
      "your training log")                                                                         \
    X(training, measured_tokens_per_second_per_gpu, REAL, COUNT, 1e-6, 1e12, "auto", NONE, A,      \
      none, layered, "measured tokens/s/GPU",                                                      \
      "Tokens a second and GPU of a run on this layout, in place of its step time.",               \
      "your training log")                                                                         \
    X(training, measured_peak, REAL, BYTES, 1e6, 1e15, "auto", NONE, A, none, always,              \
      "measured peak",                                                                             \
      "Peak memory of the fullest GPU of a run on this layout, by calibration.counter; all but "   \
      "context is then calibration.memory_factor times as large. Del forgets it.",                 \
      "your training log")

#define ACT_FIELDS_CALIBRATION(X)                                                                  \
    X(calibration, time_factor, REAL, NONE, 0.1, 10, "auto", NONE, A, none, layered,               \
      "time factor",                                                                               \
      "Measured over estimated step time: estimated steps of every layout take this many times "   \
      "as long. auto is 1; a given MFU is not touched.",                                           \
      "a measured run")                                                                            \
    X(calibration, memory_factor, REAL, NONE, 0.1, 10, "auto", NONE, A, none, always,              \
      "memory factor",                                                                             \
      "Measured over estimated memory: all but context is this many times as large in every "      \
      "layout. auto is 1.",                                                                        \
      "a measured run")                                                                            \
    X(calibration, counter, ENUM, NONE, 0, 0, "device", CYCLE, 0, counter, always,                 \
      "counter of the peak",                                                                       \
      "What the measured peak counts: allocated or reserved by the framework's allocator, or the " \
      "device's own figure (nvidia-smi).",                                                         \
      "torch.cuda.max_memory_allocated, max_memory_reserved; nvidia-smi")                          \
    X(calibration, from, TEXT128, NONE, 0, 0, "", NONE, 0, none, always, "run",                    \
      "Layout, date and source of the measured run.", "")                                          \
    X(calibration, memory_from, TEXT128, NONE, 0, 0, "", NONE, 0, none, always, "memory's run",    \
      "The run of the memory factor, where it is not that of the step.", "")

#endif
