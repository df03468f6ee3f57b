#include "generator/emit/c/c_routine_dialect.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "generator/emit/c/kernel/stored_element.h"
#include "generator/emit/c/model_names.h"
#include "generator/emit/c/print_checked_call.h"
#include "generator/emit/c/print_moves.h"
#include "generator/support/status.h"

namespace lathe::emit {

void CRoutineDialect::Copy(Model& model, CurrentDevice&, const TensorCopy& copy,
                           LineWriter& out) const {
  model.needs.headers.insert("<string.h>");
  // A copy between different dtypes copies bytes, because the pointers must be compatible (MISRA
  // rule 21.15).
  const bool same = copy.from.dtype == copy.to.dtype;
  out.Line("(void)memcpy(", same ? "" : "(uint8_t *)", copy.target, ", ",
           same ? "" : "(const uint8_t *)", copy.source, ", ", copy.bytes, ");");
}

absl::Status CRoutineDialect::Fill(MovePrinter& moves, ir::TensorId tensor,
                                   const std::string& target, const std::string& bytes,
                                   LineWriter& out) const {
  moves.model().needs.headers.insert("<string.h>");
  out.Line("(void)memset(", target, ", 0xff, ", bytes, ");");
  return moves.ClearAfter(tensor, out);
}

absl::Status CRoutineDialect::Return(MovePrinter& moves, const std::vector<ir::TensorId>& tensors,
                                     LineWriter& out) const {
  Model& model = moves.model();
  FrameText& frame = moves.frame();
  model.needs.headers.insert("<string.h>");
  model.needs.headers.insert("\"lathe/scalar.h\"");
  if (tensors.size() == 1) {
    const ir::Tensor& tensor = model.program.tensors[tensors[0]];
    LATHE_ASSIGN_OR_RETURN(const std::string from, moves.Spell(tensors[0]));
    LATHE_ASSIGN_OR_RETURN(const std::string bytes, frame.Bytes(tensor.dtype, tensor.shape));
    out.Line("if (", bytes, " > ", frame.room(), ") {");
    out.Line("  return LATHE_E_MEMORY;");
    out.Line("}");
    LATHE_ASSIGN_OR_RETURN(const std::string size, moves.BytesOf(tensors[0]));
    out.Line("(void)memmove(", model.arena(), ", (const uint8_t *)", from, ", ", size, ");");
    return absl::OkStatus();
  }
  // The tensors are first packed after all other memory, so that none is overwritten before it
  // moves.
  out.Line("size_t end = top;");
  for (ir::TensorId id : tensors) {
    LATHE_ASSIGN_OR_RETURN(const std::string from, moves.Spell(id));
    const ir::Tensor& tensor = model.program.tensors[id];
    LATHE_ASSIGN_OR_RETURN(const std::string bytes, frame.Bytes(tensor.dtype, tensor.shape));
    const std::string next =
        absl::StrCat("lathe_sum(end, lathe_aligned(", bytes, ", ", model.target.ram_align, "u))");
    out.Line("if (", next, " > ", frame.room(), ") {");
    out.Line("  return LATHE_E_MEMORY;");
    out.Line("}");
    LATHE_ASSIGN_OR_RETURN(const std::string size, moves.BytesOf(id));
    out.Line("(void)memcpy(&", model.arena(), "[end], (const uint8_t *)", from, ", ", size, ");");
    out.Line("end = ", next, ";");
  }
  out.Line("(void)memmove(", model.arena(), ", &", model.arena(), "[top], end - top);");
  return absl::OkStatus();
}

CText CRoutineDialect::Read(Model& model, CNames&, const ElementRead& read, LineWriter&) const {
  return ReadElement(model.needs, read.tensor.dtype, {read.pointer, absl::StrCat(read.index)});
}

absl::Status CRoutineDialect::BeforeWrite(MovePrinter& moves, ir::TensorId tensor,
                                          LineWriter& out) const {
  return moves.ClearAfter(tensor, out);
}

void CRoutineDialect::CallKernel(const Model&, const KernelCall& call, LineWriter& out) const {
  const PrintedKernel& kernel = call.kernel;
  const std::string text = absl::StrCat(kernel.name, "(", absl::StrJoin(call.args, ", "), ")");
  if (kernel.fails) {
    PrintCheckedCall(text, out);
  } else {
    out.Line(text, ";");
  }
}

void CRoutineDialect::IncludePacked(CNeeds& needs) const {
  needs.headers.insert("\"lathe/packed.h\"");
}

void CRoutineDialect::CallPacked(CNames&, const PackedCall& call, LineWriter& out) const {
  PrintCheckedCall(
      absl::StrCat(call.keeps ? "lathe_call_keeping(" : "lathe_call_packed(", call.callee, ", ",
                   call.args, ", ", call.count, "u, ", call.room, ", &", call.result, ")"),
      out);
}

std::string CRoutineDialect::TakeTensor(const std::string& args, int) const {
  return absl::StrCat("lathe_take_tensor(", args, ")");
}

}  // namespace lathe::emit
