#include "generator/driver/golden.h"

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/strip.h"
#include "generator/driver/golden_value.h"
#include "generator/driver/port_bytes.h"
#include "generator/driver/run_inputs.h"
#include "generator/driver/run_options.h"
#include "generator/emit/c_names.h"
#include "generator/emit/c_types.h"
#include "generator/emit/pool_view.h"
#include "generator/emit/print_constants.h"
#include "generator/emit/template.h"
#include "generator/interp/interpreter.h"
#include "generator/ir/packed_elements.h"
#include "generator/support/status.h"

namespace lathe::driver {
namespace {

using Dict = TemplateValue::Dict;
using List = TemplateValue::List;

// For programs whose arena grows with the inputs, which are small.
constexpr int kMoreArena = 65536;

// Of what has bounds, where they allow it.
constexpr int64_t kSize = 4;

template <typename T>
T Read(const std::string& bytes) {
  T value = {};
  std::memcpy(&value, bytes.data(), std::min(sizeof value, bytes.size()));
  return value;
}

// A scalar as a constant of C.
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
                           const std::vector<PartBytes>& parts, absl::string_view suffix) {
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
                          {"constants", std::string(absl::StripSuffix(value.constants, "\n"))},
                          {"has_lines", !value.lines.empty()},
                          {"lines", std::string(absl::StripSuffix(value.lines, "\n"))},
                          {"value", value.value}});
      continue;
    }
    const bool tensor = std::holds_alternative<ir::TensorId>(ports[i].part);
    int64_t length = 1;
    for (int64_t dim : part.shape) length *= dim;
    // Of elements that share bytes the bytes are compared.
    const bool shares = tensor && ir::IsPacked(part.dtype);
    const bool half = tensor && !shares && !emit::SmallFloatName(part.dtype).empty();
    list.push_back(Dict{{"name", ports[i].name},
                        {"type", ports[i].type},
                        {"is_value", false},
                        {"is_tensor", tensor},
                        {"is_dim", ports[i].is_dim},
                        {"is_open", !ports[i].capacity.empty()},
                        {"capacity", ports[i].capacity},
                        {"elements", absl::StrCat(length)},
                        {"writes", ports[i].written},
                        {"is_float", part.dtype.is_floating() && !half && !shares},
                        {"is_half", half && part.dtype.bits == 16},
                        {"is_small", half && part.dtype.bits == 8},
                        {"infinity", part.dtype == ir::DType::Float(16) ? "0x7c00" : "0x7f80"},
                        {"length", absl::StrCat(tensor ? emit::CLength(part.dtype, length) : 1)},
                        {"word_count", absl::StrCat(emit::WordCount(part.bytes))},
                        {"words", emit::WordsText(part.bytes)},
                        {"value", tensor ? std::string() : Literal(part)}});
  }
  return list;
}

}  // namespace

absl::StatusOr<emit::OutputFile> GoldenFile(MadeModel& made, uint64_t seed, Diagnostics& diags) {
  if (made.model.functions.empty()) {
    return absl::InvalidArgumentError("the module exports no function that --golden could run");
  }
  const emit::ApiFunction* api = &made.model.functions[0];
  for (const emit::ApiFunction& f : made.model.functions) {
    if (made.model.program.routines[f.routine].name == "main") api = &f;
  }
  RunOptions options;
  options.func = made.model.program.routines[api->routine].name;
  options.seed = seed;
  for (const auto& [name, range] : made.sizes) options.sizes[name] = range.NearestTo(kSize);
  const auto function = made.loaded->Find(options.func);
  interp::Interpreter interpreter(made.context, *made.loaded);
  LATHE_ASSIGN_OR_RETURN(auto args, CollectInputs(interpreter, *function, options));
  LATHE_ASSIGN_OR_RETURN(const std::vector<PartBytes> inputs, PartsOfCall(made.model, *api, args));
  const auto value = interpreter.Run(*function, std::move(args), diags);
  if (!value.ok()) return value.status();
  const std::vector<PartBytes> outputs = PartsOfResult(*api, *value);
  if (outputs.size() != api->outputs.size() || inputs.size() != api->inputs.size()) {
    return absl::InternalError("the generated function takes or gives something else");
  }
  const auto any_float = [](const PartBytes& p) {
    return p.dtype.is_floating() && emit::SmallFloatName(p.dtype).empty();
  };
  LATHE_ASSIGN_OR_RETURN(List in, Ports(api->inputs, inputs, "in"));
  LATHE_ASSIGN_OR_RETURN(List out, Ports(api->outputs, outputs, "want"));
  const bool has_values = api->has_values();
  const auto is_half = [](const PartBytes& p) {
    return p.dtype.is_floating() && p.dtype.bits == 16;
  };
  const auto written = [](const emit::ApiPort& p) { return p.written; };
  const bool external =
      std::any_of(made.model.files.begin(), made.model.files.end(), [&](const emit::OutputFile& f) {
        return made.weights == "external" && absl::EndsWith(f.name, ".bin");
      });
  Dict model = {{"name", made.name}, {"NAME", emit::UpperCase(made.name)}};
  emit::AddPools(made.model.plan, made.name, made.model.plan.frames[api->routine].open, model);
  const bool may_grow = has_values || made.model.plan.frames[api->routine].open;
  const Dict data = {
      {"model", std::move(model)},
      {"function", api->function},
      {"prefix", api->prefix},
      {"inputs", std::move(in)},
      {"outputs", std::move(out)},
      {"has_values", has_values},
      {"has_halves", has_values || std::any_of(outputs.begin(), outputs.end(), is_half)},
      {"has_floats", has_values || std::any_of(outputs.begin(), outputs.end(), any_float)},
      {"has_copies", std::any_of(api->inputs.begin(), api->inputs.end(), written)},
      {"has_main", !made.model.takes_table && !external},
      {"more_arena", absl::StrCat(may_grow ? kMoreArena : 0)},
      {"relative", "1.0e-4"},
      {"absolute", "1.0e-6"}};
  const char* ending = made.gpus ? "cpp" : "c";
  LATHE_ASSIGN_OR_RETURN(
      std::string text,
      emit::RenderNamed(absl::StrCat(made.gpus ? "cuda" : "c", "/selftest.", ending, ".tmpl"),
                        data));
  return emit::OutputFile{absl::StrCat(made.name, "_selftest.", ending), std::move(text)};
}

}  // namespace lathe::driver
