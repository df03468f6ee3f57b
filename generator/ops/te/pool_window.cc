#include "generator/ops/te/pool_window.h"

#include <algorithm>

#include "generator/ops/args/attributes.h"
#include "generator/ops/args/ir_names.h"
#include "generator/ops/args/operands.h"
#include "generator/support/status.h"

namespace lathe::ops {

int PoolRank(const Call& call) {
  const absl::string_view name = call.op()->name;
  return name[name.find("pool") + 4] - '0';
}

std::string PoolLayout(int rank) { return "NC" + std::string("DHW").substr(3 - rank); }

Dims PoolWindow::Over(ScalarMath& m) const {
  Dims over;
  for (int64_t s : size) over.push_back(m.Int(s));
  return over;
}

int64_t PoolWindow::Elements() const {
  int64_t count = 1;
  for (int64_t s : size) count *= s;
  return count;
}

bool PoolWindow::has_padding() const {
  return std::any_of(padding.begin(), padding.end(), [](int64_t p) { return p != 0; });
}

std::pair<Indices, PrimRef> PoolWindow::ElementAt(ScalarMath& m, const Indices& at,
                                                  const Indices& r, const Dims& image) const {
  std::pair<Indices, PrimRef> found = {{at[0], at[1]}, m.ir().Bool(true)};
  for (size_t i = 0; i < size.size(); ++i) {
    const PrimRef start = m.Mul(at[2 + i], m.Int(strides[i]));
    found.first.push_back(m.Sub(m.Add(start, m.Mul(r[i], m.Int(dilation[i]))), m.Int(padding[i])));
    found.second = m.And(found.second, m.InRange(found.first.back(), m.Int(0), image[2 + i]));
  }
  return found;
}

PrimRef PoolWindow::Counts(ScalarMath& m, const Indices& at, const Indices& r, const Dims& image,
                           bool pads) const {
  const auto [from, inside] = ElementAt(m, at, r, image);
  if (!pads) return inside;
  PrimRef counted = m.ir().Bool(true);
  for (size_t i = 0; i < size.size(); ++i) {
    const PrimRef end = m.Add(image[2 + i], m.Int(padding[size.size() + i]));
    counted = m.And(counted, m.Lt(from[2 + i], end));
  }
  return counted;
}

absl::StatusOr<PoolWindow> NeedWindow(InferContext& c, const Call& call) {
  const size_t rank = static_cast<size_t>(PoolRank(call));
  PoolWindow w;
  LATHE_ASSIGN_OR_RETURN(w.size, NeedInts(c, call, "pool_size", rank));
  LATHE_ASSIGN_OR_RETURN(w.strides, NeedInts(c, call, "strides", rank));
  LATHE_ASSIGN_OR_RETURN(w.padding, NeedInts(c, call, "padding", 2 * rank));
  LATHE_ASSIGN_OR_RETURN(w.dilation, NeedInts(c, call, "dilation", rank));
  w.ceil = FindBool(call, "ceil_mode");
  constexpr int64_t kLimit = 1 << 20;
  for (const auto* list : {&w.size, &w.strides, &w.padding, &w.dilation}) {
    for (int64_t value : *list) {
      if (value >= (list == &w.padding ? 0 : 1) && value <= kLimit) continue;
      return c.Error("op-attribute") << "a size, stride, dilation or padding of the window of "
                                     << SurfaceName(call) << " is " << value << ", out of range";
    }
  }
  return w;
}

PoolWindow WindowOf(const Call& call) {
  return {IntsAttr(call, "pool_size"), IntsAttr(call, "strides"), IntsAttr(call, "padding"),
          IntsAttr(call, "dilation"), FindBool(call, "ceil_mode")};
}

}  // namespace lathe::ops
