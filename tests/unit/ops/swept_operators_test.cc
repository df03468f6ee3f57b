// Every operator against a naive one: runs the sweeps, a test each, and misses none.
#include "tests/unit/ops/swept_operators.h"

#include <algorithm>
#include <cctype>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "generator/ops/ops.h"
#include "gtest/gtest.h"
#include "tests/unit/ops/swept_nn_operators.h"

namespace lathe::ops {
namespace {

using testing::SweptOperator;

std::vector<SweptOperator> AllSweeps() {
  std::vector<SweptOperator> all;
  for (const auto& family : {ChoiceSweeps(), CreateSweeps(), DataSweeps(), ElementwiseSweeps(),
                             IndexSweeps(), MovementSweeps(), OrderSweeps(), ReduceSweeps()}) {
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

// Where this fails for a new operator, write a naive one and a sweep (tests/support/op_sweep.h).
TEST(SweptOperators, AreAllThatAreComputed) {
  std::vector<std::string> swept;
  for (const SweptOperator& row : AllSweeps()) swept.push_back(absl::StrCat("relax.", row.op));
  for (absl::string_view name : kSweptNnOperators) swept.emplace_back(name);
  for (const ir::Op& op : AllOps()) {
    if (op.compute == nullptr) continue;
    EXPECT_NE(std::find(swept.begin(), swept.end(), op.name), swept.end()) << op.name;
  }
  for (const std::string& name : swept) EXPECT_NE(FindOp(name), nullptr) << name;
}

INSTANTIATE_TEST_SUITE_P(All, OperatorSweep, ::testing::ValuesIn(AllSweeps()), NameOf);

}  // namespace
}  // namespace lathe::ops
