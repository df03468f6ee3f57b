#include "generator/emit/c/ports.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "generator/emit/c/kernel/print_c_expr.h"
#include "generator/emit/c/names/c_types.h"
#include "generator/emit/text/comment_text.h"
#include "generator/support/status.h"

namespace lathe::emit {
namespace {

using ir::PrimRef;
using ir::TensorId;

// The use of a port. For kReplaced a local variable is assigned instead of the parameter, which
// must not be modified (MISRA rule 17.8).
enum class Use { kInput, kReplaced, kOutput };

class PortNamer {
 public:
  PortNamer(const Model& model, ir::RoutineId id, bool via_structs, CScope& scope,
            MovePrinter& moves)
      : model_(model),
        routine_(model.program.routines[id]),
        via_structs_(via_structs),
        scope_(scope),
        moves_(moves),
        in_members_(CNames::OfMembers(model.name)),
        out_members_(in_members_) {}

  absl::StatusOr<Ports> Name() {
    const size_t inputs = routine_.inputs.size();
    for (size_t i = 0; i < inputs + routine_.sizes.size(); ++i) {
      const ir::Part part = i < inputs ? routine_.inputs[i] : routine_.sizes[i - inputs];
      const std::string hint =
          i < inputs ? routine_.input_names[i] : ir::ToString(routine_.sizes[i - inputs]);
      const bool replaced = i < inputs && IsReplaced(i);
      LATHE_ASSIGN_OR_RETURN(Port port, Named(part, hint, replaced ? Use::kReplaced : Use::kInput));
      ports_.inputs.push_back(std::move(port));
    }
    for (size_t i = 0; i < routine_.outputs.size(); ++i) {
      LATHE_ASSIGN_OR_RETURN(Port port,
                             Named(routine_.outputs[i], routine_.output_names[i], Use::kOutput));
      ports_.outputs.push_back(std::move(port));
    }
    // The shapes are printed last, because a shape may mention a size that is named later.
    for (std::vector<Port>* ports : {&ports_.inputs, &ports_.outputs}) {
      for (Port& port : *ports) {
        const auto* id = std::get_if<TensorId>(&port.part);
        if (id == nullptr) continue;
        std::vector<std::string> dims;
        for (PrimRef dim : model_.program.tensors[*id].shape) {
          dims.push_back(CommentText(ir::ToString(dim)));
        }
        port.shape = absl::StrJoin(dims, ", ");
      }
    }
    return std::move(ports_);
  }

 private:
  // Returns true if an iteration passes another value of the input to the next iteration.
  bool IsReplaced(size_t input) const {
    bool replaced = false;
    ir::ForEachStep(routine_.steps, [&](const ir::Step& step) {
      const auto* again = std::get_if<ir::TailCallStep>(&step.node);
      replaced = replaced || (again != nullptr && again->inputs[input] != routine_.inputs[input]);
    });
    return replaced;
  }

  absl::StatusOr<Port> Named(const ir::Part& part, const std::string& hint, Use use) {
    const bool output = use == Use::kOutput;
    const char* via = output ? "out->" : "in->";
    const std::string param = use == Use::kReplaced ? absl::StrCat("first_", hint) : hint;
    Port port;
    port.part = part;
    port.name = via_structs_ ? (output ? out_members_ : in_members_).Unique(hint)
                             : scope_.names.Unique(param);
    const auto* id = std::get_if<TensorId>(&part);
    const ir::DType dtype =
        id != nullptr ? model_.program.tensors[*id].dtype : std::get<PrimRef>(part)->dtype();
    const absl::string_view type = id != nullptr ? CType(dtype) : CScalarType(dtype);
    if (type.empty()) return CannotPrint(absl::StrCat("'", hint, "' of ", ToString(dtype)));
    if (type == "double" && !model_.needs.no_float64.empty()) {
      return absl::UnimplementedError(model_.needs.no_float64);
    }
    std::string spelled = via_structs_ ? absl::StrCat(via, port.name) : port.name;
    if (use == Use::kReplaced) spelled = port.local = scope_.names.Unique(hint);
    if (id != nullptr) {
      const bool writes = output || model_.written.contains(*id);
      port.type = absl::StrCat(writes ? "" : "const ", type, " *");
      moves_.Name(*id, spelled);
      if (model_.program.tensors[*id].sizes.valid()) {
        CNames& names = via_structs_ ? out_members_ : scope_.names;
        port.capacity = names.Unique(absl::StrCat(port.name, "_capacity"));
        ports_.capacities[*id] = absl::StrCat(via_structs_ ? via : "", port.capacity);
      }
    } else {
      const PrimRef var = std::get<PrimRef>(part);
      port.type = absl::StrCat(type, output ? " *" : " ");
      scope_.vars[var] = {output ? absl::StrCat("*", spelled) : spelled, dtype};
    }
    return port;
  }

  const Model& model_;
  const ir::Routine& routine_;
  const bool via_structs_;
  CScope& scope_;
  MovePrinter& moves_;
  CNames in_members_;
  CNames out_members_;
  Ports ports_;
};

}  // namespace

absl::StatusOr<Ports> NamePorts(const Model& model, ir::RoutineId id, bool via_structs,
                                CScope& scope, MovePrinter& moves) {
  return PortNamer(model, id, via_structs, scope, moves).Name();
}

}  // namespace lathe::emit
