#include "generator/driver/compare/compare_numbers.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "generator/driver/run_options.h"
#include "generator/driver/validate/compare_parts.h"
#include "generator/driver/validate/port_bytes.h"
#include "generator/driver/validate/run_inputs.h"
#include "generator/interp/interpreter.h"
#include "generator/support/status.h"

namespace lathe::driver {
namespace {

// Returns the error of a failed evaluation: ResourceExhausted if it takes too many steps.
absl::Status ErrorOf(absl::string_view side, const Diagnostics& diags, const absl::Status& status) {
  const std::string fails = absl::StrCat("the evaluation of ", side, " fails: ");
  for (const Diagnostic& d : diags.all()) {
    if (d.severity != Severity::kError) continue;
    if (d.code != "run-step-limit") return absl::FailedPreconditionError(fails + d.message);
    return absl::ResourceExhaustedError(
        absl::StrCat("the evaluation of ", side, " takes more than ", interp::kMaxPartialSteps,
                     " iterations, or more than ", interp::kMaxPartialBindings, " bindings"));
  }
  return absl::FailedPreconditionError(
      absl::StrCat(fails, status.message().substr(0, status.message().find('\n'))));
}

// The types of the parameters as text.
std::vector<std::string> Signature(const ir::Module& module, const ir::Function& function) {
  std::vector<std::string> types;
  for (ir::ValueId id : function.params) {
    const ir::StructInfoRef info = module.values[id].info;
    types.push_back(info == nullptr ? std::string() : ir::ToString(info));
  }
  return types;
}

class NumbersOfFunction {
 public:
  NumbersOfFunction(CompiledModel& a, CompiledModel& b, ir::GlobalId in_a, ir::GlobalId in_b,
                    FunctionNumbers& numbers)
      : a_(a), b_(b), in_a_(in_a), in_b_(in_b), numbers_(numbers) {}

  void Run(uint64_t seed) {
    RunOptions options;
    options.func = numbers_.function;
    options.seed = seed;
    options.input_hint = "";
    for (const auto& [name, range] : a_.sizes) options.ranges[name] = range;
    // Random integers may be invalid indices. Retries with smaller ones.
    std::string first;
    for (uint64_t below : {0, 16, 8, 2}) {
      options.integers_below = below;
      numbers_.not_compared.clear();
      const absl::Status compared = Compare(options);
      if (compared.ok()) return;
      if (first.empty()) first = std::string(compared.message());
      if (absl::IsResourceExhausted(compared)) break;
    }
    numbers_.not_compared = first;
  }

 private:
  // Evaluates with the random inputs for the parameters of `a`. Each evaluation gets its own,
  // because a function may write into them.
  absl::StatusOr<std::vector<PartBytes>> Evaluate(CompiledModel& model, ir::GlobalId function,
                                                  absl::string_view side,
                                                  const RunOptions& options) {
    interp::Interpreter inputs(a_.context, *a_.loaded);
    LATHE_ASSIGN_OR_RETURN(auto args, CollectInputs(inputs, in_a_, options, &numbers_.sizes));
    interp::Options settings;
    settings.max_steps = interp::kMaxPartialSteps;
    settings.max_bindings = interp::kMaxPartialBindings;
    interp::Interpreter interpreter(model.context, *model.loaded, std::move(settings));
    Diagnostics diags;
    auto value = interpreter.Run(function, std::move(args), diags);
    if (value.ok()) return PartsOfValue(*value);
    return ErrorOf(side, diags, value.status());
  }

  absl::Status Compare(const RunOptions& options) {
    LATHE_ASSIGN_OR_RETURN(const auto from, Evaluate(a_, in_a_, "A", options));
    LATHE_ASSIGN_OR_RETURN(const auto to, Evaluate(b_, in_b_, "B", options));
    if (from.size() != to.size()) {
      return absl::FailedPreconditionError(
          absl::StrCat("A returns ", from.size(), " tensors, B ", to.size()));
    }
    numbers_.outputs.clear();
    for (size_t i = 0; i < from.size(); ++i) {
      if (from[i].dtype != to[i].dtype || from[i].shape != to[i].shape ||
          from[i].bytes.size() != to[i].bytes.size()) {
        return absl::FailedPreconditionError(
            absl::StrCat("result ", i, " has another dtype or shape"));
      }
      const Difference d = CompareParts(from[i], to[i].bytes, Tolerance{0, 0, 0, 0});
      numbers_.outputs.push_back({from[i].type(), from[i].shape, d.largest, d.beyond, d.elements});
    }
    return absl::OkStatus();
  }

  CompiledModel &a_, &b_;
  const ir::GlobalId in_a_, in_b_;
  FunctionNumbers& numbers_;
};

}  // namespace

std::vector<FunctionNumbers> CompareNumbers(CompiledModel& a, CompiledModel& b, uint64_t seed) {
  std::vector<FunctionNumbers> all;
  for (int32_t i = 0; i < std::ssize(a.loaded->globals); ++i) {
    const ir::GlobalId in_a{i};
    const ir::Global& global = a.loaded->globals[in_a];
    if (!ir::IsExported(global) || global.function() == nullptr) continue;
    FunctionNumbers numbers{global.name, "", {}, {}};
    const auto in_b = b.loaded->Find(global.name);
    const ir::Function* other = in_b && ir::IsExported(b.loaded->globals[*in_b])
                                    ? b.loaded->globals[*in_b].function()
                                    : nullptr;
    if (other == nullptr) {
      numbers.not_compared = "B has no such function";
    } else if (Signature(*a.loaded, *global.function()) != Signature(*b.loaded, *other)) {
      numbers.not_compared = "the parameters differ";
    } else {
      NumbersOfFunction(a, b, in_a, *in_b, numbers).Run(seed);
    }
    all.push_back(std::move(numbers));
  }
  return all;
}

}  // namespace lathe::driver
