// Describes a compiled model: its steps with their tensors, memory by step, weights, arithmetic,
// and, if measured, code and stack.
#ifndef LATHE_DRIVER_MODEL_REPORT_H_
#define LATHE_DRIVER_MODEL_REPORT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "generator/driver/generate_model.h"
#include "generator/driver/measure_code.h"
#include "generator/driver/step_flow.h"

namespace lathe::driver {

// Unknown numbers are nullopt, not 0.
struct TensorReport {
  std::string name;
  std::string dtype;
  std::vector<std::string> shape;  // "16", "n"
  std::optional<int64_t> bytes;    // for symbolic sizes the upper bound
  std::optional<ir::Scale> scale;  // of a quantized input or output
};
struct StepReport {
  std::string name;    // the result: "lv2"
  std::string op;      // "relax.matmul", "copy", "call of power"
  std::string kernel;  // "net_matmul1"; empty for other steps
  std::string form;    // library form, "tiles 6x64"; empty for plain loops
  std::string floats;  // the widest floating-point type in which it computes; empty: none
  // Multiply-accumulate operations; of a call, those of the routine. The steps of a branch have
  // their own.
  std::optional<int64_t> macs;
  // Stores that its loops execute; nullopt if they depend on sizes or data.
  std::optional<int64_t> stores = 0;
  int64_t weights = 0;          // bytes of constants read
  std::optional<int64_t> live;  // bytes of the arena in use
  std::optional<int64_t> code;  // bytes of the kernel
  bool inlined = false;         // its code is part of its callers
  std::string origin;           // the bindings that it computes, one per line; or empty
  std::string place;            // in the source: "line 12", "node 'conv1' (Conv, #3)"; or empty
  std::string node;             // name of the node of a binary model; or empty
  ir::KernelId kernel_id;       // invalid for other steps
  ir::RoutineId callee;         // of a call; invalid for other steps
  bool calls_external = false;  // it calls functions that are not kernels of the model
  // Of a branch: the steps after it that are its sides, then and else.
  size_t then_steps = 0, else_steps = 0;
  StepFlow flow;
};
// A tensor or the frame of a call in the arena or a pool.
struct BufferReport {
  std::string name;
  size_t pool = 0;
  int64_t offset = 0;
  int64_t bytes = 0;
  int first = 0, last = 0;  // the steps that use it
};
// The step with the most live bytes of a pool.
struct PeakReport {
  std::string pool;
  int64_t bytes = 0;
  int step = 0;
  std::vector<std::string> owners;  // "lv2 8192", largest first
  int64_t shared = 0;               // bytes that overlaps count more than once in `owners`
  std::string timeline;
};
// Returns "lv1 64, lv2 64; overlapping by 16 bytes": the owners add up to `bytes` and the overlaps.
std::string OwnersText(const PeakReport& peak);

struct RoutineReport {
  std::string name;
  std::vector<StepReport> steps;
  int64_t ram = 0;
  int64_t lower_bound = 0;
  bool open = false;  // needs more for dynamic sizes or recursion
  bool exported = false;
  bool repeats = false;  // loops or calls itself
  std::vector<ir::TensorId> inputs, outputs;
  std::vector<BufferReport> buffers;
  std::vector<PeakReport> peaks;  // one for each pool
};
// Memory that an application reserves for a model, in bytes.
struct RamReport {
  int64_t arena = 0;                // or all pools
  int64_t inputs = 0, outputs = 0;  // of the exported function with the largest sum of both
  int64_t state = 0;                // the variables that live between runs
  int64_t instance = 0;             // the struct that init fills
  bool open = false;                // inputs or outputs have dynamic sizes
  int64_t total() const { return arena + inputs + outputs + state + instance; }
};
struct ModelReport {
  bool on_gpus = false;                      // workspaces instead of an arena, no flash
  int64_t launches = 0;                      // of GPU kernels
  std::vector<RoutineReport> routines;       // exported routines and their callees
  std::vector<ir::RoutineId> callees_first;  // the routines, callees before their callers
  IdVector<ir::TensorId, TensorReport> tensors;
  std::vector<plan::PoolUse> pools;  // empty: one arena
  RamReport ram;
  int64_t lower_bound = 0;  // of the arena
  bool open = false;        // the arena needs more for dynamic sizes or recursion
  int64_t weights = 0;
  // One run of each exported routine, with the routines that it calls and the larger side of each
  // branch; nullopt if unknown for a step.
  std::optional<int64_t> macs;
  std::optional<CodeMeasures> measures;
  std::vector<std::string> serial;  // kernels with much work on a single GPU thread
};

// Returns the bytes of `share` in use in each of the `steps` steps of its routine. Bytes that live
// tensors share count once.
std::vector<int64_t> BytesInUse(const plan::Share& share, size_t steps);

// Returns the report on `model`. `measures` are those of its compiled files.
ModelReport MakeModelReport(const GeneratedModel& model, const Target& target,
                            std::optional<CodeMeasures> measures);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_MODEL_REPORT_H_
