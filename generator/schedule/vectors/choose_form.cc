#include "generator/schedule/vectors/choose_form.h"

#include <algorithm>
#include <utility>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "generator/nest/affine_access.h"
#include "generator/nest/inline_element.h"
#include "generator/nest/rewrite_stage.h"
#include "generator/nest/scalar_facts.h"
#include "generator/schedule/vectors/match_integer_lanes.h"
#include "generator/schedule/vectors/match_tiled_sum.h"
#include "generator/schedule/vectors/match_vector_loops.h"
#include "generator/schedule/vectors/pack_integer_weights.h"
#include "generator/schedule/vectors/pack_panels.h"
#include "generator/schedule/vectors/pad_lines.h"
#include "generator/schedule/vectors/share_constant.h"
#include "generator/schedule/vectors/split_padding.h"
#include "generator/schedule/vectors/tile_shape.h"
#include "generator/schedule/vectors/transpose_constants.h"

namespace lathe::schedule {
namespace {

using ir::BinaryOp;
using ir::BufferRef;
using ir::PrimRef;

// A run-time panel is packed once for all rows. For few rows, packing takes longer than the sums.
constexpr int64_t kFewPanelRows = 8;
constexpr int64_t kMaxPanelFloats = int64_t{1} << 20;
constexpr int64_t kMaxSmallFloats = int64_t{1} << 11;  // of machines with little memory

// Returns whether later passes rewrite the loops and not the form: Lets in expressions become
// variables, and data-dependent indices get checks, also through variables.
bool IsLeftAlone(PrimRef e, const absl::flat_hash_set<PrimRef>& names, bool in_index = false) {
  if (e == nullptr) return true;
  if (e->As<ir::Let>() != nullptr || (in_index && names.contains(e))) return false;
  bool fine = true;
  if (const auto* load = e->As<ir::Load>()) {
    if (in_index) return false;
    for (PrimRef index : load->indices) fine = fine && IsLeftAlone(index, names, true);
    return fine;
  }
  ir::ForEachOperand(
      e, [&](PrimRef operand) { fine = fine && IsLeftAlone(operand, names, in_index); });
  return fine;
}

bool IsLeftAlone(const ir::NestStage& stage) {
  absl::flat_hash_set<PrimRef> names;
  for (const ir::NestLet& let : stage.fold_lets) names.insert(let.var);
  for (const ir::NestLet& let : stage.lets) names.insert(let.var);
  const auto all = [&](const std::vector<ir::NestLet>& lets) {
    return std::all_of(lets.begin(), lets.end(),
                       [&](const ir::NestLet& let) { return IsLeftAlone(let.value, names); });
  };
  return IsLeftAlone(stage.init, names) && IsLeftAlone(stage.update, names) &&
         IsLeftAlone(stage.value, names) && all(stage.fold_lets) && all(stage.lets) &&
         std::all_of(stage.at.begin(), stage.at.end(),
                     [&](PrimRef index) { return IsLeftAlone(index, names, true); });
}

// Returns whether an extent is 0: nothing is computed or summed. A form divides by extents and
// gains nothing.
bool IsEmpty(const ir::NestStage& stage) {
  const auto none = [](const ir::NestAxis& axis) { return nest::IsNumber(axis.extent, 0); };
  return std::any_of(stage.spatial.begin(), stage.spatial.end(), none) ||
         std::any_of(stage.reduce.begin(), stage.reduce.end(), none);
}

bool IsSmallCopy(const SplitPadding& split) {
  int64_t elements = 1;
  for (PrimRef size : split.copy.to->shape) {
    const auto number = nest::Number(size);
    if (!number || *number > kMaxSmallFloats) return false;
    elements *= *number;
    if (elements > kMaxSmallFloats) return false;
  }
  return split.copy.to->dtype == ir::DType::Float(32);
}

}  // namespace

bool HasIntegerTiles(ir::Context& context, const ir::NestStage& stage, const Target& target) {
  const auto has = [&](const ir::NestStage& sums) {
    const std::vector<ir::TiledSum> found = MatchTiledSum(context, sums, target);
    return std::any_of(found.begin(), found.end(), [](const ir::TiledSum& sum) {
      return sum.panel_scales != nullptr && sum.batch.empty();
    });
  };
  if (has(stage)) return true;
  const auto split = SplitPaddingOf(context, stage);
  return split && has(split->sum);
}

bool FormChooser::PackWeights(nest::NestCall& call, ir::NestStage& stage, ir::TiledSum& sum) {
  if (sum.panel_scales != nullptr) {
    const int64_t width = int64_t{sum.vectors} * LanesOf(target_);
    return PackIntegerWeights(ir_, program_, width, call, stage, sum);
  }
  const auto param = std::find(call.params.begin(), call.params.end(), sum.by_column);
  if (param == call.params.end() || !sum.batch.empty()) return false;
  const size_t index = static_cast<size_t>(param - call.params.begin());
  const ir::Tensor tensor = program_.tensors[call.tensors[index]];
  if (tensor.home != ir::Home::kConstant) return false;
  size_t uses = 0;
  for (const ir::NestStage& other : call.nest.stages) {
    uses += nest::UsesOf(other, sum.by_column).places.size();
  }
  const auto source = SourceOfPanels(sum);
  if (uses != 1 || !source) return false;

  const int64_t width = int64_t{sum.vectors} * LanesOf(target_);
  ir::Constant packed = PackPanels(program_.constants[tensor.constant], *source, width);
  ir::Buffer panels = *sum.by_column;
  panels.name = absl::StrCat(panels.name, "_panels");
  panels.shape.clear();
  for (int64_t size : packed.shape) panels.shape.push_back(ir_.Int(size));
  panels.data = ir_.NewPointer(panels.name, panels.dtype, "global");
  sum.panels = ir_.NewBuffer(std::move(panels));

  // Adapts the loops to the packed weights.
  PrimRef k = ir_.Int(0);
  for (const ir::NestAxis& axis : sum.stage.reduce) {
    k = ir_.Make(BinaryOp::kAdd, ir_.Make(BinaryOp::kMul, k, ir_.MakeCast(k->dtype(), axis.extent)),
                 ir_.MakeCast(k->dtype(), axis.var));
  }
  const PrimRef column = ir_.MakeCast(ir::DType::Int(64), sum.column.var);
  const PrimRef wide = ir_.Int(width);
  nest::RewriteScalar rewrite(ir_);
  rewrite.ReplaceLoads(sum.by_column,
                       ir_.MakeLoad(sum.panels, {ir_.Make(BinaryOp::kFloorDiv, column, wide), k,
                                                 ir_.Make(BinaryOp::kFloorMod, column, wide)}));
  nest::RewriteStage(rewrite, stage);
  *param = sum.panels;
  ir::Tensor packed_tensor = tensor;
  packed_tensor.name = absl::StrCat(tensor.name, "_panels");
  packed_tensor.shape = sum.panels->shape;
  call.tensors[index] = ShareConstant(program_, std::move(packed_tensor), std::move(packed));
  sum.by_column = nullptr;
  return true;
}

bool FormChooser::PackWhileItRuns(nest::NestCall& call, ir::TiledSum& sum) {
  if (sum.panel_scales != nullptr) return false;
  const auto rows = nest::Number(sum.row.extent);
  if (rows && *rows < kFewPanelRows && sum.outer.empty()) return false;
  const int64_t width = int64_t{sum.vectors} * LanesOf(target_);
  const int64_t deep = sum.stage.reduce.size() == 1 ? sum.block : sum.depth;
  const int64_t most = HasLittleMemory(target_) ? kMaxSmallFloats : kMaxPanelFloats;
  if (deep * width > most) return false;
  ir::Buffer panel = *sum.by_column;
  panel.name = absl::StrCat(panel.name, "_panel");
  panel.shape = {ir_.Int(deep), ir_.Int(width)};
  panel.data = ir_.NewPointer(panel.name, panel.dtype, "global");
  panel.scope = "global";
  sum.panels = ir_.NewBuffer(std::move(panel));
  call.nest.own.push_back(sum.panels);
  return true;
}

std::optional<ir::TiledSum> FormChooser::ChooseTiledSum(nest::NestCall& call, size_t at) {
  ir::NestStage& stage = call.nest.stages[at];
  std::vector<ir::TiledSum> sums = MatchTiledSum(ir_, stage, target_);
  // Most lanes would be padding.
  sums.erase(std::remove_if(sums.begin(), sums.end(),
                            [&](const ir::TiledSum& sum) {
                              return *nest::Number(sum.column.extent) * 2 < LanesOf(target_);
                            }),
             sums.end());
  for (ir::TiledSum& sum : sums) {
    if (!PackWeights(call, stage, sum)) continue;
    const auto innermost = nest::Number(sum.stage.reduce.back().extent);
    sum.rows_outermost = HasLittleMemory(target_) && innermost && sum.block >= *innermost;
    return std::move(sum);
  }
  for (ir::TiledSum& sum : sums) {
    if (PackWhileItRuns(call, sum)) return std::move(sum);
  }
  return std::nullopt;
}

std::optional<ir::VectorLoops> FormChooser::ChooseVectorLoops(nest::NestCall& call, size_t at) {
  ir::NestStage& stage = call.nest.stages[at];
  if (auto loops = MatchVectorLoops(ir_, stage, target_)) return loops;
  const auto axis = AxisAlongResult(ir_, stage, target_);
  if (!axis) return std::nullopt;
  ir::NestStage other = stage;
  const auto transposed = TransposeConstants(ir_, program_, call, axis->var, other);
  auto loops = transposed.empty() ? std::nullopt : MatchVectorLoops(ir_, other, target_);
  if (!loops) return std::nullopt;
  stage = std::move(other);
  AddTransposed(program_, transposed, call);
  return loops;
}

std::vector<ir::StageForm> FormChooser::AddCopy(nest::NestCall& call, size_t at,
                                                ir::PaddedCopy copy, ir::NestStage sum) {
  auto& stages = call.nest.stages;
  stages[at] = std::move(sum);
  stages.insert(stages.begin() + static_cast<std::ptrdiff_t>(at), copy.stage);
  call.nest.own.push_back(copy.to);
  std::vector<ir::StageForm> forms = {std::move(copy)};
  if (auto tiled = ChooseTiledSum(call, at + 1)) {
    forms.push_back(*std::move(tiled));
  } else if (auto loops = ChooseVectorLoops(call, at + 1)) {
    forms.push_back(*std::move(loops));
  } else {
    forms.push_back(stages[at + 1]);  // plain loops are faster too without a condition
  }
  return forms;
}

std::optional<std::vector<ir::StageForm>> FormChooser::ChooseLines(nest::NestCall& call, size_t at,
                                                                   const SplitPadding& whole) {
  const ir::BufferRef acc = call.nest.stages[at].acc;
  if (acc->dtype != ir::DType::Float(32)) return std::nullopt;
  auto lines = PadLines(ir_, whole);
  if (!lines) return std::nullopt;
  call.nest.rows.push_back({at, at + 2, std::move(lines->axes)});
  return AddCopy(call, at, std::move(lines->copy), std::move(lines->sum));
}

std::optional<std::vector<ir::StageForm>> FormChooser::ChoosePadded(nest::NestCall& call,
                                                                    size_t at) {
  auto split = SplitPaddingOf(ir_, call.nest.stages[at]);
  if (!split) return std::nullopt;
  if (HasLittleMemory(target_)) {
    if (auto lines = ChooseLines(call, at, *split)) return lines;
    if (!IsSmallCopy(*split)) return std::nullopt;
  }
  return AddCopy(call, at, std::move(split->copy), std::move(split->sum));
}

std::optional<ir::KernelForm> FormChooser::Choose(nest::NestCall& call) {
  if (LanesOf(target_) == 0) return std::nullopt;
  const auto& stages = call.nest.stages;
  if (!std::all_of(stages.begin(), stages.end(),
                   [](const ir::NestStage& stage) { return IsLeftAlone(stage); })) {
    return std::nullopt;
  }
  ir::KernelForm form;
  form.lanes = LanesOf(target_);
  bool any = false;
  for (size_t i = 0; i < stages.size(); ++i) {
    if (IsEmpty(stages[i])) {
      form.stages.push_back(stages[i]);
    } else if (auto sum = ChooseTiledSum(call, i)) {
      form.stages.push_back(*std::move(sum));
      any = true;
    } else if (auto padded = ChoosePadded(call, i)) {
      form.stages.insert(form.stages.end(), padded->begin(), padded->end());
      ++i;
      any = true;
    } else if (auto loops = ChooseVectorLoops(call, i)) {
      form.stages.push_back(*std::move(loops));
      any = true;
    } else if (auto lanes = MatchIntegerLanes(ir_, stages[i], target_)) {
      form.stages.push_back(*std::move(lanes));
      any = true;
    } else {
      form.stages.push_back(stages[i]);
    }
  }
  if (!any) return std::nullopt;
  form.own = call.nest.own;
  form.rows = call.nest.rows;
  return form;
}

}  // namespace lathe::schedule
