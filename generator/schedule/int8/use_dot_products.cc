#include "generator/schedule/int8/use_dot_products.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "generator/ir/int8_dot.h"
#include "generator/ir/map_children.h"
#include "generator/nest/scalar_facts.h"
#include "generator/schedule/int8/int8_loops.h"

namespace lathe::schedule {
namespace {

using ir::BufferRef;
using ir::DType;
using ir::PrimRef;
using ir::StmtRef;

// acc[r][c] += row r * column c, for k from 0 to count.
struct DotLoop {
  int64_t count = 0;
  std::vector<PrimRef> rows;     // loads of their first elements
  std::vector<PrimRef> columns;  // loads of their first elements
  int64_t step = 0;
  std::vector<std::vector<BufferRef>> acc;
};

class DotProductRewriting {
 public:
  explicit DotProductRewriting(ir::Context& context) : ir_(context) {}

  StmtRef operator()(StmtRef stmt) {
    if (const auto* loop = stmt->As<ir::ForStmt>()) {
      if (const auto dots = DotsOf(*loop)) return Replaced(*dots);
      if (const StmtRef panels = PanelsOf(*loop)) return panels;
    }
    return ir::MapChildren(ir_, stmt, [this](StmtRef child) { return (*this)(child); });
  }

 private:
  // for panel: for k: for lane: sums[r * width + panel * 16 + lane] += x_r[k] * w[place]
  StmtRef PanelsOf(const ir::ForStmt& panel) {
    const auto* k = panel.body->As<ir::ForStmt>();
    const auto* lane = k == nullptr ? nullptr : k->body->As<ir::ForStmt>();
    if (lane == nullptr) return nullptr;
    const auto panels = TripCount(panel), count = TripCount(*k), lanes = TripCount(*lane);
    if (!panels || !count || lanes != std::optional<int64_t>(ir::kDotPanelColumns)) return nullptr;
    const auto body = FlatBodyOf(ir_, lane->body);
    if (!body || !body->loops.empty() || !body->lets.empty() ||
        std::ssize(body->stores) > ir::kDotPanelRows) {
      return nullptr;
    }
    const std::vector<PrimRef> axes = {panel.var, k->var, lane->var};
    const PrimRef place = ir::DotPanelIndex(ir_, panel.var, k->var, lane->var, *count);
    std::vector<PrimRef> args = {ir_.Int(*count), ir_.Int(*panels)};
    for (size_t r = 0; r < body->stores.size(); ++r) {
      const ir::StoreStmt& store = *body->stores[r];
      const auto product = AddedProductOf(ir_, store);
      const PrimRef x = product ? ByteOf(product->a) : nullptr;
      const PrimRef w = product ? ByteOf(product->b) : nullptr;
      if (x == nullptr || w == nullptr) return nullptr;
      const PrimRef sums =
          FirstOf(ir_, ir_.MakeLoad(store.buffer, store.indices), axes, {*lanes, 0, 1});
      const PrimRef row = FirstOf(ir_, x, axes, {0, 1, 0});
      const PrimRef weights = FirstInOrder(ir_, w, axes, place);
      if (sums == nullptr || row == nullptr || weights == nullptr) return nullptr;
      if (r == 0) {
        args.push_back(sums);
        args.push_back(weights);
      }
      const int64_t width = static_cast<int64_t>(r) * *panels * *lanes;
      const auto at = nest::Number(sums->As<ir::Load>()->indices[0]);
      if (at != std::optional(width) || weights != args[3]) return nullptr;
      args.push_back(row);
    }
    return Int8Call(ir_, ir::kDotPanels, std::move(args));
  }

  static size_t PlaceOf(std::vector<PrimRef>& vars, PrimRef var) {
    const auto at = std::find(vars.begin(), vars.end(), var);
    if (at != vars.end()) return static_cast<size_t>(at - vars.begin());
    vars.push_back(var);
    return vars.size() - 1;
  }

