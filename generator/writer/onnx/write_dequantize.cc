#include "generator/writer/onnx/write_dequantize.h"

#include <algorithm>
#include <vector>

#include "generator/nest/weight_blocks.h"

namespace lathe::onnx {
namespace {

// Returns whether the stage stores every element, at the indices of the integer that it loads.
bool AreInOrder(const nest::NestStage& stage, const ir::Load& integers) {
  for (size_t a = 0; a < stage.at.size(); ++a) {
    if (stage.at[a] != stage.spatial[a].var || integers.indices[a] != stage.at[a]) return false;
  }
  return true;
}

}  // namespace

std::optional<std::string> WriteDequantize(CallWriter& w,
                                           const std::map<ir::BufferRef, std::string>& tensors,
                                           const nest::NestStage& stage) {
  if (stage.acc != nullptr || !stage.lets.empty() || stage.to == nullptr) return std::nullopt;
  const auto parts = nest::DequantizedBy(stage.value);
  if (!parts || stage.at.size() != stage.spatial.size()) return std::nullopt;
  const auto blocks = nest::BlocksOf(*parts->integers, *parts->scales);
  if (!blocks || !AreInOrder(stage, *parts->integers)) return std::nullopt;
  if (parts->zeros != nullptr) {
    const auto others = nest::BlocksOf(*parts->integers, *parts->zeros);
    if (others != blocks || parts->zeros->buffer->dtype != parts->integers->buffer->dtype) {
      return std::nullopt;
    }
  }
  std::vector<std::string> inputs;
  for (const ir::Load* load : {parts->integers, parts->scales, parts->zeros}) {
    if (load == nullptr) continue;
    const auto found = tensors.find(load->buffer);
    if (found == tensors.end()) return std::nullopt;
    inputs.push_back(found->second);
  }
  std::vector<Attribute> attributes = {IntAttribute("axis", blocks->axis)};
  if (blocks->block > 0) {
    attributes.push_back(IntAttribute("block_size", blocks->block));
    w.graph().opset = std::max(w.graph().opset, kSecondOpset);
  }
  return w.Step("DequantizeLinear", inputs, attributes);
}

}  // namespace lathe::onnx
