#include "generator/lower/use_dot_products.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "generator/analysis/simplify.h"
#include "generator/analysis/substitute.h"
#include "generator/ir/dots.h"
#include "generator/ir/map_children.h"

namespace lathe::lower {
namespace {

using ir::BufferRef;
using ir::DType;
using ir::PrimRef;
using ir::StmtRef;

// acc[r][c] += row r * column c, for k from 0 to count.
struct DotLoop {
  int64_t count = 0;
  std::vector<PrimRef> rows;     // the loads of their first elements
  std::vector<PrimRef> columns;  // so too
  int64_t step = 0;
  std::vector<std::vector<BufferRef>> acc;
};

class Rewriting {
 public:
  explicit Rewriting(ir::Context& context) : ir_(context) {}

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
    const auto *panels = panel.extent->As<ir::IntImm>(), *count = k->extent->As<ir::IntImm>(),
               *lanes = lane->extent->As<ir::IntImm>();
    if (panels == nullptr || count == nullptr || lanes == nullptr) return nullptr;
    if (lanes->value != ir::kDotPanelColumns) return nullptr;
    std::vector<StmtRef> stores = {lane->body};
    if (const auto* seq = lane->body->As<ir::SeqStmt>()) stores = seq->stmts;
    if (std::ssize(stores) > ir::kDotPanelRows) return nullptr;
    const auto at_start = [&](PrimRef e) {
      return analysis::Simplify(ir_, analysis::Substitute(ir_, e,
                                                          {{panel.var, Zero(panel.var)},
                                                           {k->var, Zero(k->var)},
                                                           {lane->var, Zero(lane->var)}}));
    };
    // Whether the index is its start and `off`.
    const auto goes = [&](PrimRef index, PrimRef off) {
      const PrimRef sum = ir_.Make(ir::BinaryOp::kAdd, at_start(index), off);
      const PrimRef rest = ir_.Make(ir::BinaryOp::kSub, index, sum);
      return analysis::Simplify(ir_, rest) == Zero(index);
    };
    const PrimRef column =
        ir_.Make(ir::BinaryOp::kAdd,
                 ir_.Make(ir::BinaryOp::kMul, panel.var, ir_.Int(lanes->value, panel.var->dtype())),
                 lane->var);
    const PrimRef weight = ir::DotPanelPlace(ir_, panel.var, k->var, lane->var, count->value);
    std::vector<PrimRef> args = {ir_.Int(count->value), ir_.Int(panels->value)};
    for (size_t r = 0; r < stores.size(); ++r) {
      const auto* store = stores[r]->As<ir::StoreStmt>();
      const auto* sum = store == nullptr ? nullptr : store->value->As<ir::Binary>();
      if (sum == nullptr || store->indices.size() != 1 || sum->op != ir::BinaryOp::kAdd ||
          sum->lhs != ir_.MakeLoad(store->buffer, store->indices)) {
        return nullptr;
      }
      const auto* product = sum->rhs->As<ir::Binary>();
      if (product == nullptr || product->op != ir::BinaryOp::kMul) return nullptr;
      const ir::Load *x = ByteOf(product->lhs), *w = ByteOf(product->rhs);
      if (x == nullptr || w == nullptr || !goes(w->indices[0], weight)) return nullptr;
      const PrimRef width =
          ir_.Int(static_cast<int64_t>(r) * panels->value * lanes->value, k->var->dtype());
      if (at_start(store->indices[0]) != width || !goes(store->indices[0], column) ||
          !goes(x->indices[0], k->var)) {
        return nullptr;
      }
      if (r == 0) {
        args.push_back(ir_.MakeLoad(store->buffer, {width}));
        args.push_back(ir_.MakeLoad(w->buffer, {at_start(w->indices[0])}));
      }
      args.push_back(ir_.MakeLoad(x->buffer, {at_start(x->indices[0])}));
    }
    return Make(
        ir::EvaluateStmt{ir_.MakeIntrinsic(DType::Int(32), ir::kDotPanels, std::move(args))});
  }

  PrimRef Zero(PrimRef like) { return ir_.Int(0, like->dtype()); }

