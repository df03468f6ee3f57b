#include "generator/emit/c/kernel/print_c_stmt.h"

#include <limits>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "generator/analysis/arithmetic/bounds.h"
#include "generator/analysis/arithmetic/simplify.h"
#include "generator/emit/c/kernel/c_ranges.h"
#include "generator/emit/c/kernel/kernel_dialect.h"
#include "generator/emit/c/kernel/print_c_call.h"
#include "generator/emit/c/kernel/print_c_element.h"
#include "generator/emit/c/kernel/print_c_elements.h"
#include "generator/emit/c/kernel/print_c_expr.h"
#include "generator/emit/c/kernel/print_c_int8.h"
#include "generator/emit/c/kernel/print_c_pointer.h"
#include "generator/emit/c/kernel/print_integer_lanes.h"
#include "generator/emit/c/names/c_types.h"
#include "generator/emit/c/names/side_effects.h"
#include "generator/ir/buffer_extent.h"
#include "generator/ir/each_stmt.h"
#include "generator/ir/function_calls.h"
#include "generator/ir/program.h"
#include "generator/nest/scalar_facts.h"
#include "generator/schedule/accesses/check_indices.h"
#include "generator/schedule/cuda/bind_threads.h"
#include "generator/schedule/threads/describe_sync.h"
#include "generator/support/status.h"

namespace lathe::emit {
namespace {

using ir::PrimRef;

absl::Status Cannot(absl::string_view what) {
  return absl::UnimplementedError(absl::StrCat(
      what,
      " cannot be printed as C yet; supported: loops, blocks, buffers, stores, 'if', 'while', "
      "scalar bindings, assertions, calls of external functions"));
}

// Returns the status for a failed assertion.
absl::string_view StatusOf(const ir::AssertStmt& s) {
  if (s.kind == ir::kShapeError) return "LATHE_E_SHAPE";
  if (s.kind == ir::kMatchError) return "LATHE_E_MATCH";
  return s.kind == schedule::kIndexError ? "LATHE_E_INDEX" : "LATHE_E_FAILED";
}

class Printer {
 public:
  Printer(CScope& scope, ir::StmtRef whole, bool status, LineWriter& out)
      : scope_(scope), dialect_(scope.needs.dialect), whole_(whole), status_(status), out_(out) {}

