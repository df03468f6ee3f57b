// Tests unsupported nodes: dependent nodes are skipped, all others are imported.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "generator/driver/report/exit_code.h"
#include "tests/support/onnx_program.h"
#include "tests/support/onnx_writer.h"

namespace lathe::onnx {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::OnnxGraph;
using testing::OnnxModel;
using testing::OnnxProgram;

using testing::kFloat;
using testing::kInt64;

// s is x times y, with batches that may differ.
OnnxModel Products() {
  OnnxModel m;
  m.Input("x", kFloat, {"a", int64_t{4}, int64_t{4}})
      .Input("y", kFloat, {"b", int64_t{4}, int64_t{4}});
  m.Node("MatMul", {"x", "y"}, {"s"});
  return m;
}

std::string Notes(const OnnxProgram& program) {
  std::string notes;
  for (const Diagnostic& d : program.diags.all()) {
    for (const Note& note : d.notes) notes += note.message + "\n";
  }
  return notes;
}

TEST(OnnxUnimportedTest, SkipsDependentNodes) {
  OnnxModel m = Products();
  m.Node("Softmax", {"s"}, {"z"}, {{"axis", int64_t{-1}}});
  m.Node("Transpose", {"z"}, {"o"}, {{"perm", std::vector<int64_t>{2, 1, 0}}});
  m.Node("Flatten", {"o"}, {"p"}, {{"axis", int64_t{2}}});
  m.Output("p");
  const OnnxProgram program(m.Bytes());
  EXPECT_EQ(driver::ExitCodeOf(program.diags), driver::kExitUnsupported) << program.Errors();
  EXPECT_EQ(program.diags.error_count(), 1);
  EXPECT_THAT(program.Errors(), HasSubstr("'a' and 'b' must be equal"));
  EXPECT_THAT(Notes(program), HasSubstr("2 nodes that depend on it were skipped"));
}

// The placeholder of an operand without a shape is a scalar, which MatMul does not take.
TEST(OnnxUnimportedTest, ReportsNoErrorsOfPlaceholders) {
  OnnxModel m = Products();
  m.Node("MatMul", {"x", "s"}, {"z"}).Output("z");
  const OnnxProgram program(m.Bytes());
  EXPECT_EQ(program.diags.error_count(), 1) << program.Errors();
  EXPECT_EQ(driver::ExitCodeOf(program.diags), driver::kExitUnsupported);
}

TEST(OnnxUnimportedTest, ChecksSubgraphs) {
  OnnxModel m = Products();
  m.Node("Softmax", {"s"}, {"z"});
  OnnxGraph branch;
  branch.Node("Transpose", {"z"}, {"t"}).Output("t");
  m.Input("go", 9, {});
  m.Node("If", {"go"}, {"o"}, {{"then_branch", branch}, {"else_branch", branch}});
  m.Output("o");
  const OnnxProgram program(m.Bytes());
  EXPECT_EQ(program.diags.error_count(), 1) << program.Errors();
  EXPECT_THAT(Notes(program), HasSubstr("1 node that depends on it was skipped"));
}

TEST(OnnxUnimportedTest, GroupsEqualErrors) {
  OnnxModel m = Products();
  for (const char* name : {"p", "q", "r"}) m.Node("Softmax", {"s"}, {name}).Output(name);
  m.Node("Frobnicate", {"x"}, {"f"}).Node("Neg", {"f"}, {"g"}).Output("g");
  const OnnxProgram program(m.Bytes());
  EXPECT_EQ(driver::ExitCodeOf(program.diags), driver::kExitUnsupported);
  EXPECT_EQ(program.diags.error_count(), 2) << program.Errors();
  EXPECT_THAT(program.Errors(), HasSubstr("operator 'Frobnicate' is not supported"));
  EXPECT_THAT(Notes(program),
              AllOf(HasSubstr("the same applies to 2 others: #2 'Softmax_node', #3"),
                    HasSubstr("1 node that depends on these was skipped")));
}

TEST(OnnxUnimportedTest, ReportsIndependentErrors) {
  OnnxModel m = Products();
  m.Node("Softmax", {"s"}, {"z"}).Output("z");
  m.Node("Flatten", {"x"}, {"f"}, {{"axis", int64_t{7}}}).Output("f");
  const OnnxProgram program(m.Bytes());
  EXPECT_EQ(driver::ExitCodeOf(program.diags), driver::kExitMalformed);
  EXPECT_THAT(program.Errors(), AllOf(HasSubstr("axis 7 is out of range for rank 3"),
                                      HasSubstr("[onnx-unsupported]")));
}

TEST(OnnxUnimportedTest, SymbolicSizesAreNotErrors) {
  const auto exit_of = [](OnnxModel& m, const char* op, std::vector<std::string> inputs) {
    m.Node(op, inputs, {"y"}).Output("y");
    const OnnxProgram program(m.Bytes());
    EXPECT_EQ(driver::ExitCodeOf(program.diags), driver::kExitUnsupported) << program.Errors();
  };
  OnnxModel gather;
  gather.Input("x", kFloat, {int64_t{2}, int64_t{2}}).Input("i", kInt64, {"n", "k"});
  exit_of(gather, "GatherND", {"x", "i"});
  OnnxModel grid;
  grid.Input("x", kFloat, {"n", "c", "h", "w"}).Input("g", kFloat, {"n", "i", "j", "k"});
  exit_of(grid, "GridSample", {"x", "g"});
  OnnxModel det;
  det.Input("x", kFloat, {"n", "m"});
  exit_of(det, "Det", {"x"});
  OnnxModel dft;
  dft.Input("x", kFloat, {int64_t{1}, int64_t{4}, "k"});
  exit_of(dft, "DFT", {"x"});
  OnnxModel transposed;
  transposed.Input("x", kFloat, {int64_t{1}, "c", int64_t{4}});
  transposed.Floats("w", {2, 1, 2}, {1, 2, 3, 4});
  exit_of(transposed, "ConvTranspose", {"x", "w"});
}

TEST(OnnxUnimportedTest, ConcatSizesAreEqual) {
  OnnxModel m;
  m.Input("x", kFloat, {"a", int64_t{1}}).Input("y", kFloat, {"b", int64_t{1}});
  m.Node("Concat", {"x", "y"}, {"c"}, {{"axis", int64_t{1}}});
  m.Node("Softmax", {"c"}, {"z"}).Output("z");
  OnnxProgram program(m.Bytes());
  EXPECT_THAT(program.Run({{{1, 1}, {1}}, {{1, 1}, {1}}}), HasSubstr("(1, 2): 0.5 0.5"));
  EXPECT_THAT(program.Run({{{2, 1}, {1, 1}}, {{1, 1}, {1}}}), Not(HasSubstr("0.5")));
}

// Which of two sizes is 1 is known at run time, unless both are at least 2.
TEST(OnnxUnimportedTest, SizesOfSumsMayDiffer) {
  OnnxModel m;
  m.Input("x", kFloat, {"a"}).Input("y", kFloat, {"b"}).Node("Add", {"x", "y"}, {"s"});
  m.Node("Mul", {"s", "x"}, {"z"}).Node("Where", {"go", "z", "y"}, {"w"}).Output("w");
  m.Input("go", testing::kBool, {3});
  const testing::OnnxArgument one = {{1}, {4}}, three = {{3}, {1, 2, 3}};
  const testing::OnnxArgument go = {{3}, {1, 0, 1}, "bool"};
  EXPECT_EQ(OnnxProgram(m.Bytes()).Run({one, three, go}), "(3,): 20 2 28");
  EXPECT_EQ(OnnxProgram(m.Bytes()).Run({three, one, go}), "(3,): 5 4 21");
  EXPECT_THAT(OnnxProgram(m.Bytes()).Run({{{2}, {1, 2}}, three, go}), HasSubstr("dimension 0"));
  EXPECT_THAT(OnnxProgram(m.Bytes()).Text(), HasSubstr("T.Select(a == 1, b, a)"));
  ReadOptions options;
  options.sizes = {{"a", {2, 8}}, {"b", {2, 9}}};
  EXPECT_EQ(OnnxProgram(m.Bytes(), options).Run({three, three, go}), "(3,): 2 2 18");
  EXPECT_THAT(OnnxProgram(m.Bytes(), options).Text(), Not(HasSubstr("T.Select")));
}

}  // namespace
}  // namespace lathe::onnx
