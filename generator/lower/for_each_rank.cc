#include "generator/lower/for_each_rank.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "generator/ir/op.h"
#include "generator/lower/actual_call.h"
#include "generator/lower/boxed_values.h"
#include "generator/lower/lower_packed.h"

namespace lathe::lower {
namespace {

using ir::PrimRef;

// Operators that take a boxed value unchanged.
bool TakesAnyValue(const ir::Op& op) {
  for (absl::string_view name :
       {"relax.make_closure", "relax.invoke_closure", "relax.invoke_pure_closure",
        "relax.null_value", "relax.builtin.stop_lift_params", "relax.grad.no_grad",
        "relax.grad.start_checkpoint", "relax.grad.end_checkpoint"}) {
    if (op.name == name) return true;
  }
  return CallsPacked(op);
}

std::optional<ir::ValueId> OpenIn(RoutineBuilder& b, const ir::Operand& operand,
                                  const Location& loc) {
  if (const auto* tuple = operand.As<ir::TupleExpr>()) {
    for (const ir::Operand& field : tuple->fields) {
      if (const auto id = OpenIn(b, field, loc)) return id;
    }
  }
  const auto* id = operand.As<ir::ValueId>();
  const auto form = id == nullptr ? std::nullopt : b.FormOf(operand, loc);
  return form && AsBoxed(b.lowering.program, *form) ? std::optional(*id) : std::nullopt;
}

// The dtypes of tensors that occur in the program; it cannot test for others. If only bool occurs,
// float32 is added, because the program may still compute with numbers.
std::vector<ir::DType> DTypesIn(const ir::Module& module) {
  std::set<ir::DType> dtypes;
  const auto add = [&](ir::StructInfoRef info) {
    const auto* tensor = info == nullptr ? nullptr : info->As<ir::TensorInfo>();
    if (tensor != nullptr && !tensor->dtype.is_void()) dtypes.insert(tensor->dtype);
  };
  for (int32_t i = 0; i < std::ssize(module.values); ++i) add(module.values[ir::ValueId{i}].info);
  for (int32_t i = 0; i < std::ssize(module.constants); ++i) {
    dtypes.insert(module.constants[ir::ConstantId{i}].dtype);
  }
  const bool no_numbers =
      std::all_of(dtypes.begin(), dtypes.end(), [](ir::DType dtype) { return dtype.is_bool(); });
  if (no_numbers) dtypes.insert(ir::DType::Float(32));
  return {dtypes.begin(), dtypes.end()};
}

class Ranks {
 public:
  Ranks(RoutineBuilder& b, const ir::Binding& binding, ir::ValueId id,
        absl::FunctionRef<void()> rest)
      : b_(b),
        binding_(binding),
        id_(id),
        rest_(rest),
        whole_(*b.FormOf(ir::Operand{id}, {})),
        is_shape_(b.lowering.module.values[id].info->As<ir::ShapeInfo>() != nullptr) {}

  void Split() {
    if (b_.rank_bodies > kMaxRankBodies) return;  // it was reported
    const auto* said = b_.lowering.module.values[id_].info->As<ir::TensorInfo>();
    std::vector<ir::DType> dtypes = {said != nullptr ? said->dtype : ir::DType::Void()};
    if (dtypes[0].is_void() && !is_shape_) dtypes = DTypesIn(b_.lowering.module);
    for (ir::DType dtype : dtypes) {
      Option option{dtype, nullptr, {}};
      for (int rank = 0; rank <= kMaxChoiceRank; ++rank) {
        const bool known = said != nullptr && said->ndim >= 0;
        if ((!known || said->ndim == rank) && Takes(dtype, rank)) option.ranks.push_back(rank);
      }
      if (!option.ranks.empty()) options_.push_back(std::move(option));
    }
    if (options_.empty()) return NoneFits();
    for (Option& option : options_) {
      option.rank = b_.lowering.NewNumber(absl::StrCat(Name(), "_rank"));
      b_.Define(option.rank, option.rank);
      b_.Emit(ir::RankStep{option.rank, Value(), option.dtype}, binding_.loc);
    }
    EachDType(0);
    b_.Bind(id_, whole_);
  }

 private:
  struct Option {
    ir::DType dtype;  // void for a shape
    PrimRef rank;     // of the tensor or shape, or -1
    std::vector<int> ranks;
  };

  void NoneFits() {
    if (b_.rank_depth > 0) return b_.EndRun(What(), binding_.loc);
    b_.lowering.Unsupported(binding_.loc)
        << "'" << Name() << "' has a dynamic rank, and " << OpName()
        << " does not accept any rank from 0 to " << kMaxChoiceRank << "; " << kSupported;
  }

  std::string OpName() const {
    const auto* call = std::get_if<ir::Call>(&binding_.rhs);
    return call == nullptr || call->op() == nullptr ? "the call" : call->op()->name;
  }

  const std::string& Name() const { return b_.lowering.module.values[id_].name; }
  std::string What() const { return absl::StrCat("rank of ", Name()); }
  ir::TensorId Value() const { return *AsBoxed(b_.lowering.program, whole_); }