  absl::Status Print(ir::StmtRef stmt) {
    return Match(
        stmt->node(),
        [&](const ir::SeqStmt& s) {
          for (ir::StmtRef child : s.stmts) LATHE_RETURN_IF_ERROR(Print(child));
          return absl::OkStatus();
        },
        [&](const ir::ForStmt& s) {
          const auto thread = schedule::ThreadLoopOf(stmt);
          const ThreadBinding binding =
              thread ? dialect_.BindThread(scope_, *thread, out_) : ThreadBinding::kLoop;
          if (binding == ThreadBinding::kThreads) return Print(s.body);
          if (binding == ThreadBinding::kUnsupported) return Cannot(schedule::DescribeSync(whole_));
          if (s.annotations.contains(ir::kIntegerLanesLoop)) return Lanes(s);
          return Loop(s);
        },
        [&](const ir::BlockStmt& s) { return Block(s); },
        [&](const ir::StoreStmt& s) -> absl::Status {
          if (s.predicate != nullptr) return Cannot("a store under a predicate");
          LATHE_ASSIGN_OR_RETURN(const std::string text,
                                 PrintCStore(scope_, s.buffer, s.indices, s.value));
          const bool first = scope_.undeclared.erase(s.buffer) > 0;
          out_.Line(first ? absl::StrCat(CLocalType(s.buffer->dtype), " ") : "", text);
          return absl::OkStatus();
        },
        [&](const ir::LetStmt& s) { return Let(s); },
        [&](const ir::IfStmt& s) -> absl::Status {
          LATHE_ASSIGN_OR_RETURN(const std::string cond, PrintCCondition(scope_, s.cond));
          out_.Line("if (", cond, ") {");
          LATHE_RETURN_IF_ERROR(Nested(s.then_case));
          if (s.else_case != nullptr) {
            out_.Line("} else {");
            LATHE_RETURN_IF_ERROR(Nested(s.else_case));
          }
          out_.Line("}");
          return absl::OkStatus();
        },
        [&](const ir::WhileStmt& s) -> absl::Status {
          LATHE_ASSIGN_OR_RETURN(const std::string cond, PrintCCondition(scope_, s.cond));
          out_.Line(s.cond == scope_.ir.Bool(true) ? "for (;;" : "while (" + cond, ") {");
          LATHE_RETURN_IF_ERROR(Nested(s.body));
          out_.Line("}");
          return absl::OkStatus();
        },
        [&](const ir::AllocStmt& s) -> absl::Status {
          if (s.condition != nullptr) return Cannot("an allocation under a condition");
          LATHE_RETURN_IF_ERROR(Local(s.buffer, s.constant));
          return s.body == nullptr ? absl::OkStatus() : Print(s.body);
        },
        [&](const ir::DeclBufferStmt& s) -> absl::Status {
          LATHE_RETURN_IF_ERROR(AddCAlias(scope_, s.buffer));
          return s.body == nullptr ? absl::OkStatus() : Print(s.body);
        },
        [&](const ir::AttrStmt& s) -> absl::Status {
          if (s.key == "thread_extent" || s.key == "virtual_thread") {
            const auto thread = schedule::ThreadLoopOf(stmt);
            if (!thread || dialect_.BindThread(scope_, *thread, out_) != ThreadBinding::kThreads) {
              return Cannot(schedule::DescribeSync(whole_));
            }
            return s.body == nullptr ? absl::OkStatus() : Print(s.body);
          }
          const PrimRef* reducer = s.key == "reduce_scope" ? s.node.As<PrimRef>() : nullptr;
          if (reducer != nullptr) reducer_ = (*reducer)->As<ir::CommReducer>();
          return s.body == nullptr ? absl::OkStatus() : Print(s.body);
        },
        [&](const ir::AssertStmt& s) -> absl::Status {
          LATHE_ASSIGN_OR_RETURN(const std::string wrong, PrintCViolation(scope_, s.cond));
          out_.Line("if (", wrong, ") {");
          PrintCFailure(scope_, StatusOf(s), out_);
          out_.Line("}");
          return s.body == nullptr ? absl::OkStatus() : Print(s.body);
        },
        [&](const ir::EvaluateStmt& s) { return Evaluate(s.value); },
        [&](const ir::ReturnStmt& s) { return Return(s.value); },
        [&](const ir::BreakStmt&) {
          out_.Line("break;");
          return absl::OkStatus();
        },
        [&](const ir::ContinueStmt&) {
          out_.Line("continue;");
          return absl::OkStatus();
        });
  }

 private:
  absl::Status Nested(ir::StmtRef stmt) {
    LineWriter::Indent in(out_);
    return Print(stmt);
  }

