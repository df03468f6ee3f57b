#include "generator/schedule/cuda/match_attention.h"

#include <algorithm>
#include <utility>

#include "generator/ir/map_operands.h"
#include "generator/ir/program.h"
#include "generator/nest/affine_access.h"
#include "generator/nest/scalar_facts.h"
#include "generator/schedule/cuda/attention_scale.h"
#include "generator/schedule/cuda/attention_shape.h"
#include "generator/schedule/cuda/element_offsets.h"
#include "generator/schedule/cuda/mask_bounds.h"
#include "generator/schedule/cuda/parallel_axes.h"
#include "generator/schedule/cuda/product_factor.h"
#include "generator/schedule/cuda/read_attention.h"

namespace lathe::schedule {
namespace {

using ir::BinaryOp;
using ir::BufferRef;
using ir::GridAxis;
using ir::PrimRef;
using ir::StmtRef;

// The limit of nests between the two products.
constexpr size_t kMaxNests = 12;

std::optional<int64_t> ExtentOf(const std::vector<GridAxis>& axes) {
  int64_t count = 1;
  for (const GridAxis& axis : axes) {
    const auto extent = nest::Number(axis.extent);
    if (!extent || *extent > kLargestHead) return std::nullopt;
    count *= *extent;
    if (count > kLargestHead) return std::nullopt;
  }
  return count;
}

class AttentionBuilder {
 public:
  AttentionBuilder(ir::Context& context, const ReadAttention& read) : ir_(context), read_(read) {
    attention_.score = read.score;
  }

  std::optional<ir::Attention> Build(Location loc) {
    if (!Divide() || !TakeFactors()) return std::nullopt;
    ir::Attention& a = attention_;
    const auto depth = ExtentOf(a.depth), columns = ExtentOf(a.columns);
    if (!depth || !columns || *depth == 0 || *columns == 0) return std::nullopt;
    a.depth_count = *depth;
    a.column_count = *columns;
    a.shape = AttentionShapeFor(a.cores.has_value(), *depth, *columns, ExtentOf(a.rows));
    if (!Finish(loc)) return std::nullopt;
    if (a.rows.size() == 1) {
      a.mask_bounds = MaskBoundsOf(ir_, a.score, a.rows[0].var, a.keys[0].var, a.keys[0].extent);
    }
    a.score = WithSum(a.score, read_.products.acc, a.sum);
    a.scale = ScaleOf(a);
    a.loops = Loops(loc);
    return std::move(a);
  }

 private:
  // Divides the axes into batch, rows and columns.
  bool Divide() {
    const auto* product = BinaryOf(read_.products.term, BinaryOp::kMul);
    query_ = product->lhs;
    ir::Attention& a = attention_;
    PrimRef key = product->rhs;
    if (nest::Mentions(query_, read_.key.var)) std::swap(query_, key);
    if (nest::Mentions(query_, read_.key.var) || !nest::Mentions(key, read_.key.var)) return false;
    key_factor_ = key;
    std::vector<PrimRef> left;
    for (const ir::NestAxis& axis : read_.mixed.axes) left.push_back(axis.var);
    for (const ir::NestAxis& axis : read_.products.axes) {
      if (axis.var == read_.key.var) continue;
      const auto found = std::find(left.begin(), left.end(), axis.var);
      if (found == left.end()) return false;
      left.erase(found);
      const bool is_row = nest::Mentions(query_, axis.var) && !nest::Mentions(key, axis.var) &&
                          !nest::Mentions(read_.value, axis.var);
      (is_row ? a.rows : a.batch).push_back(Grid(axis));
    }
    for (const ir::NestAxis& axis : read_.mixed.axes) {
      if (std::find(left.begin(), left.end(), axis.var) == left.end()) continue;
      if (nest::Mentions(attention_.score, axis.var)) return false;
      a.columns.push_back(Grid(axis));
    }
    for (const ir::NestAxis& axis : read_.products.reduce) a.depth.push_back(Grid(axis));
    a.keys = {Grid(read_.key)};
    // A single query, head or element gets an axis of extent 1.
    for (auto* axes : {&a.rows, &a.columns}) {
      if (axes->empty()) axes->push_back({ir_.NewVar("i"), ir_.Int(0), ir_.Int(1)});
    }
    for (const auto* axes : {&a.batch, &a.rows, &a.keys, &a.depth, &a.columns}) {
      for (const GridAxis& axis : *axes) {
        if (IsOfAxes(axis.extent)) return false;
      }
    }
    return true;
  }

