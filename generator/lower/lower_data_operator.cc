#include "generator/lower/lower_data_operator.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "generator/analysis/arithmetic/simplify.h"
#include "generator/lower/lower_operator.h"
#include "generator/ops/unique_kernels.h"

namespace lathe::lower {
namespace {

using ir::DType;
using ir::PrimRef;
using ir::TensorId;

class DataOperator {
 public:
  DataOperator(RoutineBuilder& b, const ir::Binding& binding, ActualCall& call)
      : b_(b), binding_(binding), call_(call), name_(b.lowering.module.values[binding.var].name) {}

  std::optional<Form> Lower() {
    for (size_t i = 0; i < call_.call().args.size(); ++i) {
      const auto* tensor = call_.InfoOf(call_.call().args[i])->As<ir::TensorInfo>();
      if (tensor != nullptr && tensor->dims() == nullptr)
        return Refuse("its argument is not a tensor of known shape");
    }
    if (call_.tensors().empty()) return Refuse("its argument is not a tensor");
    const std::string& op = call_.call().op()->name;
    if (op == "relax.nonzero") return Nonzero();
    return op == "relax.unique" ? Unique() : Slice();
  }

 private:
  std::nullopt_t Refuse(absl::string_view why) {
    b_.lowering.Unsupported(binding_.loc)
        << "operator '" << call_.call().op()->name << "' cannot be lowered to C: " << why << "; "
        << kSupported;
    return std::nullopt;
  }

  ir::Context& ir() { return b_.lowering.ir; }
  const ir::Tensor& Tensor(TensorId id) const { return b_.lowering.program.tensors[id]; }
  ir::StructInfoRef InfoOf(TensorId id) { return b_.InfoOf(Form{id}); }

  TensorId New(absl::string_view name, std::vector<PrimRef> shape, DType dtype) {
    return b_.NewTensor({std::string(name), dtype, std::move(shape), ir::Home::kArena, {}, {}},
                        binding_.loc);
  }
  TensorId NewIndices(absl::string_view name, PrimRef length) {
    return New(name, {length}, DType::Int(64));
  }

  bool Emit(absl::string_view part, absl::StatusOr<ir::PrimFunc> func,
            std::vector<TensorId> tensors) {
    if (!func.ok()) {
      (void)Refuse(func.status().message());
      return false;
    }
    return EmitNest(b_, *std::move(func), call_.call().op()->name, part, std::move(tensors),
                    binding_.loc);
  }

  // Reads a size of at most `most` from an element of a tensor.
  PrimRef Read(TensorId from, int64_t index, absl::string_view name, PrimRef most) {
    const PrimRef var = ir().NewVar(name);
    b_.Define(var, var);
    b_.Emit(ir::ReadStep{var, from, index}, binding_.loc);
    b_.lowering.program.routines[b_.routine].upper_bounds.push_back({var, most});
    return var;
  }

  PrimRef Elements(const std::vector<PrimRef>& shape) {
    PrimRef count = ir().Int(1);
    for (PrimRef dim : shape) count = ir().Make(ir::BinaryOp::kMul, count, dim);
    return analysis::Simplify(ir(), count);
  }

  std::optional<Form> Nonzero() {
    const TensorId x = call_.tensors()[0];
    const std::vector<PrimRef> shape = Tensor(x).shape;
    const TensorId found = NewIndices(absl::StrCat(name_, "_count"), ir().Int(1));
    if (!Emit("count", ops::CountNonzero(ir(), InfoOf(x)), {x, found})) return std::nullopt;
    const PrimRef count = Read(found, 0, absl::StrCat(name_, "_n"), Elements(shape));
    const int64_t rows = std::max<int64_t>(std::ssize(shape), 1);
    const TensorId out = New(name_, {ir().Int(rows), count}, DType::Int(64));
    if (!Emit("fill", ops::FillNonzero(ir(), InfoOf(x), count), {x, out})) return std::nullopt;
    return Form{out};
  }

  // Returns argument `i` as a constant, or `otherwise` if it is omitted.
  std::optional<int64_t> Number(size_t i, int64_t otherwise) {
    const auto& args = call_.call().args;
    if (i >= args.size()) return otherwise;
    const auto* prim = call_.InfoOf(args[i])->As<ir::PrimInfo>();
    const auto* value = prim == nullptr || prim->value == nullptr
                            ? nullptr
                            : analysis::Simplify(ir(), prim->value)->As<ir::IntImm>();
    if (value != nullptr) return value->value;
    return Refuse("an argument is not a constant");
  }

