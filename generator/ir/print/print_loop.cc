#include "generator/ir/print/print_loop.h"

#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "generator/ir/print/print_stmt.h"
#include "generator/ir/print_literal.h"

namespace lathe::ir {
namespace {

bool StartsAtZero(const ForStmt& loop) {
  const auto* min = loop.min->As<IntImm>();
  return min != nullptr && min->value == 0 && loop.min->dtype() == loop.extent->dtype();
}

bool IsSimple(const ForStmt& loop) {
  return loop.kind == LoopKind::kSerial && loop.step == nullptr && loop.annotations.empty() &&
         StartsAtZero(loop) && loop.var->dtype() == loop.extent->dtype();
}

bool MentionsVar(PrimRef e, PrimRef var) {
  if (e == var) return true;
  bool found = false;
  ForEachOperand(e, [&](PrimRef operand) { found = found || MentionsVar(operand, var); });
  return found;
}

// The loops that one T.grid can express: simple, perfectly nested, with extents independent of each
// other's variables.
std::vector<const ForStmt*> GridOf(const ForStmt& outermost) {
  std::vector<const ForStmt*> grid = {&outermost};
  if (!IsSimple(outermost)) return grid;
  for (;;) {
    const auto* inner = grid.back()->body->As<ForStmt>();
    if (inner == nullptr || !IsSimple(*inner)) return grid;
    for (const ForStmt* loop : grid) {
      if (MentionsVar(inner->extent, loop->var)) return grid;
    }
    grid.push_back(inner);
  }
}

std::string HeaderOf(TirText& text, const ForStmt& loop) {
  std::vector<std::string> parts;
  // Only range, and a single loop over an int32 or int64, can omit the start.
  const bool plain =
      loop.kind == LoopKind::kSerial && loop.step == nullptr && loop.annotations.empty();
  if (!StartsAtZero(loop) || !plain) parts.push_back(text.Scalar(loop.min));
  parts.push_back(text.End(loop.min, loop.extent));
  if (loop.kind == LoopKind::kThreadBinding) {
    parts.push_back(absl::StrCat("thread=", StringLiteral(loop.thread)));
  }
  if (!loop.annotations.empty()) {
    parts.push_back(absl::StrCat("annotations=", text.Attrs(loop.annotations)));
  }
  if (loop.step != nullptr) parts.push_back(absl::StrCat("step=", text.Scalar(loop.step)));
  absl::string_view function = "range";
  switch (loop.kind) {
    case LoopKind::kSerial:
      if (!plain) function = "T.serial";
      break;
    case LoopKind::kParallel:
      function = "T.parallel";
      break;
    case LoopKind::kVectorized:
      function = "T.vectorized";
      break;
    case LoopKind::kUnrolled:
      function = "T.unroll";
      break;
    case LoopKind::kThreadBinding:
      function = "T.thread_binding";
      break;
  }
  return absl::StrCat(function, "(", absl::StrJoin(parts, ", "), ")");
}

}  // namespace

void PrintLoop(TirText& text, const ForStmt& loop) {
  const std::vector<const ForStmt*> grid = GridOf(loop);
  std::string header;
  if (grid.size() == 1) {
    header = HeaderOf(text, loop);
  } else {
    std::vector<PrimRef> extents;
    for (const ForStmt* one : grid) extents.push_back(one->extent);
    header = absl::StrCat("T.grid(", text.List(extents), ")");
  }
  const PrintNames::Scope scope(text.names());
  std::vector<std::string> vars;
  for (const ForStmt* one : grid) {
    vars.push_back(text.names().Of(one->var));
    text.loops()[one->var->As<SymVar>()->id] = one;
  }
  text.out().Line("for ", absl::StrJoin(vars, ", "), " in ", header, ":");
  {
    const LineWriter::Indent in(text.out());
    PrintStmt(text, grid.back()->body);
  }
  for (const ForStmt* one : grid) text.loops().erase(one->var->As<SymVar>()->id);
}

}  // namespace lathe::ir