  GridAxis Grid(const ir::NestAxis& axis) {
    return {axis.var, ir_.Int(0, axis.var->dtype()), axis.extent};
  }

  bool IsOfAxes(PrimRef extent) const {
    for (const auto* axes : {&read_.products.axes, &read_.products.reduce, &read_.mixed.axes}) {
      for (const ir::NestAxis& axis : *axes) {
        if (nest::Mentions(extent, axis.var)) return true;
      }
    }
    return false;
  }

  bool TakeFactors() {
    const PrimRef q = Narrow(query_), k = Narrow(key_factor_), v = Narrow(read_.value);
    for (PrimRef e : {q, k, v}) {
      if (!IsFloatOrHalf(e->dtype()) || ReadsBetween(e)) return false;
    }
    ir::Attention& a = attention_;
    const bool serve = IsFloatOfCores(q->dtype()) && q->dtype() == k->dtype() &&
                       q->dtype() == v->dtype() && read_.mixed.to->dtype.bits == 16;
    if (serve) a.cores = q->dtype();
    a.query = {serve ? q : query_, a.rows, a.depth};
    a.key = {serve ? k : key_factor_, a.keys, a.depth};
    a.value = {serve ? v : read_.value, a.columns, a.keys};
    for (ir::ProductFactor* factor : {&a.query, &a.key, &a.value}) PlaceFactor(ir_, serve, *factor);
    return true;
  }

  // Returns whether `e` reads an intermediate value, which is no longer stored.
  bool ReadsBetween(PrimRef e) const {
    const auto reads = [&](BufferRef buffer) { return nest::Reads(e, buffer); };
    return std::any_of(read_.made.begin(), read_.made.end(), reads) ||
           nest::Reads(e, read_.products.acc);
  }

  BufferRef Register(BufferRef like) {
    ir::Buffer one = *like;
    one.dtype = ir::DType::Float(32);
    one.data = ir_.NewPointer(one.name, one.dtype, "local");
    return ir_.NewBuffer(std::move(one));
  }

  // Replaces loads of the sum of another dtype by the sum rounded to it.
  PrimRef WithSum(PrimRef e, BufferRef from, BufferRef to) {
    if (IsLoadOf(e, from)) return ir_.MakeCast(from->dtype, ir_.MakeLoad(to, {}));
    return ir::MapOperands(ir_, e, [&](PrimRef part) { return WithSum(part, from, to); });
  }

  // Replaces quotients of the second product and the sum of the weights by the rounded result.
  PrimRef WithResult(PrimRef e) {
    const auto* quotient = BinaryOf(e, BinaryOp::kDiv);
    if (quotient != nullptr && IsLoadOf(Unrounded(quotient->lhs), read_.mixed.acc) &&
        Unrounded(quotient->rhs) == Unrounded(read_.weight)) {
      return ir_.MakeCast(e->dtype(), ir_.MakeLoad(attention_.result, {}));
    }
    return ir::MapOperands(ir_, e, [&](PrimRef part) { return WithResult(part); });
  }

  bool Finish(Location loc) {
    ir::Attention& a = attention_;
    a.sum = Register(read_.products.acc);
    a.result = Register(read_.mixed.acc);
    if (!IsSmall(read_.mixed.value)) return false;
    const PrimRef value = read_.is_shared ? WithSum(read_.mixed.value, read_.mixed.acc, a.result)
                                          : WithResult(read_.mixed.value);
    if (nest::Reads(value, read_.mixed.acc) || !nest::Reads(value, a.result) || ReadsBetween(value))
      return false;
    if (ReadsBetween(WithSum(a.score, read_.products.acc, a.sum))) return false;
    ir::StoreStmt store;
    store.buffer = read_.mixed.to;
    store.indices = read_.mixed.at;
    store.value = value;
    a.finish = {ir_.Make(std::move(store), loc)};
    return true;
  }

