// Tensor expressions: an operator's loop nest, written as what each element is.
//
//   LATHE_ASSIGN_OR_RETURN(Te te, Te::Begin(c, call));
//   ir::BufferRef x = te.Input(0);
//   return te.Finish({te.Compute("relu", x->shape, x->dtype, [&](const Indices& i) {
//     return te.math().Max(te.At(x, i), te.math().Const(0, x->dtype));
//   })});
//
// Each Compute or Reduce becomes one block in loops over its shape. The variables that stand in
// shapes are those of the caller.
#ifndef LATHE_OPS_TE_H_
#define LATHE_OPS_TE_H_

#include <functional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "generator/ir/op.h"
#include "generator/ops/scalar_math.h"
#include "generator/ops/statements.h"

namespace lathe::ops {

using Indices = std::vector<ir::PrimRef>;
using Dims = std::vector<ir::PrimRef>;

// How the values of a reduction come together: acc = combine(acc, value), from `identity`. Several
// accumulators (a maximum and where it is) are several entries.
struct Reducer {
  std::vector<ir::PrimRef> identity;
  std::function<std::vector<ir::PrimRef>(const Indices& acc, const Indices& value)> combine;
};

class Te {
 public:
  // A buffer for each tensor among the arguments, tuples flattened. Fails when a shape or dtype is
  // not known.
  static absl::StatusOr<Te> Begin(ir::ComputeContext& c, const ir::Call& call);

  // The same for tensors that are no arguments of an operator, and nothing known of results.
  struct NamedInfo {
    std::string name;
    ir::StructInfoRef info;
  };
  static absl::StatusOr<Te> Of(ir::Context& context, const std::vector<NamedInfo>& inputs);

  ScalarMath& math() { return math_; }
  ir::Context& ir() { return context_; }

  // The tensor that argument `arg` is; all of those in the tuple it is; null for what is none.
  ir::BufferRef Input(int arg) const {
    return inputs_[arg].empty() ? nullptr : inputs_[arg].front();
  }
  const std::vector<ir::BufferRef>& Inputs(int arg) const { return inputs_[arg]; }
  int inputs() const { return static_cast<int>(inputs_.size()); }
  // The tensors of the result, as inference says them.
  const std::vector<const ir::TensorInfo*>& results() const { return results_; }
  const Dims& result_dims(int i = 0) const { return *results_[i]->dims(); }
  ir::DType result_dtype(int i = 0) const { return results_[i]->dtype; }

  ir::PrimRef At(ir::BufferRef buffer, Indices indices) {
    return context_.MakeLoad(buffer, std::move(indices));
  }

  // What stands at `at` of a tensor of the dimensions `over` that `buffer` was broadcast to; of the
  // first result, when they are left out.
  ir::PrimRef AtBroadcast(ir::BufferRef buffer, const Indices& at, const Dims& over);
  ir::PrimRef AtBroadcast(ir::BufferRef buffer, const Indices& at) {
    return AtBroadcast(buffer, at, result_dims());
  }
  // The dimension that two broadcast to. One that shows only when it runs to be 1 gives way then.
  ir::PrimRef Together(ir::PrimRef a, ir::PrimRef b);

  // One element at a time.
  ir::BufferRef Compute(absl::string_view name, Dims shape, ir::DType dtype,
                        const std::function<ir::PrimRef(const Indices&)>& element);

  // A tensor that Assign fills, piece by piece.
  ir::BufferRef Allocate(absl::string_view name, Dims shape, ir::DType dtype);
  // For each point of `over`, stores a value at some place of `to`.
  struct Store {
    Indices indices;
    ir::PrimRef value;
  };
  void Assign(absl::string_view name, ir::BufferRef to, const Dims& over,
              const std::function<Store(const Indices&)>& store);
  // The same where points may meet at one place, so that their order counts.
  void Accumulate(absl::string_view name, ir::BufferRef to, const Dims& over,
                  const std::function<Store(const Indices&)>& store);

  // For each point of `over`, statements that fill what was allocated.
  void Run(absl::string_view name, const Dims& over,
           const std::function<void(Statements&, const Indices&)>& body);

  // Each element from all the values over `over`.
  ir::BufferRef Reduce(
      absl::string_view name, Dims shape, Dims over, const Reducer& reducer,
      const std::function<ir::PrimRef(const Indices& at, const Indices& r)>& value);
  // The sum, in `dtype`: of floats of fewer than 32 bits it is added up in float32 and rounded
  // once.
  ir::BufferRef SumUp(
      absl::string_view name, Dims shape, Dims over, ir::DType dtype,
      const std::function<ir::PrimRef(ir::DType wide, const Indices& at, const Indices& r)>& value);
  std::vector<ir::BufferRef> ReduceSeveral(
      const std::vector<std::string>& names, Dims shape, Dims over, const Reducer& reducer,
      const std::function<std::vector<ir::PrimRef>(const Indices& at, const Indices& r)>& values);

  // The same where the data says how many values there are: `over` is given the element as the
  // loops around the block count it.
  ir::BufferRef ReduceRagged(
      absl::string_view name, Dims shape, const std::function<Dims(const Indices& loops)>& over,
      const Reducer& reducer,
      const std::function<ir::PrimRef(const Indices& at, const Indices& r)>& value);

  // Along `axis`, each element from the one before it and a value of its own; the first from the
  // reducer's identity. With one accumulator.
  ir::BufferRef Scan(absl::string_view name, Dims shape, int axis, const Reducer& reducer,
                     const std::function<ir::PrimRef(const Indices&)>& value);

  Reducer Sum(ir::DType dtype);
  Reducer Prod(ir::DType dtype);
  Reducer Max(ir::DType dtype);
  Reducer Min(ir::DType dtype);

  // What has to hold when it runs, of sizes and of what the inputs say: nothing is computed where
  // it does not. `why` is the message.
  struct Condition {
    ir::PrimRef holds;
    std::string why;
  };
  void Need(ir::PrimRef holds, absl::string_view why);
  std::vector<Condition>& conditions() { return conditions_; }

  // The PrimFunc: `outputs` are its last parameters, other tensors that were computed are allocated
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
  // A block over the axes, in loops; `body` and `init` are made by the callers.
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

#endif  // LATHE_OPS_TE_H_
