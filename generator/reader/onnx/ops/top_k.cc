// Imports TopK. Its k may be known only at run time.
#include <optional>

#include "generator/reader/onnx/node_call.h"
#include "generator/reader/onnx/run_time_length.h"
#include "generator/reader/onnx/run_time_values.h"
#include "generator/support/status.h"

namespace lathe::onnx {
absl::StatusOr<Results> ImportTopK(NodeCall& n) {
  Operand x = n.In(0);
  LATHE_ASSIGN_OR_RETURN(const int axis, n.Axis(n.Int("axis", -1), n.Rank(x)));
  LATHE_RETURN_IF_ERROR(n.status());
  const auto along = static_cast<size_t>(axis);
  std::optional<int64_t> k;
  PrimRef later = nullptr;  // k, if it is known only at run time
  if (n.HasAttribute("k")) {
    k = n.Int("k", 0);
  } else if (const auto known = n.ElementsOf(1)) {
    if (known->size() != 1) return n.Error() << known->size() << " values for 'k'; one is needed";
    k = NodeCall::IntOf((*known)[0]);
    if (!k) later = (*known)[0];
  } else if (!n.Has(1)) {
    return n.Error() << "'k' is missing";
  }
  const auto declared = n.DeclaredDims(0);
  if (!k && later == nullptr && declared && declared->size() > along) {
    k = NodeCall::IntOf((*declared)[along]);
    if (k) {
      x = Checked(n, x, {n.In(1)}, [&](Te& te) {
        NeedSame(n, te, OnlyEntry(te, 1), te.math().Int(*k), "the number of elements");
      });
    }
  }
  const Dims dims = n.DimsOf(x);
  const auto size = NodeCall::IntOf(dims[along]);
  if (k && (*k < 0 || (size && *k > *size))) {
    return n.Error() << "'k' is out of range: " << *k << " of " << size.value_or(0) << " elements";
  }
  if (!k && later == nullptr) {
    later = FoundLength(n, n.In(1));
  }
  if (k == 0) {
    // R.topk treats k = 0 as all elements.
    Dims none = dims;
    none[along] = n.ir().Int(0);
    const auto zeros = [&](DType dtype) {
      return n.Op("relax.zeros", {NodeCall::Shape(none)}, {{"dtype", dtype}});
    };
    return Operands{zeros(n.TypeOf(x)), zeros(DType::Int(64))};
  }
  const Operand both = n.Op("relax.topk", {x},
                            {{"k", k.value_or(-1)},
                             {"axis", axis},
                             {"ret_type", "both"},
                             {"largest", n.Int("largest", 1) != 0},
                             {"dtype", DType::Int(64)}});
  Operands results = {n.Field(both, 0), n.Field(both, 1)};
  if (later != nullptr) {
    for (Operand& result : results) result = FirstAlong(n, result, axis, later);
  }
  return results;
}

}  // namespace lathe::onnx
