#include "tests/support/touched_places.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>

#include "generator/ir/int8_dot.h"
#include "generator/ir/products.h"
#include "generator/ir/requantize.h"
#include "generator/support/match.h"

namespace lathe::testing {
namespace {

using ir::BinaryOp;
using ir::BufferRef;
using ir::PrimRef;
using ir::StmtRef;

class Walk {
 public:
  Walk(const ir::Program& program, const ir::KernelStep& call,
       const std::map<ir::PrimRef, int64_t>& sizes)
      : kernel_(program.kernels[call.kernel]) {
    for (const auto& [var, size] : sizes) vars_[var] = static_cast<double>(size);
    for (size_t i = 0; i < kernel_.scalars.size(); ++i) {
      vars_[kernel_.scalars[i]] = Value(call.scalars[i]);
    }
    for (size_t i = 0; i < kernel_.buffers.size(); ++i) {
      const ir::Tensor& tensor = program.tensors[call.tensors[i]];
      int64_t elements = 1;
      for (PrimRef dim : tensor.shape) elements *= Whole(dim);
      room_[kernel_.buffers[i]->data] = elements * tensor.dtype.bits;
    }
  }

  bool Run() {
    if (kernel_.form) {
      Form(*kernel_.form);
    } else {
      Run(kernel_.func.body);
    }
    return outside_;
  }

 private:
  int64_t Whole(PrimRef e) { return static_cast<int64_t>(Value(e)); }

  void Touch(BufferRef buffer, int64_t place, int64_t count = 1) {
    if (buffer->scope == ir::kRegisterScope || count <= 0) return;
    const auto it = room_.find(buffer->data);
    int64_t bits = 0;
    if (it != room_.end()) {
      bits = it->second;
    } else {
      bits = buffer->dtype.bits;
      for (PrimRef dim : buffer->shape) bits *= Whole(dim);
    }
    outside_ = outside_ || place < 0 || (place + count) * buffer->dtype.bits > bits;
  }
  int64_t Place(BufferRef buffer, const std::vector<PrimRef>& indices) {
    int64_t place = 0;
    for (size_t d = 0; d < indices.size(); ++d) {
      place = place * Whole(buffer->shape[d]) + Whole(indices[d]);
    }
    return place;
  }

  double Value(PrimRef e) {
    if (const auto* n = e->As<ir::IntImm>()) return static_cast<double>(n->value);
    if (const auto* n = e->As<ir::FloatImm>()) return n->value;
    if (e->As<ir::SymVar>() != nullptr) return vars_[e];
    if (const auto* n = e->As<ir::Load>()) {
      Touch(n->buffer, Place(n->buffer, n->indices));
      return 0;
    }
    if (const auto* n = e->As<ir::Cast>()) {
      const double value = Value(n->value);
      return e->dtype().is_integer() ? std::trunc(value) : value;
    }
    if (const auto* n = e->As<ir::Unary>()) {
      const double value = Value(n->value);
      return n->op == ir::UnaryOp::kNeg ? -value : value == 0 ? 1 : 0;
    }
    if (const auto* n = e->As<ir::Select>()) {
      return Value(Value(n->cond) != 0 ? n->if_true : n->if_false);
    }
    if (const auto* n = e->As<ir::Intrinsic>()) {
      if (n->name == "if_then_else") return Value(Value(n->args[0]) != 0 ? n->args[1] : n->args[2]);
      for (PrimRef arg : n->args) (void)Value(arg);
      return 0;
    }
    const auto* n = e->As<ir::Binary>();
    if (n == nullptr) return 0;
    const double a = Value(n->lhs);
    if (n->op == BinaryOp::kAnd && a == 0) return 0;
    if (n->op == BinaryOp::kOr && a != 0) return 1;
    const double b = Value(n->rhs);
    const bool whole = n->lhs->dtype().is_integer();
    switch (n->op) {
      case BinaryOp::kAdd:
        return a + b;
      case BinaryOp::kSub:
        return a - b;
      case BinaryOp::kMul:
        return a * b;
      case BinaryOp::kDiv:
        return b == 0 ? 0 : whole ? std::trunc(a / b) : a / b;
      case BinaryOp::kFloorDiv:
        return b == 0 ? 0 : std::floor(a / b);
      case BinaryOp::kMod:
        return b == 0 ? 0 : std::fmod(a, b);
      case BinaryOp::kFloorMod:
        return b == 0 ? 0 : a - b * std::floor(a / b);
      case BinaryOp::kMin:
        return std::min(a, b);
      case BinaryOp::kMax:
        return std::max(a, b);
      case BinaryOp::kEq:
        return a == b;
      case BinaryOp::kNe:
        return a != b;
      case BinaryOp::kLt:
        return a < b;
      case BinaryOp::kLe:
        return a <= b;
      case BinaryOp::kGt:
        return a > b;
      case BinaryOp::kGe:
        return a >= b;
      case BinaryOp::kAnd:
      case BinaryOp::kOr:
        return b != 0;
      default:
        return 0;
    }
  }