  // Describes the accesses as loops, for access analysis.
  StmtRef Loops(Location loc) {
    const ir::Attention& a = attention_;
    const ir::DType wide = ir::DType::Float(32);
    const auto set = [&](BufferRef to, PrimRef x, PrimRef y) {
      const PrimRef product =
          ir_.Make(BinaryOp::kMul, ir_.MakeCast(wide, x), ir_.MakeCast(wide, y));
      return ir_.Make(ir::StoreStmt{to, {}, product}, loc);
    };
    std::vector<StmtRef> body;
    for (BufferRef buffer : {a.sum, a.result}) {
      ir::AllocStmt alloc;
      alloc.buffer = buffer;
      body.push_back(ir_.Make(std::move(alloc), loc));
    }
    body.push_back(set(a.sum, a.query.value, a.key.value));
    body.push_back(set(a.result, a.score, a.value.value));
    body.insert(body.end(), a.finish.begin(), a.finish.end());
    StmtRef all = ir_.Make(ir::SeqStmt{std::move(body)}, loc);
    for (const auto* axes : {&a.batch, &a.rows, &a.columns, &a.keys, &a.depth}) {
      for (const GridAxis& axis : *axes) {
        ir::ForStmt loop;
        loop.var = axis.var;
        loop.min = axis.min;
        loop.extent = axis.extent;
        loop.body = all;
        all = ir_.Make(std::move(loop), loc);
      }
    }
    return all;
  }

  ir::Context& ir_;
  const ReadAttention& read_;
  ir::Attention attention_;
  PrimRef query_ = nullptr, key_factor_ = nullptr;
};

}  // namespace

std::optional<AttentionNests> MatchAttention(ir::Context& context,
                                             const std::vector<StmtRef>& stmts, size_t first,
                                             const std::vector<BufferUses>& uses,
                                             const absl::flat_hash_set<PrimRef>& given,
                                             const absl::flat_hash_set<PrimRef>& own,
                                             const analysis::ShapeVarMap& lets) {
  AttentionReader reader(context, lets);
  if (!reader.Begin(stmts[first])) return std::nullopt;
  const auto is_used_elsewhere = [&](BufferRef buffer, size_t last) {
    if (!own.contains(buffer->data)) return true;
    for (size_t i = 0; i < stmts.size(); ++i) {
      const bool is_inside = i >= first && i <= last;
      if (is_inside || stmts[i]->As<ir::AllocStmt>() != nullptr) continue;
      if (uses[i].Mentions(buffer->data)) return true;
    }
    return false;
  };
  // The destination of the result must not be accessed elsewhere.
  const auto is_apart = [&](StmtRef stmt) {
    size_t loops = 0;
    StmtRef inside = stmt;
    while (const auto* loop = inside->As<ir::ForStmt>()) {
      ++loops;
      inside = loop->body;
      if (inside->As<ir::SeqStmt>() != nullptr) break;
    }
    return ParallelAxes(context, stmt, given, lets).axes.size() == loops;
  };
  // Extends the match as far as possible, so that elementwise operations on the result are
  // included.
  std::optional<ReadAttention> complete;
  size_t end = first;
  for (size_t last = first + 1; last < stmts.size() && last - first <= kMaxNests; ++last) {
    if (!reader.Take(stmts[last])) break;
    const std::vector<BufferRef>& made = reader.read().made;
    const bool is_all = reader.is_complete() && is_apart(stmts[last]) &&
                        std::none_of(made.begin(), made.end() - 1, [&](BufferRef buffer) {
                          return is_used_elsewhere(buffer, last);
                        });
    if (!is_all) continue;
    complete = reader.read();
    end = last;
  }
  if (!complete) return std::nullopt;
  auto attention = AttentionBuilder(context, *complete).Build(stmts[end]->loc());
  if (!attention) return std::nullopt;
  return AttentionNests{*std::move(attention), end - first + 1};
}

}  // namespace lathe::schedule
