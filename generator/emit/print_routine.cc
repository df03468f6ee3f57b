#include "generator/emit/print_routine.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "generator/emit/c_types.h"
#include "generator/emit/print_c_element.h"
#include "generator/emit/print_c_expr.h"
#include "generator/support/line_writer.h"
#include "generator/support/status.h"

namespace lathe::emit {
namespace {

using ir::PrimRef;
using ir::TensorId;

class RoutinePrinter {
 public:
  RoutinePrinter(Model& model, ir::RoutineId id, bool via_structs)
      : model_(model),
        program_(model.program),
        routine_(model.program.routines[id]),
        frame_(model.plan.frames[id]),
        id_(id),
        via_structs_(via_structs),
        scope_{model.context, model.needs, names_} {
    scope_.wide = true;
    for (const char* taken : {"m", "in", "out", "arena", "arena_size", "frame_size", "status"}) {
      (void)names_.Unique(taken);
    }
  }

  absl::StatusOr<RoutineText> Print() {
    LATHE_RETURN_IF_ERROR(Ports());
    LineWriter steps(2);
    LATHE_RETURN_IF_ERROR(Steps(routine_.steps, steps));
    const std::string body = steps.Take();
    Slots();
    LATHE_RETURN_IF_ERROR(failed_);
    LineWriter head(2);
    Head(body, head);
    text_.body = absl::StrCat(head.Take(), pointers_.Take(), body);
    Signature();
    return std::move(text_);
  }

 private:
  absl::Status Ports() {
    const size_t inputs = routine_.inputs.size();
    for (size_t i = 0; i < inputs + routine_.sizes.size(); ++i) {
      const ir::Part part = i < inputs ? routine_.inputs[i] : routine_.sizes[i - inputs];
      const std::string hint =
          i < inputs ? routine_.input_names[i] : ir::ToString(routine_.sizes[i - inputs]);
      LATHE_RETURN_IF_ERROR(AddPort(part, hint, "in->", text_.inputs, false));
    }
    for (size_t i = 0; i < routine_.outputs.size(); ++i) {
      LATHE_RETURN_IF_ERROR(
          AddPort(routine_.outputs[i], routine_.output_names[i], "out->", text_.outputs, true));
    }
    // Only now: a shape may name a size that comes later.
    for (std::vector<Port>* ports : {&text_.inputs, &text_.outputs}) {
      for (Port& port : *ports) {
        const auto* id = std::get_if<TensorId>(&port.part);
        if (id == nullptr) continue;
        std::vector<std::string> dims;
        for (PrimRef dim : program_.tensors[*id].shape) dims.push_back(ir::ToString(dim));
        port.shape = absl::StrJoin(dims, ", ");
      }
    }
    return absl::OkStatus();
  }

  absl::Status AddPort(const ir::Part& part, const std::string& hint, const char* via,
                       std::vector<Port>& ports, bool output) {
    Port port;
    port.part = part;
    port.name = (via_structs_ ? output ? out_members_ : in_members_ : names_).Unique(hint);
    const auto* id = std::get_if<TensorId>(&part);
    const ir::DType dtype =
        id != nullptr ? program_.tensors[*id].dtype : std::get<PrimRef>(part)->dtype();
    const absl::string_view type = id != nullptr ? CType(dtype) : CScalarType(dtype);
    if (type.empty()) return CannotPrint(absl::StrCat("'", hint, "' of ", ToString(dtype)));
    const std::string spelled = via_structs_ ? absl::StrCat(via, port.name) : port.name;
    if (id != nullptr) {
      const bool writes = output || model_.written.contains(*id);
      port.type = absl::StrCat(writes ? "" : "const ", type, " *");
      spelled_[*id] = spelled;
    } else {
      const PrimRef var = std::get<PrimRef>(part);
      port.type = absl::StrCat(type, output ? " *" : " ");
      scope_.vars[var] = {output ? absl::StrCat("*", spelled) : spelled, dtype};
    }
    ports.push_back(std::move(port));
    return absl::OkStatus();
  }

