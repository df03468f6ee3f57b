#include "generator/lower/use_requantize.h"

#include <optional>
#include <utility>
#include <vector>

#include "generator/analysis/simplify.h"
#include "generator/analysis/substitute.h"
#include "generator/ir/map_children.h"
#include "generator/ir/requantize.h"

namespace lathe::lower {
namespace {

using ir::BinaryOp;
using ir::BufferRef;
using ir::DType;
using ir::PrimRef;
using ir::StmtRef;

// clamp((sum * factor + start) >> shift, lo, hi), as an int8.
struct Requantizing {
  PrimRef sum = nullptr;
  PrimRef factor = nullptr;  // an int32: a number, or a load
  PrimRef start = nullptr, shift = nullptr, lo = nullptr, hi = nullptr;  // numbers
};

// A body without its bindings, which stand in the expressions.
struct Flat {
  std::vector<const ir::StoreStmt*> stores;
  std::vector<const ir::ForStmt*> loops;
  analysis::ShapeVarMap lets;
};

const ir::Binary* AsBinary(PrimRef e, BinaryOp op) {
  const auto* binary = e->As<ir::Binary>();
  return binary != nullptr && binary->op == op ? binary : nullptr;
}

PrimRef CastFrom(PrimRef e, DType to) {
  const auto* cast = e->As<ir::Cast>();
  return cast != nullptr && e->dtype() == to ? cast->value : nullptr;
}

bool IsNumber(PrimRef e) { return e->As<ir::IntImm>() != nullptr; }

std::optional<Requantizing> RequantizingOf(ir::Context& context, PrimRef value) {
  Requantizing r;
  const PrimRef clamped = CastFrom(value, DType::Int(8));
  const auto* least = clamped == nullptr ? nullptr : AsBinary(clamped, BinaryOp::kMin);
  const auto* most = least == nullptr ? nullptr : AsBinary(least->lhs, BinaryOp::kMax);
  const PrimRef narrow = most == nullptr ? nullptr : CastFrom(most->lhs, DType::Int(32));
  const auto* shifted = narrow == nullptr ? nullptr : AsBinary(narrow, BinaryOp::kShr);
  const auto* sum = shifted == nullptr ? nullptr : AsBinary(shifted->lhs, BinaryOp::kAdd);
  const auto* product = sum == nullptr ? nullptr : AsBinary(sum->lhs, BinaryOp::kMul);
  if (product == nullptr || product->lhs->dtype() != DType::Int(64)) return std::nullopt;
  r.sum = CastFrom(product->lhs, DType::Int(64));
  r.factor = CastFrom(product->rhs, DType::Int(64));
  if (const auto* number = product->rhs->As<ir::IntImm>()) {
    r.factor = context.Int(number->value, DType::Int(32));
  }
  r.start = sum->rhs;
  r.shift = shifted->rhs;
  r.lo = most->rhs;
  r.hi = least->rhs;
  const bool fine = r.sum != nullptr && r.factor != nullptr && r.sum->dtype() == DType::Int(32) &&
                    r.factor->dtype() == DType::Int(32) && IsNumber(r.start) && IsNumber(r.shift) &&
                    IsNumber(r.lo) && IsNumber(r.hi) &&
                    (IsNumber(r.factor) || r.factor->As<ir::Load>() != nullptr);
  return fine ? std::optional(r) : std::nullopt;
}

class Rewriting {
 public:
  explicit Rewriting(ir::Context& context) : ir_(context) {}

  StmtRef operator()(StmtRef stmt) {
    if (const auto* loop = stmt->As<ir::ForStmt>()) {
      if (const StmtRef depthwise = DepthwiseOf(*loop)) return depthwise;
      if (const StmtRef row = RowOf(*loop)) return row;
    }
    return ir::MapChildren(ir_, stmt, [this](StmtRef child) { return (*this)(child); });
  }

 private:
  // Nothing where there is more in it than bindings, stores of whole numbers and loops.
  std::optional<Flat> FlatOf(StmtRef body, const analysis::ShapeVarMap& lets) {
    Flat flat;
    flat.lets = lets;
    std::vector<StmtRef> stmts = {body};
    if (const auto* seq = body->As<ir::SeqStmt>()) stmts = seq->stmts;
    for (StmtRef stmt : stmts) {
      if (const auto* let = stmt->As<ir::LetStmt>()) {
        if (let->body != nullptr) return std::nullopt;
        flat.lets[let->var] = analysis::Substitute(ir_, let->value, flat.lets);
      } else if (const auto* store = stmt->As<ir::StoreStmt>()) {
        if (store->predicate != nullptr || store->indices.size() > 1) return std::nullopt;
        flat.stores.push_back(store);
      } else if (const auto* loop = stmt->As<ir::ForStmt>()) {
        flat.loops.push_back(loop);
      } else {
        return std::nullopt;
      }
    }
    return flat;
  }