  // Returns whether inference accepts a tensor of this dtype and rank.
  bool Takes(ir::DType dtype, int rank) {
    const auto* call = std::get_if<ir::Call>(&binding_.rhs);
    if (call == nullptr || call->op() == nullptr) return true;
    std::vector<PrimRef> sizes;
    for (int i = 0; i < rank; ++i) sizes.push_back(b_.lowering.ir.NewVar(Name()));
    b_.Bind(id_, is_shape_ ? Form{ir::ShapeForm{sizes}}
                           : Form{b_.lowering.program.tensors.Add(
                                 {Name(), dtype, sizes, ir::Home::kPointer, {}, {}})});
    auto actual = ActualCall::Of(b_, *call, binding_.loc);
    const bool takes = actual && (actual->Infer().ok() || MeetsAnything());
    b_.Bind(id_, whole_);
    return takes;
  }

  // Returns whether another argument may still be a boxed value.
  bool MeetsAnything() const {
    const auto other = FindUnknownRank(b_, binding_);
    return other && b_.lowering.module.values[*other].info->As<ir::TensorInfo>() == nullptr;
  }

  PrimRef Is(PrimRef rank, int number) {
    return b_.lowering.ir.Make(ir::BinaryOp::kEq, rank, b_.lowering.ir.Int(number));
  }

  void EachDType(size_t n) {
    const Option& option = options_[n];
    if (n + 1 == options_.size()) return EachRank(option, option.ranks, true);
    PrimRef is_one = nullptr;
    for (int rank : option.ranks) {
      const PrimRef is_it = Is(option.rank, rank);
      is_one = is_one == nullptr ? is_it : b_.lowering.ir.Make(ir::BinaryOp::kOr, is_one, is_it);
    }
    b_.EmitBranch(
        is_one, [&] { EachRank(option, option.ranks, false); }, [&] { EachDType(n + 1); },
        binding_.loc);
  }

  // The last option needs no branch. Whether it is the one may have to be checked.
  void EachRank(const Option& option, absl::Span<const int> left, bool check) {
    if (left.size() == 1) {
      if (check) b_.Emit(ir::CheckStep{Is(option.rank, left[0]), What()}, binding_.loc);
      return As(option.dtype, left[0]);
    }
    b_.EmitBranch(
        Is(option.rank, left[0]), [&] { As(option.dtype, left[0]); },
        [&] { EachRank(option, left.subspan(1), check); }, binding_.loc);
  }

  // Variables defined in one branch mean nothing in the others.
  void As(ir::DType dtype, int rank) {
    if (b_.rank_bodies > kMaxRankBodies) return;
    if (++b_.rank_bodies > kMaxRankBodies) {
      b_.lowering.Unsupported(binding_.loc)
          << "the code after '" << Name() << "', whose rank is dynamic, would be copied more than "
          << kMaxRankBodies << " times, once for each combination of dynamic ranks; "
          << "supported: at most three tensors of dynamic rank up to " << kMaxChoiceRank
          << " in a function; R.Tensor(ndim=...) makes a rank static";
      return;
    }
    analysis::ShapeVarMap before = b_.scope();
    b_.Bind(id_, Opened(dtype, rank));
    const RoutineBuilder::RankChoice chosen(b_);
    rest_();
    b_.SetScope(std::move(before));
  }

  // Uses the annotated sizes if there are any: they were checked where the value was produced.
  Form Opened(ir::DType dtype, int rank) {
    if (is_shape_) return *Unbox(b_, Value(), b_.lowering.ir.Shape(rank), Name(), binding_.loc);
    const ir::TensorId open = UnboxTensor(b_, Value(), dtype, rank, Name(), binding_.loc);
    const auto* said = b_.lowering.module.values[id_].info->As<ir::TensorInfo>();
    if (said == nullptr || said->dims() == nullptr || !b_.may_view()) return Form{open};
    ir::StructInfoRef info = b_.lowering.ir.Tensor(*said->dims(), dtype);
    return Form{b_.NewView(open, *info->As<ir::TensorInfo>(), Name(), binding_.loc)};
  }

  RoutineBuilder& b_;
  const ir::Binding& binding_;
  const ir::ValueId id_;
  absl::FunctionRef<void()> rest_;
  const Form whole_;
  const bool is_shape_;  // otherwise a tensor
  std::vector<Option> options_;
};

}  // namespace

std::optional<ir::ValueId> FindUnknownRank(RoutineBuilder& b, const ir::Binding& binding) {
  const auto* call = std::get_if<ir::Call>(&binding.rhs);
  if (call == nullptr || call->op() == nullptr || TakesAnyValue(*call->op())) return std::nullopt;
  for (const ir::Operand& arg : call->args) {
    if (const auto id = OpenIn(b, arg, binding.loc)) return id;
  }
  return std::nullopt;
}

void ForEachRank(RoutineBuilder& b, const ir::Binding& binding, ir::ValueId id,
                 absl::FunctionRef<void()> rest) {
  Ranks(b, binding, id, rest).Split();
}

}  // namespace lathe::lower
