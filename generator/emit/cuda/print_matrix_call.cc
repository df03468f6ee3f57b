#include "generator/emit/cuda/print_matrix_call.h"

#include <algorithm>
#include <string>

#include "absl/strings/str_cat.h"
#include "generator/analysis/arithmetic/simplify.h"
#include "generator/emit/c/kernel/print_c_element.h"
#include "generator/emit/c/kernel/print_c_pointer.h"
#include "generator/ir/device/async_copy_call.h"
#include "generator/ir/device/matrix_call.h"
#include "generator/ir/device/matrix_moves_call.h"
#include "generator/support/status.h"

namespace lathe::emit {
namespace {

using ir::DType;
using ir::PrimRef;

class MatrixCallPrinter {
 public:
  explicit MatrixCallPrinter(CScope& scope) : scope_(scope) {}

  absl::StatusOr<std::string> Multiplied(const ir::MmaCall& call) {
    const std::string name = absl::StrCat("lathe_mma_", ir::FormName(*call.form));
    scope_.needs.headers.insert("\"lathe/mma_forms.h\"");
    LATHE_ASSIGN_OR_RETURN(const std::string d, Registers(call.d));
    LATHE_ASSIGN_OR_RETURN(const std::string a, Registers(call.a));
    LATHE_ASSIGN_OR_RETURN(const std::string b, Registers(call.b));
    LATHE_ASSIGN_OR_RETURN(const std::string c, Registers(call.c));
    return absl::StrCat(name, "(", d, ", ", a, ", ", b, ", ", c, ")");
  }

  absl::StatusOr<std::string> Loaded(const ir::LoadMatrices& call) {
    scope_.needs.headers.insert("\"lathe/mma_forms.h\"");
    LATHE_ASSIGN_OR_RETURN(const std::string to, Registers(call.to));
    LATHE_ASSIGN_OR_RETURN(const std::string row, Place(call.row));
    return absl::StrCat("lathe_load_matrices_x", call.count, call.transposed ? "_trans" : "", "(",
                        to, ", ", row, ")");
  }

  absl::StatusOr<std::string> Put(const ir::StoreMatrices& call) {
    scope_.needs.headers.insert("\"lathe/mma_forms.h\"");
    LATHE_ASSIGN_OR_RETURN(const std::string row, Place(call.row));
    LATHE_ASSIGN_OR_RETURN(const std::string from, Registers(call.from));
    return absl::StrCat("lathe_store_matrices_x", call.count, call.transposed ? "_trans" : "", "(",
                        row, ", ", from, ")");
  }

  absl::StatusOr<std::string> Copied(const ir::AsyncCopy& copy) {
    scope_.needs.headers.insert("\"lathe/mma.h\"");
    LATHE_ASSIGN_OR_RETURN(const std::string to, Place(copy.to));
    LATHE_ASSIGN_OR_RETURN(const std::string from, Place(copy.from));
    std::string read = absl::StrCat(copy.bytes);
    if (copy.condition != nullptr) {
      LATHE_ASSIGN_OR_RETURN(const CText condition, PrintCTruth(scope_, copy.condition));
      read = absl::StrCat(condition.In(kTernary + 1), " ? ", copy.bytes, " : 0");
    }
    const std::string size = copy.bytes == 16 ? "" : absl::StrCat("_", copy.bytes);
    return absl::StrCat("lathe_copy_async", size, "(", to, ", ", from, ", ", read, ")");
  }

  absl::StatusOr<std::string> Filled(const ir::FillFragment& fill) {
    scope_.needs.headers.insert("\"lathe/fragments.h\"");
    LATHE_ASSIGN_OR_RETURN(const std::string at, Place(fill.at));
    return absl::StrCat("lathe_fill_fragment(", at, ", ", fill.count, ")");
  }

  absl::StatusOr<std::string> Stored(const ir::StoreFragment& store) {
    scope_.needs.headers.insert("\"lathe/fragments.h\"");
    LATHE_ASSIGN_OR_RETURN(const std::string to, Place(store.to));
    LATHE_ASSIGN_OR_RETURN(const std::string from, Place(store.from));
    LATHE_ASSIGN_OR_RETURN(const std::string stride, PrintCIndex(scope_, store.stride));
    return absl::StrCat("lathe_store_fragment(", to, ", ", from, ", ", stride, ")");
  }

