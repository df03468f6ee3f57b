#include "generator/schedule/finish/share_constants.h"

#include <string>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"

namespace lathe::schedule {

void ShareConstants(ir::Program& program) {
  absl::flat_hash_map<std::pair<std::string, absl::string_view>, ir::ConstantId> first;
  for (int32_t i = 0; i < std::ssize(program.tensors); ++i) {
    ir::Tensor& tensor = program.tensors[ir::TensorId{i}];
    if (tensor.home != ir::Home::kConstant) continue;
    const std::vector<uint8_t>& bytes = *program.constants[tensor.constant].bytes;
    const absl::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    tensor.constant =
        first.try_emplace({ir::ToString(tensor.dtype), text}, tensor.constant).first->second;
  }
}

}  // namespace lathe::schedule
