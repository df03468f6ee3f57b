#include "generator/driver/cli/render_report.h"

#include <algorithm>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "generator/driver/view/group_digits.h"

namespace lathe::driver {
namespace {

std::string Shown(const std::optional<int64_t>& number) {
  return number ? GroupDigits(*number) : "?";
}

std::string Cut(std::string text, size_t width) {
  if (text.size() > width) text = text.substr(0, width - 2) + "..";
  return text;
}

// Drops the middle: names of neighboring layers differ at their ends.
std::string CutMiddle(const std::string& text, size_t width) {
  if (text.size() <= width) return text;
  const size_t tail = (width - 2) / 2;
  return absl::StrCat(text.substr(0, width - 2 - tail), "..", text.substr(text.size() - tail));
}

constexpr size_t kKernelBytes = 40, kStepBytes = 30;  // of a name

// Returns "net_matmul", or "net_matmul: tiles 6x64" for a kernel with a library form.
std::string KernelText(const StepReport& step) {
  const std::string kernel = CutMiddle(step.kernel, kKernelBytes);
  return step.form.empty() ? kernel : absl::StrCat(kernel, ": ", step.form);
}

// Explains the question marks of a table.
void AppendLegend(const RoutineReport& routine, bool on_gpus, std::string& out) {
  const auto any = [&](const auto& is_unknown) {
    return absl::c_any_of(routine.steps, is_unknown);
  };
  std::vector<absl::string_view> reasons;
  if (any([](const StepReport& s) { return !s.macs || !s.live; })) {
    reasons.push_back("depends on dynamic sizes");
  }
  if (!on_gpus &&
      any([](const StepReport& s) { return !s.kernel.empty() && !s.inlined && !s.code; })) {
    reasons.push_back("code is measured with --cc");
  }
  if (reasons.empty()) return;
  absl::StrAppend(&out, "   ?  not known: ", absl::StrJoin(reasons, "; "), "\n");
}

void AppendSteps(const RoutineReport& routine, bool on_gpus, std::string& out) {
  size_t name = 14, op = 2, kernel = 6;
  for (const StepReport& step : routine.steps) {
    name = std::max(name, std::min(step.name.size(), kStepBytes));
    op = std::max(op, std::min<size_t>(step.op.size(), 34));
    kernel = std::max(kernel, KernelText(step).size());
  }
  const int name_width = static_cast<int>(name), op_width = static_cast<int>(op);
  const int kernel_width = static_cast<int>(kernel);
  absl::StrAppendFormat(&out, "   #  %-*s %-*s %-*s %12s %10s %10s %8s\n", name_width, "step",
                        op_width, "op", kernel_width, "kernel", "MACs", "weights", "live RAM",
                        "code");
  for (size_t i = 0; i < routine.steps.size(); ++i) {
    const StepReport& s = routine.steps[i];
    std::string peaks;
    for (const PeakReport& peak : routine.peaks) {
      if (peak.bytes == 0 || static_cast<size_t>(peak.step) != i) continue;
      absl::StrAppend(&peaks, "  <-- peak", routine.peaks.size() > 1 ? " of " : "",
                      routine.peaks.size() > 1 ? peak.pool : "");
    }
    absl::StrAppendFormat(&out, "%4d  %-*s %-*s %-*s %12s %10s %10s %8s%s\n", i, name_width,
                          CutMiddle(s.name, name), op_width, Cut(s.op, op), kernel_width,
                          KernelText(s), Shown(s.macs), GroupDigits(s.weights), Shown(s.live),
                          s.kernel.empty() ? ""
                          : s.inlined      ? "inlined"
                                           : Shown(s.code),
                          peaks);
  }
  AppendLegend(routine, on_gpus, out);
}

// Renders the totals for GPUs, which have neither an arena nor flash.
std::string TotalsOnGpus(const ModelReport& report) {
  std::string out;
  const auto line = [&](absl::string_view what, const std::string& takes) {
    absl::StrAppendFormat(&out, "%-10s %s\n", what, takes);
  };
  const auto bound = [](int64_t lower) {
    return absl::StrCat("  (lower bound ", GroupDigits(lower), ")");
  };
  if (report.pools.empty()) {
    line("workspace", absl::StrCat(GroupDigits(report.ram.arena), " B",
                                   report.open ? " and memory for dynamic sizes, see workspace_size"
                                               : bound(report.lower_bound)));
  }
  for (const plan::PoolUse& pool : report.pools) {
    line("workspace",
         absl::StrCat(GroupDigits(pool.size), " B on ", pool.name,
                      report.open ? " and memory for dynamic sizes" : bound(pool.lower_bound)));
  }
  line("weights", absl::StrCat(GroupDigits(report.weights), " B"));
  line("launches", GroupDigits(report.launches));
  if (report.macs) line("MACs", GroupDigits(*report.macs));
  if (!report.serial.empty()) {
    constexpr size_t kMaxNamed = 8;
    std::vector<std::string> named = report.serial;
    named.resize(std::min(named.size(), kMaxNamed));
    const size_t others = report.serial.size() - named.size();
    line("slow", absl::StrCat("a single GPU thread computes ", absl::StrJoin(named, ", "),
                              others > 0 ? absl::StrCat(" and ", others, " more") : ""));
  }
  return out;
}

// Says why a step of a quantized model computes in floating point.
absl::string_view ReasonForFloats(const StepReport& step) {
  const std::vector<absl::string_view> ops = absl::StrSplit(step.op, " + ");
  const auto converts = [](absl::string_view op) {
    return op == "quantize" || op == "dequantize" || op == "relax.quantize" ||
           op == "relax.dequantize";
  };
  if (absl::c_all_of(ops, converts)) return "converts";
  return absl::c_any_of(ops, converts) ? "no integer form" : "float data";
}

// Names the steps of a quantized model that do not compute in integers.
std::string FloatSteps(const RoutineReport& routine) {
  constexpr size_t kMaxNamed = 8;
  std::vector<std::string> named;
  for (size_t i = 0; i < routine.steps.size(); ++i) {
    const StepReport& s = routine.steps[i];
    if (s.floats.empty()) continue;
    named.push_back(absl::StrCat("#", i, " ", Cut(s.op, 34), " (", ReasonForFloats(s), ")"));
  }
  const size_t count = named.size();
  if (count == 0) return "floats no step computes in floating point\n";
  named.resize(std::min(count, kMaxNamed));
  return absl::StrCat("floats ", count, " of ", routine.steps.size(),
                      " steps compute in floating point: ", absl::StrJoin(named, ", "),
                      count > kMaxNamed ? absl::StrCat(" and ", count - kMaxNamed, " more") : "",
                      "\n");
}

}  // namespace

std::string RenderTotals(const ModelReport& report, const std::string& measured_with) {
  if (report.on_gpus) return TotalsOnGpus(report);
  const RamReport& ram = report.ram;
  const char* more = "memory for dynamic sizes and recursion (-D n=LOW..HIGH bounds sizes)";
  std::string out = absl::StrCat(
      "RAM    ", GroupDigits(ram.total()), " B", ram.open || report.open ? " and an open part" : "",
      " = arena ", GroupDigits(ram.arena), " + inputs ", GroupDigits(ram.inputs), " + outputs ",
      GroupDigits(ram.outputs),
      ram.state > 0 ? absl::StrCat(" + state ", GroupDigits(ram.state)) : "", " + instance ",
      GroupDigits(ram.instance), "\n");
  if (ram.open) {
    absl::StrAppend(
        &out, "       open: inputs or outputs of dynamic size (-D n=LOW..HIGH bounds them)\n");
  }
  absl::StrAppend(&out, "arena  ");
  if (report.open && ram.arena == 0) {
    absl::StrAppend(&out, more, "\n");
  } else {
    absl::StrAppend(&out, GroupDigits(ram.arena), " B", report.open ? " and " : "",
                    report.open ? more : "", "  (lower bound ", GroupDigits(report.lower_bound),
                    ", gap ", GroupDigits(ram.arena - report.lower_bound), ")\n");
  }
  size_t width = 0;
  for (const plan::PoolUse& pool : report.pools) width = std::max(width, pool.name.size());
  for (const plan::PoolUse& pool : report.pools) {
    // The memories of devices have no limit.
    const bool limited = pool.limit > 0;
    absl::StrAppendFormat(&out, "%s %-*s %s%s B  (lower bound %s; tensors %d)\n",
                          limited ? "pool  " : "device", static_cast<int>(width), pool.name,
                          GroupDigits(pool.size),
                          limited ? absl::StrCat(" of ", GroupDigits(pool.limit)) : "",
                          GroupDigits(pool.lower_bound), pool.tensors);
  }
  if (const auto& m = report.measures) {
    const machine::ObjectSizes& sizes = m->sizes;
    absl::StrAppend(&out, "flash  ", GroupDigits(m->flash()), " B = weights ",
                    GroupDigits(m->weights), " + code ", GroupDigits(sizes.text), " + tables ",
                    GroupDigits(m->flash() - m->weights - sizes.text),
                    "  (measured: ", measured_with, ")\n");
    absl::StrAppend(&out, "stack  ",
                    m->stack ? absl::StrCat(GroupDigits(*m->stack), " B")
                             : absl::StrCat("no bound; ", GroupDigits(m->stack_known),
                                            " B without unbounded parts"),
                    m->stack_path.empty() ? "" : absl::StrCat("  (", m->stack_path, ")"), "\n");
    for (const std::string& why : m->stack_unbounded) {
      absl::StrAppend(&out, "       no bound: ", why, "\n");
    }
  } else {
    absl::StrAppend(&out, "flash  ", GroupDigits(report.weights),
                    " B of weights; --cc measures the code\n");
  }
  absl::StrAppend(&out, "MACs   ", Shown(report.macs), "\n");
  return out;
}

std::string RenderStream(const StreamReport& report, std::optional<int64_t> macs) {
  std::string out = "stream ";
  for (const StreamedInputReport& input : report.inputs) {
    absl::StrAppend(&out, &input == &report.inputs[0] ? "" : "       ", DescribeInput(input), "\n");
  }
  if (report.window_macs && macs) {
    absl::StrAppend(&out, "       ", GroupDigits(*macs), " MACs for each step, ",
                    GroupDigits(*report.window_macs), " for the window\n");
  }
  if (report.pads_at_start) {
    absl::StrAppend(&out, "       layers pad along time before the first frame only\n");
  }
  if (!report.from_windows.empty()) {
    absl::StrAppend(&out, "       from the whole window in each step: ",
                    absl::StrJoin(report.from_windows, ", "), "\n");
  }
  return out;
}

std::string RenderReport(const CompiledModel& compiled, const ModelReport& report,
                         const std::string& measured_with) {
  std::string out;
  for (const RoutineReport& routine : report.routines) {
    absl::StrAppend(&out, routine.name, "\n");
    AppendSteps(routine, report.on_gpus, out);
    for (const PeakReport& peak : routine.peaks) {
      if (peak.owners.empty()) continue;
      absl::StrAppend(&out, "peak   ", GroupDigits(peak.bytes), " B at step ", peak.step,
                      routine.peaks.size() > 1 ? absl::StrCat(" in ", peak.pool) : "", ": ",
                      OwnersText(peak), "\n", peak.timeline);
    }
    if (!compiled.numerics.empty()) absl::StrAppend(&out, FloatSteps(routine));
    out += "\n";
  }
  if (!compiled.numerics.empty()) absl::StrAppend(&out, "numerics ", compiled.numerics, "\n");
  if (compiled.stream) absl::StrAppend(&out, RenderStream(*compiled.stream, report.macs));
  absl::StrAppend(&out, RenderTotals(report, measured_with));
  return out;
}

}  // namespace lathe::driver
