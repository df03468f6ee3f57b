#include "generator/bundle/package_files.h"

#include <cstdint>
#include <optional>
#include <utility>
#include <variant>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/strip.h"
#include "generator/emit/c/names/c_names.h"
#include "generator/emit/c/names/c_types.h"
#include "generator/emit/c/pool_view.h"
#include "generator/emit/text/render_named.h"
#include "generator/emit/text/template.h"
#include "generator/support/embedded_text.h"
#include "generator/support/status.h"

namespace lathe::bundle {
namespace {

using Dict = TemplateValue::Dict;
using List = TemplateValue::List;

// Returns the arrays for `ports`, or nullopt if one of them is not a tensor of constant size.
std::optional<List> PortArrays(const ir::Program& program,
                               const std::vector<emit::ApiPort>& ports) {
  List list;
  for (const emit::ApiPort& port : ports) {
    const auto* id = std::get_if<ir::TensorId>(&port.part);
    if (id == nullptr || port.is_value || !port.capacity.empty()) return std::nullopt;
    const ir::Tensor& tensor = program.tensors[*id];
    const std::optional<int64_t> elements = tensor.elements();
    if (!elements || *elements == 0) return std::nullopt;
    list.push_back(Dict{{"name", port.name},
                        {"type", port.type},
                        {"length", absl::StrCat(emit::CLength(tensor.dtype, *elements))}});
  }
  return list;
}

// Describes the program that the examples of packages contain.
Dict ExampleView(const PackagedModel& model, bool has_selftest) {
  Dict view = {{"runs", false},       {"selftest", false},    {"function", ""},
               {"prefix", ""},        {"inputs", List()},     {"outputs", List()},
               {"has_inputs", false}, {"has_outputs", false}, {"pools", List()},
               {"has_pools", false},  {"has_state", false},   {"memory", ""},
               {"arena_macro", ""},   {"align_macro", ""}};
  if (model.functions.empty() || !model.needs_only_memory) return view;
  const emit::ApiFunction& function = model.functions[0];
  std::optional<List> inputs = PortArrays(model.program, function.inputs);
  std::optional<List> outputs = PortArrays(model.program, function.outputs);
  if (!inputs || !outputs || model.plan.frames[function.routine].open) return view;
  emit::AddPools(model.plan, model.name, false, view);
  view["runs"] = true;
  view["selftest"] = has_selftest;
  view["function"] = function.function;
  view["prefix"] = function.prefix;
  view["has_inputs"] = !inputs->empty();
  view["has_outputs"] = !outputs->empty();
  view["inputs"] = *std::move(inputs);
  view["outputs"] = *std::move(outputs);
  return view;
}

// Describes the files of the bundle and the model, for all templates of packages.
Dict PackageView(const PackagedModel& model, absl::Span<const emit::OutputFile> files) {
  const std::string selftest = absl::StrCat(model.name, "_selftest.c");
  List sources, headers;
  std::vector<std::string> objects, header_names;
  bool libm = false, incbin = false, has_selftest = false, has_selftest_main = false;
  for (const emit::OutputFile& file : files) {
    const bool assembler = absl::EndsWith(file.name, ".S");
    if (absl::EndsWith(file.name, ".h")) {
      header_names.push_back(file.name);
      headers.push_back(Dict{{"file", file.name}});
    }
    // A self-test with external weights or a table of functions has no main; applications call it.
    if (file.name == selftest) {
      has_selftest = true;
      has_selftest_main = absl::StrContains(file.text, "_SELFTEST_MAIN\n");
    }
    incbin = incbin || assembler;
    if (!absl::EndsWith(file.name, ".c") && !assembler) continue;
    libm = libm || absl::StrContains(file.text, "#include <math.h>");
    objects.push_back(absl::StrCat(file.name.substr(0, file.name.size() - 2), ".o"));
    sources.push_back(Dict{{"file", file.name}, {"object", objects.back()}});
  }
  return {{"name", model.name},
          {"NAME", emit::UpperCase(model.name)},
          {"version", model.version},
          {"languages", incbin ? "C ASM" : "C"},
          {"sources", std::move(sources)},
          {"headers", std::move(headers)},
          {"objects", absl::StrJoin(objects, " ")},
          {"header_names", absl::StrJoin(header_names, " ")},
          {"libm", libm},
          {"libm_flag", libm ? "-lm" : ""},
          {"incbin", incbin},
          {"selftest", has_selftest_main},
          {"example", ExampleView(model, has_selftest)}};
}

}  // namespace

absl::Status AddPackageFiles(const PackageKind& kind, const PackagedModel& model,
                             std::vector<emit::OutputFile>& files) {
  Dict data = PackageView(model, files);
  data["source_folder"] = std::string(kind.source_folder);
  if (!kind.takes_incbin && *data.at("incbin").As<bool>()) {
    return absl::InvalidArgumentError(
        absl::StrCat("option '--package ", kind.name,
                     "' supports '--weights words', 'external' and 'decoded', not 'incbin'"));
  }
  for (emit::OutputFile& file : files) file.name = absl::StrCat(kind.source_folder, file.name);
  const std::string folder = absl::StrCat("package/", kind.name, "/");
  for (const EmbeddedText& text : EmbeddedTemplates()) {
    absl::string_view path = text.name;
    if (!absl::ConsumePrefix(&path, folder) || !absl::ConsumeSuffix(&path, ".tmpl")) continue;
    LATHE_ASSIGN_OR_RETURN(std::string rendered, emit::RenderNamed(text.name, data));
    files.push_back(
        {absl::StrReplaceAll(path, {{"NAME", model.name}}), std::move(rendered), false});
  }
  return absl::OkStatus();
}

}  // namespace lathe::bundle