  // The parameters that the body does not use, the frame, the status.
  void Head(const std::string& body, LineWriter& head) {
    const std::string& pointers = pointers_.text();
    const auto used = [&](const std::string& name) {
      return MentionsName(body, name) || MentionsName(pointers, name) ||
             MentionsName(slots_.text(), name);
    };
    if (via_structs_) {
      if (used("arena")) head.Line("uint8_t *const arena = m->arena;");
      if (frame_.open) head.Line("const size_t arena_size = m->arena_size;");
    } else {
      for (const std::vector<Port>* ports : {&text_.inputs, &text_.outputs}) {
        for (const Port& port : *ports) {
          if (!used(port.name)) head.Line("(void)", port.name, ";");
        }
      }
      if (model_.UsesArena(id_) && !used("arena")) head.Line("(void)arena;");
    }
    if (MentionsName(body, "status")) head.Line("int status = LATHE_OK;");
    if (frame_.open) head.Append(slots_.Take());
  }

  // Where the slots are, and whether the arena has room for them.
  void Slots() {
    if (!frame_.open) return;
    const std::string align = absl::StrCat(model_.target.ram_align, "u");
    const std::string before = absl::StrCat(frame_.fixed_size, "u");
    for (size_t i = 0; i < frame_.slots.size(); ++i) {
      const std::string next =
          i + 1 == frame_.slots.size() ? "frame_size" : absl::StrCat("slot", i + 1);
      if (i == 0) slots_.Line("const size_t slot0 = ", before, ";");
      slots_.Line("const size_t ", next, " = lathe_sum(slot", i, ", lathe_aligned(",
                  Bytes(frame_.slots[i].dtype, frame_.slots[i].dims), ", ", align, "));");
    }
    if (frame_.slots.empty()) slots_.Line("const size_t frame_size = ", before, ";");
    slots_.Line("if (frame_size > arena_size) {");
    slots_.Line("  return ", routine_.recursive ? "LATHE_E_MEMORY" : "LATHE_E_ARENA_SIZE", ";");
    slots_.Line("}");
  }

  void Signature() {
    std::vector<std::string> params;
    if (model_.UsesArena(id_)) {
      params.push_back("uint8_t *arena");
      if (frame_.open) params.push_back("size_t arena_size");
    }
    for (const std::vector<Port>* ports : {&text_.inputs, &text_.outputs}) {
      for (const Port& port : *ports) params.push_back(absl::StrCat(port.type, port.name));
    }
    text_.signature = absl::StrCat("static int ", model_.routines[id_], "(",
                                   params.empty() ? "void" : absl::StrJoin(params, ", "), ")");
  }

  // The bytes of a tensor, an expression of type size_t.
  std::string Bytes(ir::DType dtype, const std::vector<PrimRef>& dims) {
    model_.needs.headers.insert("\"lathe/scalar.h\"");
    int64_t fixed = static_cast<int64_t>(ir::StorageBytes(dtype, 1));
    std::string text;
    std::vector<std::string> open;
    for (PrimRef dim : dims) {
      const auto* size = dim->As<ir::IntImm>();
      if (size != nullptr) {
        fixed *= size->value;
        continue;
      }
      auto printed = PrintCIndex(scope_, dim);
      open.push_back(printed.ok() ? *printed : "0");
      if (!printed.ok()) failed_ = printed.status();
    }
    text = absl::StrCat(fixed, "u");
    for (const std::string& dim : open) text = absl::StrCat("lathe_scaled(", text, ", ", dim, ")");
    return text;
  }

  absl::Status Steps(const ir::Steps& steps, LineWriter& out) {
    for (const ir::Step& step : steps) LATHE_RETURN_IF_ERROR(Step(step, out));
    return failed_;
  }

