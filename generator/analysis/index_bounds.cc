#include "generator/analysis/index_bounds.h"

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/string_view.h"
#include "generator/analysis/arithmetic/bounds.h"
#include "generator/ir/each_stmt.h"
#include "generator/support/count_of.h"
#include "generator/support/match.h"

namespace lathe::analysis {
namespace {

using ir::PrimRef;
using ir::StmtRef;

// Indices are small; larger numbers are ignored before they can overflow.
constexpr int64_t kLargest = int64_t{1} << 28;
// Maximum number of terms of an index.
constexpr size_t kMaxIndexTerms = 16;

// constant + the sum of factor * variable: each variable takes all values of its range
// independently of the others, so that the sum reaches both of its bounds.
struct AffineTerm {
  PrimRef var = nullptr;
  int64_t factor = 0;
};
struct Affine {
  int64_t constant = 0;
  std::map<int, AffineTerm> terms;  // by the variable's id
};

bool Small(int64_t value) { return value <= kLargest && value >= -kLargest; }

bool MayLeave(StmtRef s) {
  if (const auto* evaluate = s->As<ir::EvaluateStmt>()) {
    const auto* call = evaluate->value->As<ir::Intrinsic>();
    if (call == nullptr) return false;
    constexpr absl::string_view kLeaving[] = {"ret", "thread_return", "break_loop",
                                              "continue_loop"};
    for (absl::string_view name : kLeaving) {
      if (call->name == name) return true;
    }
    return false;
  }
  return s->As<ir::BreakStmt>() != nullptr || s->As<ir::ContinueStmt>() != nullptr ||
         s->As<ir::ReturnStmt>() != nullptr || s->As<ir::AssertStmt>() != nullptr;
}

class BoundsChecker {
 public:
  BoundsChecker(ir::Context& context, Diagnostics& diags) : ir_(context), diags_(diags) {}

  void Function(const ir::PrimFunc& func) {
    bool may_be_left = false;
    ir::ForEachStmt(func.body, [&](StmtRef s) { may_be_left |= MayLeave(s); });
    if (!may_be_left) Stmt(func.body);
  }

 private:
  void Stmt(StmtRef stmt) {
    if (stmt == nullptr) return;
    loc_ = stmt->loc();
    Match(
        stmt->node(),
        [&](const ir::SeqStmt& s) {
          for (StmtRef inner : s.stmts) Stmt(inner);
        },
        [&](const ir::ForStmt& s) { Loop(s); }, [&](const ir::BlockStmt& s) { Block(s); },
        [&](const ir::StoreStmt& s) {
          Use(s.value);
          for (PrimRef index : s.indices) Use(index);
          if (s.predicate == nullptr) Access(s.buffer, s.indices);
        },
        [&](const ir::LetStmt& s) {
          Use(s.value);
          Stmt(s.body);
        },
        [&](const ir::IfStmt& s) { Use(s.cond); }, [&](const ir::WhileStmt& s) { Use(s.cond); },
        [&](const ir::AllocStmt& s) {
          if (s.condition == nullptr) Stmt(s.body);
        },
        [&](const ir::DeclBufferStmt& s) {
          declared_.insert(s.buffer);
          Stmt(s.body);
        },
        [&](const ir::AttrStmt& s) { Stmt(s.body); }, [](const ir::AssertStmt&) {},
        [&](const ir::EvaluateStmt& s) { Use(s.value); }, [](const ir::ReturnStmt&) {},
        [](const ir::BreakStmt&) {}, [](const ir::ContinueStmt&) {});
  }

  void Loop(const ir::ForStmt& loop) {
    const auto* min = loop.min->As<ir::IntImm>();
    const auto* extent = loop.extent->As<ir::IntImm>();
    if (min == nullptr || extent == nullptr || extent->value < 1 || loop.step != nullptr) return;
    if (!Small(min->value) || !Small(extent->value)) return;
    ranges_.Bound(loop.var, {min->value, min->value + extent->value - 1});
    known_.insert_or_assign(loop.var, Affine{0, {{loop.var->As<ir::SymVar>()->id, {loop.var, 1}}}});
    Stmt(loop.body);
    known_.erase(loop.var);
  }

  void Block(const ir::BlockStmt& block) {
    if (block.predicate != nullptr || !block.realized) return;
    for (const ir::BlockAxis& axis : block.axes) {
      if (axis.binding == nullptr) return;
    }
    for (const ir::BlockAxis& axis : block.axes) {
      if (std::optional<Affine> value = AsAffine(axis.binding)) {
        known_.insert_or_assign(axis.var, *std::move(value));
      }
      ranges_.Bound(axis.var, BoundsOf(ir_, axis.binding, ranges_));
    }
    Stmt(block.init);
    Stmt(block.body);
    for (const ir::BlockAxis& axis : block.axes) known_.erase(axis.var);
  }

  void Use(PrimRef e) {
    if (const auto* load = e->As<ir::Load>(); load != nullptr && load->predicate == nullptr) {
      Access(load->buffer, load->indices);
    }
    // Conditionally evaluated operands, and calls that take an address without reading.
    if (const auto* call = e->As<ir::Intrinsic>()) {
      if (call->name == "if_then_else" && !call->args.empty()) Use(call->args[0]);
      return;
    }
    if (const auto* binary = e->As<ir::Binary>()) {
      Use(binary->lhs);
      const bool lazy = binary->op == ir::BinaryOp::kAnd || binary->op == ir::BinaryOp::kOr;
      if (!lazy) Use(binary->rhs);
      return;
    }
    if (const auto* select = e->As<ir::Select>()) return Use(select->cond);
    ir::ForEachOperand(e, [this](PrimRef operand) { Use(operand); });
  }

