#include "generator/schedule/cuda/split_rows.h"

#include <algorithm>
#include <utility>

#include "generator/ir/program.h"
#include "generator/schedule/cuda/row_passes.h"

namespace lathe::schedule {
namespace {

using ir::BufferRef;
using ir::PrimRef;

// The minimum length of a part, the maximum number of parts, and the number for rows of dynamic
// length. A part is a block of 256 threads; a large GPU holds about a thousand blocks. With fewer,
// too few loads are in flight to saturate the memory bandwidth.
constexpr int64_t kElements = 2048;
constexpr int64_t kMaxParts = 1024;
constexpr int64_t kPartsOfAnyLength = 256;

int64_t PartsOf(ir::Context& ir, const RowGroup& group) {
  if (group.columns) return group.columns->parts;
  const auto* length = ElementsOf(ir, group.along)->As<ir::IntImm>();
  if (length == nullptr) return kPartsOfAnyLength;
  int64_t parts = 2;
  while (parts < kMaxParts && length->value > parts * kElements) parts *= 2;
  return parts;
}

BufferRef Found(ir::Context& ir, const RowGroup& group, ir::DType dtype, int64_t parts) {
  ir::Buffer found;
  found.name = "parts";
  found.dtype = dtype;
  for (const ir::NestAxis& axis : group.rows) {
    found.shape.push_back(ir.MakeCast(ir::DType::Int(64), axis.extent));
  }
  found.shape.push_back(ir.Int(parts));
  found.data = ir.NewPointer(found.name, dtype, "global");
  return ir.NewBuffer(std::move(found));
}

BufferRef Register(ir::Context& ir, const ir::Buffer& like, ir::DType dtype) {
  ir::Buffer made;
  made.name = like.name;
  made.dtype = dtype;
  made.scope = ir::kRegisterScope;
  made.data = ir.NewPointer(made.name, dtype, "local");
  return ir.NewBuffer(std::move(made));
}

}  // namespace

std::optional<SplitRows> SplitFewRows(ir::Context& context, const RowGroup& group) {
  const auto along = std::count_if(group.parts.begin(), group.parts.end(),
                                   [](const RowPart& part) { return part.along; });
  const RowPart& first = group.parts[0];
  if (!group.few || along != 1 || first.stage.acc == nullptr || first.stage.position != nullptr) {
    return std::nullopt;
  }
  const int64_t count = PartsOf(context, group);
  const ir::DType dtype = WideEnough(first.stage.acc->dtype);
  SplitRows split;
  split.found = Found(context, group, dtype, count);
  const PrimRef part = context.NewVar("part");
  std::vector<PrimRef> place;
  for (const ir::NestAxis& axis : group.rows) place.push_back(axis.var);
  place.push_back(part);

  // Contiguous columns belong to the same part.
  split.parts.rows = group.rows;
  split.parts.rows.insert(group.columns ? split.parts.rows.begin() : split.parts.rows.end(),
                          {part, context.Int(count)});
  split.parts.columns = group.columns;
  split.parts.along = group.along;
  split.parts.share = part;
  split.parts.shares = count;
  RowPart of_part = first;
  RowStage& stage = of_part.stage;
  stage.acc = Register(context, *first.stage.acc, dtype);
  stage.init = StartOf(context, first.stage, dtype);
  stage.lets.clear();
  stage.value = context.MakeLoad(stage.acc, {});
  stage.to = split.found;
  stage.at = place;
  split.parts.parts = {std::move(of_part)};

  split.whole = group;
  split.whole.columns.reset();
  split.whole.along = {{part, context.Int(count)}};
  RowStage& together = split.whole.parts[0].stage;
  together.fold_lets.clear();
  together.term = context.MakeLoad(split.found, place);
  return split;
}

}  // namespace lathe::schedule