  // From 0 to a number, one after the other.
  static const ir::IntImm* CountOf(const ir::ForStmt& loop) {
    const auto* min = loop.min->As<ir::IntImm>();
    if (min == nullptr || min->value != 0 || loop.step != nullptr) return nullptr;
    return loop.kind == ir::LoopKind::kSerial ? loop.extent->As<ir::IntImm>() : nullptr;
  }

  // for c: out[at + c] = requantised sums[from + c]
  StmtRef RowOf(const ir::ForStmt& loop) {
    const ir::IntImm* count = CountOf(loop);
    const auto flat = count == nullptr ? std::nullopt : FlatOf(loop.body, {});
    if (!flat || flat->stores.size() != 1 || !flat->loops.empty()) return nullptr;
    const ir::StoreStmt& store = *flat->stores[0];
    const auto r = RequantizingOf(ir_, analysis::Substitute(ir_, store.value, flat->lets));
    if (!r || store.indices.size() != 1) return nullptr;
    const analysis::ShapeVarMap start = {{loop.var, Zero(loop.var)}};
    const PrimRef sum = First(r->sum, start, loop.var);
    const PrimRef factor = IsNumber(r->factor) ? r->factor : First(r->factor, start, loop.var);
    const PrimRef at = analysis::Substitute(ir_, store.indices[0], flat->lets);
    const PrimRef out = First(ir_.MakeLoad(store.buffer, {at}), start, loop.var);
    if (sum == nullptr || factor == nullptr || out == nullptr) return nullptr;
    return Call(ir::kRequantize,
                {ir_.Int(count->value), r->start, r->shift, r->lo, r->hi, sum, factor, out});
  }

  // for column: for c: acc = bias[c]; acc += x * w for each place; out[..] = requantised acc
  StmtRef DepthwiseOf(const ir::ForStmt& column) {
    const ir::IntImm* columns = CountOf(column);
    const auto outer = columns == nullptr ? std::nullopt : FlatOf(column.body, {});
    if (!outer || !outer->stores.empty() || outer->loops.size() != 1) return nullptr;
    const ir::ForStmt& c = *outer->loops[0];
    const ir::IntImm* channels = CountOf(c);
    const auto inner = channels == nullptr ? std::nullopt : FlatOf(c.body, outer->lets);
    if (!inner || inner->stores.size() < 3 || !inner->loops.empty()) return nullptr;
    const auto& stores = inner->stores;
    const BufferRef acc = stores[0]->buffer;
    const analysis::ShapeVarMap start = {{column.var, Zero(column.var)}, {c.var, Zero(c.var)}};
    const auto expanded = [&](PrimRef e) { return analysis::Substitute(ir_, e, inner->lets); };
    for (size_t i = 0; i + 1 < stores.size(); ++i) {
      if (stores[i]->buffer != acc || !stores[i]->indices.empty()) return nullptr;
    }
    const PrimRef bias = First(stores[0]->value, start, c.var);
    if (bias == nullptr) return nullptr;
    // Where each place of the window is, from the first one on.
    PrimRef x = nullptr, w = nullptr;
    std::vector<int64_t> places;
    int64_t step = 0;
    for (size_t i = 1; i + 1 < stores.size(); ++i) {
      const auto* sum = AsBinary(stores[i]->value, BinaryOp::kAdd);
      const auto* product = sum == nullptr || sum->lhs != ir_.MakeLoad(acc, {})
                                ? nullptr
                                : AsBinary(sum->rhs, BinaryOp::kMul);
      const PrimRef value = product == nullptr ? nullptr : ByteOf(expanded(product->lhs));
      const PrimRef weight = product == nullptr ? nullptr : ByteOf(expanded(product->rhs));
      if (value == nullptr || weight == nullptr) return nullptr;
      const auto here = Columns(value, column.var, c.var);
      const PrimRef weight_here = First(weight, start, c.var);
      if (!here || weight_here == nullptr) return nullptr;
      if (i == 1) {
        x = here->first;
        w = weight_here;
        step = here->step;
      }
      const auto place = Between(x, here->first);
      const auto tap = Between(w, weight_here);
      if (!place || here->step != step) return nullptr;
      if (!tap || *tap != static_cast<int64_t>(places.size()) * channels->value) return nullptr;
      places.push_back(*place);
    }
    const auto window = WindowOf(places);
    const ir::StoreStmt& last = *stores.back();
    const auto r = RequantizingOf(ir_, expanded(last.value));
    if (!window || !r || r->sum != ir_.MakeLoad(acc, {}) || last.indices.size() != 1) {
      return nullptr;
    }
    const PrimRef factor = IsNumber(r->factor) ? r->factor : First(r->factor, start, c.var);
    const auto out =
        Columns(ir_.MakeLoad(last.buffer, {expanded(last.indices[0])}), column.var, c.var);
    if (factor == nullptr || !out || out->step != channels->value) return nullptr;
    return Call(ir::kDepthwise, {ir_.Int(columns->value), ir_.Int(channels->value), ir_.Int(step),
                                 ir_.Int(window->height), ir_.Int(window->line),
                                 ir_.Int(window->width), ir_.Int(window->tap), r->start, r->shift,
                                 r->lo, r->hi, x, w, bias, factor, out->first});
  }

