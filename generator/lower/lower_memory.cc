#include "generator/lower/lower_memory.h"

#include <string>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "generator/analysis/arithmetic/prove.h"
#include "generator/analysis/arithmetic/simplify.h"
#include "generator/ir/packed_elements.h"

namespace lathe::lower {
namespace {

using ir::DType;
using ir::PrimRef;
using ir::TensorId;

class MemoryOperator {
 public:
  MemoryOperator(RoutineBuilder& b, const ir::Binding& binding, const ir::Call& call)
      : b_(b), binding_(binding), call_(call), name_(b.lowering.module.values[binding.var].name) {}

  std::optional<Form> Lower() {
    const std::string& op = call_.op()->name;
    if (absl::StartsWith(op, "relax.memory.kill_") || op == "relax.vm.kill_object") {
      return Form{Nothing{}};
    }
    // Omitted arguments, device numbers and names are not needed.
    std::vector<Form> args;
    for (const ir::Operand& operand : call_.args) {
      auto form = b_.FormOf(operand, binding_.loc);
      if (!form) return std::nullopt;
      args.push_back(*std::move(form));
    }
    for (const Form& arg : args) {
      if (const auto* dims = arg.As<ShapeForm>()) shape_ = dims->dims;
      if (const auto* dtype = arg.As<ir::DTypeImm>()) dtype_ = dtype->dtype;
      if (const auto* scope = arg.As<ir::StringImm>()) scope_ = scope->value;
    }
    if (op == "relax.builtin.alloc_tensor") return Allocated();
    if (absl::EndsWith(op, "alloc_storage")) return Storage();
    const auto* base = args.empty() ? nullptr : args[0].As<TensorId>();
    if (base == nullptr) return Refuse("its argument must be a tensor or a storage");
    const size_t offset_at = op == "relax.memory.view" ? 3 : 1;
    PrimRef offset = b_.lowering.ir.Int(0);
    if (offset_at < args.size()) {
      if (const auto* given = args[offset_at].As<PrimRef>()) offset = *given;
    }
    return View(*base, b_.lowering.ir.MakeCast(DType::Int(64), offset), op == "relax.memory.view");
  }

 private:
  std::nullopt_t Refuse(absl::string_view why) {
    b_.lowering.Unsupported(binding_.loc)
        << "operator '" << call_.op()->name << "' cannot be lowered to C: " << why << "; "
        << kSupported;
    return std::nullopt;
  }

  PrimRef Bytes(DType dtype, const std::vector<PrimRef>& shape) {
    ir::Context& ir = b_.lowering.ir;
    const bool shares = ir::IsPacked(dtype);
    PrimRef bytes = ir.Int(shares ? dtype.bits : static_cast<int64_t>(ir::StorageBytes(dtype, 1)));
    for (PrimRef dim : shape) bytes = ir.Make(ir::BinaryOp::kMul, bytes, dim);
    if (shares) {
      const PrimRef bits = ir.Make(ir::BinaryOp::kAdd, bytes, ir.Int(7));
      bytes = ir.Make(ir::BinaryOp::kFloorDiv, bits, ir.Int(8));
    }
    return analysis::Simplify(ir, bytes);
  }

  TensorId Fresh(std::vector<PrimRef> shape, DType dtype) {
    ir::Tensor tensor{name_, dtype, std::move(shape), ir::Home::kArena, {}, {}};
    tensor.scope = scope_;
    const TensorId id = b_.NewTensor(std::move(tensor), binding_.loc);
    b_.Emit(ir::FillStep{id}, binding_.loc);
    return id;
  }

  std::optional<Form> Allocated() {
    if (!shape_ || dtype_.is_void()) return Refuse("its shape or dtype is not known");
    return Form{Fresh(*shape_, dtype_)};
  }

