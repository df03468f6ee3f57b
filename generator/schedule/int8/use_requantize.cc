#include "generator/schedule/int8/use_requantize.h"

#include <optional>
#include <utility>
#include <vector>

#include "generator/analysis/arithmetic/substitute.h"
#include "generator/ir/map_children.h"
#include "generator/ir/requantize.h"
#include "generator/schedule/int8/int8_loops.h"

namespace lathe::schedule {
namespace {

using ir::BufferRef;
using ir::PrimRef;
using ir::StmtRef;

class RequantizeRewriting {
 public:
  explicit RequantizeRewriting(ir::Context& context) : ir_(context) {}

  StmtRef operator()(StmtRef stmt) {
    if (const auto* loop = stmt->As<ir::ForStmt>()) {
      if (const StmtRef depthwise = DepthwiseOf(*loop)) return depthwise;
      if (const StmtRef row = RowOf(*loop)) return row;
    }
    return ir::MapChildren(ir_, stmt, [this](StmtRef child) { return (*this)(child); });
  }

 private:
  // for c: out[at + c] = requantized sums[from + c]
  StmtRef RowOf(const ir::ForStmt& loop) {
    const auto count = TripCount(loop);
    const auto flat = count ? FlatBodyOf(ir_, loop.body) : std::nullopt;
    if (!flat || flat->stores.size() != 1 || !flat->loops.empty()) return nullptr;
    const ir::StoreStmt& store = *flat->stores[0];
    const auto r = RequantizingOf(ir_, analysis::Substitute(ir_, store.value, flat->lets));
    if (!r) return nullptr;
    const PrimRef sum = FirstOf(ir_, r->sum, {loop.var}, {1});
    const PrimRef factor = FactorOf(ir_, *r, {loop.var}, {1});
    const PrimRef out = FirstOf(ir_, Place(store, flat->lets), {loop.var}, {1});
    if (sum == nullptr || factor == nullptr || out == nullptr) return nullptr;
    return Int8Call(ir_, ir::kRequantize,
                    {ir_.Int(*count), r->start, r->shift, r->lo, r->hi, sum, factor, out});
  }

  // for column: for c: acc = bias[c]; acc += x * w over the window; out[..] = requantized acc
  StmtRef DepthwiseOf(const ir::ForStmt& column) {
    const auto columns = TripCount(column);
    const auto outer = columns ? FlatBodyOf(ir_, column.body) : std::nullopt;
    if (!outer || !outer->stores.empty() || outer->loops.size() != 1) return nullptr;
    const ir::ForStmt& c = *outer->loops[0];
    const auto channels = TripCount(c);
    const auto inner = channels ? FlatBodyOf(ir_, c.body, outer->lets) : std::nullopt;
    if (!inner || inner->stores.size() < 3 || !inner->loops.empty()) return nullptr;
    const auto& stores = inner->stores;
    const BufferRef acc = stores[0]->buffer;
    const std::vector<PrimRef> axes = {column.var, c.var};
    const auto expanded = [&](PrimRef e) { return analysis::Substitute(ir_, e, inner->lets); };
    for (size_t i = 0; i + 1 < stores.size(); ++i) {
      if (stores[i]->buffer != acc || !stores[i]->indices.empty()) return nullptr;
    }
    const PrimRef bias = FirstOf(ir_, stores[0]->value, axes, {0, 1});
    if (bias == nullptr) return nullptr;
    // The offsets of the window's elements from the first one.
    PrimRef x = nullptr, w = nullptr;
    std::vector<int64_t> places;
    int64_t step = 0;
    for (size_t i = 1; i + 1 < stores.size(); ++i) {
      const auto product = AddedProductOf(ir_, *stores[i]);
      const PrimRef value = product ? ByteOf(expanded(product->a)) : nullptr;
      const PrimRef weight = product ? ByteOf(expanded(product->b)) : nullptr;
      if (value == nullptr || weight == nullptr) return nullptr;
      const auto here = StridedLoadOf(ir_, value, axes);
      const PrimRef weight_here = FirstOf(ir_, weight, axes, {0, 1});
      if (!here || here->strides[1] != 1 || weight_here == nullptr) return nullptr;
      if (i == 1) {
        x = here->first;
        w = weight_here;
        step = here->strides[0];
      }
      const auto place = Between(ir_, x, here->first);
      const auto tap = Between(ir_, w, weight_here);
      if (!place || here->strides[0] != step) return nullptr;
      if (!tap || *tap != static_cast<int64_t>(places.size()) * *channels) return nullptr;
      places.push_back(*place);
    }
    const auto window = WindowOf(places);
    const ir::StoreStmt& last = *stores.back();
    const auto r = RequantizingOf(ir_, expanded(last.value));
    if (!window || !r || r->sum != ir_.MakeLoad(acc, {})) return nullptr;
    const PrimRef factor = FactorOf(ir_, *r, axes, {0, 1});
    const PrimRef out = FirstOf(ir_, Place(last, inner->lets), axes, {*channels, 1});
    if (factor == nullptr || out == nullptr) return nullptr;
    return Int8Call(ir_, ir::kDepthwise,
                    {ir_.Int(*columns), ir_.Int(*channels), ir_.Int(step), ir_.Int(window->height),
                     ir_.Int(window->line), ir_.Int(window->width), ir_.Int(window->tap), r->start,
                     r->shift, r->lo, r->hi, x, w, bias, factor, out});
  }

  // Returns the destination of the store as a load.
  PrimRef Place(const ir::StoreStmt& store, const analysis::ShapeVarMap& lets) {
    std::vector<PrimRef> indices;
    for (PrimRef index : store.indices) indices.push_back(analysis::Substitute(ir_, index, lets));
    return ir_.MakeLoad(store.buffer, std::move(indices));
  }

  struct Window {
    int64_t height = 1, line = 0, width = 1, tap = 0;
  };
  // Returns the window if its rows have equal lengths and distances.
  static std::optional<Window> WindowOf(const std::vector<int64_t>& places) {
    const auto count = static_cast<int64_t>(places.size());
    Window w;
    if (count > 1) w.tap = places[1];
    while (w.width < count && places[static_cast<size_t>(w.width)] == w.width * w.tap) ++w.width;
    if (count % w.width != 0) return std::nullopt;
    w.height = count / w.width;
    if (w.height > 1) w.line = places[static_cast<size_t>(w.width)];
    for (int64_t i = 0; i < count; ++i) {
      if (places[static_cast<size_t>(i)] != i / w.width * w.line + i % w.width * w.tap) {
        return std::nullopt;
      }
    }
    return w;
  }

  ir::Context& ir_;
};

}  // namespace

void UseRequantize(ir::Context& context, ir::Program& program, const Target& target) {
  constexpr int kLeastVector = 32;  // bytes
  if (target.dot_products < 2 || target.vector_bytes < kLeastVector) return;
  RequantizeRewriting rewrite(context);
  for (int32_t i = 0; i < std::ssize(program.kernels); ++i) {
    ir::Kernel& kernel = program.kernels[ir::KernelId{i}];
    if (kernel.func.body != nullptr) kernel.func.body = rewrite(kernel.func.body);
  }
}

}  // namespace lathe::schedule