  struct Window {
    int64_t height = 1, line = 0, width = 1, tap = 0;
  };
  // Lines of places that are as far apart as each other.
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

  struct Row {
    PrimRef first = nullptr;  // the load for column 0 and channel 0
    int64_t step = 0;         // to the next column
  };
  // A load of neighbouring channels, in columns that are as far apart as each other.
  std::optional<Row> Columns(PrimRef value, PrimRef column, PrimRef c) {
    const auto* load = value->As<ir::Load>();
    if (load == nullptr || load->indices.size() != 1) return std::nullopt;
    const analysis::ShapeVarMap start = {{column, Zero(column)}, {c, Zero(c)}};
    const PrimRef first = At(load->indices[0], start);
    const PrimRef second =
        At(load->indices[0], {{column, ir_.Int(1, column->dtype())}, {c, Zero(c)}});
    const PrimRef apart = analysis::Simplify(ir_, ir_.Make(BinaryOp::kSub, second, first));
    const auto* step = apart->As<ir::IntImm>();
    if (step == nullptr) return std::nullopt;
    const PrimRef off = ir_.Make(
        BinaryOp::kAdd, ir_.Make(BinaryOp::kMul, column, ir_.Int(step->value, column->dtype())), c);
    if (!Goes(load->indices[0], first, off)) return std::nullopt;
    return Row{ir_.MakeLoad(load->buffer, {first}), step->value};
  }

  // The load where the loops start, when what is loaded lies side by side along `var`.
  PrimRef First(PrimRef value, const analysis::ShapeVarMap& start, PrimRef var) {
    const auto* load = value->As<ir::Load>();
    if (load == nullptr || load->indices.size() != 1) return nullptr;
    const PrimRef first = At(load->indices[0], start);
    return Goes(load->indices[0], first, var) ? ir_.MakeLoad(load->buffer, {first}) : nullptr;
  }

  PrimRef At(PrimRef index, const analysis::ShapeVarMap& start) {
    return analysis::Simplify(ir_, analysis::Substitute(ir_, index, start));
  }

  bool Goes(PrimRef index, PrimRef first, PrimRef off) {
    const PrimRef rest = ir_.Make(BinaryOp::kSub, index, ir_.Make(BinaryOp::kAdd, first, off));
    return analysis::Simplify(ir_, rest) == Zero(index);
  }

  // From one load to another of the same buffer, in elements.
  std::optional<int64_t> Between(PrimRef from, PrimRef to) {
    const auto *a = from->As<ir::Load>(), *b = to->As<ir::Load>();
    if (a->buffer != b->buffer) return std::nullopt;
    const PrimRef apart =
        analysis::Simplify(ir_, ir_.Make(BinaryOp::kSub, b->indices[0], a->indices[0]));
    const auto* number = apart->As<ir::IntImm>();
    return number == nullptr ? std::nullopt : std::optional(number->value);
  }

  // The load of an int8 as an int32.
  static PrimRef ByteOf(PrimRef value) {
    const PrimRef byte = CastFrom(value, DType::Int(32));
    return byte != nullptr && byte->dtype() == DType::Int(8) ? byte : nullptr;
  }

  PrimRef Zero(PrimRef like) { return ir_.Int(0, like->dtype()); }

  StmtRef Call(absl::string_view name, std::vector<PrimRef> args) {
    return ir_.Make(
        ir::Stmt::Node(ir::EvaluateStmt{ir_.MakeIntrinsic(DType::Int(32), name, std::move(args))}),
        Location());
  }

  ir::Context& ir_;
};

}  // namespace

void UseRequantize(ir::Context& context, ir::Program& program, const Target& target) {
  constexpr int kLeastVector = 32;  // bytes
  if (target.dot_products < 2 || target.vector_bytes < kLeastVector) return;
  Rewriting rewrite(context);
  for (int32_t i = 0; i < std::ssize(program.kernels); ++i) {
    ir::Kernel& kernel = program.kernels[ir::KernelId{i}];
    if (kernel.func.body != nullptr) kernel.func.body = rewrite(kernel.func.body);
  }
}

}  // namespace lathe::lower