  absl::Status Let(const ir::LetStmt& s) {
    const ir::DType dtype = s.var->dtype();
    if (dtype.is_handle()) {
      LATHE_RETURN_IF_ERROR(PrintCPointerLet(scope_, s, out_));
      return s.body == nullptr ? absl::OkStatus() : Print(s.body);
    }
    if (CScalarType(dtype).empty()) return Cannot(absl::StrCat("a scalar of ", ToString(dtype)));
    if (dtype == ir::DType::Int(64) && IsPlace(s.value)) {
      LATHE_ASSIGN_OR_RETURN(const bool is_done, Place(s));
      if (is_done) return s.body == nullptr ? absl::OkStatus() : Print(s.body);
    }
    const auto* call = s.value->As<ir::Intrinsic>();
    if (call != nullptr && ir::IsCall(call->name)) {
      LATHE_RETURN_IF_ERROR(PrintCCallLet(scope_, s, *call, out_));
      return s.body == nullptr ? absl::OkStatus() : Print(s.body);
    }
    LATHE_ASSIGN_OR_RETURN(const std::string value, PrintCExpr(scope_, s.value));
    Declare(s, dtype, value);
    if (IsOfData(scope_, s.value)) scope_.data.insert(s.var);
    if (dtype.is_int()) scope_.ranges.Bound(s.var, CertainRangeOf(scope_, s.value));
    if (const auto range = dtype.is_floating() ? FloatRangeOf(scope_, s.value) : std::nullopt) {
      scope_.floats[s.var] = *range;
    }
    return s.body == nullptr ? absl::OkStatus() : Print(s.body);
  }

  void Declare(const ir::LetStmt& s, ir::DType declared, const std::string& value) {
    const std::string name = scope_.names.Unique(ir::ToString(s.var));
    out_.Line("const ", CScalarType(declared), " ", name, " = ", value, ";");
    scope_.vars[s.var] = {name, declared};
    if (!HasSideEffects(s.value)) scope_.lets.push_back(name);
  }

  // Prints a let of an index expression in the width of indices. Returns false if it may not fit.
  absl::StatusOr<bool> Place(const ir::LetStmt& s) {
    const PrimRef value = analysis::Simplify(scope_.ir, ExpandAxes(scope_, s.value), scope_.ranges);
    const analysis::Interval range = CertainRangeOf(scope_, value);
    if (range.lo < std::numeric_limits<int32_t>::min() ||
        range.hi > std::numeric_limits<int32_t>::max()) {
      return false;
    }
    LATHE_ASSIGN_OR_RETURN(const std::string text, PrintCIndex(scope_, value));
    const ir::DType declared = scope_.wide ? ir::DType::Int(64) : ir::DType::Int(32);
    Declare(s, declared, text);
    scope_.ranges.Bound(s.var, range);
    return true;
  }

  absl::Status Return(PrimRef given) {
    if (!scope_.returns.is_void() && given != nullptr) {
      LATHE_ASSIGN_OR_RETURN(const std::string value,
                             PrintCExpr(scope_, scope_.ir.MakeCast(scope_.returns, given)));
      if (!scope_.result.empty()) out_.Line("*", scope_.result, " = ", value, ";");
      out_.Line("return ", scope_.result.empty() ? value : "LATHE_OK", ";");
      return absl::OkStatus();
    }
    out_.Line(status_ && scope_.failed.empty() ? "return LATHE_OK;" : "return;");
    return absl::OkStatus();
  }

  absl::Status Evaluate(PrimRef value) {
    if (HasNoEffect(value)) return absl::OkStatus();
    const auto* call = value->As<ir::Intrinsic>();
    if (call != nullptr && call->name == "thread_return") return Return(nullptr);
    if (call != nullptr && ir::IsCall(call->name)) {
      return PrintCCallStmt(scope_, value, *call, out_);
    }
    if (call != nullptr) {
      LATHE_ASSIGN_OR_RETURN(const bool is_done,
                             dialect_.PrintStatement(scope_, value, *call, reducer_, out_));
      if (is_done) return absl::OkStatus();
    }
    if (call != nullptr && IsInt8Operation(call->name)) {
      LATHE_ASSIGN_OR_RETURN(const std::string text, PrintCInt8Operation(scope_, *call));
      out_.Line(text);
      return absl::OkStatus();
    }
    if (call != nullptr) return Cannot(ir::ToString(value));
    LATHE_ASSIGN_OR_RETURN(const std::string text, PrintCExpr(scope_, value));
    out_.Line("(void)(", text, ");");
    return absl::OkStatus();
  }

