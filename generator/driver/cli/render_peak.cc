#include "generator/driver/cli/render_peak.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "generator/driver/view/group_digits.h"

namespace lathe::driver {
namespace {

constexpr size_t kMaxPeakSteps = 12;

// Returns "step 1: depthwise_conv2d, node 'dw1' (DEPTHWISE_CONV_2D, #1), kernel net_conv".
std::string DescribeStep(const RoutineReport& routine, int number) {
  const StepReport& step = routine.steps[static_cast<size_t>(number)];
  return absl::StrCat("step ", number, ": ", step.op,
                      step.place.empty() ? "" : absl::StrCat(", ", step.place),
                      step.kernel.empty() ? "" : absl::StrCat(", kernel ", step.kernel));
}

std::string UseOf(const PeakTensor& tensor) {
  std::string use = tensor.scratch ? absl::StrCat("scratch memory of step ", tensor.first)
                    : tensor.first == tensor.last ? absl::StrCat("in step ", tensor.first)
                                                  : absl::StrCat("written by step ", tensor.first,
                                                                 ", used until step ", tensor.last);
  if (!tensor.shares.empty()) {
    absl::StrAppend(&use, "; shares ", absl::StrJoin(tensor.shares, ", "));
  }
  return use;
}

void AppendTensors(const PeakExplanation& peak, std::string& out) {
  absl::StrAppendFormat(&out, "%12s %12s  tensor\n", "bytes", "offset");
  for (const PeakTensor& tensor : peak.tensors) {
    absl::StrAppendFormat(
        &out, "%12s %12s  %s%s, %s\n", GroupDigits(tensor.bytes), GroupDigits(tensor.offset),
        tensor.name, tensor.type.empty() ? "" : absl::StrCat(": ", tensor.type), UseOf(tensor));
  }
}

void AppendChanges(const PeakExplanation& peak, std::string& out) {
  if (peak.changes.empty()) {
    out +=
        "no single change lowers it: neither computing in place, nor without scratch memory, nor "
        "without waiting tensors\n";
  } else {
    out += "kernels or orders of uses that would lower it, each as the planner packs it:\n";
  }
  for (const PeakChange& change : peak.changes) {
    absl::StrAppendFormat(&out, "%12s B  %s less  %s\n", GroupDigits(change.bytes),
                          GroupDigits(peak.size - change.bytes), change.what);
  }
  if (peak.pools.empty()) return;
  out += "options for two memories, each smaller than the arena:\n";
  for (const PoolChoice& pool : peak.pools) {
    absl::StrAppendFormat(&out, "%12s B  --pool fast:%d --pool slow:%d, together %s B\n",
                          GroupDigits(pool.fast), pool.fast, pool.slow,
                          GroupDigits(pool.fast + pool.slow));
  }
}

}  // namespace

std::string RenderPeaks(const std::vector<PeakExplanation>& peaks, const ModelReport& report) {
  if (peaks.empty()) {
    return report.open
               ? "peak   the tensors in the arena have dynamic sizes; -D n=LOW..HIGH bounds "
                 "a size n\n"
               : "peak   no tensor is in the arena\n";
  }
  std::string out;
  for (const PeakExplanation& peak : peaks) {
    const auto routine =
        std::find_if(report.routines.begin(), report.routines.end(),
                     [&](const RoutineReport& r) { return r.name == peak.routine; });
    const size_t others = peak.steps.size() - 1;
    const size_t named = std::min(others, kMaxPeakSteps);
    absl::StrAppend(&out, "peak of ", peak.routine, " in the ",
                    peak.pool == "arena" ? "arena" : absl::StrCat("pool ", peak.pool), ": ",
                    GroupDigits(peak.bytes), " B in use; it takes ", GroupDigits(peak.size),
                    " B (lower bound ", GroupDigits(peak.lower_bound), ")",
                    peak.open ? " and memory for dynamic sizes and recursion" : "", "\n",
                    DescribeStep(*routine, peak.steps[0]), "\n");
    if (others > 0) {
      absl::StrAppend(&out, "as many bytes in ", others == 1 ? "step " : "steps ",
                      absl::StrJoin(peak.steps.begin() + 1,
                                    peak.steps.begin() + 1 + static_cast<int64_t>(named), ", "),
                      others > named ? absl::StrCat(" and ", others - named, " more") : "", "\n");
    }
    AppendTensors(peak, out);
    AppendChanges(peak, out);
    out += "\n";
  }
  return out;
}

}  // namespace lathe::driver