  absl::Status Step(const ir::Step& step, LineWriter& out) {
    return Match(
        step.node, [&](const ir::KernelStep& s) { return Kernel(s, out); },
        [&](const ir::CopyStep& s) { return Copy(s, out); },
        [&](const ir::DefineStep& s) -> absl::Status {
          const std::string name = names_.Unique(ir::ToString(s.var));
          scope_.vars[s.var] = {name, s.var->dtype()};
          if (CScalarType(s.var->dtype()).empty()) return CannotPrint(ir::ToString(s.var));
          out.Line(CScalarType(s.var->dtype()), " ", name, " = 0;");
          return absl::OkStatus();
        },
        [&](const ir::AssignStep& s) -> absl::Status {
          LATHE_ASSIGN_OR_RETURN(const std::string value, PrintCExpr(scope_, s.value));
          out.Line(scope_.vars.at(s.var).name, " = ", value, ";");
          return absl::OkStatus();
        },
        [&](const ir::ReadStep& s) -> absl::Status {
          const std::string name = names_.Unique(ir::ToString(s.var));
          scope_.vars[s.var] = {name, s.var->dtype()};
          LATHE_ASSIGN_OR_RETURN(const std::string from, Spell(s.tensor));
          out.Line("const ", CScalarType(s.var->dtype()), " ", name, " = ", from, "[", s.index,
                   "];");
          return absl::OkStatus();
        },
        [&](const ir::CheckStep& s) -> absl::Status {
          LATHE_ASSIGN_OR_RETURN(const std::string cond, PrintCExpr(scope_, s.cond));
          out.Line("if (!(", cond, ")) { /* ", s.what, " */");
          out.Line("  return LATHE_E_SHAPE;");
          out.Line("}");
          return absl::OkStatus();
        },
        [&](const ir::AssertStep& s) -> absl::Status {
          LATHE_ASSIGN_OR_RETURN(const std::string cond, Condition(s.cond));
          out.Line("if (!(", cond, ")) {");
          out.Line("  return LATHE_E_FAILED;");
          out.Line("}");
          return absl::OkStatus();
        },
        [&](const ir::BranchStep& s) -> absl::Status {
          LATHE_ASSIGN_OR_RETURN(const std::string cond, Condition(s.cond));
          out.Line("if (", cond, ") {");
          {
            LineWriter::Indent in(out);
            LATHE_RETURN_IF_ERROR(Steps(s.then_steps, out));
          }
          out.Line("} else {");
          {
            LineWriter::Indent in(out);
            LATHE_RETURN_IF_ERROR(Steps(s.else_steps, out));
          }
          out.Line("}");
          return absl::OkStatus();
        },
        [&](const ir::CallStep& s) { return Call(s, out); });
  }

  absl::StatusOr<std::string> Condition(const ir::Part& part) {
    if (const auto* id = std::get_if<TensorId>(&part)) {
      LATHE_ASSIGN_OR_RETURN(const std::string name, Spell(*id));
      return absl::StrCat(name, "[0] != 0");
    }
    return PrintCExpr(scope_, std::get<PrimRef>(part));
  }

  absl::Status Kernel(const ir::KernelStep& s, LineWriter& out) {
    const PrintedKernel& kernel = model_.kernels[s.kernel];
    std::vector<std::string> args;
    for (TensorId id : s.tensors) {
      LATHE_ASSIGN_OR_RETURN(std::string arg, Spell(id));
      args.push_back(std::move(arg));
    }
    for (PrimRef scalar : s.scalars) {
      LATHE_ASSIGN_OR_RETURN(std::string arg, PrintCExpr(scope_, scalar));
      args.push_back(std::move(arg));
    }
    const std::string call = absl::StrCat(kernel.name, "(", absl::StrJoin(args, ", "), ")");
    if (kernel.fails) {
      Checked(call, out);
    } else {
      out.Line(call, ";");
    }
    return absl::OkStatus();
  }

  static void Checked(const std::string& call, LineWriter& out) {
    out.Line("status = ", call, ";");
    out.Line("if (status != LATHE_OK) {");
    out.Line("  return status;");
    out.Line("}");
  }

