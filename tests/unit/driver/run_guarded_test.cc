// Injects stray writes into generated C that need not affect a result: all are found, with the step
// and the buffer.
#include "generator/driver/validate/run_guarded.h"

#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "generator/driver/pipeline.h"
#include "generator/driver/validate/board_program.h"
#include "generator/driver/validate/host_program.h"
#include "generator/support/run_command.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/matchers.h"
#include "tests/support/scratch_directory.h"

namespace lathe::driver {
namespace {

using ::testing::HasSubstr;

constexpr char kName[] = "model";

std::string ProgramOf(absl::string_view rows) {
  return absl::StrCat(
      "from tvm.script import ir as I, relax as R\n\n@I.ir_module\nclass Module:\n    @R.function\n"
      "    def main(x: R.Tensor((",
      rows,
      ", 5), \"float32\")):\n        a = R.nn.relu(x)\n        b = R.add(a, a)\n"
      "        c = R.negative(b)\n        return c\n");
}

// Sums of a row, in a recursive routine whose frame follows its caller's.
constexpr char kRecursive[] = R"(from tvm.script import ir as I, relax as R

@I.ir_module
class Module:
    @R.function(private=True)
    def down(x: R.Tensor((6,), "float32"), k: R.Tensor((), "int64")) -> R.Tensor((6,), "float32"):
        if R.less_equal(k, R.const(0, "int64")):
            r = x
        else:
            y = R.add(x, x)
            z = Module.down(y, R.subtract(k, R.const(1, "int64")))
            r = R.add(z, y)
        return r

    @R.function
    def main(x: R.Tensor((6,), "float32")) -> R.Tensor((6,), "float32"):
        return Module.down(x, R.const(3, "int64"))
)";

// In the source of the model.
struct Fault {
  std::string text;
  std::string instead;
};

class RunGuardedTest : public ::testing::Test {
 protected:
  // Both runs of main with `fault`, of a program that takes 3 rows of 5 numbers, or 6 numbers.
  GuardedRuns Runs(const std::string& program, const Fault& fault, const Board* board = nullptr,
                   const std::string& cflags = "-O1") {
    const Target& target = *FindTarget(board == nullptr ? "generic-c99" : board->target);
    const SourceFile file("model.py", program);
    ir::Context context;
    Diagnostics diags;
    const auto module = LoadModule(context, file, diags);
    const auto prepared = PrepareForLowering(context, *module, target, {}, diags);
    GenerateOptions options;
    options.fusion = {false, schedule::LayerJoins::kNone};
    const auto model = GenerateModel(context, *prepared, target, kName, options, diags);
    EXPECT_THAT(model, IsOk());
    const emit::ApiFunction* function = FindFunction(*model, "main");
    const int64_t count = program == kRecursive ? 6 : 15;
    PartBytes ones{ir::DType::Float(32), {count}, ""};
    for (int64_t k = 0; k < count; ++k) ones.bytes += std::string("\0\0\x80?", 4);
    const std::vector<PartBytes> outputs = {ones};
    std::vector<PartBytes> inputs;
    for (const emit::ApiPort& port : function->inputs) {
      const bool size = std::holds_alternative<ir::PrimRef>(port.part);
      inputs.push_back(ones);
      if (size) inputs.back() = {ir::DType::Int(64), {}, std::string("\3\0\0\0\0\0\0\0", 8)};
    }
    const auto run = [&](const GeneratedModel& m, const emit::ApiFunction& f,
                         const std::string& folder) -> absl::StatusOr<std::string> {
      auto files = board == nullptr ? HostFiles(m, f, kName, inputs, outputs)
                                    : BoardFiles(m, f, kName, inputs, outputs, *board);
      if (!files.ok()) return files.status();
      for (emit::OutputFile& source : *files) {
        if (source.name == "model.c") Plant(fault, source.text);
      }
      if (board == nullptr) {
        const HostTools tools{"cc", {cflags}};
        const absl::Status built = BuildHostProgram(*files, tools, folder);
        if (!built.ok()) return built;
        return RunHostProgram({absl::StrCat(folder, "/run")}, folder, inputs);
      }
      const BoardTools tools{board, &target, std::string(target.compiler), {cflags}, {}, 60};
      const absl::Status built = BuildBoardProgram(*files, tools, folder);
      if (!built.ok()) return built;
      const auto ran = RunBoardProgram(tools, folder);
      if (!ran.ok()) return ran.status();
      return ran->outputs[0];
    };
    return RunGuarded(context, *model, target, options, *function, kName, "work", run);
  }

  static void Plant(const Fault& fault, std::string& source) {
    if (fault.text.empty()) return;
    ASSERT_THAT(source, HasSubstr(fault.text));
    source.replace(source.find(fault.text), fault.text.size(), fault.instead);
  }

