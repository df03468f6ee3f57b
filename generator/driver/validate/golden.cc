#include "generator/driver/validate/golden.h"

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/strip.h"
#include "generator/driver/run_options.h"
#include "generator/driver/validate/compare_parts.h"
#include "generator/driver/validate/evaluate_steps.h"
#include "generator/driver/validate/golden_value.h"
#include "generator/driver/validate/port_bytes.h"
#include "generator/driver/validate/run_inputs.h"
#include "generator/emit/c/names/c_names.h"
#include "generator/emit/c/names/c_types.h"
#include "generator/emit/c/pool_view.h"
#include "generator/emit/c/print_constants.h"
#include "generator/emit/cuda/device_view.h"
#include "generator/emit/cuda/weights_view.h"
#include "generator/emit/text/render_named.h"
#include "generator/emit/text/template.h"
#include "generator/interp/interpreter.h"
#include "generator/ir/packed_elements.h"
#include "generator/support/status.h"

namespace lathe::driver {
namespace {

using Dict = TemplateValue::Dict;
using List = TemplateValue::List;

// The steps of a sequence that a self-test compares: the second one reads what the first one wrote.
constexpr int64_t kTestedSteps = 2;

// Additional bytes for an arena that grows with the inputs, which are small.
constexpr int kMoreArena = 65536;

template <typename T>
T Read(const std::string& bytes) {
  T value = {};
  std::memcpy(&value, bytes.data(), std::min(sizeof value, bytes.size()));
  return value;
}

// Renders a scalar as a C constant.
std::string Literal(const PartBytes& part) {
  const ir::DType t = part.dtype;
  if (t.is_floating()) {
    const bool wide = t.bits == 64;
    const double value = wide ? Read<double>(part.bytes) : double{Read<float>(part.bytes)};
    return absl::StrFormat("(%s)%.17g", wide ? "double" : "float", value);
  }
  if (!t.is_int()) return absl::StrCat("UINT64_C(", Read<uint64_t>(part.bytes), ")");
  int64_t value = Read<int64_t>(part.bytes);
  const int unused = 64 - 8 * static_cast<int>(part.bytes.size());
  value = static_cast<int64_t>(static_cast<uint64_t>(value) << unused) >> unused;
  return value < 0 ? absl::StrCat("(-INT64_C(", -(value + 1), ") - 1)")
                   : absl::StrCat("INT64_C(", value, ")");
}

absl::StatusOr<List> Ports(const std::vector<emit::ApiPort>& ports,
                           const std::vector<PartBytes>& parts, absl::string_view suffix,
                           bool placed) {
  List list;
  for (size_t i = 0; i < ports.size(); ++i) {
    const PartBytes& part = parts[i];
    if (ports[i].is_value) {
      LATHE_ASSIGN_OR_RETURN(const GoldenValue value,
                             GoldenValueOf(absl::StrCat(ports[i].name, "_", suffix), part.bytes));
      list.push_back(Dict{{"name", ports[i].name},
                          {"type", ports[i].type},
                          {"is_value", true},
                          {"is_tensor", false},
                          {"is_open", false},
                          {"writes", false},
                          {"has_constants", !value.constants.empty()},
                          {"constants", std::string(absl::StripSuffix(value.constants, "\n"))},
                          {"has_lines", !value.lines.empty()},
                          {"lines", std::string(absl::StripSuffix(value.lines, "\n"))},
                          {"value", value.value}});
      continue;
    }
    const bool tensor = std::holds_alternative<ir::TensorId>(ports[i].part);
    int64_t length = 1;
    for (int64_t dim : part.shape) length *= dim;
    // Elements that share bytes are compared as bytes.
    const bool shares = tensor && ir::IsPacked(part.dtype);
    const bool half = tensor && !shares && !emit::SmallFloatName(part.dtype).empty();
    list.push_back(Dict{{"name", ports[i].name},
                        {"type", ports[i].type},
                        {"is_value", false},
                        {"is_tensor", tensor},
                        {"on_gpu", tensor && !ports[i].on_host},
                        {"is_dim", ports[i].is_dim},
                        {"on", placed ? absl::StrCat(ports[i].device) : "stream"},
                        {"is_open", !ports[i].capacity.empty()},
                        {"capacity", ports[i].capacity},
                        {"elements", absl::StrCat(length)},
                        {"writes", ports[i].written},
                        {"is_float", part.dtype.is_floating() && !half && !shares},
                        {"is_half", half && part.dtype.bits == 16},
                        {"is_small", half && part.dtype.bits == 8},
                        {"unit", absl::StrFormat("%.9g", UnitOf(part))},
                        {"infinity", part.dtype == ir::DType::Float(16) ? "0x7c00" : "0x7f80"},
                        {"length", absl::StrCat(tensor ? emit::CLength(part.dtype, length) : 1)},
                        {"word_count", absl::StrCat(emit::WordCount(part.bytes))},
                        {"words", emit::WordsText(part.bytes)},
                        {"value", tensor ? std::string() : Literal(part)}});
  }
  return list;
}

// Parts of the file that are required by the functions in it.
struct FileNeeds {
  bool values = false;
  bool halves = false;
  bool floats = false;
  bool copies = false;
  bool open = false;  // an arena that grows with the inputs
};

bool IsHalf(const PartBytes& p) { return p.dtype.is_floating() && p.dtype.bits == 16; }

bool IsWideFloat(const PartBytes& p) {
  return p.dtype.is_floating() && emit::SmallFloatName(p.dtype).empty();
}

// Evaluates a call with random inputs: of a function with a state, some steps of a sequence.
absl::StatusOr<EvaluatedSteps> Call(CompiledModel& compiled, const emit::ApiFunction& api,
                                    const RunOptions& options, Diagnostics& diags) {
  const auto function = compiled.loaded->Find(options.func);
  interp::Interpreter interpreter(compiled.context, *compiled.loaded);
  LATHE_ASSIGN_OR_RETURN(auto args, CollectInputs(interpreter, *function, options));
  LATHE_ASSIGN_OR_RETURN(const std::vector<PartBytes> inputs,
                         PartsOfCall(compiled.model, api, args));
  const auto value = interpreter.Run(*function, std::move(args), diags);
  if (!value.ok()) return value.status();
  return EvaluateSteps(interpreter, *function, compiled.model, api, options, inputs, *value);
}

// Random integers may be invalid indices. Retries with smaller and smaller integers until the call
// succeeds. If it never does, the diagnostics are those of the first try.
absl::StatusOr<EvaluatedSteps> CallWithRetries(CompiledModel& compiled,
                                               const emit::ApiFunction& api, uint64_t seed,
                                               Diagnostics& diags) {
  RunOptions options;
  options.func = compiled.model.program.routines[api.routine].name;
  options.seed = seed;
  options.steps = kTestedSteps;
  options.input_hint = "";
  for (const auto& [name, range] : compiled.sizes) options.ranges[name] = range;
  const auto first = Call(compiled, api, options, diags);
  if (first.ok()) return first;
  for (uint64_t below : {16, 8, 2}) {
    options.integers_below = below;
    Diagnostics retry_diags;
    auto next = Call(compiled, api, options, retry_diags);
    if (!next.ok()) continue;
    diags = std::move(retry_diags);
    return next;
  }
  return first;
}

// Generates the tests of one function: one for each step.
absl::StatusOr<List> FunctionTests(CompiledModel& compiled, const emit::ApiFunction& api,
                                   uint64_t seed, FileNeeds& needs, Diagnostics& diags) {
  LATHE_ASSIGN_OR_RETURN(const EvaluatedSteps called, CallWithRetries(compiled, api, seed, diags));
  const size_t ins = api.inputs.size(), outs = api.outputs.size();
  const size_t variables = VariablesOf(compiled.model, api);
  const auto steps = static_cast<size_t>(called.steps);
  if (called.outputs.size() != steps * outs + variables || called.inputs.size() != steps * ins) {
    return absl::InternalError(
        "the inputs or outputs of the generated function differ from those "
        "of the program");
  }
  const bool placed = !compiled.model.program.devices.empty();
  const bool has_values = api.has_values();
  const auto written = [](const emit::ApiPort& p) { return p.written; };
  needs.values |= has_values;
  const auto compared = called.outputs.end() - static_cast<std::ptrdiff_t>(variables);
  needs.halves |= has_values || std::any_of(called.outputs.begin(), compared, IsHalf);
  needs.floats |= has_values || std::any_of(called.outputs.begin(), compared, IsWideFloat);
  needs.copies |= std::any_of(api.inputs.begin(), api.inputs.end(), written);
  needs.open |= has_values || compiled.model.plan.frames[api.routine].open;
  List tests;
  for (size_t step = 0; step < steps; ++step) {
    const auto of_step = [step](const std::vector<PartBytes>& all, size_t count) {
      const auto first = all.begin() + static_cast<std::ptrdiff_t>(step * count);
      return std::vector<PartBytes>(first, first + static_cast<std::ptrdiff_t>(count));
    };
    LATHE_ASSIGN_OR_RETURN(List in, Ports(api.inputs, of_step(called.inputs, ins), "in", placed));
    LATHE_ASSIGN_OR_RETURN(List out,
                           Ports(api.outputs, of_step(called.outputs, outs), "want", placed));
    tests.push_back(Dict{{"function", api.function},
                         {"prefix", api.prefix},
                         {"test", absl::StrCat(step == 0 ? "" : absl::StrCat("step_", step, "_"),
                                               "of_", api.function)},
                         {"has_inputs", ins > 0},
                         {"has_outputs", outs > 0},
                         {"resets", variables > 0 && step == 0},
                         {"inputs", std::move(in)},
                         {"outputs", std::move(out)}});
  }
  return tests;
}

// Returns the first error.
std::string FirstError(const Diagnostics& diags, const absl::Status& status) {
  for (const Diagnostic& d : diags.all()) {
    if (d.severity == Severity::kError) return d.message;
  }
  return std::string(status.message().substr(0, status.message().find('\n')));
}

}  // namespace

absl::StatusOr<Golden> GoldenFile(CompiledModel& compiled, uint64_t seed, Diagnostics& diags) {
  if (compiled.model.functions.empty()) {
    return absl::InvalidArgumentError("option '--golden' needs an exported function");
  }
  Golden golden;
  FileNeeds needs;
  List functions, not_tested;
  absl::Status first;
  for (const emit::ApiFunction& api : compiled.model.functions) {
    Diagnostics own;
    auto tests = FunctionTests(compiled, api, seed, needs, own);
    if (tests.ok()) {
      for (TemplateValue& test : *tests) functions.push_back(std::move(test));
      continue;
    }
    not_tested.push_back(Dict{{"function", api.function}});
    golden.omitted.push_back(absl::StrCat("the self-test leaves out '",
                                          compiled.model.program.routines[api.routine].name,
                                          "': ", FirstError(own, tests.status())));
    if (!first.ok()) continue;
    first = tests.status();
    diags = std::move(own);
  }
  if (functions.empty()) return first;
  diags = Diagnostics();
  const bool external = compiled.model.external_weights;
  const bool placed = !compiled.model.program.devices.empty();
  Dict model = {{"name", compiled.name},
                {"NAME", emit::UpperCase(compiled.name)},
                {"placed", placed},
                {"external", external},
                {"config", external ? "config" : "NULL"},
                {"test_params", emit::TestParams(compiled.name, external, placed)},
                {"test_args", absl::StrCat(external ? "config, " : "", placed ? "" : "stream, ")},
                {"devices", emit::DeviceList(compiled.model.program)}};
  emit::AddPools(compiled.model.plan, compiled.name, needs.open, model);
  const Dict data = {{"model", std::move(model)},
                     {"functions", std::move(functions)},
                     {"not_tested", std::move(not_tested)},
                     {"has_values", needs.values},
                     {"has_halves", needs.halves},
                     {"has_floats", needs.floats},
                     {"has_copies", needs.copies},
                     {"has_main", !compiled.model.takes_table && !external},
                     {"more_arena", absl::StrCat(needs.open ? kMoreArena : 0)},
                     {"relative", "1.0e-4"},
                     {"absolute", compiled.gpus ? "1.0e-5" : "1.0e-6"}};
  const char* ending = compiled.gpus ? "cpp" : "c";
  LATHE_ASSIGN_OR_RETURN(
      golden.file.text,
      emit::RenderNamed(absl::StrCat(compiled.gpus ? "cuda" : "c", "/selftest.", ending, ".tmpl"),
                        data));
  golden.file.name = absl::StrCat(compiled.name, "_selftest.", ending);
  return golden;
}

}  // namespace lathe::driver