  void Access(ir::BufferRef buffer, const std::vector<PrimRef>& indices) {
    if (indices.size() != buffer->shape.size() || declared_.contains(buffer)) return;
    for (size_t i = 0; i < indices.size(); ++i) {
      const auto* dim = buffer->shape[i]->As<ir::IntImm>();
      const int64_t extent = dim == nullptr ? kPosInf : dim->value;
      for (PrimRef index : Ends(indices[i])) {
        if (const std::optional<int64_t> outside = Outside(index, extent)) {
          Report(*buffer, i, *outside, extent, index->As<ir::IntImm>() != nullptr);
          return;
        }
      }
    }
  }

  // The index, or the first and last index of a ramp; nothing if its lanes are unknown.
  std::vector<PrimRef> Ends(PrimRef index) {
    const ir::DType dtype = index->dtype();
    const auto* ramp = index->As<ir::Ramp>();
    if (dtype.is_scalar() && dtype.is_integer()) return {index};
    const auto* stride = ramp == nullptr ? nullptr : ramp->stride->As<ir::IntImm>();
    if (stride == nullptr || dtype.lanes < 1 || !Small(stride->value)) return {};
    const PrimRef further = ir_.Int(stride->value * (dtype.lanes - 1), ramp->base->dtype());
    return {ramp->base, ir_.Make(ir::BinaryOp::kAdd, ramp->base, further)};
  }

  // A value that `index` takes outside [0, extent), if there is one.
  std::optional<int64_t> Outside(PrimRef index, int64_t extent) {
    if (const std::optional<Affine> sum = AsAffine(index)) {
      int64_t least = sum->constant, most = sum->constant;
      for (const auto& [id, term] : sum->terms) {
        const Interval range = ranges_.RangeOf(ir_, term.var);
        least += term.factor * (term.factor > 0 ? range.lo : range.hi);
        most += term.factor * (term.factor > 0 ? range.hi : range.lo);
      }
      if (least < 0) return least;
      if (most >= extent) return most;
      return std::nullopt;
    }
    const Interval range = BoundsOf(ir_, index, ranges_);
    if (range.hi < 0) return range.hi;
    if (range.lo >= extent && range.lo != kPosInf) return range.lo;
    return std::nullopt;
  }

  std::optional<Affine> AsAffine(PrimRef e) const {
    if (const auto* number = e->As<ir::IntImm>()) {
      if (!Small(number->value)) return std::nullopt;
      return Affine{number->value, {}};
    }
    if (e->As<ir::SymVar>() != nullptr) {
      const auto it = known_.find(e);
      if (it == known_.end()) return std::nullopt;
      return it->second;
    }
    const auto* binary = e->As<ir::Binary>();
    if (binary == nullptr) return std::nullopt;
    std::optional<Affine> lhs = AsAffine(binary->lhs);
    const std::optional<Affine> rhs = lhs ? AsAffine(binary->rhs) : std::nullopt;
    if (!rhs) return std::nullopt;
    switch (binary->op) {
      case ir::BinaryOp::kAdd:
        return Sum(*std::move(lhs), *rhs, 1);
      case ir::BinaryOp::kSub:
        return Sum(*std::move(lhs), *rhs, -1);
      case ir::BinaryOp::kMul:
        if (rhs->terms.empty()) return Sum({}, *lhs, rhs->constant);
        if (lhs->terms.empty()) return Sum({}, *rhs, lhs->constant);
        return std::nullopt;
      default:
        return std::nullopt;
    }
  }

  // a + times * b; nothing if it grows too large.
  static std::optional<Affine> Sum(Affine a, const Affine& b, int64_t times) {
    const auto add = [times](int64_t& to, int64_t value) {
      int64_t product = 0;
      return !__builtin_mul_overflow(value, times, &product) && Small(product) &&
             Small(to += product);
    };
    if (!add(a.constant, b.constant)) return std::nullopt;
    for (const auto& [id, term] : b.terms) {
      AffineTerm& sum = a.terms[id];
      sum.var = term.var;
      if (!add(sum.factor, term.factor)) return std::nullopt;
    }
    if (a.terms.size() > kMaxIndexTerms) return std::nullopt;
    return a;
  }

  void Report(const ir::Buffer& buffer, size_t place, int64_t value, int64_t extent, bool always) {
    DiagnosticBuilder error = diags_.Error(loc_, "index-out-of-bounds");
    error << "index " << place << " of '" << buffer.name << "' " << (always ? "is " : "becomes ")
          << value;
    if (value < 0) {
      error << ", and elements are counted from 0";
    } else {
      error << ", but there are " << CountOf(extent, "element") << " along that dimension";
    }
    if (std::holds_alternative<TextSpan>(buffer.loc)) {
      std::move(error).Note(buffer.loc, "buffer declared here");
    }
  }

  ir::Context& ir_;
  Diagnostics& diags_;
  Location loc_;
  Assumptions ranges_ = Assumptions::Nothing();
  // Buffers declared over a pointer: their shapes are often placeholders.
  absl::flat_hash_set<ir::BufferRef> declared_;
  // Values of loop and block variables, inside loops that run at least once.
  absl::flat_hash_map<PrimRef, Affine> known_;
};

}  // namespace

void CheckIndexBounds(ir::Context& context, const ir::Module& module, Diagnostics& diags) {
  for (size_t i = 0; i < module.globals.size(); ++i) {
    const ir::PrimFunc* func = module.globals[ir::GlobalId{static_cast<int32_t>(i)}].prim_func();
    if (func != nullptr) BoundsChecker(context, diags).Function(*func);
  }
}

}  // namespace lathe::analysis
