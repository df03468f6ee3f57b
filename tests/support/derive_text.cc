#include "tests/support/derive_text.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "generator/analysis/well_formed/well_formed.h"
#include "generator/reader/read_module.h"
#include "generator/transform/realize_vdevice.h"

namespace lathe::testing {
namespace {

std::string Indented(const std::string& text) {
  std::string out;
  for (absl::string_view line : absl::StrSplit(text, '\n')) {
    absl::StrAppend(&out, line.empty() ? "" : "    ", line, "\n");
  }
  return out;
}

}  // namespace

DerivedProgram DeriveText(const std::string& functions) {
  const SourceFile file("test.py", absl::StrCat("from tvm.script import ir as I, relax as R, tir "
                                                "as T\n\n@I.ir_module\nclass Module:\n",
                                                Indented(functions)));
  ir::Context context;
  Diagnostics diags;
  absl::StatusOr<ir::Module> module = ReadModule(context, file, diags);
  DerivedProgram result;
  if (module.ok()) {
    analysis::CheckWellFormed(context, *module, diags);
    transform::RealizeVDevice(context, *module, diags);
    analysis::CheckWellFormedWithInfos(context, *module, diags);
    const auto name_of = [&](ir::ValueId id) { return module->values[id].name; };
    for (int32_t i = 0; i < std::ssize(module->values); ++i) {
      const ir::Value& value = module->values[ir::ValueId{i}];
      if (value.info != nullptr) result.infos[value.name] = ToString(value.info, name_of);
    }
    for (int32_t i = 0; i < std::ssize(module->globals); ++i) {
      const ir::Global& global = module->globals[ir::GlobalId{i}];
      const ir::Function* f = global.function();
      if (f != nullptr) result.infos["@" + global.name] = ToString(f->info, name_of);
    }
  }
  for (const Diagnostic& d : diags.all()) {
    absl::StrAppend(&result.problems, d.code, ": ", d.message, "\n");
  }
  return result;
}

DerivedProgram DeriveMain(const std::string& signature, const std::string& body) {
  return DeriveText(absl::StrCat("@R.function\ndef main", signature, ":\n", Indented(body)));
}

}  // namespace lathe::testing
