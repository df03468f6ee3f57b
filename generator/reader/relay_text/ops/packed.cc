// Imports operators whose weights TVM has packed into blocks, and operators of its virtual machine.
#include "generator/reader/relay_text/ops/call_parts.h"
#include "generator/reader/relay_text/ops/convolve.h"
#include "generator/reader/relay_text/ops/packed_weight.h"
#include "generator/reader/relay_text/ops/run_time_list.h"
#include "generator/support/status.h"

namespace lathe::relay {

// (units / block, in, block) becomes (units, in).
absl::StatusOr<Operand> UnpackedWeight(OpCall& c, const Operand& w) {
  LATHE_RETURN_IF_ERROR(RequireRank(c, w, 3, "the packed weight"));
  const Dims dims = c.DimsOf(w);
  const PrimRef units = c.Simplify(c.math().Mul(dims[0], dims[2]));
  return c.Reshape(c.Transposed(w, {0, 2, 1}), {units, dims[1]});
}

absl::StatusOr<Operand> ImportDensePack(OpCall& c) {
  const Operand x = c.Arg(0), packed = c.Arg(1);
  const auto dtype = c.DTypeAttr("out_dtype");
  if (!dtype) {
    LATHE_RETURN_IF_ERROR(RequireOneDType(c, {x, packed}));
  }
  LATHE_ASSIGN_OR_RETURN(const Operand w, UnpackedWeight(c, packed));
  return DenseProduct(c, x, w, dtype.value_or(c.TypeOf(x)));
}

// The second argument is the shape; the attribute repeats what the type inference found of it.
absl::StatusOr<Operand> ImportReshapeTensor(OpCall& c) {
  LATHE_ASSIGN_OR_RETURN(const Dims dims, ShapeArgument(c, 1));
  const Dims from = c.DimsOf(c.Arg(0));
  if (Differ(c.Product(from, 0, from.size()), c.Product(dims, 0, dims.size()))) {
    return c.Error() << "the shapes have different numbers of elements";
  }
  return c.Reshape(c.Arg(0), dims);
}

}  // namespace lathe::relay