  void Loop(PrimRef var, int64_t from, int64_t count, const std::function<void()>& body) {
    for (int64_t i = 0; i < count && !outside_ && !failed_; ++i) {
      vars_[var] = static_cast<double>(from + i);
      body();
    }
  }
  void Loops(const std::vector<ir::NestAxis>& axes, size_t first,
             const std::function<void()>& body) {
    if (first == axes.size()) return body();
    Loop(axes[first].var, 0, Whole(axes[first].extent), [&] { Loops(axes, first + 1, body); });
  }

  void Run(StmtRef stmt) {
    if (stmt == nullptr || outside_ || failed_) return;
    if (const auto* s = stmt->As<ir::SeqStmt>()) {
      for (StmtRef inner : s->stmts) Run(inner);
    } else if (const auto* loop = stmt->As<ir::ForStmt>()) {
      Loop(loop->var, Whole(loop->min), Whole(loop->extent), [&] { Run(loop->body); });
    } else if (const auto* block = stmt->As<ir::BlockStmt>()) {
      for (const ir::BlockAxis& axis : block->axes) vars_[axis.var] = Value(axis.binding);
      if (block->predicate != nullptr && Value(block->predicate) == 0) return;
      Run(block->init);
      Run(block->body);
    } else if (const auto* store = stmt->As<ir::StoreStmt>()) {
      (void)Value(store->value);
      Touch(store->buffer, Place(store->buffer, store->indices));
    } else if (const auto* let = stmt->As<ir::LetStmt>()) {
      vars_[let->var] = Value(let->value);
      Run(let->body);
    } else if (const auto* branch = stmt->As<ir::IfStmt>()) {
      Run(Value(branch->cond) != 0 ? branch->then_case : branch->else_case);
    } else if (const auto* check = stmt->As<ir::AssertStmt>()) {
      failed_ = failed_ || Value(check->cond) == 0;
      Run(check->body);
    } else if (const auto* alloc = stmt->As<ir::AllocStmt>()) {
      Run(alloc->body);
    } else if (const auto* evaluate = stmt->As<ir::EvaluateStmt>()) {
      if (const auto* call = evaluate->value->As<ir::Intrinsic>()) Operation(*call);
    }
  }

  // Element by element, as plain loops would do it.
  void Operation(const ir::Intrinsic& call) {
    const auto n = [&](size_t i) { return Whole(call.args[i]); };
    const auto touch = [&](size_t i, int64_t further) {
      if (const auto* load = call.args[i]->As<ir::Load>()) {
        Touch(load->buffer, Place(load->buffer, load->indices) + further);
      }
    };
    if (call.name == ir::kRequantize) {
      for (int64_t c = 0; c < n(0); ++c) {
        for (size_t i : {5, 6, 7}) touch(i, c);
      }
    }
  }

