// Imports CenterCropPad, which crops or pads axes at both ends.
#include "generator/reader/onnx/format/tensor_data.h"
#include "generator/reader/onnx/found_dims.h"
#include "generator/reader/onnx/node_call.h"
#include "generator/reader/onnx/run_time_values.h"
#include "generator/reader/onnx/string_ops.h"
#include "generator/support/status.h"

namespace lathe::onnx {
namespace {

// Returns what to add to an index of the result to get that of the input: the elements cropped at
// the front, or less the padding there. The back has one more, if the number is odd.
PrimRef FrontOf(ScalarMath& m, PrimRef size, PrimRef wanted) {
  const PrimRef two = m.Int(2);
  const PrimRef cropped = m.FloorDiv(m.Max(m.Sub(size, wanted), m.Int(0)), two);
  const PrimRef padded = m.FloorDiv(m.Max(m.Sub(wanted, size), m.Int(0)), two);
  return m.Sub(cropped, padded);
}

}  // namespace

absl::StatusOr<Results> ImportCenterCropPad(NodeCall& n) {
  const bool strings = n.term(0).strings != nullptr || n.term(0).format == kStringType;
  Operand x;
  if (strings) {
    LATHE_ASSIGN_OR_RETURN(x, StringsIn(n, 0));
  } else {
    x = n.In(0);
  }
  const Dims from = n.DimsOf(x);
  const int rank = static_cast<int>(from.size()) - (strings ? 1 : 0);
  std::vector<int64_t> named = n.Ints("axes");
  if (!n.HasAttribute("axes")) {
    for (int a = 0; a < rank; ++a) named.push_back(a);
  }
  LATHE_ASSIGN_OR_RETURN(const std::vector<int> along, n.Axes(named, rank));
  const auto declared = n.ElementsOf(1) ? std::nullopt : n.DeclaredDims(0);
  const bool checks = declared && std::ssize(*declared) == rank;
  Dims dims = from;
  std::optional<Dims> sizes;
  if (checks) {
    sizes.emplace();
    for (const int a : along) sizes->push_back((*declared)[static_cast<size_t>(a)]);
  } else {
    sizes = SizesIn(n, 1);
  }
  LATHE_RETURN_IF_ERROR(n.status());
  if (!sizes) {
    return n.Unsupported() << "a shape of dynamic length without a declared output shape is not "
                              "supported";
  }
  if (sizes->size() != along.size()) {
    return n.Error() << "'shape' has " << sizes->size() << " entries for " << along.size()
                     << " axes";
  }
  LATHE_RETURN_IF_ERROR(n.NeedSizes(*sizes));
  for (size_t k = 0; k < along.size(); ++k) dims[static_cast<size_t>(along[k])] = (*sizes)[k];
  Operands args = {x};
  if (checks) args.push_back(n.In(1));
  Term result(n.Kernel("center_crop_pad", args, [&](Te& te) {
    ScalarMath& m = te.math();
    if (checks) NeedEntries(n, te, 1, *sizes, "the shape");
    return te.Compute("out", dims, n.TypeOf(x), [&](const Indices& at) {
      Indices source = at;
      PrimRef inside = m.ir().Bool(true);
      for (size_t a = 0; a < at.size(); ++a) {
        if (from[a] == dims[a]) continue;
        source[a] = n.Simplify(m.Add(at[a], FrontOf(m, from[a], dims[a])));
        const auto have = NodeCall::IntOf(from[a]), wanted = NodeCall::IntOf(dims[a]);
        if (have && wanted && *wanted <= *have) continue;
        inside = m.And(inside, m.InRange(source[a], m.Int(0), from[a]));
      }
      return m.IfThenElse(inside, te.At(te.Input(0), source), m.Const(0, n.TypeOf(x)));
    });
  }));
  if (strings) result.format = kStringType;
  return result;
}

}  // namespace lathe::onnx
