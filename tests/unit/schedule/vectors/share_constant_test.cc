#include "generator/schedule/vectors/share_constant.h"

#include <memory>

#include "gtest/gtest.h"

namespace lathe::schedule {
namespace {

ir::Constant Of(std::vector<uint8_t> bytes) {
  const auto count = static_cast<int64_t>(bytes.size());
  return {ir::DType::UInt(8), {count}, std::make_shared<std::vector<uint8_t>>(std::move(bytes))};
}

TEST(ShareConstantTest, EqualConstantsAreOne) {
  ir::Program program;
  ir::Tensor tensor;
  tensor.name = "w_panels";
  tensor.dtype = ir::DType::UInt(8);
  tensor.home = ir::Home::kConstant;
  const ir::TensorId first = ShareConstant(program, tensor, Of({1, 2, 3}));
  EXPECT_EQ(ShareConstant(program, tensor, Of({1, 2, 3})), first);
  EXPECT_NE(ShareConstant(program, tensor, Of({1, 2, 4})), first);
  ir::Tensor other = tensor;
  other.name = "v_panels";
  EXPECT_NE(ShareConstant(program, other, Of({1, 2, 3})), first);
  EXPECT_EQ(program.constants.size(), 3U);
}

}  // namespace
}  // namespace lathe::schedule