  absl::Status Lanes(const ir::ForStmt& s) {
    auto stage = ir::LanesStageOf(s);
    if (!stage) return Cannot("integer lanes of another statement than a store");
    return PrintIntegerLanes(scope_, {*std::move(stage)}, out_);
  }

  // Prints a loop. A loop over threads that never synchronize may run sequentially.
  absl::Status Loop(const ir::ForStmt& s) {
    ir::Context& ir = scope_.ir;
    const PrimRef min = analysis::Simplify(ir, ExpandAxes(scope_, s.min), scope_.ranges);
    const PrimRef extent = analysis::Simplify(ir, ExpandAxes(scope_, s.extent), scope_.ranges);
    const PrimRef end =
        analysis::Simplify(ir, ir.Make(ir::BinaryOp::kAdd, min, extent), scope_.ranges);
    const std::string name = scope_.names.Unique(ir::ToString(s.var));
    const ir::DType declared = scope_.wide ? ir::DType::Int(64) : ir::DType::Int(32);
    LATHE_ASSIGN_OR_RETURN(const std::string first, PrintCIndex(scope_, min));
    LATHE_ASSIGN_OR_RETURN(CText last, PrintCIndexValue(scope_, end));
    // The loop may write what its extent reads, which is evaluated once.
    if (nest::ReadsMemory(end)) {
      const std::string bound = scope_.names.Unique(absl::StrCat(name, "_end"));
      out_.Line("const ", CType(declared), " ", bound, " = ", last.text, ";");
      last = {bound, kPrimary};
    }
    std::string step = absl::StrCat("++", name);
    if (s.step != nullptr) {
      LATHE_ASSIGN_OR_RETURN(const std::string by, PrintCIndex(scope_, s.step));
      if (by != "1") step = absl::StrCat(name, " += ", by);
    }
    const analysis::Interval from = analysis::BoundsOf(ir, min, scope_.ranges);
    const analysis::Interval to = analysis::BoundsOf(ir, end, scope_.ranges);
    const int64_t high = to.hi == std::numeric_limits<int64_t>::max() ? to.hi : to.hi - 1;
    scope_.ranges.Bound(s.var, {from.lo, high});
    scope_.vars[s.var] = {name, declared};
    out_.Line("for (", CType(declared), " ", name, " = ", first, "; ", name, " < ",
              last.In(kOrder + 1), "; ", step, ") {");
    LATHE_RETURN_IF_ERROR(Nested(s.body));
    out_.Line("}");
    return absl::OkStatus();
  }

  absl::Status Block(const ir::BlockStmt& s) {
    if (!s.realized) return Cannot(absl::StrCat("block '", s.name, "' that nothing realises"));
    std::string first;  // the condition that all reductions are at their first iteration
    for (const ir::BlockAxis& axis : s.axes) {
      scope_.axes[axis.var] = ExpandAxes(scope_, axis.binding);
      if (axis.kind != ir::AxisKind::kReduce || s.init == nullptr) continue;
      const PrimRef starts =
          scope_.ir.Make(ir::BinaryOp::kEq, scope_.axes[axis.var],
                         scope_.ir.MakeCast(axis.var->dtype(), ExpandAxes(scope_, axis.min)));
      LATHE_ASSIGN_OR_RETURN(const std::string text, PrintCCondition(scope_, starts));
      absl::StrAppend(&first, first.empty() ? "" : " && ", text);
    }
    if (s.predicate == nullptr) return BlockBody(s, first);
    LATHE_ASSIGN_OR_RETURN(const std::string cond, PrintCCondition(scope_, s.predicate));
    out_.Line("if (", cond, ") {");
    {
      LineWriter::Indent in(out_);
      LATHE_RETURN_IF_ERROR(BlockBody(s, first));
    }
    out_.Line("}");
    return absl::OkStatus();
  }

