#include "generator/lower/structure_of.h"

#include <vector>

#include "absl/strings/str_cat.h"
#include "generator/support/match.h"

namespace lathe::lower {

using ir::PrimRef;

std::string StructureOf(const ir::Program& program, const Form& form) {
  const auto all = [&](absl::string_view kind, const std::vector<Form>& forms) {
    std::string text = absl::StrCat(kind, "(");
    for (const Form& one : forms) absl::StrAppend(&text, StructureOf(program, one), ",");
    return text + ")";
  };
  return Match(
      form.node, [](const Nothing&) { return std::string("nothing"); },
      [&](ir::TensorId id) {
        const ir::Tensor& tensor = program.tensors[id];
        return absl::StrCat(ToString(tensor.dtype), "/", tensor.shape.size());
      },
      [](PrimRef scalar) { return absl::StrCat("prim ", ToString(scalar->dtype())); },
      [](const ShapeForm& s) { return absl::StrCat("shape/", s.dims.size()); },
      [&](const TupleForm& t) { return all("tuple", t.fields); },
      [](const ir::StringImm& s) { return absl::StrCat("text", s.value.size(), ":", s.value); },
      [](const ir::DTypeImm& d) { return absl::StrCat("dtype ", ToString(d.dtype)); },
      [](ir::GlobalId id) { return absl::StrCat("@", id.index); },
      [](const ir::ExternFunc& f) { return absl::StrCat("extern", f.name.size(), ":", f.name); },
      [&](const ClosureForm& c) { return all(absl::StrCat("@", c.function.index), c.captured); },
      [&](const ChoiceForm& c) { return all("choice", c.options); });
}

size_t CountLeaves(const Form& form) {
  const auto* tuple = form.As<TupleForm>();
  const std::vector<Form>* parts = nullptr;
  if (tuple != nullptr) parts = &tuple->fields;
  if (const auto* closure = form.As<ClosureForm>()) parts = &closure->captured;
  if (const auto* choice = form.As<ChoiceForm>()) parts = &choice->options;
  // A tuple has the leaves of its fields, and counts as one if it is empty. A closure also counts
  // its function.
  size_t leaves = tuple != nullptr && !tuple->fields.empty() ? 0 : 1;
  for (size_t i = 0; parts != nullptr && i < parts->size(); ++i) leaves += CountLeaves((*parts)[i]);
  return leaves;
}

}  // namespace lathe::lower
