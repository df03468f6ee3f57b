#include "generator/emit/c/kernel/print_c_pointer.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "generator/analysis/arithmetic/simplify.h"
#include "generator/emit/c/kernel/print_c_element.h"
#include "generator/emit/c/kernel/print_c_expr.h"
#include "generator/emit/c/names/c_address.h"
#include "generator/emit/c/names/c_types.h"
#include "generator/ir/packed_elements.h"
#include "generator/support/status.h"

namespace lathe::emit {

using ir::PrimRef;

namespace {

int64_t BitsOf(ir::DType dtype) { return int64_t{dtype.bits} * std::max<int>(dtype.lanes, 1); }

// Returns the pointer `by` * `bits` bits after `from`. Fails if this is not a whole number of
// elements.
absl::StatusOr<CPointer> Moved(CScope& scope, const CPointer& from, PrimRef by, int64_t bits,
                               PrimRef handle) {
  // A pointer to packed elements points to bytes.
  const int64_t element = ir::IsPacked(from.dtype) ? 8 : BitsOf(from.dtype);
  PrimRef elements = by;
  if (bits != element) {
    const auto number = [&](int64_t value) { return scope.ir.Int(value, by->dtype()); };
    const PrimRef all = scope.ir.Make(ir::BinaryOp::kMul, by, number(bits));
    const auto in = [&](ir::BinaryOp op) {
      return analysis::Simplify(scope.ir, scope.ir.Make(op, all, number(element)));
    };
    if (bits == 0 || in(ir::BinaryOp::kFloorMod) != number(0)) {
      return CannotPrint(
          absl::StrCat("the pointer ", ir::ToString(handle), ", not at an element,"));
    }
    elements = in(ir::BinaryOp::kFloorDiv);
  }
  LATHE_ASSIGN_OR_RETURN(const std::string offset, PrintCIndex(scope, elements));
  const bool is_address = from.text[0] == '&';
  const std::string base = is_address ? absl::StrCat("(", from.text, ")") : from.text;
  return CPointer{AddressOf(base, offset), from.dtype, from.read_only};
}

}  // namespace

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
    return Moved(scope, whole, call->args[2], BitsOf(call->args[0]->dtype()), handle);
  }
  const bool moved = call != nullptr &&
                     (call->name == "ptr_byte_offset" || call->name == "handle_add_byte_offset");
  if (moved && call->args.size() >= 2) {
    LATHE_ASSIGN_OR_RETURN(const CPointer whole, PrintCPointer(scope, call->args[0]));
    return Moved(scope, whole, call->args[1], 8, handle);
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
