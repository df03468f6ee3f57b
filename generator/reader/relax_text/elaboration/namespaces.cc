#include "generator/reader/relax_text/elaboration/namespaces.h"

#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"

namespace lathe::relax_text {
namespace {

struct KnownModule {
  absl::string_view path;
  Space space;
};

// A path that is a prefix of another one comes after it.
constexpr KnownModule kModules[] = {
    {"tvm.script.parser.relax", Space::kRelax},
    {"tvm.script.parser.tirx", Space::kTir},
    {"tvm.script.parser.tir", Space::kTir},
    {"tvm.script.parser.ir", Space::kIr},
    {"tvm.script.parser", Space::kIr},
    {"tvm.script.relax", Space::kRelax},
    {"tvm.script.tirx", Space::kTir},
    {"tvm.script.tir", Space::kTir},
    {"tvm.script.ty", Space::kTir},
    {"tvm.script.ir", Space::kIr},
    {"tvm.script", Space::kIr},
    {"tvm.relax.op", Space::kRelax},
    {"tvm.relax", Space::kRelax},
    {"tvm.tirx", Space::kTir},
    {"tvm.tir", Space::kTir},
    {"tvm.ir", Space::kIr},
    {"tvm", Space::kTvm},
    {"numpy", Space::kNumpy},
};

Qualified Classify(absl::string_view path) {
  for (const KnownModule& module : kModules) {
    absl::string_view rest = path;
    if (!absl::ConsumePrefix(&rest, module.path)) continue;
    if (rest.empty()) return {module.space, ""};
    if (absl::ConsumePrefix(&rest, ".")) return {module.space, std::string(rest)};
  }
  return {Space::kHost, std::string(path)};
}

// Returns the parts of a.b.c, or nullopt if `e` is not a dotted name.
std::optional<std::vector<absl::string_view>> Parts(const ast::Expr& e) {
  std::vector<absl::string_view> parts;
  const ast::Expr* at = &e;
  while (const auto* attribute = at->As<ast::Attribute>()) {
    parts.push_back(attribute->name);
    at = attribute->object;
  }
  const auto* name = at->As<ast::Name>();
  if (name == nullptr) return std::nullopt;
  parts.push_back(name->id);
  return std::vector<absl::string_view>(parts.rbegin(), parts.rend());
}

}  // namespace

Namespaces::Namespaces() {
  // Printed scripts omit these imports.
  aliases_ = {
      {"I", {Space::kIr, ""}},        {"R", {Space::kRelax, ""}}, {"T", {Space::kTir, ""}},
      {"Tx", {Space::kTir, "tile"}},  {"tvm", {Space::kTvm, ""}}, {"ir", {Space::kIr, ""}},
      {"relax", {Space::kRelax, ""}}, {"tir", {Space::kTir, ""}}, {"tirx", {Space::kTir, ""}},
      {"ty", {Space::kTir, ""}},      {"np", {Space::kNumpy, ""}}};
}

void Namespaces::Import(const ast::Import& import) {
  for (const ast::ImportedName& name : import.names) {
    if (import.is_from) {
      if (name.name == "*") continue;
      const absl::string_view alias = name.alias.empty() ? name.name : name.alias;
      aliases_.insert_or_assign(alias, Classify(absl::StrCat(import.module, ".", name.name)));
    } else if (!name.alias.empty()) {
      aliases_.insert_or_assign(name.alias, Classify(name.name));
    } else {
      // import a.b binds only `a`.
      const absl::string_view first = name.name.substr(0, name.name.find('.'));
      aliases_.insert_or_assign(first, Classify(first));
    }
  }
}

std::optional<Qualified> Namespaces::Qualify(const ast::Expr& e) const {
  const std::optional<std::vector<absl::string_view>> parts = Parts(e);
  if (!parts) return std::nullopt;
  const auto it = aliases_.find(parts->front());
  if (it == aliases_.end()) return std::nullopt;
  const Qualified& base = it->second;
  std::string rest = absl::StrJoin(parts->begin() + 1, parts->end(), ".");
  if (!base.name.empty()) {
    rest = rest.empty() ? base.name : absl::StrCat(base.name, ".", rest);
  }
  if (base.space != Space::kTvm || rest.empty()) return Qualified{base.space, std::move(rest)};
  // Normalizes names below tvm, such as tvm.relax.f, to their own namespace.
  return Classify(absl::StrCat("tvm.", rest));
}

}  // namespace lathe::relax_text
