#include "generator/emit/c/print_state.h"

#include "absl/strings/str_cat.h"
#include "generator/emit/c/kernel/kernel_sizes.h"
#include "generator/emit/c/names/c_address.h"
#include "generator/emit/c/names/c_types.h"
#include "generator/support/line_writer.h"

namespace lathe::emit {

std::vector<StatePointer> NameState(const Model& model, const ir::Routine& routine, CScope& scope,
                                    MovePrinter& moves) {
  std::vector<StatePointer> pointers;
  for (size_t i = 0; i < routine.state.size(); ++i) {
    const ir::TensorId id = routine.state[i];
    const ir::Tensor& tensor = model.program.tensors[id];
    const std::string type =
        absl::StrCat(model.written.contains(id) ? "" : "const ", CType(tensor.dtype), " *");
    const std::string name = scope.names.Unique(tensor.name);
    const std::string at = AddressOf(kStateMember, absl::StrCat(model.plan.state.offsets[i], "u"));
    pointers.push_back({name, absl::StrCat(type, "const ", name, " = (", type, ")(",
                                           model.written.contains(id) ? "" : "const ", "void *)",
                                           i == 0 ? kStateMember : at, ";")});
    moves.Name(id, name);
  }
  return pointers;
}

std::string StatePointers(const std::vector<StatePointer>& pointers, const std::string& body) {
  LineWriter out(2);
  for (const StatePointer& pointer : pointers) {
    if (MentionsName(body, pointer.name)) out.Line(pointer.line);
  }
  return out.Take();
}

}  // namespace lathe::emit