  std::optional<DotLoop> DotsOf(const ir::ForStmt& loop) {
    const auto count = TripCount(loop);
    const auto* seq = loop.body->As<ir::SeqStmt>();
    if (!count || seq == nullptr) return std::nullopt;
    absl::flat_hash_map<PrimRef, PrimRef> firsts;  // by the variable of the element
    std::vector<PrimRef> rows, columns;
    struct Term {
      size_t row, column;
      BufferRef acc;
    };
    std::vector<Term> terms;
    for (StmtRef stmt : seq->stmts) {
      if (const auto* let = stmt->As<ir::LetStmt>()) {
        const PrimRef byte = let->body == nullptr ? ByteOf(let->value) : nullptr;
        const PrimRef first = byte == nullptr ? nullptr : FirstOf(ir_, byte, {loop.var}, {1});
        if (first == nullptr) return std::nullopt;
        firsts[let->var] = first;
        continue;
      }
      const auto* store = stmt->As<ir::StoreStmt>();
      const auto product =
          store != nullptr && store->indices.empty() ? AddedProductOf(ir_, *store) : std::nullopt;
      if (!product || !firsts.contains(product->a) || !firsts.contains(product->b)) {
        return std::nullopt;
      }
      terms.push_back({PlaceOf(rows, product->a), PlaceOf(columns, product->b), store->buffer});
    }
    DotLoop dots;
    dots.count = *count;
    if (rows.empty() || rows.size() > 2 || columns.size() != ir::kDotColumns ||
        terms.size() != rows.size() * columns.size()) {
      return std::nullopt;
    }
    dots.acc.assign(rows.size(), std::vector<BufferRef>(columns.size()));
    for (const Term& t : terms) dots.acc[t.row][t.column] = t.acc;
    for (const auto& row : dots.acc) {
      if (std::count(row.begin(), row.end(), nullptr) > 0) return std::nullopt;
    }
    for (PrimRef var : rows) dots.rows.push_back(firsts[var]);
    for (PrimRef var : columns) dots.columns.push_back(firsts[var]);
    return FindStep(dots) ? std::optional(dots) : std::nullopt;
  }

  // The columns are rows of one buffer at equal distances.
  bool FindStep(DotLoop& dots) {
    for (size_t c = 1; c < dots.columns.size(); ++c) {
      const auto step = Between(ir_, dots.columns[c - 1], dots.columns[c]);
      if (!step || (c > 1 && *step != dots.step)) return false;
      dots.step = *step;
    }
    return true;
  }

  StmtRef Make(ir::Stmt::Node node) { return ir_.Make(std::move(node), Location()); }

  // int32_t sums[8] = {0}; the call; acc00 += sums[0] ...
  StmtRef Replaced(const DotLoop& dots) {
    ir::Buffer sums;
    sums.name = "sums";
    sums.dtype = DType::Int(32);
    sums.shape = {ir_.Int(static_cast<int64_t>(dots.rows.size()) * ir::kDotColumns)};
    sums.data = ir_.NewPointer("sums", sums.dtype, sums.scope);
    const BufferRef buffer = ir_.NewBuffer(std::move(sums));
    ir::AllocStmt alloc;
    alloc.buffer = buffer;
    std::vector<PrimRef> args = {ir_.Int(dots.count), ir_.Int(dots.step),
                                 ir_.MakeLoad(buffer, {ir_.Int(0)}), dots.columns[0]};
    args.insert(args.end(), dots.rows.begin(), dots.rows.end());
    std::vector<StmtRef> stmts = {Make(std::move(alloc)),
                                  Int8Call(ir_, ir::kInt8Dot, std::move(args))};
    int64_t place = 0;
    for (const auto& row : dots.acc) {
      for (BufferRef acc : row) {
        const PrimRef sum = ir_.Make(ir::BinaryOp::kAdd, ir_.MakeLoad(acc, {}),
                                     ir_.MakeLoad(buffer, {ir_.Int(place++)}));
        stmts.push_back(Make(ir::StoreStmt{acc, {}, sum}));
      }
    }
    return Make(ir::SeqStmt{std::move(stmts)});
  }

  ir::Context& ir_;
};

}  // namespace

void UseDotProducts(ir::Context& context, ir::Program& program, const Target& target) {
  if (target.dot_products < 2) return;
  DotProductRewriting rewrite(context);
  for (int32_t i = 0; i < std::ssize(program.kernels); ++i) {
    ir::Kernel& kernel = program.kernels[ir::KernelId{i}];
    if (kernel.func.body != nullptr) kernel.func.body = rewrite(kernel.func.body);
  }
}

}  // namespace lathe::schedule