  absl::Status BlockBody(const ir::BlockStmt& s, const std::string& first) {
    for (ir::BufferRef buffer : s.allocs) LATHE_RETURN_IF_ERROR(Local(buffer, std::nullopt));
    for (const ir::BlockMatch& match : s.matches) View(match);
    if (s.init != nullptr && !first.empty()) {
      out_.Line("if (", first, ") {");
      LATHE_RETURN_IF_ERROR(Nested(s.init));
      out_.Line("}");
    } else if (s.init != nullptr) {
      LATHE_RETURN_IF_ERROR(Print(s.init));
    }
    return Print(s.body);
  }

  // Declares a buffer that the kernel allocates, unless it is a parameter already.
  absl::Status Local(ir::BufferRef buffer, const std::optional<std::vector<PrimRef>>& constant) {
    scope_.owners[buffer->data] = buffer;
    if (scope_.buffers.contains(buffer)) return absl::OkStatus();
    if (CType(buffer->dtype).empty()) {
      return Cannot(absl::StrCat("a buffer of ", ToString(buffer->dtype)));
    }
    const std::optional<int64_t> count = ir::ExtentOf(*buffer);
    if (!count) return Cannot(absl::StrCat("the size of '", buffer->name, "'"));
    const std::string name = scope_.names.Unique(buffer->name);
    scope_.buffers[buffer] = name;
    if (!constant && buffer->shape.empty() && buffer->scope == ir::kRegisterScope) {
      scope_.locals.insert(buffer);
      scope_.undeclared.insert(buffer);
      return absl::OkStatus();
    }
    if (!constant) {
      dialect_.DeclareArray(scope_, *buffer, name, *count, out_);
      return absl::OkStatus();
    }
    LATHE_ASSIGN_OR_RETURN(const std::vector<std::string> elements,
                           PrintCElements(scope_, buffer, *constant));
    out_.Line("static const ", CType(buffer->dtype), " ", name, "[", elements.size(), "] = {",
              absl::StrJoin(elements, ", "), "};");
    return absl::OkStatus();
  }

  void View(const ir::BlockMatch& match) {
    CView view{match.source.buffer, {}};
    for (PrimRef min : match.source.mins) view.mins.push_back(ExpandAxes(scope_, min));
    const ir::Buffer& buffer = *match.buffer;
    const size_t rank = match.source.buffer->shape.size();
    for (size_t i = 0; i < buffer.strides.size() && buffer.strides.size() <= rank; ++i) {
      if (buffer.strides[i]->As<ir::SymVar>() == nullptr) continue;
      const size_t in_source = rank - buffer.strides.size() + i;
      PrimRef stride = scope_.ir.Int(1, buffer.strides[i]->dtype());
      for (size_t k = in_source + 1; k < rank; ++k) {
        stride = scope_.ir.Make(ir::BinaryOp::kMul, stride,
                                scope_.ir.MakeCast(stride->dtype(), match.source.buffer->shape[k]));
      }
      scope_.axes[buffer.strides[i]] = stride;
    }
    for (size_t i = 0; i < buffer.shape.size() && i < match.source.extents.size(); ++i) {
      const size_t in_source = match.source.extents.size() - buffer.shape.size() + i;
      if (buffer.shape[i]->As<ir::SymVar>() != nullptr) {
        scope_.axes[buffer.shape[i]] = scope_.ir.MakeCast(
            buffer.shape[i]->dtype(), ExpandAxes(scope_, match.source.extents[in_source]));
      }
    }
    scope_.views[match.buffer] = std::move(view);
  }

  CScope& scope_;
  const KernelDialect& dialect_;
  const ir::StmtRef whole_;
  const bool status_;
  LineWriter& out_;
  const ir::CommReducer* reducer_ = nullptr;  // from the last attribute "reduce_scope"
};

}  // namespace

absl::Status PrintCStmt(CScope& scope, ir::StmtRef stmt, bool status, LineWriter& out) {
  return Printer(scope, stmt, status, out).Print(stmt);
}

}  // namespace lathe::emit