 private:
  // Returns a pointer to `place` of the type of its memory.
  absl::StatusOr<std::string> Place(const ir::MemoryAddress& place) {
    PrimRef pointer = place.pointer;
    if (pointer->As<ir::Load>() != nullptr) {
      pointer = scope_.ir.MakeIntrinsic(DType::Handle(), "address_of", {pointer});
    }
    if (place.offset != nullptr) {
      const PrimRef unit = scope_.ir.MakeIntrinsic(place.unit, "type_annotation", {});
      pointer =
          scope_.ir.MakeIntrinsic(DType::Handle(), "tvm_access_ptr", {unit, pointer, place.offset});
    }
    LATHE_ASSIGN_OR_RETURN(CPointer printed, PrintCPointer(scope_, pointer));
    return std::move(printed.text);
  }

  // Returns a pointer to the first register. Fails unless the registers are contiguous.
  absl::StatusOr<std::string> Registers(const ir::Fragment& fragment) {
    for (size_t i = 1; i < fragment.registers.size(); ++i) {
      if (LiesBehind(fragment.registers[0].pointer, fragment.registers[i].pointer, i)) continue;
      return absl::UnimplementedError(
          absl::StrCat("the register ", ir::ToString(fragment.registers[i].pointer),
                       ", which does not follow the previous one, cannot be printed as CUDA yet; "
                       "supported: registers that are consecutive elements of one array"));
    }
    return Place(fragment.registers[0]);
  }

  // Returns whether `pointer` is `registers` registers after `first`. A register has 32 bits, or
  // one element if that is larger.
  bool LiesBehind(PrimRef first, PrimRef pointer, size_t registers) {
    const ir::Load* from = ir::PointedElement(first);
    const ir::Load* to = ir::PointedElement(pointer);
    if (from == nullptr || to == nullptr || from->buffer != to->buffer) return false;
    const int64_t each = std::max<int64_t>(1, 32 / from->buffer->dtype.bits);
    const auto offset = [&](const ir::Load& load) {
      PrimRef at = scope_.ir.Int(0);
      for (size_t d = 0; d < load.indices.size(); ++d) {
        const PrimRef size = scope_.ir.MakeCast(DType::Int(64), load.buffer->shape[d]);
        const PrimRef index = scope_.ir.MakeCast(DType::Int(64), load.indices[d]);
        at =
            scope_.ir.Make(ir::BinaryOp::kAdd, scope_.ir.Make(ir::BinaryOp::kMul, at, size), index);
      }
      return at;
    };
    const PrimRef apart = scope_.ir.Make(ir::BinaryOp::kSub, offset(*to), offset(*from));
    return analysis::Simplify(scope_.ir, apart) ==
           scope_.ir.Int(each * static_cast<int64_t>(registers));
  }

  CScope& scope_;
};

}  // namespace

absl::StatusOr<std::optional<CText>> PrintMatrixCall(CScope& scope, PrimRef e,
                                                     const ir::Intrinsic& call) {
  MatrixCallPrinter printer(scope);
  std::string text;
  if (const auto mma = ir::MmaCallOf(call)) {
    LATHE_ASSIGN_OR_RETURN(text, printer.Multiplied(*mma));
  } else if (const auto load = ir::LoadMatricesOf(call, e->dtype())) {
    LATHE_ASSIGN_OR_RETURN(text, printer.Loaded(*load));
  } else if (const auto rows = ir::StoreMatricesOf(call)) {
    LATHE_ASSIGN_OR_RETURN(text, printer.Put(*rows));
  } else if (const auto copy = ir::AsyncCopyOf(call, e->dtype())) {
    LATHE_ASSIGN_OR_RETURN(text, printer.Copied(*copy));
  } else if (const auto fill = ir::FillFragmentOf(call, e->dtype())) {
    LATHE_ASSIGN_OR_RETURN(text, printer.Filled(*fill));
  } else if (const auto store = ir::StoreFragmentOf(call, e->dtype())) {
    LATHE_ASSIGN_OR_RETURN(text, printer.Stored(*store));
  } else if (ir::CommitsCopies(call)) {
    scope.needs.headers.insert("\"lathe/mma.h\"");
    text = "lathe_commit_copies()";
  } else if (const auto left = ir::CopiesLeft(call)) {
    scope.needs.headers.insert("\"lathe/mma.h\"");
    text = absl::StrCat("lathe_wait_for_copies<", *left, ">()");
  } else {
    return std::nullopt;
  }
  return CText{std::move(text)};
}

}  // namespace lathe::emit