 private:
  const ScratchDirectory scratch_;
};

// The places where a kernel of ProgramOf(3) stores, and what they would have to be for each fault.
const Fault kAddTooMuch{"out[i0 * 5 + i1] = x1", "out[i0 * 5 + i1 + 1] = x1"};
const Fault kAddBefore{"out[i0 * 5 + i1] = x1", "out[i0 * 5 + i1 - 2] = x1"};
const Fault kAddToInput{"out[i0 * 5 + i1] = x1[i0 * 5 + i1] +",
                        "out[i0 * 5 + i1] = ((float *)x1)[i0 * 5 + i1] +="};
const Fault kNegateTooMuch{"out[i0 * 5 + i1] = -x", "out[i0 * 5 + i1 + 4] = -x"};
// No guard is written: it goes over one into another tensor.
const Fault kNegateFarAway{"out[i0 * 5 + i1] = -x",
                           "((float *)x)[-32] = 7.0f; out[i0 * 5 + i1] = -x"};
const Fault kReluToInput{"out[i0 * 5 + i1] = ", "((float *)data)[14] = 3.0f; out[i0 * 5 + i1] = "};

TEST_F(RunGuardedTest, WellBehavedProgramsPass) {
  for (const std::string& program : {ProgramOf("3"), ProgramOf("\"n\""), std::string(kRecursive)}) {
    const GuardedRuns runs = Runs(program, {});
    EXPECT_THAT(runs.fault, IsOk()) << program;
    ASSERT_TRUE(runs.guarded.has_value()) << program;
    EXPECT_EQ(*runs.guarded, *runs.plain) << program;
  }
}

TEST_F(RunGuardedTest, NamesTheStepAndTheBuffer) {
  EXPECT_THAT(
      Runs(ProgramOf("3"), kAddTooMuch).fault.message(),
      HasSubstr("step 2 of 'main', 'model_add', wrote outside its buffers: 4 of the 68 bytes "
                "after 'b', the first at 0"));
  EXPECT_THAT(
      Runs(ProgramOf("3"), kAddBefore).fault.message(),
      HasSubstr("step 2 of 'main', 'model_add', wrote outside its buffers: 8 of the 68 bytes "
                "between 'a' and 'b', the first at 60"));
  EXPECT_THAT(
      Runs(ProgramOf("3"), kAddToInput).fault.message(),
      HasSubstr("step 2 of 'main', 'model_add', wrote outside its buffers: 'a' has changed"));
  EXPECT_THAT(
      Runs(ProgramOf("3"), kNegateTooMuch).fault.message(),
      HasSubstr("step 3 of 'main', 'model_negative', wrote outside its buffers: 16 of the"));
  EXPECT_THAT(Runs(ProgramOf("3"), kNegateTooMuch).fault.message(), HasSubstr("after output 'c'"));
  EXPECT_THAT(Runs(ProgramOf("3"), kNegateFarAway).fault.message(),
              HasSubstr("step 3 of 'main', 'model_negative', wrote outside its buffers: 'a' has"));
  EXPECT_THAT(
      Runs(ProgramOf("3"), kReluToInput).fault.message(),
      HasSubstr("step 1 of 'main', 'model_relu', wrote outside its buffers: input 'x' has"));
}

// Their places in the arena are known when the program runs.
TEST_F(RunGuardedTest, DynamicSizesHaveGuardsToo) {
  EXPECT_THAT(
      Runs(ProgramOf("\"n\""), kAddTooMuch).fault.message(),
      HasSubstr("step 2 of 'main', 'model_add', wrote outside its buffers: 4 of the 68 bytes "
                "after 'b', the first at 0"));
  EXPECT_THAT(Runs(ProgramOf("\"n\""), kAddBefore).fault.message(), HasSubstr("after 'a'"));
}

TEST_F(RunGuardedTest, FramesOfRecursionHaveGuardsToo) {
  const Fault fault{"out[i0] = x1[i0] + x2[i0]", "out[i0 + 1] = x1[i0] + x2[i0]"};
  EXPECT_THAT(Runs(kRecursive, fault).fault.message(), HasSubstr("of 'down'"));
}

// Released code has no calls between its steps: the bytes around its buffers are checked in the
// end.
TEST_F(RunGuardedTest, ThePlainRunLooksAroundItsBuffers) {
  const GuardedRuns runs = Runs(ProgramOf("3"), kNegateTooMuch);
  EXPECT_THAT(runs.plain.status().message(),
              HasSubstr("the run wrote outside its buffers: 16 of the"));
  EXPECT_THAT(Runs(ProgramOf("3"), kReluToInput).plain.status().message(),
              HasSubstr("the run wrote outside its buffers: input 'x' has changed"));
}

// AddressSanitizer is told of the guards, and so sees what only reads them.
TEST_F(RunGuardedTest, AddressSanitizerFindsReadsOfGuards) {
  const Fault fault{"-x[i0 * 5 + i1]", "-x[i0 * 5 + i1] + 0.0f * x[i0 * 5 + i1 + 4]"};
  EXPECT_THAT(Runs(ProgramOf("3"), {}, nullptr, "-fsanitize=address").fault, IsOk());
  EXPECT_THAT(Runs(ProgramOf("3"), fault, nullptr, "-fsanitize=address").fault.message(),
              HasSubstr("use-after-poison"));
}

TEST_F(RunGuardedTest, BoardsHaveGuardsToo) {
  const Board* board = FindBoard("mps2-an386", "cortex-m4");
  const std::string cc(FindTarget(board->target)->compiler);
  if (!RunCommand({cc, "--version"}).ok() ||
      !RunCommand({std::string(board->emulator), "--version"}).ok()) {
    GTEST_SKIP() << "needs " << cc << " and " << board->emulator;
  }
  EXPECT_THAT(Runs(ProgramOf("3"), {}, board).fault, IsOk());
  EXPECT_THAT(
      Runs(ProgramOf("3"), kAddTooMuch, board).fault.message(),
      HasSubstr("step 2 of 'main', 'model_add', wrote outside its buffers: 4 of the 68 bytes "
                "after 'b', the first at 0"));
  EXPECT_THAT(Runs(ProgramOf("\"n\""), kAddBefore, board).fault.message(), HasSubstr("after 'a'"));
  EXPECT_THAT(Runs(ProgramOf("3"), kNegateFarAway, board).fault.message(),
              HasSubstr("step 3 of 'main', 'model_negative', wrote outside its buffers: 'a' has"));
  EXPECT_THAT(Runs(ProgramOf("3"), kNegateTooMuch, board).plain.status().message(),
              HasSubstr("the run wrote outside its buffers: 16 of the 16 bytes after output 'c'"));
}

}  // namespace
}  // namespace lathe::driver
