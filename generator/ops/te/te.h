// Builds loop nests of operators as tensor expressions: an expression gives each element of the
// result.
//
//   LATHE_ASSIGN_OR_RETURN(Te te, Te::Begin(c, call));
//   ir::BufferRef x = te.Input(0);
//   return te.Finish({te.Compute("relu", x->shape, x->dtype, [&](const Indices& i) {
//     return te.math().Max(te.At(x, i), te.math().Const(0, x->dtype));
//   })});
//
// Each Compute or Reduce becomes one block in loops over its shape. Variables in shapes are those
// of the caller.
#ifndef LATHE_OPS_TE_TE_H_
#define LATHE_OPS_TE_TE_H_

#include <functional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "generator/ir/op.h"
#include "generator/ir/tir.h"
#include "generator/ops/te/scalar_math.h"
#include "generator/ops/te/statements.h"

namespace lathe::ops {

using Indices = std::vector<ir::PrimRef>;
using Dims = std::vector<ir::PrimRef>;

// Combines the values of a reduction: acc = combine(acc, value), starting from `identity`. Several
// accumulators (a maximum and its index) are several entries.
struct Reducer {
  std::vector<ir::PrimRef> identity;
  std::function<std::vector<ir::PrimRef>(const Indices& acc, const Indices& value)> combine;
};

class Te {
 public:
  // Creates a buffer for each tensor argument; tuples are flattened. Fails when a shape or dtype is
  // unknown.
  static absl::StatusOr<Te> Begin(ir::ComputeContext& c, const ir::Call& call);

  // The same for tensors that are not operator arguments, without known results.
  struct NamedInfo {
    std::string name;
    ir::StructInfoRef info;
  };
  static absl::StatusOr<Te> Of(ir::Context& context, const std::vector<NamedInfo>& inputs);

  ScalarMath& math() { return math_; }
  ir::Context& ir() { return context_; }

  // Returns the tensor of argument `arg`, or all tensors of a tuple argument; null for other
  // arguments.
  ir::BufferRef Input(int arg) const {
    return inputs_[arg].empty() ? nullptr : inputs_[arg].front();
  }
  const std::vector<ir::BufferRef>& Inputs(int arg) const { return inputs_[arg]; }
  int inputs() const { return static_cast<int>(inputs_.size()); }
  // Returns the inferred tensors of the result.
  const std::vector<const ir::TensorInfo*>& results() const { return results_; }
  const Dims& result_dims(int i = 0) const { return *results_[i]->dims(); }
  ir::DType result_dtype(int i = 0) const { return results_[i]->dtype; }

  ir::PrimRef At(ir::BufferRef buffer, Indices indices) {
    return context_.MakeLoad(buffer, std::move(indices));
  }

  // Returns the element at `at` of `buffer` broadcast to the dimensions `over`, by default those of
  // the first result.
  ir::PrimRef AtBroadcast(ir::BufferRef buffer, const Indices& at, const Dims& over);
  ir::PrimRef AtBroadcast(ir::BufferRef buffer, const Indices& at) {
    return AtBroadcast(buffer, at, result_dims());
  }
  // Returns the dimension that two dimensions broadcast to. A dynamic dimension may turn out to be
  // 1.
  ir::PrimRef BroadcastDim(ir::PrimRef a, ir::PrimRef b);

  // Computes each element from its indices.
  ir::BufferRef Compute(absl::string_view name, Dims shape, ir::DType dtype,
                        const std::function<ir::PrimRef(const Indices&)>& element);

  // Allocates a tensor that Assign fills.
  ir::BufferRef Allocate(absl::string_view name, Dims shape, ir::DType dtype);
  // Stores one value to `to` for each point of `over`.
  struct Store {
    Indices indices;
    ir::PrimRef value;
  };
  void Assign(absl::string_view name, ir::BufferRef to, const Dims& over,
              const std::function<Store(const Indices&)>& store);
  // The same when several points may store to one element, so that their order matters.
  void Accumulate(absl::string_view name, ir::BufferRef to, const Dims& over,
                  const std::function<Store(const Indices&)>& store);

