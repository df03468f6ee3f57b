#include "generator/driver/compare/compare_models.h"

#include <algorithm>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/match.h"

namespace lathe::driver {
namespace {

using FigureNumber = std::optional<int64_t>;

// The bytes of kernels, and of all sources without the files of the runtime.
int64_t KernelBytes(const GeneratedModel& model) {
  int64_t bytes = 0;
  for (int32_t i = 0; i < std::ssize(model.kernels); ++i) {
    bytes += std::ssize(model.kernels[ir::KernelId{i}].text);
  }
  return bytes;
}

int64_t SourceBytes(const GeneratedModel& model) {
  int64_t bytes = 0;
  for (const emit::OutputFile& file : model.files) {
    const bool ours = absl::StartsWith(file.name, "lathe/") || absl::EndsWith(file.name, ".bin");
    if (!ours) bytes += std::ssize(file.text);
  }
  return bytes;
}

std::vector<FigureChange> Figures(const ModelSide& a, const ModelSide& b) {
  std::vector<FigureChange> figures;
  const auto add = [&](const char* name, const char* unit, const auto& get, bool of_names = false) {
    FigureChange figure{name, unit, get(a), get(b), of_names};
    // Neither has a state, or a bound, or is for a GPU.
    const bool none = figure.a.value_or(0) == 0 && figure.b.value_or(0) == 0;
    if (!none || figure.differs()) figures.push_back(std::move(figure));
  };
  using Side = const ModelSide&;
  const auto bounded = [](int64_t bytes, bool open) {
    return open ? FigureNumber() : FigureNumber(bytes);
  };
  add("RAM", "B", [&](Side s) {
    const ModelReport& r = *s.report;
    return r.on_gpus ? FigureNumber() : bounded(r.ram.total(), r.open || r.ram.open);
  });
  add("workspace", "B", [&](Side s) {
    return s.report->on_gpus ? bounded(s.report->ram.arena, s.report->open) : FigureNumber();
  });
  add("arena", "B", [&](Side s) {
    return s.report->on_gpus ? FigureNumber() : bounded(s.report->ram.arena, s.report->open);
  });
  add("inputs", "B", [&](Side s) { return bounded(s.report->ram.inputs, s.report->ram.open); });
  add("outputs", "B", [&](Side s) { return bounded(s.report->ram.outputs, s.report->ram.open); });
  add("state", "B", [](Side s) { return FigureNumber(s.report->ram.state); });
  add("instance", "B", [](Side s) {
    return s.report->on_gpus ? FigureNumber() : FigureNumber(s.report->ram.instance);
  });
  add("weights", "B", [](Side s) { return FigureNumber(s.report->weights); });
  add("MACs", "", [](Side s) { return s.report->macs; });
  add("kernels", "", [](Side s) { return FigureNumber(std::ssize(s.compiled->model.kernels)); });
  add(
      "kernel text", "B", [](Side s) { return FigureNumber(KernelBytes(s.compiled->model)); },
      true);
  add(
      "source text", "B", [](Side s) { return FigureNumber(SourceBytes(s.compiled->model)); },
      true);
  add("GPU launches", "",
      [](Side s) { return s.report->on_gpus ? FigureNumber(s.report->launches) : FigureNumber(); });
  const auto measured = [&](const char* name, const auto& get) {
    add(name, "B",
        [&](Side s) { return s.report->measures ? get(*s.report->measures) : FigureNumber(); });
  };
  measured("flash", [](const CodeMeasures& m) { return FigureNumber(m.flash()); });
  measured("machine code", [](const CodeMeasures& m) { return FigureNumber(m.sizes.text); });
  measured("stack", [](const CodeMeasures& m) { return m.stack; });
  return figures;
}

}  // namespace

bool ModelsDiff::differs() const {
  const WeightsChange& w = operators.weights;
  return !operators.changes.empty() || !steps.empty() || w.changed + w.added + w.removed > 0 ||
         absl::c_any_of(figures,
                        [](const FigureChange& f) { return f.differs() && !f.of_names; }) ||
         absl::c_any_of(numbers, [](const FunctionNumbers& n) {
           return absl::c_any_of(n.outputs,
                                 [](const OutputDifference& o) { return o.differs > 0; });
         });
}

ModelsDiff CompareModels(const ModelSide& a, const ModelSide& b, std::optional<uint64_t> seed) {
  ModelsDiff diff;
  diff.operators = CompareOperators(*a.compiled->loaded, *b.compiled->loaded);
  diff.figures = Figures(a, b);
  StepsDiff steps = CompareSteps(*a.report, *b.report);
  diff.same_steps = steps.same;
  diff.steps = std::move(steps.changes);
  if (seed) diff.numbers = CompareNumbers(*a.compiled, *b.compiled, *seed);
  return diff;
}

}  // namespace lathe::driver