  // A shape of one dimension counts bytes; others count elements.
  std::optional<Form> Storage() {
    if (!shape_) return Refuse("its size is not known");
    b_.CheckSizes(*shape_, name_, binding_.loc);
    const PrimRef bytes = shape_->size() == 1
                              ? (*shape_)[0]
                              : Bytes(dtype_.is_void() ? DType::UInt(8) : dtype_, *shape_);
    return Form{Fresh({bytes}, DType::UInt(8))};
  }

  void Check(PrimRef cond, absl::string_view what) {
    if (analysis::Simplify(b_.lowering.ir, cond) == b_.lowering.ir.Bool(true)) return;
    b_.EmitCheck({cond, absl::StrCat(name_, " ", what)}, binding_.loc);
  }

  std::optional<Form> View(TensorId base, PrimRef offset, bool of_tensor) {
    ir::Context& ir = b_.lowering.ir;
    const ir::Tensor whole = b_.lowering.program.tensors[base];
    const DType dtype = dtype_.is_void() ? whole.dtype : dtype_;
    const std::vector<PrimRef> shape = shape_ ? *shape_ : whole.shape;
    b_.CheckSizes(shape, name_, binding_.loc);
    const PrimRef bytes = Bytes(dtype, shape);
    const PrimRef end = ir.Make(ir::BinaryOp::kAdd, offset, bytes);
    Check(ir.Make(ir::BinaryOp::kLe, ir.Int(0), offset), "starts inside");
    // If the start is far beyond the end, the sum wraps around.
    const PrimRef room = Bytes(whole.dtype, whole.shape);
    if (offset->As<ir::IntImm>() == nullptr) {
      Check(ir.Make(ir::BinaryOp::kLe, offset, room), "starts inside");
    }
    Check(ir.Make(ir::BinaryOp::kLe, end, room), "ends inside");
    const PrimRef size = ir.Int(static_cast<int64_t>(ir::StorageBytes(dtype, 1)));
    Check(ir.Make(ir::BinaryOp::kEq, ir.Make(ir::BinaryOp::kFloorMod, offset, size), ir.Int(0)),
          "is aligned");
    // Under C's aliasing rules, data of one type cannot be read as another: the bytes are copied.
    const bool as_another = of_tensor && dtype != whole.dtype;
    if (as_another && !b_.may_view()) {
      return Refuse(
          "a view with another dtype is not supported in a function that writes in place");
    }
    const TensorId view = as_another ? NewView(base, DType::UInt(8), {bytes}, offset)
                                     : NewView(base, dtype, shape, offset);
    if (!as_another) return Form{view};
    const TensorId copy =
        b_.NewTensor({name_, dtype, shape, ir::Home::kArena, {}, {}}, binding_.loc);
    b_.Emit(ir::CopyStep{view, copy}, binding_.loc);
    return Form{copy};
  }

  TensorId NewView(TensorId base, DType dtype, std::vector<PrimRef> shape, PrimRef offset) {
    ir::Tensor view{name_, dtype, std::move(shape), ir::Home::kView, {}, base};
    view.byte_offset = analysis::Simplify(b_.lowering.ir, offset);
    const TensorId id = b_.lowering.program.tensors.Add(std::move(view));
    b_.Emit(ir::ViewStep{id}, binding_.loc);
    return id;
  }

  RoutineBuilder& b_;
  const ir::Binding& binding_;
  const ir::Call& call_;
  const std::string name_;
  std::optional<std::vector<PrimRef>> shape_;
  DType dtype_ = DType::Void();
  std::string scope_;  // memory scope: "global", or the name of a pool
};

}  // namespace

bool IsMemoryOperator(const ir::Op& op) {
  const absl::string_view name = op.name;
  return absl::StartsWith(name, "relax.memory.") || name == "relax.builtin.alloc_tensor" ||
         name == "relax.vm.alloc_storage" || name == "relax.vm.alloc_tensor" ||
         name == "relax.vm.kill_object";
}

std::optional<Form> LowerMemoryOperator(RoutineBuilder& b, const ir::Binding& binding,
                                        const ir::Call& call) {
  return MemoryOperator(b, binding, call).Lower();
}

}  // namespace lathe::lower
