#include "generator/ir/print/print_sblock.h"

#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "generator/ir/print/print_stmt.h"
#include "generator/ir/print_literal.h"

namespace lathe::ir {
namespace {

// Returns whether the axis is bound to the variable of a loop with the same range.
bool IsRemap(TirText& text, const BlockStmt& block, const BlockAxis& axis) {
  if (!block.realized || axis.binding == nullptr) return false;
  if (axis.kind != AxisKind::kSpatial && axis.kind != AxisKind::kReduce) return false;
  const auto* var = axis.binding->As<SymVar>();
  if (var == nullptr) return false;
  const auto loop = text.loops().find(var->id);
  return loop != text.loops().end() && loop->second->min == axis.min &&
         loop->second->extent == axis.extent && axis.var->dtype() == axis.binding->dtype();
}

void PrintAxis(TirText& text, const BlockStmt& block, const BlockAxis& axis) {
  const char* kind = axis.kind == AxisKind::kSpatial  ? "spatial"
                     : axis.kind == AxisKind::kReduce ? "reduce"
                     : axis.kind == AxisKind::kScan   ? "scan"
                                                      : "opaque";
  const auto* min = axis.min->As<IntImm>();
  const bool from_zero =
      min != nullptr && min->value == 0 && axis.min->dtype() == axis.extent->dtype();
  const std::string dom = from_zero ? text.Scalar(axis.extent)
                                    : absl::StrCat("(", text.Scalar(axis.min), ", ",
                                                   text.End(axis.min, axis.extent), ")");
  // An unrealised block has no value, but the syntax requires one.
  const std::string binding =
      block.realized && axis.binding != nullptr ? text.Scalar(axis.binding) : "0";
  const DType dtype = axis.var->dtype();
  const std::string type =
      dtype == axis.extent->dtype() ? "" : absl::StrCat(", dtype=\"", ToString(dtype), "\"");
  text.out().Line(text.names().Of(axis.var), " = T.axis.", kind, "(", dom, ", ", binding, type,
                  ")");
}

void PrintAxes(TirText& text, const BlockStmt& block) {
  for (size_t i = 0; i < block.axes.size();) {
    size_t end = i;
    while (end < block.axes.size() && IsRemap(text, block, block.axes[end])) ++end;
    if (end - i < 2) {
      PrintAxis(text, block, block.axes[i++]);
      continue;
    }
    std::string kinds;
    std::vector<std::string> names;
    std::vector<PrimRef> loops;
    for (; i < end; ++i) {
      const BlockAxis& axis = block.axes[i];
      kinds += axis.kind == AxisKind::kSpatial ? 'S' : 'R';
      names.push_back(text.names().Of(axis.var));
      loops.push_back(axis.binding);
    }
    text.out().Line(absl::StrJoin(names, ", "), " = T.axis.remap(\"", kinds, "\", [",
                    text.List(loops), "])");
  }
}

void PrintRegions(TirText& text, absl::string_view function,
                  const std::optional<std::vector<BufferRegion>>& regions) {
  if (!regions) return;
  std::vector<std::string> items;
  for (const BufferRegion& region : *regions) items.push_back(text.Region(region));
  text.out().Line("T.", function, "(", absl::StrJoin(items, ", "), ")");
}

}  // namespace

void PrintBlockMemory(TirText& text, const BlockStmt& block) {
  const bool classic = text.dialect() == Dialect::kClassic;
  for (BufferRef buffer : block.allocs) {
    const std::string description = text.Description(buffer, false);
    text.out().Line(text.NameWithData(buffer), " = T.",
                    classic ? "alloc_buffer(" : "sblock_alloc_buffer(", description, ")");
  }
}

void PrintSBlock(TirText& text, const BlockStmt& block) {
  const absl::string_view prefix = text.dialect() == Dialect::kClassic ? "T." : "T.s";
  text.out().Line("with ", prefix, "block(", StringLiteral(block.name),
                  block.realized ? "" : ", no_realize=True", "):");
  const LineWriter::Indent in(text.out());
  const PrintNames::Scope scope(text.names());
  PrintAxes(text, block);
  if (block.predicate != nullptr) text.out().Line("T.where(", text.Scalar(block.predicate), ")");
  // Regions may refer to buffers that the block allocates.
  PrintBlockMemory(text, block);
  for (const BlockMatch& match : block.matches) {
    const std::string source = text.Region(match.source);
    const std::string description = text.Description(match.buffer, false);
    text.out().Line(text.NameWithData(match.buffer), " = T.match_buffer(", source, ", ",
                    description, ")");
  }
  PrintRegions(text, "reads", block.reads);
  PrintRegions(text, "writes", block.writes);
  if (!block.annotations.empty()) {
    text.out().Line(prefix, "block_attr(", text.Attrs(block.annotations), ")");
  }
  if (block.init != nullptr) {
    text.out().Line("with T.init():");
    const LineWriter::Indent deeper(text.out());
    const PrintNames::Scope inner(text.names());
    PrintStmt(text, block.init);
  }
  PrintStmt(text, block.body);
}

}  // namespace lathe::ir
