#include "generator/emit/print_c_pointer.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "generator/analysis/simplify.h"
#include "generator/emit/c_address.h"
#include "generator/emit/c_types.h"
#include "generator/emit/print_c_element.h"
#include "generator/emit/print_c_expr.h"
#include "generator/support/status.h"

namespace lathe::emit {

using ir::PrimRef;

absl::StatusOr<CPointer> PrintCPointer(CScope& scope, PrimRef handle) {
  if (const auto owner = scope.owners.find(handle); owner != scope.owners.end()) {
    if (!scope.locals.contains(owner->second)) {
      return CPointer{scope.buffers.at(owner->second), owner->second->dtype,
                      scope.read_only.contains(handle)};
    }
  }
  if (const auto it = scope.pointers.find(handle); it != scope.pointers.end()) return it->second;
  const auto* call = handle->As<ir::Intrinsic>();
  if (call != nullptr && call->name == "address_of" && call->args.size() == 1) {
    if (const auto* load = call->args[0]->As<ir::Load>()) {
      LATHE_ASSIGN_OR_RETURN(std::string text, PrintCAddress(scope, load->buffer, load->indices));
      return CPointer{std::move(text), load->buffer->dtype,
                      scope.read_only.contains(load->buffer->data)};
    }
  }
  if (call != nullptr && call->name == "tvm_access_ptr" && call->args.size() >= 3) {
    LATHE_ASSIGN_OR_RETURN(const CPointer whole, PrintCPointer(scope, call->args[1]));
    LATHE_ASSIGN_OR_RETURN(const std::string offset, PrintCIndex(scope, call->args[2]));
    return CPointer{AddressOf(whole.text, offset), whole.dtype, whole.read_only};
  }
  const bool moved = call != nullptr &&
                     (call->name == "ptr_byte_offset" || call->name == "handle_add_byte_offset");
  if (moved && call->args.size() >= 2) {
    LATHE_ASSIGN_OR_RETURN(const CPointer whole, PrintCPointer(scope, call->args[0]));
    const PrimRef size = scope.ir.Int(whole.dtype.bits / 8, call->args[1]->dtype());
    const auto in = [&](ir::BinaryOp op) {
      return analysis::Simplify(scope.ir, scope.ir.Make(op, call->args[1], size));
    };
    if (whole.dtype.bits >= 8 && in(ir::BinaryOp::kFloorMod) == scope.ir.Int(0, size->dtype())) {
      LATHE_ASSIGN_OR_RETURN(const std::string offset,
                             PrintCIndex(scope, in(ir::BinaryOp::kFloorDiv)));
      return CPointer{AddressOf(whole.text, offset), whole.dtype, whole.read_only};
    }
  }
  return CannotPrint(absl::StrCat("the pointer ", ir::ToString(handle)));
}

absl::Status PrintCPointerLet(CScope& scope, const ir::LetStmt& let, LineWriter& out) {
  LATHE_ASSIGN_OR_RETURN(CPointer pointer, PrintCPointer(scope, let.value));
  const std::string name = scope.names.Unique(ir::ToString(let.var));
  out.Line(pointer.read_only ? "const " : "", CType(pointer.dtype), " *", name, " = ", pointer.text,
           ";");
  scope.lets.push_back(name);
  if (pointer.read_only) scope.read_only.insert(let.var);
  pointer.text = name;
  scope.pointers[let.var] = std::move(pointer);
  return absl::OkStatus();
}

absl::Status AddCAlias(CScope& scope, ir::BufferRef buffer) {
  LATHE_ASSIGN_OR_RETURN(CPointer pointer, PrintCPointer(scope, buffer->data));
  if (pointer.dtype != buffer->dtype) {
    return CannotPrint(absl::StrCat("buffer '", buffer->name, "' of ", ToString(buffer->dtype),
                                    ", a view of memory of ", ToString(pointer.dtype), ","));
  }
  scope.buffers[buffer] = std::move(pointer.text);
  return absl::OkStatus();
}

}  // namespace lathe::emit
