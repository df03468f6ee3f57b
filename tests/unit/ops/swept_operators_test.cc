// Every operator against a naive one: runs the sweeps, a test each.
#include "tests/unit/ops/swept_operators.h"

#include <cctype>
#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace lathe::ops {
namespace {

using testing::SweptOperator;

std::vector<SweptOperator> AllSweeps() {
  std::vector<SweptOperator> all;
  for (const auto& family : {ElementwiseSweeps()}) {
    all.insert(all.end(), family.begin(), family.end());
  }
  return all;
}

std::string NameOf(const ::testing::TestParamInfo<SweptOperator>& info) {
  std::string name = info.param.op;
  for (char& c : name) c = std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return name;
}

class OperatorSweep : public ::testing::TestWithParam<SweptOperator> {};

TEST_P(OperatorSweep, AgreesWithTheNaiveOperator) {
  testing::OpSweep sweep(GetParam().op);
  GetParam().sweep(sweep);
  EXPECT_GE(sweep.cases(), 10);
}
INSTANTIATE_TEST_SUITE_P(All, OperatorSweep, ::testing::ValuesIn(AllSweeps()), NameOf);

}  // namespace
}  // namespace lathe::ops