  // An element of int8 as an int32.
  static const ir::Load* ByteOf(PrimRef value) {
    const auto* cast = value->As<ir::Cast>();
    const auto* load = cast == nullptr ? nullptr : cast->value->As<ir::Load>();
    const bool fine = load != nullptr && value->dtype() == DType::Int(32) &&
                      cast->value->dtype() == DType::Int(8) && load->indices.size() == 1;
    return fine ? load : nullptr;
  }

  // The load of the first element, where `value` is element k of a row of int8 as an int32.
  PrimRef FirstOf(PrimRef value, PrimRef k) {
    const ir::Load* load = ByteOf(value);
    if (load == nullptr) return nullptr;
    const PrimRef first = analysis::Simplify(
        ir_, analysis::Substitute(ir_, load->indices[0], {{k, ir_.Int(0, k->dtype())}}));
    const PrimRef off =
        analysis::Simplify(ir_, ir_.Make(ir::BinaryOp::kSub, load->indices[0], first));
    return off == k ? ir_.MakeLoad(load->buffer, {first}) : nullptr;
  }

  static size_t PlaceOf(std::vector<PrimRef>& vars, PrimRef var) {
    const auto at = std::find(vars.begin(), vars.end(), var);
    if (at != vars.end()) return static_cast<size_t>(at - vars.begin());
    vars.push_back(var);
    return vars.size() - 1;
  }

  std::optional<DotLoop> DotsOf(const ir::ForStmt& loop) {
    const auto* min = loop.min->As<ir::IntImm>();
    const auto* extent = loop.extent->As<ir::IntImm>();
    const auto* seq = loop.body->As<ir::SeqStmt>();
    if (min == nullptr || min->value != 0 || extent == nullptr || seq == nullptr) {
      return std::nullopt;
    }
    if (loop.kind != ir::LoopKind::kSerial || loop.step != nullptr) return std::nullopt;
    absl::flat_hash_map<PrimRef, PrimRef> firsts;  // by the variable of an element
    std::vector<PrimRef> rows, columns;
    struct Term {
      size_t row, column;
      BufferRef acc;
    };
    std::vector<Term> terms;
    for (StmtRef stmt : seq->stmts) {
      if (const auto* let = stmt->As<ir::LetStmt>()) {
        const PrimRef first = let->body == nullptr ? FirstOf(let->value, loop.var) : nullptr;
        if (first == nullptr) return std::nullopt;
        firsts[let->var] = first;
        continue;
      }
      const auto* store = stmt->As<ir::StoreStmt>();
      const auto* sum = store == nullptr ? nullptr : store->value->As<ir::Binary>();
      if (sum == nullptr || !store->indices.empty() || sum->op != ir::BinaryOp::kAdd ||
          sum->lhs != ir_.MakeLoad(store->buffer, {})) {
        return std::nullopt;
      }
      const auto* product = sum->rhs->As<ir::Binary>();
      if (product == nullptr || product->op != ir::BinaryOp::kMul ||
          !firsts.contains(product->lhs) || !firsts.contains(product->rhs)) {
        return std::nullopt;
      }
      terms.push_back({PlaceOf(rows, product->lhs), PlaceOf(columns, product->rhs), store->buffer});
    }
    DotLoop dots;
    dots.count = extent->value;
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

  // The columns are rows of one buffer, as far apart as each other.
  bool FindStep(DotLoop& dots) {
    for (size_t c = 1; c < dots.columns.size(); ++c) {
      const auto* before = dots.columns[c - 1]->As<ir::Load>();
      const auto* here = dots.columns[c]->As<ir::Load>();
      const PrimRef off = analysis::Simplify(
          ir_, ir_.Make(ir::BinaryOp::kSub, here->indices[0], before->indices[0]));
      const auto* step = off->As<ir::IntImm>();
      if (step == nullptr || here->buffer != before->buffer) return false;
      if (c > 1 && step->value != dots.step) return false;
      dots.step = step->value;
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
    std::vector<StmtRef> stmts = {
        Make(std::move(alloc)),
        Make(ir::EvaluateStmt{ir_.MakeIntrinsic(DType::Int(32), ir::kDots, std::move(args))})};
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
  Rewriting rewrite(context);
  for (int32_t i = 0; i < std::ssize(program.kernels); ++i) {
    ir::Kernel& kernel = program.kernels[ir::KernelId{i}];
    if (kernel.func.body != nullptr) kernel.func.body = rewrite(kernel.func.body);
  }
}

}  // namespace lathe::lower
