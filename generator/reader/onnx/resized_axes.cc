#include "generator/reader/onnx/resized_axes.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "generator/reader/onnx/found_dims.h"
#include "generator/support/status.h"

namespace lathe::onnx {
namespace {

// Maximum size of a resized axis, and maximum scale.
constexpr double kMaxSteps = 1e9;

// Computes the size of axis `k` if all axes in `along` keep the aspect ratio and are constant.
std::optional<int64_t> SizeByPolicy(NodeCall& n, const ResizeSettings& s,
                                    const std::vector<int64_t>& sizes,
                                    const std::vector<int>& along, size_t k) {
  const Dims from = n.DimsOf(n.In(0));
  double scale = 0, own = 0;
  for (size_t i = 0; i < along.size(); ++i) {
    const auto size = NodeCall::IntOf(from[static_cast<size_t>(along[i])]);
    if (!size || *size < 1) return std::nullopt;
    const double ratio = static_cast<double>(sizes[i]) / static_cast<double>(*size);
    if (i == k) own = static_cast<double>(*size);
    const bool less = s.policy == "not_larger";
    scale = i == 0 ? ratio : less ? std::min(scale, ratio) : std::max(scale, ratio);
  }
  const double size = std::floor(scale * own + 0.5);
  if (!(size >= 0 && size < 1e9)) return std::nullopt;
  return static_cast<int64_t>(size);
}

// Sets the size of `a` that the constant `scale` gives. Returns false if it is not constant.
absl::StatusOr<bool> ScaleAxis(NodeCall& n, double scale, ResizedAxis& a) {
  const auto size = NodeCall::IntOf(a.from);
  if (!size && scale != std::floor(scale)) return false;
  a.scale = scale;
  // Computes in float, as ONNX does: 0.6 times 5 is 3.
  const float exact = static_cast<float>(size.value_or(1)) * static_cast<float>(scale);
  if (!(exact >= 0 && exact < kMaxSteps)) return n.Error() << "a scale is out of range: " << scale;
  a.to = size ? n.ir().Int(static_cast<int64_t>(std::floor(exact)))
              : n.Simplify(n.math().Mul(a.from, n.ir().Int(static_cast<int64_t>(scale))));
  return true;
}

// Returns the size of `a` as a new shape variable, which the run computes from a size or a scale.
// Returns nothing if it depends on other axes.
std::optional<PrimRef> FoundSize(NodeCall& n, const ResizeSettings& s, const ResizedAxis& a,
                                 int scales_in, std::optional<double> scale) {
  if (s.sizes > 0 && s.policy != "stretch") return std::nullopt;
  const bool by_input = s.sizes > 0 || !scale;
  const int input = s.sizes > 0 ? 3 : scales_in;
  Operands args;
  if (by_input) {
    if (n.Rank(n.In(input)) != 1) return std::nullopt;
    args.push_back(n.In(input));
  }
  return FoundDim(n, args, [&](Te& te) {
    ScalarMath& m = te.math();
    const DType real = DType::Float(32), whole = DType::Int(64);
    const auto entry = [&] {
      te.Need(m.Lt(m.Int(a.entry), te.Input(0)->shape[0]),
              absl::StrCat(n.op(), " needs a scale or size for each axis"));
      return te.At(te.Input(0), {m.Int(a.entry)});
    };
    if (s.sizes > 0) return m.Cast(entry(), whole);
    const PrimRef by = by_input ? m.Cast(entry(), real) : m.Const(*scale, real);
    const PrimRef size = m.Call("floor", {m.Mul(m.Cast(a.from, real), by)});
    return m.Cast(m.Max(m.Min(size, m.Const(kMaxSteps, real)), m.Const(-1, real)), whole);
  });
}

}  // namespace

absl::Status SizeAxis(NodeCall& n, const ResizeSettings& s, const ResizeSizes& w, size_t k,
                      ResizedAxis& a) {
  const auto scale = w.scales ? std::optional((*w.scales)[k]) : std::nullopt;
  if (scale) {
    LATHE_ASSIGN_OR_RETURN(const bool scaled, ScaleAxis(n, *scale, a));
    if (scaled) return absl::OkStatus();
  }
  const auto declared = n.DeclaredDims(0);
  if (w.sizes && s.policy == "stretch") {
    if ((*w.sizes)[k] < 0) return n.Error() << "a size must not be negative, got " << (*w.sizes)[k];
    a.to = n.ir().Int((*w.sizes)[k]);
  } else if (const auto kept = w.sizes ? SizeByPolicy(n, s, *w.sizes, w.along, k) : std::nullopt) {
    a.to = n.ir().Int(*kept);
  } else if (declared && std::ssize(*declared) == n.Rank(n.In(0))) {
    a.to = (*declared)[a.axis];
    a.declared = true;
    a.scale = scale;
  } else if (const auto found = FoundSize(n, s, a, w.scales_in, scale)) {
    a.to = *found;
    a.declared = true;
    a.scale = scale;
  } else {
    return n.Unsupported() << "a dynamic size that keeps the aspect ratio is supported only with a "
                              "declared shape";
  }
  return absl::OkStatus();
}

}  // namespace lathe::onnx
