// Explains the largest use of each memory: the tensors alive in that step, and the changes that
// would lower it. Every number is of a plan that the planner computed.
#ifndef LATHE_DRIVER_EXPLAIN_PEAK_H_
#define LATHE_DRIVER_EXPLAIN_PEAK_H_

#include <cstdint>
#include <string>
#include <vector>

#include "generator/driver/generate_model.h"
#include "generator/driver/model_report.h"
#include "generator/target/target.h"

namespace lathe::driver {

// A tensor, or the frame of a call, alive in the peak.
struct PeakTensor {
  std::string name;
  std::string type;  // "int8 [1, 25, 5, 64]"; empty for a frame
  int64_t bytes = 0;
  int64_t offset = 0;
  int first = 0, last = 0;  // the steps that use it
  bool scratch = false;     // memory that one step uses alone
  // Other tensors of the peak that share bytes with it: "8000 B of 'lv1'".
  std::vector<std::string> shares;
};

// A change of the kernels or of the order of uses, and the size of the memory after it.
struct PeakChange {
  std::string kind;  // "in-place", "scratch", "idle"
  std::string what;  // "step 1 writes 'lv2' over 'lv1'; now ..."
  int64_t bytes = 0;
};

// A plan with a second memory: the options, and what each memory holds then.
struct PoolChoice {
  int64_t fast = 0;
  int64_t slow = 0;
};

struct PeakExplanation {
  std::string routine;
  std::string pool;         // "arena", or a pool of --pool
  int64_t size = 0;         // of the packed memory
  int64_t lower_bound = 0;  // of every plan for these steps and kernels
  bool open = false;        // dynamic sizes and recursion need more
  int64_t bytes = 0;        // in use at the peak
  std::vector<int> steps;   // with this use
  std::vector<PeakTensor> tensors;
  std::vector<PeakChange> changes;  // that lower the size, best first
  std::vector<PoolChoice> pools;    // for a single arena
};

// Returns the explanation of each memory, for the exported function that uses most of it. Memories
// without tensors are omitted. `report` is of `model`, which is compiled for C.
std::vector<PeakExplanation> ExplainPeaks(const GeneratedModel& model, const ModelReport& report,
                                          const Target& target);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_EXPLAIN_PEAK_H_