  void Stage(const ir::NestStage& s) {
    Loops(s.spatial, 0, [&] { Element(s); });
  }
  void Element(const ir::NestStage& s) {
    if (s.acc != nullptr) {
      (void)Value(s.init);
      Loops(s.reduce, 0, [&] {
        Lets(s.fold_lets);
        (void)Value(s.update);
      });
    }
    Lets(s.lets);
    if (s.value != nullptr) (void)Value(s.value);
    if (s.to != nullptr) Touch(s.to, Place(s.to, s.at));
  }
  void Lets(const std::vector<ir::NestLet>& lets) {
    for (const ir::NestLet& let : lets) vars_[let.var] = Value(let.value);
  }

  void Form(const ir::KernelForm& form) {
    auto rows = form.rows.begin();
    for (size_t i = 0; i < form.stages.size();) {
      const bool shares = rows != form.rows.end() && rows->first == i;
      const size_t end = shares ? rows->end : i + 1;
      const std::vector<ir::NestAxis> axes = shares ? rows++->axes : std::vector<ir::NestAxis>();
      Loops(axes, 0, [&] {
        for (size_t stage = i; stage < end; ++stage) One(form.stages[stage], form.lanes);
      });
      i = end;
    }
  }
  void One(const ir::StageForm& form, int lanes) {
    Match(
        form, [&](const ir::NestStage& s) { Stage(s); },
        [&](const ir::PaddedCopy& s) { Stage(s.stage); },
        [&](const ir::VectorLoops& s) {
          if (!s.folds) return Stage(s.stage);
          Loops(s.stage.spatial, 0, [&] {
            Loops(s.stage.reduce, 0, [&] { Loops({s.axis}, 0, [&] { (void)Value(s.term); }); });
          });
          Stage(s.stage);
        },
        [&](const ir::IntegerLanes& s) { Stage(s.stage); },
        [&](const ir::TiledSum& s) { Sum(s, lanes); });
  }

  void Sum(const ir::TiledSum& s, int lanes) {
    ir::NestStage finish = s.stage;
    finish.spatial.clear();
    finish.reduce.clear();
    const auto place = [&](PrimRef start, PrimRef axis, PrimRef stride,
                           const std::vector<PrimRef>& steps) {
      int64_t at = Whole(start) + Whole(axis) * Whole(stride);
      for (size_t i = 0; i < steps.size(); ++i) {
        at += Whole(s.stage.reduce[i].var) * Whole(steps[i]);
      }
      return at;
    };
    int64_t depth = 1;
    for (const ir::NestAxis& axis : s.stage.reduce) depth *= Whole(axis.extent);
    const int64_t width = int64_t{s.vectors} * lanes, columns = Whole(s.column.extent);
    const bool packed = s.by_column == nullptr;
    const int64_t deep = !packed && s.stage.reduce.size() == 1 ? std::min(s.block, depth) : depth;
    Touch(s.panels, 0, (packed ? (columns + width - 1) / width : 1) * deep * width);
    std::vector<ir::NestAxis> axes = s.batch;
    axes.insert(axes.end(), s.outer.begin(), s.outer.end());
    axes.insert(axes.end(), {s.row, s.column});
    Loops(axes, 0, [&] {
      Loops(s.stage.reduce, 0, [&] {
        Touch(s.by_row, place(s.row_start, s.row.var, s.row_stride, s.k_strides));
        if (packed) return;
        Touch(s.by_column,
              place(s.column_start, s.column.var, s.column_stride, s.column_k_strides));
      });
      Element(finish);
    });
  }

  const ir::Kernel& kernel_;
  std::map<PrimRef, double> vars_;
  std::map<PrimRef, int64_t> room_;  // bits, by the pointer
  bool outside_ = false, failed_ = false;
};

}  // namespace

bool TouchesOutside(const ir::Program& program, const ir::KernelStep& call,
                    const std::map<ir::PrimRef, int64_t>& sizes) {
  return Walk(program, call, sizes).Run();
}

}  // namespace lathe::testing
