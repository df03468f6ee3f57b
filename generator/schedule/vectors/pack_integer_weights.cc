#include "generator/schedule/vectors/pack_integer_weights.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "generator/analysis/arithmetic/simplify.h"
#include "generator/nest/inline_element.h"
#include "generator/nest/rewrite_stage.h"
#include "generator/nest/scalar_facts.h"
#include "generator/schedule/vectors/pack_integer_panels.h"
#include "generator/schedule/vectors/share_constant.h"

namespace lathe::schedule {
namespace {

using ir::BinaryOp;
using ir::BufferRef;
using ir::PrimRef;

// Scales are loaded for each block: shorter ones take longer than the sums.
constexpr int64_t kShortestBlock = 4;

class IntegerWeights {
 public:
  IntegerWeights(ir::Context& context, ir::Program& program, int64_t width, nest::NestCall& call)
      : ir_(context), program_(program), width_(width), call_(call) {}

  bool Pack(ir::NestStage& stage, ir::TiledSum& sum) {
    const auto weights = ParamOf(sum.by_column), scales = ParamOf(sum.panel_scales);
    const auto source = SourceOfPanels(sum);
    if (!weights || !scales || !source || !sum.batch.empty()) return false;
    auto starts = ScaleStarts(sum);
    const auto stride = nest::Number(sum.scale_column_stride);
    if (!starts || !stride) return false;
    const int64_t innermost = *nest::Number(sum.stage.reduce.back().extent);
    const int64_t depth = std::ssize(*starts);
    const int64_t block = ScaleBlockOf(*starts, innermost);
    if (block < std::min(kShortestBlock, depth)) return false;
    const ScaleSource scale_source{*std::move(starts), *stride, source->columns};
    sum.scale_block = block;
    sum.panels = Replaced(*weights, PackIntegerPanels(ConstantOf(*weights), *source, width_));
    const BufferRef old_scales = std::exchange(
        sum.panel_scales,
        Replaced(*scales, PackScalePanels(ConstantOf(*scales), scale_source, block, width_)));
    RewriteLoads(sum, sum.by_column, old_scales, stage);
    sum.by_column = nullptr;
    return true;
  }

 private:
  // The index of the parameter, if it is a constant that is read in one place.
  std::optional<size_t> ParamOf(BufferRef buffer) const {
    const auto param = std::find(call_.params.begin(), call_.params.end(), buffer);
    if (param == call_.params.end()) return std::nullopt;
    const auto index = static_cast<size_t>(param - call_.params.begin());
    if (program_.tensors[call_.tensors[index]].home != ir::Home::kConstant) return std::nullopt;
    size_t uses = 0;
    for (const ir::NestStage& other : call_.nest.stages) {
      uses += nest::UsesOf(other, buffer).places.size();
    }
    return uses == 1 ? std::optional(index) : std::nullopt;
  }

  const ir::Constant& ConstantOf(size_t param) const {
    return program_.constants[program_.tensors[call_.tensors[param]].constant];
  }

  // The offset of the scale of column 0 for each k.
  std::optional<std::vector<int64_t>> ScaleStarts(const ir::TiledSum& sum) {
    std::vector<int64_t> starts;
    for (int64_t k = 0; k < sum.depth; ++k) {
      nest::RewriteScalar rewrite(ir_);
      int64_t left = k;
      for (size_t i = sum.stage.reduce.size(); i-- > 0;) {
        const ir::NestAxis& axis = sum.stage.reduce[i];
        const int64_t extent = *nest::Number(axis.extent);
        rewrite.Replace(axis.var, ir_.Int(left % extent));
        left /= extent;
      }
      const auto start = nest::Number(analysis::Simplify(ir_, rewrite(sum.scale_start)));
      if (!start) return std::nullopt;
      starts.push_back(*start);
    }
    return starts;
  }

  // Replaces a parameter of the call by one with the packed constant.
  BufferRef Replaced(size_t param, ir::Constant packed) {
    ir::Buffer panels = *call_.params[param];
    panels.name = absl::StrCat(panels.name, "_panels");
    panels.shape.clear();
    for (const int64_t size : packed.shape) panels.shape.push_back(ir_.Int(size));
    panels.data = ir_.NewPointer(panels.name, panels.dtype, "global");
    ir::Tensor tensor = program_.tensors[call_.tensors[param]];
    tensor.name = absl::StrCat(tensor.name, "_panels");
    tensor.shape = panels.shape;
    call_.params[param] = ir_.NewBuffer(std::move(panels));
    call_.tensors[param] = ShareConstant(program_, std::move(tensor), std::move(packed));
    return call_.params[param];
  }

  // Adapts the loops to the packed constants.
  void RewriteLoads(const ir::TiledSum& sum, BufferRef weights, BufferRef scales,
                    ir::NestStage& stage) {
    PrimRef k = ir_.Int(0);
    for (const ir::NestAxis& axis : sum.stage.reduce) {
      k = ir_.Make(BinaryOp::kAdd,
                   ir_.Make(BinaryOp::kMul, k, ir_.MakeCast(k->dtype(), axis.extent)),
                   ir_.MakeCast(k->dtype(), axis.var));
    }
    const PrimRef column = ir_.MakeCast(ir::DType::Int(64), sum.column.var);
    const PrimRef panel = ir_.Make(BinaryOp::kFloorDiv, column, ir_.Int(width_));
    const PrimRef within = ir_.Make(BinaryOp::kFloorMod, column, ir_.Int(width_));
    std::vector<PrimRef> place = {panel, k, within};
    if (sum.panels->shape.size() == 4) {
      const PrimRef half = ir_.Int(width_ / 2);
      place = {panel, k, ir_.Make(BinaryOp::kFloorMod, within, half),
               ir_.Make(BinaryOp::kFloorDiv, within, half)};
    }
    const PrimRef block = ir_.Make(BinaryOp::kFloorDiv, k, ir_.Int(sum.scale_block));
    nest::RewriteScalar rewrite(ir_);
    rewrite.ReplaceLoads(weights, ir_.MakeLoad(sum.panels, std::move(place)));
    rewrite.ReplaceLoads(scales, ir_.MakeLoad(sum.panel_scales, {panel, block, within}));
    nest::RewriteStage(rewrite, stage);
  }

  ir::Context& ir_;
  ir::Program& program_;
  const int64_t width_;
  nest::NestCall& call_;
};

}  // namespace

bool PackIntegerWeights(ir::Context& context, ir::Program& program, int64_t width,
                        nest::NestCall& call, ir::NestStage& stage, ir::TiledSum& sum) {
  return IntegerWeights(context, program, width, call).Pack(stage, sum);
}

}  // namespace lathe::schedule
