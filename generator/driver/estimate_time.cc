#include "generator/driver/estimate_time.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "generator/target/core_timing.h"

namespace lathe::driver {
namespace {

std::optional<double> ElementsOf(const ModelReport& report, const std::vector<ir::TensorId>& ids) {
  double sum = 0;
  for (ir::TensorId id : ids) {
    double elements = 1;
    for (const std::string& size : report.tensors[id].shape) {
      int64_t number = 0;
      if (!absl::SimpleAtoi(size, &number)) return std::nullopt;
      elements *= static_cast<double>(number);
    }
    sum += elements;
  }
  return sum;
}

std::optional<double> InstructionsOf(const ModelReport& report, const StepReport& step,
                                     const CoreTiming& core) {
  if (step.kernel.empty()) return 0;
  const std::optional<double> written = ElementsOf(report, step.flow.writes);
  const std::optional<double> read = ElementsOf(report, step.flow.reads);
  if (!step.macs || !written || !read) return std::nullopt;
  const double macs = static_cast<double>(*step.macs);
  const auto cost = [&](const WorkCost& of, double count) {
    return of.for_each * count + of.for_result * *written;
  };
  if (macs == 0) {
    // Some operators, such as a sort, store more often than they read different elements.
    const double elements = std::max(*read, static_cast<double>(*step.stores));
    return cost(step.floats.empty() ? core.integer_element : core.float_element, elements);
  }
  if (!step.floats.empty()) return cost(core.float_product, macs);
  const bool depthwise =
      absl::StrContains(step.op, "depthwise") || absl::StrContains(step.kernel, "depthwise");
  return cost(depthwise ? core.depthwise_product : core.integer_product, macs);
}

}  // namespace

TimeEstimate EstimateTime(const ModelReport& report, const CommonBoard& board) {
  const CoreTiming* core = FindCoreTiming(board.core);
  if (core == nullptr) {
    return {std::nullopt, absl::StrCat("no published figures for ", board.core)};
  }
  double instructions = 0;
  for (const RoutineReport& routine : report.routines) {
    for (const StepReport& step : routine.steps) {
      const std::optional<double> one = InstructionsOf(report, step, *core);
      if (!one) return {std::nullopt, "the work of a step depends on sizes or data"};
      instructions += *one;
    }
  }
  const double at_one_cycle = instructions / (board.mhz * 1000.0);
  return {TimeRange{at_one_cycle * core->low(), at_one_cycle * core->high()}, ""};
}

}  // namespace lathe::driver
