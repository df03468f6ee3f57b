#include "generator/reader/relay_text/std_modules.h"

#include <deque>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"
#include "generator/support/embedded_text.h"

namespace lathe::relay {
namespace {

// Diagnostics refer to the text, so it lives as long as the program.
const std::deque<SourceFile>& StdModules() {
  static const auto* modules = [] {
    auto* all = new std::deque<SourceFile>;
    for (const EmbeddedText& text : RelayStdModules()) {
      all->emplace_back(std::string(text.name), std::string(text.text));
    }
    return all;
  }();
  return *modules;
}

}  // namespace

const SourceFile* FindStdModule(absl::string_view name) {
  for (const SourceFile& module : StdModules()) {
    if (module.path() == name || absl::StripSuffix(module.path(), ".rly") == name) return &module;
  }
  return nullptr;
}

std::string ListStdModules() {
  return absl::StrJoin(StdModules(), ", ", [](std::string* out, const SourceFile& module) {
    absl::StrAppend(out, module.path());
  });
}

}  // namespace lathe::relay
