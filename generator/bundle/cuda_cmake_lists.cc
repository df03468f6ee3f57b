#include "generator/bundle/cuda_cmake_lists.h"

#include <string>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/strip.h"
#include "generator/bundle/runtime_files.h"
#include "generator/emit/c/names/c_names.h"
#include "generator/emit/text/render_named.h"
#include "generator/emit/text/template.h"
#include "generator/support/status.h"

namespace lathe::bundle {

absl::StatusOr<std::vector<emit::OutputFile>> CudaCMakeLists(
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
