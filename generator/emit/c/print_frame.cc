#include "generator/emit/c/print_frame.h"

#include "absl/strings/str_cat.h"
#include "generator/emit/c/kernel/c_ranges.h"
#include "generator/emit/c/kernel/kernel_sizes.h"
#include "generator/emit/c/kernel/print_c_element.h"
#include "generator/emit/c/kernel/print_c_expr.h"
#include "generator/emit/c/names/c_address.h"
#include "generator/emit/c/names/c_types.h"
#include "generator/emit/c/print_value.h"
#include "generator/emit/text/c_string.h"
#include "generator/ir/packed_elements.h"
#include "generator/support/status.h"

namespace lathe::emit {

absl::StatusOr<std::string> FrameText::Pointer(ir::TensorId id) {
  if (const auto it = spelled_.find(id); it != spelled_.end()) return it->second;
  const ir::Tensor& tensor = model_.program.tensors[id];
  if (CType(tensor.dtype).empty()) {
    return CannotPrint(absl::StrCat("'", tensor.name, "' of ", ToString(tensor.dtype)));
  }
  std::string pool = model_.arena();
  std::string at;
  if (const auto slot = frame_.slot_of.find(id); slot != frame_.slot_of.end()) {
    at = absl::StrCat("slot", slot->second);
    pool = model_.plan.pools[frame_.slots[slot->second].pool].name;
  } else {
    const plan::Place place = frame_.place_of.at(id);
    pool = model_.plan.pools[place.pool].name;
    at = absl::StrCat(place.offset);
  }
  const std::string name = scope_.names.Unique(tensor.name);
  pointers_.Line(CType(tensor.dtype), " *const ", name, " = (", CType(tensor.dtype), " *)(void *)",
                 AddressOf(pool, at), ";");
  return spelled_[id] = name;
}

absl::Status FrameText::Reserve(ir::TensorId id, LineWriter& out) {
  const ir::Tensor& tensor = model_.program.tensors[id];
  const bool kept = tensor.home == ir::Home::kKept;
  if ((!kept && !frame_.tail.contains(id)) || spelled_.contains(id)) return absl::OkStatus();
  const absl::string_view type = CType(tensor.dtype);
  if (type.empty()) {
    return CannotPrint(absl::StrCat("'", tensor.name, "' of ", ToString(tensor.dtype)));
  }
  LATHE_ASSIGN_OR_RETURN(const std::string bytes, Bytes(tensor.dtype, tensor.shape));
  const std::string name = scope_.names.Unique(tensor.name);
  spelled_[id] = name;
  if (kept) {
    model_.needs.headers.insert("\"lathe/value.h\"");
    out.Line(type, " *const ", name, " = (", type, " *)lathe_keep_room(region, ",
             AddressOf(model_.arena(), free_offset()), ", ", bytes, ");");
    out.Line("if (", name, " == NULL) {");
    out.Line("  return LATHE_E_MEMORY;");
    out.Line("}");
    return absl::OkStatus();
  }
  const size_t pool = model_.plan.PoolThatGrows(tensor.device);
  const std::string top = NamesOf(pool).top;
  out.Line(type, " *const ", name, " = (", type, " *)(void *)&", model_.plan.pools[pool].name, "[",
           top, "];");
  // A tensor that a call returned has no guards, because the callee chose its location.
  const int64_t guard = tensor.returned ? 0 : model_.plan.guard;
  out.Line(top, " = lathe_sum(", top, ", ", Padded(bytes, guard), ");");
  out.Line("if (", top, " > ", room(pool), ") {");
  out.Line("  return LATHE_E_MEMORY;");
  out.Line("}");
  if (guard > 0) {
    out.Line(model_.name, "_guard((uint8_t *)", name, " + ", bytes, ", &", model_.arena(), "[", top,
             "], ", CString(absl::StrCat("'", name, "'")), ", NULL);");
  }
  return absl::OkStatus();
}

namespace {

// The factors of a number of bytes: a constant of at most `most`, and symbolic sizes. They are
// multiplied one by one with overflow checks, because a product of several may wrap around.
struct Factors {
  int64_t fixed;
  const int64_t most;
  std::vector<ir::PrimRef> open = {};
};

void TakeFactors(CScope& scope, ir::PrimRef dim, Factors& factors) {
  const auto* size = dim->As<ir::IntImm>();
  const auto* product = dim->As<ir::Binary>();
  int64_t fixed = 0;
  if (size != nullptr && !__builtin_mul_overflow(factors.fixed, size->value, &fixed) &&
      fixed <= factors.most) {
    factors.fixed = fixed;
  } else if (product != nullptr && product->op == ir::BinaryOp::kMul &&
             RangeOf(scope, product->lhs).lo >= 0 && RangeOf(scope, product->rhs).lo >= 0) {
    TakeFactors(scope, product->lhs, factors);
    TakeFactors(scope, product->rhs, factors);
  } else {
    factors.open.push_back(dim);
  }
}

}  // namespace

absl::StatusOr<std::string> FrameText::Bytes(ir::DType dtype,
                                             const std::vector<ir::PrimRef>& dims) {
  model_.needs.headers.insert("\"lathe/scalar.h\"");
  const bool shares = ir::IsPacked(dtype);
  const int64_t most = static_cast<int64_t>(~uint64_t{0} >> (65 - model_.target.pointer_bits));
  Factors factors{shares ? 1 : static_cast<int64_t>(ir::StorageBytes(dtype, 1)), most};
  for (ir::PrimRef dim : dims) TakeFactors(scope_, dim, factors);
  std::string text = absl::StrCat(factors.fixed, "u");
  for (ir::PrimRef dim : factors.open) {
    // The routine checks a size that may overflow later. Until then it wraps around.
    const bool plain = dim->As<ir::IntImm>() == nullptr && NeverOverflows(scope_, dim);
    LATHE_ASSIGN_OR_RETURN(const std::string size,
                           plain ? PrintCSize(scope_, dim) : PrintCExpr(scope_, dim));
    text = absl::StrCat("lathe_scaled(", text, ", ", size, ")");
  }
  if (!shares) return text;
  model_.needs.headers.insert("\"lathe/bits.h\"");
  return absl::StrCat("lathe_packed_bytes(", text, ", ", int{dtype.bits}, "u)");
}

std::vector<size_t> FrameText::SlotsIn(size_t pool) const {
  std::vector<size_t> slots;
  for (size_t i = 0; i < frame_.slots.size(); ++i) {
    if (frame_.slots[i].pool == pool) slots.push_back(i);
  }
  return slots;
}

std::string FrameText::Padded(const std::string& bytes, int64_t guard) const {
  const std::string padded =
      absl::StrCat("lathe_aligned(", bytes, ", ", model_.target.ram_align, "u)");
  return guard == 0 ? padded : absl::StrCat("lathe_sum(", padded, ", ", guard, "u)");
}

absl::StatusOr<std::string> FrameText::Slots(size_t pool) {
  LineWriter lines(2);
  const std::string before = absl::StrCat(frame_.shares[pool].fixed_size, "u");
  const std::vector<size_t> slots = SlotsIn(pool);
  for (size_t i = 0; i < slots.size(); ++i) {
    const plan::Slot& slot = frame_.slots[slots[i]];
    const std::string next = i + 1 == slots.size() ? end(pool) : absl::StrCat("slot", slots[i + 1]);
    if (i == 0) lines.Line("const size_t slot", slots[0], " = ", before, ";");
    LATHE_ASSIGN_OR_RETURN(const std::string bytes, Bytes(slot.dtype, slot.dims));
    lines.Line("const size_t ", next, " = lathe_sum(slot", slots[i], ", ",
               Padded(bytes, model_.plan.guard), ");");
  }
  if (slots.empty()) lines.Line("const size_t ", end(pool), " = ", before, ";");
  return lines.Take();
}

absl::StatusOr<std::string> FrameText::CheckedSlots(const std::string& body) {
  LineWriter lines(2);
  for (size_t pool = 0; pool < frame_.shares.size(); ++pool) {
    const plan::Share& share = frame_.shares[pool];
    const bool empty = SlotsIn(pool).empty() && share.fixed_size == 0;
    const std::string top = NamesOf(pool).top;
    const bool grows = share.grows && MentionsName(body, top);
    const bool asked = !empty || grows || MentionsName(body, end(pool));
    if (!share.open || !asked) continue;
    LATHE_ASSIGN_OR_RETURN(const std::string slots, Slots(pool));
    lines.Append(slots);
    if (!empty) {  // an empty frame always fits
      lines.Line("if (", end(pool), " > ", room(pool), ") {");
      lines.Line("  return ",
                 model_.program.routines[id_].recursive ? "LATHE_E_MEMORY" : "LATHE_E_ARENA_SIZE",
                 ";");
      lines.Line("}");
    }
    if (grows) lines.Line("size_t ", top, " = ", end(pool), ";");
  }
  return lines.Take();
}

}  // namespace lathe::emit
