// Visits the loads of expressions and row stages.
#ifndef LATHE_SCHEDULE_CUDA_EACH_LOAD_H_
#define LATHE_SCHEDULE_CUDA_EACH_LOAD_H_

#include "generator/schedule/cuda/match_rows.h"

namespace lathe::schedule {

// Calls `visit(PrimRef, const ir::Load&)` for each load in `e`.
template <typename F>
void ForEachLoad(ir::PrimRef e, const F& visit) {
  if (const auto* load = e->As<ir::Load>()) visit(e, *load);
  ir::ForEachOperand(e, [&](ir::PrimRef part) { ForEachLoad(part, visit); });
}

// Visits the loads of all expressions of a stage in program order.
template <typename F>
void ForEachLoad(const RowStage& stage, const F& visit) {
  for (const PlacedLet& placed : stage.outer) ForEachLoad(placed.let.value, visit);
  for (const ir::NestLet& let : stage.fold_lets) ForEachLoad(let.value, visit);
  if (stage.term != nullptr) ForEachLoad(stage.term, visit);
  for (const ir::NestLet& let : stage.lets) ForEachLoad(let.value, visit);
  ForEachLoad(stage.value, visit);
  for (ir::PrimRef index : stage.at) ForEachLoad(index, visit);
}

// Visits the loads of all expressions of a part in program order.
template <typename F>
void ForEachLoad(const RowPart& part, const F& visit) {
  for (const ir::NestLet& let : part.row_lets) ForEachLoad(let.value, visit);
  ForEachLoad(part.stage, visit);
}

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_CUDA_EACH_LOAD_H_
