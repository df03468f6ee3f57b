#include "generator/bundle/package_files.h"

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/strip.h"
#include "generator/bundle/runtime_files.h"
#include "generator/emit/c/names/c_names.h"
#include "generator/emit/text/render_named.h"
#include "generator/emit/text/template.h"
#include "generator/support/status.h"

namespace lathe::bundle {

absl::StatusOr<std::vector<emit::OutputFile>> PackageFiles(
    absl::string_view package, absl::string_view name, absl::Span<const emit::OutputFile> files) {
  std::vector<emit::OutputFile> made;
  if (package == "plain") return made;
  const std::string own(name);
  const std::string selftest = absl::StrCat(name, "_selftest.c");
  TemplateValue::List sources;
  std::vector<std::string> objects, headers;
  bool libm = false, incbin = false, has_selftest = false;
  for (const emit::OutputFile& file : files) {
    const bool assembler = absl::EndsWith(file.name, ".S");
    if (absl::EndsWith(file.name, ".h")) headers.push_back(file.name);
    // A self-test with external weights or a table of functions has no main; applications call it.
    if (file.name == selftest) has_selftest = absl::StrContains(file.text, "_SELFTEST_MAIN\n");
    incbin = incbin || assembler;
    if (!absl::EndsWith(file.name, ".c") && !assembler) continue;
    libm = libm || absl::StrContains(file.text, "#include <math.h>");
    objects.push_back(absl::StrCat(file.name.substr(0, file.name.size() - 2), ".o"));
    sources.push_back(TemplateValue::Dict{{"file", file.name}, {"object", objects.back()}});
  }
  const TemplateValue::Dict data = {{"name", own},
                                    {"NAME", emit::UpperCase(own)},
                                    {"languages", incbin ? "C ASM" : "C"},
                                    {"sources", std::move(sources)},
                                    {"objects", absl::StrJoin(objects, " ")},
                                    {"headers", absl::StrJoin(headers, " ")},
                                    {"libm", libm},
                                    {"libm_flag", libm ? "-lm" : ""},
                                    {"incbin", incbin},
                                    {"selftest", has_selftest}};
  const char* file = package == "cmake" ? "CMakeLists.txt" : "Makefile";
  LATHE_ASSIGN_OR_RETURN(std::string text,
                         emit::RenderNamed(absl::StrCat("package/", file, ".tmpl"), data));
  made.push_back({file, std::move(text)});
  return made;
}

absl::StatusOr<std::vector<emit::OutputFile>> CudaPackageFiles(
    absl::string_view architectures, absl::string_view name,
    absl::Span<const emit::OutputFile> files) {
  const std::string selftest = absl::StrCat(name, "_selftest.cpp");
  TemplateValue::List sources, examples;
  bool has_selftest = false, has_c = false, nccl = false, device_links = false;
  bool incbin = false, blob = false;
  for (const emit::OutputFile& file : files) {
    nccl = nccl || file.name == kOptionalSource;
    device_links = device_links || file.name == absl::StrCat(name, "_outside.h");
    if (file.name == kOptionalSource) continue;
    absl::string_view stem = file.name;
    const bool is_c = absl::EndsWith(stem, ".c"), is_assembler = absl::EndsWith(stem, ".S");
    blob = blob || absl::EndsWith(stem, "_weights.bin");
    incbin = incbin || is_assembler;
    if (!is_c && !is_assembler && !absl::ConsumeSuffix(&stem, ".cpp") &&
        !absl::ConsumeSuffix(&stem, ".cu"))
      continue;
    has_c = has_c || is_c;
    // The self-test is a separate program.
    has_selftest = has_selftest || file.name == selftest;
    if (file.name == selftest) continue;
    const bool example = absl::ConsumePrefix(&stem, "examples/");
    if (example) {
      examples.push_back(TemplateValue::Dict{{"stem", std::string(stem)},
                                             {"file", file.name.substr(file.name.rfind('/') + 1)}});
    } else {
      sources.push_back(TemplateValue::Dict{{"file", file.name}});
    }
  }
  const TemplateValue::Dict data = {
      {"name", std::string(name)},
      {"NAME", emit::UpperCase(name)},
      {"languages", absl::StrCat(has_c ? "C " : "", "CXX CUDA", incbin ? " ASM" : "")},
      {"architectures", absl::StrReplaceAll(architectures, {{" ", ";"}})},
      {"chosen_architectures", absl::StrCat("${", emit::UpperCase(name), "_CUDA_ARCHITECTURES}")},
      {"incbin", incbin},
      {"external", blob && !incbin},
      {"sources", std::move(sources)},
      {"examples", std::move(examples)},
      {"device_links", device_links},
      {"nccl", nccl},
      {"nccl_source", std::string(kOptionalSource)},
      {"selftest", has_selftest}};
  LATHE_ASSIGN_OR_RETURN(std::string text, emit::RenderNamed("cuda/CMakeLists.txt.tmpl", data));
  return std::vector<emit::OutputFile>{{"CMakeLists.txt", std::move(text)}};
}

}  // namespace lathe::bundle
