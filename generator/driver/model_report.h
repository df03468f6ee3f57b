// What a compiled model costs: memory step by step, weights, arithmetic, and, where it was
// measured, code and stack.
#ifndef LATHE_DRIVER_MODEL_REPORT_H_
#define LATHE_DRIVER_MODEL_REPORT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "generator/driver/generate_model.h"
#include "generator/driver/measure_code.h"

namespace lathe::driver {

// What is not known is nothing, never 0.
struct StepReport {
  std::string name;    // what it computes: "lv2"
  std::string op;      // "relax.matmul", "copy", "call of power"
  std::string kernel;  // "net_matmul1"; empty where the step is no kernel
  std::string form;    // of the library of kernels, "tiles 6x64"; empty where it is plain loops
  std::optional<int64_t> macs;
  int64_t weights = 0;          // bytes of constants that it reads
  std::optional<int64_t> live;  // bytes of the arena in use
  std::optional<int64_t> code;  // bytes of the kernel
  bool inlined = false;         // the compiler put it into its callers, whose size has it
};
// When most of a pool is in use.
struct PeakReport {
  std::string pool;
  int64_t bytes = 0;
  int step = 0;
  std::vector<std::string> owners;  // "lv2 8192", largest first
  std::string timeline;
};
struct RoutineReport {
  std::string name;
  std::vector<StepReport> steps;
  int64_t ram = 0;
  int64_t lower_bound = 0;
  bool open = false;              // needs more: what sizes and recursion take
  std::vector<PeakReport> peaks;  // one for each pool
};
// Memory that a program sets aside for a model, in bytes.
struct RamReport {
  int64_t arena = 0;                // or the pools together
  int64_t inputs = 0, outputs = 0;  // of the exported function that has most of both
  int64_t instance = 0;             // the struct that init fills
  bool open = false;                // sizes of inputs or outputs are known when it runs
  int64_t total() const { return arena + inputs + outputs + instance; }
};
struct ModelReport {
  bool on_gpus = false;                 // memory is that of workspaces, and there is no flash
  int64_t launches = 0;                 // of their kernels
  std::vector<RoutineReport> routines;  // those that are exported, and those they call
  std::vector<plan::PoolUse> pools;     // empty: one arena
  RamReport ram;
  int64_t lower_bound = 0;  // of the arena
  bool open = false;        // the arena needs more, as for a routine
  int64_t weights = 0;
  std::optional<int64_t> macs;  // of all exported routines; nothing when a step's is not known
  std::optional<CodeMeasures> measures;
  std::vector<std::string> serial;  // kernels that leave much to one thread of a GPU
};

ModelReport MakeModelReport(const GeneratedModel& model, const Target& target,
                            std::optional<CodeMeasures> measures);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_MODEL_REPORT_H_
