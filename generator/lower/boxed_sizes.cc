#include "generator/lower/boxed_sizes.h"

#include "absl/functional/function_ref.h"
#include "absl/strings/str_cat.h"
#include "generator/analysis/arithmetic/shape_vars.h"
#include "generator/lower/boxed_values.h"

namespace lathe::lower {
namespace {

using ir::PrimRef;

// Calls `visit` with each part of `form` that is not a tuple and its part of `info`.
void ForEachPart(
    const Form& form, ir::StructInfoRef info, const std::string& name,
    absl::FunctionRef<void(const Form&, ir::StructInfoRef, const std::string&)> visit) {
  const auto* tuple = std::get_if<TupleForm>(&form.node);
  const auto* said = info->As<ir::TupleInfo>();
  if (tuple == nullptr || said == nullptr || said->fields.size() != tuple->fields.size()) {
    visit(form, info, name);
    return;
  }
  for (size_t i = 0; i < tuple->fields.size(); ++i) {
    ForEachPart(tuple->fields[i], said->fields[i], absl::StrCat(name, "_", i), visit);
  }
}

}  // namespace

absl::flat_hash_set<PrimRef> BoxedSizes(const Lowering& lowering, const ir::Function& f,
                                        const std::vector<Form>& params) {
  absl::flat_hash_set<PrimRef> alone, needed;
  for (size_t i = 0; i < params.size(); ++i) {
    const ir::Value& param = lowering.module.values[f.params[i]];
    const auto part = [&](const Form& form, ir::StructInfoRef info, const std::string&) {
      const bool is_value = AsBoxed(lowering.program, form).has_value();
      analysis::ForEachDim(info, [&](PrimRef dim) {
        if (is_value && dim->As<ir::SymVar>() != nullptr) alone.insert(dim);
        for (PrimRef var : analysis::VarsIn(dim)) {
          if (!is_value) needed.insert(var);
        }
      });
    };
    ForEachPart(params[i], param.info, param.name, part);
  }
  for (PrimRef var : needed) alone.erase(var);
  return alone;
}

void UnboxSizes(RoutineBuilder& b, const Form& form, ir::StructInfoRef info,
                const std::string& name, const Location& loc) {
  const auto part = [&](const Form& f, ir::StructInfoRef said, const std::string& part_name) {
    if (const auto value = AsBoxed(b.lowering.program, f)) {
      UnboxSizesOf(b, *value, said, part_name, loc);
    }
  };
  ForEachPart(form, info, name, part);
}

}  // namespace lathe::lower