  std::optional<Form> Unique() {
    const TensorId x = call_.tensors()[0];
    const std::vector<PrimRef> shape = Tensor(x).shape;
    const DType dtype = Tensor(x).dtype;
    bool wanted[] = {true, false, false, false};
    for (size_t i = 0; i < 4; ++i) {
      const auto flag = Number(i + 1, wanted[i] ? 1 : 0);
      if (!flag) return std::nullopt;
      wanted[i] = *flag != 0;
    }
    ops::Slices slices{std::nullopt, Elements(shape)};
    if (call_.call().args.size() > 5 && !shape.empty()) {
      auto axis = Number(5, 0);
      if (!axis) return std::nullopt;
      if (*axis < 0) *axis += std::ssize(shape);
      if (*axis < 0 || *axis >= std::ssize(shape)) return Refuse("the axis is out of range");
      slices = {static_cast<int>(*axis), shape[static_cast<size_t>(*axis)]};
    }
    const TensorId place = NewIndices(absl::StrCat(name_, "_place"), slices.count);
    const TensorId first = New(absl::StrCat(name_, "_first"), {slices.count}, DType::Bool());
    const TensorId found = NewIndices(absl::StrCat(name_, "_count"), ir().Int(1));
    if (!Emit("place", ops::PlaceUnique(ir(), InfoOf(x), slices, wanted[0]),
              {x, place, first, found})) {
      return std::nullopt;
    }
    const PrimRef count = Read(found, 0, absl::StrCat(name_, "_n"), slices.count);
    std::vector<PrimRef> sizes = {count};
    if (slices.axis) {
      sizes = shape;
      sizes[static_cast<size_t>(*slices.axis)] = count;
    }
    TupleForm results;
    const TensorId values = New(name_, sizes, dtype);
    results.fields.push_back(Form{values});
    if (!Emit("fill", ops::FillUnique(ir(), InfoOf(x), slices, count), {x, place, first, values})) {
      return std::nullopt;
    }
    if (wanted[1]) {
      const TensorId out = NewIndices(absl::StrCat(name_, "_1"), count);
      results.fields.push_back(Form{out});
      if (!Emit("first", ops::FirstUnique(ir(), slices, count), {place, first, out}))
        return std::nullopt;
    }
    if (wanted[2]) results.fields.push_back(Form{place});
    if (wanted[3]) {
      const TensorId out = NewIndices(absl::StrCat(name_, "_3"), count);
      results.fields.push_back(Form{out});
      if (!Emit("count", ops::CountUnique(ir(), slices, count), {place, out})) return std::nullopt;
    }
    if (results.fields.size() == 1) return results.fields[0];
    return Form{std::move(results)};
  }

  std::optional<Form> Slice() {
    if (call_.tensors().size() != 4) return Refuse("an argument is not a tensor");
    const std::vector<TensorId> args = call_.tensors();
    const std::vector<PrimRef> shape = Tensor(args[0]).shape;
    const int64_t rank = std::ssize(shape);
    std::vector<ir::StructInfoRef> lists;
    SizeMatch match(ir());
    for (size_t i = 1; i < 4; ++i) {
      const ir::Tensor list = Tensor(args[i]);
      if (list.shape.size() != 1)
        return Refuse("'begin' and 'end' must be tensors with one dimension");
      match.Add(ir().Int(rank), list.shape[0], absl::StrCat("the length of ", list.name));
      lists.push_back(InfoOf(args[i]));
    }
    b_.EmitChecks(match, binding_.loc);
    const TensorId begins = NewIndices(absl::StrCat(name_, "_begins"), ir().Int(rank));
    const TensorId counts = NewIndices(absl::StrCat(name_, "_counts"), ir().Int(rank));
    if (!Emit("ranges", ops::SliceRanges(ir(), lists, shape),
              {args[1], args[2], args[3], begins, counts})) {
      return std::nullopt;
    }
    std::vector<PrimRef> sizes;
    for (int64_t d = 0; d < rank; ++d) {
      sizes.push_back(Read(counts, d, absl::StrCat(name_, "_n", d), shape[static_cast<size_t>(d)]));
      const PrimRef some = ir().Make(ir::BinaryOp::kNe, sizes.back(), ir().Int(-1));
      b_.EmitCheck({some, absl::StrCat("stride ", d, " of ", name_)}, binding_.loc);
    }
    const TensorId out = New(name_, sizes, Tensor(args[0]).dtype);
    if (!Emit("fill", ops::FillSlice(ir(), InfoOf(args[0]), lists[2], sizes),
              {args[0], begins, args[3], out})) {
      return std::nullopt;
    }
    return Form{out};
  }

  RoutineBuilder& b_;
  const ir::Binding& binding_;
  ActualCall& call_;
  const std::string name_;
};

}  // namespace

bool IsDataOperator(const ir::Op& op) {
  return op.name == "relax.nonzero" || op.name == "relax.unique" ||
         op.name == "relax.dynamic_strided_slice";
}

std::optional<Form> LowerDataOperator(RoutineBuilder& b, const ir::Binding& binding,
                                      ActualCall& call) {
  return DataOperator(b, binding, call).Lower();
}

}  // namespace lathe::lower
