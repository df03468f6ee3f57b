#include "generator/schedule/int8/use_products.h"

#include <optional>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "generator/analysis/arithmetic/simplify.h"
#include "generator/analysis/arithmetic/substitute.h"
#include "generator/ir/map_children.h"
#include "generator/ir/products.h"
#include "generator/nest/scalar_facts.h"
#include "generator/schedule/int8/int8_loops.h"

namespace lathe::schedule {
namespace {

using ir::BufferRef;
using ir::PrimRef;
using ir::StmtRef;

// for row: for panel:
//   for lane: sums[lane] = bias[column]
//   for piece: for k: for lane: sums[lane] += x[row * step + piece * pitch + k] * w[place]
//   for lane: out[row * columns + column] = requantized sums[lane]
// where column = panel * 16 + lane.
class ProductRewriting {
 public:
  explicit ProductRewriting(ir::Context& context) : ir_(context) {}

  StmtRef operator()(StmtRef stmt) {
    if (const auto* loop = stmt->As<ir::ForStmt>()) {
      if (const StmtRef products = ProductsOf(*loop)) return products;
    }
    const StmtRef mapped =
        ir::MapChildren(ir_, stmt, [this](StmtRef child) { return (*this)(child); });
    const auto* block = mapped->As<ir::BlockStmt>();
    if (block == nullptr || gone_.empty()) return mapped;
    ir::BlockStmt without = *block;
    std::erase_if(without.allocs, [&](BufferRef b) { return gone_.contains(b); });
    return ir_.Make(ir::Stmt::Node(std::move(without)), mapped->loc());
  }

 private:
  static constexpr int64_t kWidth = ir::kDotPanelColumns;

  // Returns the loop that is the whole `body`.
  static const ir::ForStmt* OnlyLoop(StmtRef body) { return body->As<ir::ForStmt>(); }

  StmtRef ProductsOf(const ir::ForStmt& row) {
    const auto* panel = OnlyLoop(row.body);
    const auto rows = TripCount(row), panels = panel == nullptr ? std::nullopt : TripCount(*panel);
    const auto parts = rows && panels ? FlatBodyOf(ir_, panel->body) : std::nullopt;
    if (!parts || parts->loops.size() != 3 || !parts->stores.empty()) return nullptr;
    const ir::ForStmt &first = *parts->loops[0], &piece = *parts->loops[1],
                      &last = *parts->loops[2];
    // The results determine the number of columns.
    const auto results = FlatBodyOf(ir_, last.body, parts->lets);
    if (!results || results->stores.size() != 1 || !results->loops.empty()) return nullptr;
    const ir::StoreStmt& result = *results->stores[0];
    const std::vector<PrimRef> axes = {row.var, panel->var, last.var};
    const auto out = StridedLoadOf(ir_, ir_.MakeLoad(result.buffer, result.indices), axes);
    const auto r = RequantizingOf(ir_, analysis::Substitute(ir_, result.value, results->lets));
    if (!out || !r || out->strides[1] != kWidth || out->strides[2] != 1) return nullptr;
    const int64_t columns = out->strides[0];
    if (*panels != ir::DotPanels(columns) || !Covers(last, *panel, columns)) return nullptr;
    const auto* sum = r->sum->As<ir::Load>();
    if (sum == nullptr || sum->indices != std::vector<PrimRef>{last.var}) return nullptr;
    const PrimRef factor = FactorOf(ir_, *r, axes, {0, kWidth, 1});
    const PrimRef bias = BiasOf(first, row, *panel, columns, sum->buffer);
    const auto terms = TermsOf(piece, row, *panel, columns, sum->buffer);
    if (factor == nullptr || bias == nullptr || !terms) return nullptr;
    gone_.insert(sum->buffer);
    return Int8Call(ir_, ir::kProducts,
                    {ir_.Int(*rows), ir_.Int(terms->step), ir_.Int(terms->pieces),
                     ir_.Int(terms->pitch), ir_.Int(terms->count), ir_.Int(columns), r->start,
                     r->shift, r->lo, r->hi, terms->x, terms->w, bias, factor, out->first});
  }

  // Returns whether the loop covers the columns of the panel.
  bool Covers(const ir::ForStmt& lane, const ir::ForStmt& panel, int64_t columns) {
    const PrimRef wanted = ir::PanelColumns(ir_, panel.var, columns);
    const PrimRef rest = ir_.Make(ir::BinaryOp::kSub, lane.extent, wanted);
    return lane.kind == ir::LoopKind::kSerial && lane.step == nullptr &&
           nest::IsNumber(lane.min, 0) &&
           (lane.extent == wanted || nest::IsNumber(analysis::Simplify(ir_, rest), 0));
  }

  // Returns the initial values of the sums.
  PrimRef BiasOf(const ir::ForStmt& lane, const ir::ForStmt& row, const ir::ForStmt& panel,
                 int64_t columns, BufferRef sums) {
    const auto* store = lane.body->As<ir::StoreStmt>();
    if (store == nullptr || !Covers(lane, panel, columns) || store->buffer != sums ||
        store->indices != std::vector<PrimRef>{lane.var}) {
      return nullptr;
    }
    return FirstOf(ir_, store->value, {row.var, panel.var, lane.var}, {0, kWidth, 1});
  }

  struct Terms {
    PrimRef x = nullptr, w = nullptr;  // loads of the first elements
    int64_t step = 0, pieces = 1, pitch = 0, count = 1;
  };
  // Returns the products that are added to the sums.
  std::optional<Terms> TermsOf(const ir::ForStmt& piece, const ir::ForStmt& row,
                               const ir::ForStmt& panel, int64_t columns, BufferRef sums) {
    const auto* k = OnlyLoop(piece.body);
    const auto* lane = k == nullptr ? nullptr : OnlyLoop(k->body);
    const auto* store = lane == nullptr ? nullptr : lane->body->As<ir::StoreStmt>();
    const auto pieces = TripCount(piece), count = k == nullptr ? std::nullopt : TripCount(*k);
    if (store == nullptr || !pieces || !count || !Covers(*lane, panel, columns)) {
      return std::nullopt;
    }
    const auto product = AddedProductOf(ir_, *store);
    const PrimRef value = product ? ByteOf(product->a) : nullptr;
    const PrimRef weight = product ? ByteOf(product->b) : nullptr;
    if (value == nullptr || weight == nullptr || store->buffer != sums ||
        store->indices != std::vector<PrimRef>{lane->var}) {
      return std::nullopt;
    }
    const std::vector<PrimRef> axes = {row.var, panel.var, piece.var, k->var, lane->var};
    const auto x = StridedLoadOf(ir_, value, axes);
    const PrimRef w =
        FirstInOrder(ir_, weight, axes,
                     ir::PieceIndex(ir_, panel.var, piece.var, k->var, lane->var, *pieces, *count));
    if (!x || w == nullptr || x->strides[1] != 0 || x->strides[3] != 1 || x->strides[4] != 0) {
      return std::nullopt;
    }
    return Terms{x->first, w, x->strides[0], *pieces, x->strides[2], *count};
  }

  ir::Context& ir_;
  absl::flat_hash_set<BufferRef> gone_;  // sum buffers that are no longer needed
};

}  // namespace

void UseProducts(ir::Context& context, ir::Program& program, const Target& target) {
  if (target.dot_products < 2) return;
  for (int32_t i = 0; i < std::ssize(program.kernels); ++i) {
    ir::Kernel& kernel = program.kernels[ir::KernelId{i}];
    if (kernel.func.body != nullptr) kernel.func.body = ProductRewriting(context)(kernel.func.body);
  }
}

}  // namespace lathe::schedule