  absl::Status Copy(const ir::CopyStep& s, LineWriter& out) {
    LATHE_ASSIGN_OR_RETURN(const std::string from, Spell(s.from));
    LATHE_ASSIGN_OR_RETURN(const std::string to, Spell(s.to));
    const ir::Tensor& tensor = program_.tensors[s.from];
    const std::optional<int64_t> bytes = tensor.bytes();
    model_.needs.headers.insert("<string.h>");
    out.Line("(void)memcpy(", to, ", ", from, ", ",
             bytes ? absl::StrCat(*bytes, "u") : Bytes(tensor.dtype, tensor.shape), ");");
    return absl::OkStatus();
  }

  absl::Status Call(const ir::CallStep& s, LineWriter& out) {
    std::vector<std::string> args;
    const plan::Frame& callee = model_.plan.frames[s.routine];
    const std::optional<int64_t> offset = frame_.call_offsets[static_cast<size_t>(next_call_++)];
    if (model_.UsesArena(s.routine)) {
      if (offset) {
        args.push_back(*offset == 0 ? "arena" : absl::StrCat("arena + ", *offset));
      } else {
        args.push_back("arena + frame_size");
        if (callee.open) args.push_back("arena_size - frame_size");
      }
    }
    for (const ir::Part& part : s.inputs) {
      LATHE_ASSIGN_OR_RETURN(std::string arg, Argument(part));
      args.push_back(std::move(arg));
    }
    for (PrimRef size : s.sizes) {
      LATHE_ASSIGN_OR_RETURN(std::string arg, PrintCExpr(scope_, size));
      args.push_back(std::move(arg));
    }
    for (const ir::Part& part : s.outputs) {
      if (const auto* var = std::get_if<PrimRef>(&part)) {
        args.push_back(absl::StrCat("&", scope_.vars.at(*var).name));
        continue;
      }
      LATHE_ASSIGN_OR_RETURN(std::string arg, Argument(part));
      args.push_back(std::move(arg));
    }
    Checked(absl::StrCat(model_.routines[s.routine], "(", absl::StrJoin(args, ", "), ")"), out);
    return absl::OkStatus();
  }

  absl::StatusOr<std::string> Argument(const ir::Part& part) {
    if (const auto* id = std::get_if<TensorId>(&part)) return Spell(*id);
    return PrintCExpr(scope_, std::get<PrimRef>(part));
  }

  // The tensor's pointer: one in the arena is declared at the top, at its first use.
  absl::StatusOr<std::string> Spell(TensorId used) {
    const TensorId id = program_.Whole(used);
    if (const auto it = spelled_.find(id); it != spelled_.end()) return it->second;
    const ir::Tensor& tensor = program_.tensors[id];
    if (tensor.home == ir::Home::kConstant) return model_.constants.at(tensor.constant);
    if (CType(tensor.dtype).empty()) {
      return CannotPrint(absl::StrCat("'", tensor.name, "' of ", ToString(tensor.dtype)));
    }
    std::string at;
    if (const auto slot = frame_.slot_of.find(id); slot != frame_.slot_of.end()) {
      at = absl::StrCat("slot", slot->second);
    } else {
      at = absl::StrCat(frame_.offset_of.at(id));
    }
    const std::string name = names_.Unique(tensor.name);
    pointers_.Line(CType(tensor.dtype), " *const ", name, " = (", CType(tensor.dtype),
                   " *)(void *)(arena", at == "0" ? "" : " + " + at, ");");
    return spelled_[id] = name;
  }

  Model& model_;
  const ir::Program& program_;
  const ir::Routine& routine_;
  const plan::Frame& frame_;
  const ir::RoutineId id_;
  const bool via_structs_;
  CNames names_;  // of parameters and locals
  CNames in_members_;
  CNames out_members_;
  CScope scope_;
  RoutineText text_;
  LineWriter pointers_{2};
  LineWriter slots_{2};
  absl::flat_hash_map<TensorId, std::string> spelled_;
  size_t next_call_ = 0;
  absl::Status failed_;
};

}  // namespace

absl::StatusOr<RoutineText> PrintRoutine(Model& model, ir::RoutineId id, bool via_structs) {
  return RoutinePrinter(model, id, via_structs).Print();
}

}  // namespace lathe::emit