  // Runs statements for each point of `over`, which fill allocated tensors.
  void Run(absl::string_view name, const Dims& over,
           const std::function<void(Statements&, const Indices&)>& body);

  // Computes each element by reducing the values over `over`.
  ir::BufferRef Reduce(
      absl::string_view name, Dims shape, Dims over, const Reducer& reducer,
      const std::function<ir::PrimRef(const Indices& at, const Indices& r)>& value);
  // Computes sums in `dtype`. Floats under 32 bits are summed in float32 and rounded once.
  ir::BufferRef SumUp(
      absl::string_view name, Dims shape, Dims over, ir::DType dtype,
      const std::function<ir::PrimRef(ir::DType wide, const Indices& at, const Indices& r)>& value);
  std::vector<ir::BufferRef> ReduceSeveral(
      const std::vector<std::string>& names, Dims shape, Dims over, const Reducer& reducer,
      const std::function<std::vector<ir::PrimRef>(const Indices& at, const Indices& r)>& values);

  // The same with a reduction extent that depends on data: `over` receives the loop variables of
  // the element.
  ir::BufferRef ReduceRagged(
      absl::string_view name, Dims shape, const std::function<Dims(const Indices& loops)>& over,
      const Reducer& reducer,
      const std::function<ir::PrimRef(const Indices& at, const Indices& r)>& value);

  // Computes each element along `axis` from the previous one and a value; the first from the
  // identity of the reducer. Takes one accumulator.
  ir::BufferRef Scan(absl::string_view name, Dims shape, int axis, const Reducer& reducer,
                     const std::function<ir::PrimRef(const Indices&)>& value);

  Reducer Sum(ir::DType dtype);
  Reducer Prod(ir::DType dtype);
  Reducer Max(ir::DType dtype);
  Reducer Min(ir::DType dtype);

  // A condition on sizes and input values, checked at run time before anything is computed. `why`
  // is the message.
  struct Condition {
    ir::PrimRef holds;
    std::string why;
    std::string kind;  // of ir::AssertStmt
  };
  void Need(ir::PrimRef holds, absl::string_view why, absl::string_view kind = ir::kShapeError);
  std::vector<Condition>& conditions() { return conditions_; }

  // Returns the PrimFunc. `outputs` are its last parameters; other computed tensors are allocated
  // inside.
  ir::PrimFunc Finish(const std::vector<ir::BufferRef>& outputs);

 private:
  explicit Te(ir::Context& context) : context_(context), math_(context) {}

  absl::Status AddInput(ir::StructInfoRef info, const std::string& name, int arg);
  absl::Status AddResult(ir::StructInfoRef info);
  ir::BufferRef NewBuffer(absl::string_view name, Dims shape, ir::DType dtype);
  std::vector<ir::BufferRef> Fold(
      const std::vector<std::string>& names, const Dims& shape,
      const std::function<Dims(const Indices&)>& over, const Reducer& reducer,
      const std::function<std::vector<ir::PrimRef>(const Indices&, const Indices&)>& values);
  // Returns a block over the axes, in loops. The callers supply `body` and `init`.
  ir::StmtRef Nest(absl::string_view name, const std::vector<ir::BlockAxis>& axes, ir::StmtRef body,
                   ir::StmtRef init);
  std::vector<ir::BlockAxis> Axes(const Dims& extents, ir::AxisKind kind, absl::string_view prefix);
  static Indices Vars(const std::vector<ir::BlockAxis>& axes);
  ir::StmtRef Seq(std::vector<ir::StmtRef> stmts);
  void StoreAt(absl::string_view name, ir::BufferRef to, const std::vector<ir::BlockAxis>& axes,
               const std::function<Store(const Indices&)>& store);

  ir::Context& context_;
  ScalarMath math_;
  std::vector<std::vector<ir::BufferRef>> inputs_;  // by argument
  std::vector<const ir::TensorInfo*> results_;
  std::vector<ir::BufferRef> computed_;
  std::vector<ir::StmtRef> nests_;
  std::vector<Condition> conditions_;
};

}  // namespace lathe::ops

#endif  // LATHE_OPS_TE_TE_H_
