#include "generator/reader/relax_text/elaboration/body_builder.h"

namespace lathe::relax_text {

void BodyBuilder::BeginDataflow(Location loc) {
  dataflow_ = true;
  dataflow_loc_ = std::move(loc);
}

ir::ValueId BodyBuilder::Bind(ir::Value value, ir::Rhs rhs, Location loc) {
  value.dataflow = dataflow_;
  const ir::ValueId var = module_.values.Add(std::move(value));
  BindTo(var, std::move(rhs), std::move(loc));
  return var;
}

void BodyBuilder::BindTo(ir::ValueId var, ir::Rhs rhs, Location loc) {
  // A block is created with its first binding, so there are no empty blocks.
  if (body_.blocks.empty() || body_.blocks.back().dataflow != dataflow_) {
    body_.blocks.push_back({dataflow_, {}, dataflow_ ? dataflow_loc_ : loc});
  }
  body_.blocks.back().bindings.push_back({var, std::move(rhs), std::move(loc)});
}

ir::Body BodyBuilder::Finish(ir::Operand result, Location loc) {
  body_.result = std::move(result);
  body_.result_loc = std::move(loc);
  return std::move(body_);
}

}  // namespace lathe::relax_text
