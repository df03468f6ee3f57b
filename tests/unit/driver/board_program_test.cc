// Tests faulty programs on a board, and the samples on all boards. Skipped, with the missing tool,
// if there is no compiler or emulator.
#include "generator/driver/validate/board_program.h"

#include <algorithm>
#include <filesystem>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "generator/bundle/runtime_files.h"
#include "generator/emit/c/names/c_names.h"
#include "generator/support/files.h"
#include "generator/support/run_command.h"
#include "generator/support/status.h"
#include "gmock/gmock.h"
#include "tests/support/matchers.h"
#include "tests/support/paths.h"
#include "tests/support/run_lathe.h"
#include "tests/support/scratch_directory.h"
#include "tests/support/txtar.h"

namespace lathe::driver {
namespace {

using ::testing::HasSubstr;

std::string Missing(const Board& board) {
  const Target& target = *FindTarget(board.target);
  if (RunCommand({std::string(target.compiler), "--version"}).ok() &&
      RunCommand({std::string(board.emulator), "--version"}).ok()) {
    return "";
  }
  return absl::StrCat("needs the Debian packages ", target.packages, " ", board.package);
}

absl::Status SameOutputs(const BoardRun& run) {
  if (run.outputs[0] == run.outputs[1]) return absl::OkStatus();
  return absl::FailedPreconditionError("the two runs differ");
}

std::vector<Board> Boards() { return {AllBoards().begin(), AllBoards().end()}; }

class BoardTest : public ::testing::TestWithParam<Board> {
 protected:
  void SetUp() override {
    if (const std::string missing = Missing(GetParam()); !missing.empty()) {
      GTEST_SKIP() << missing;
    }
  }

  // lathe validate with these words, on the board.
  LatheRun Validate(std::vector<std::string> words) const {
    words.insert(words.begin(), "validate");
    words.insert(words.end(), {"--on", absl::StrCat("qemu:", GetParam().name), "-t",
                               std::string(GetParam().target)});
    return RunLatheOn(words);
  }

  // One of each kind without a system: what they do does not depend on the core.
  bool typical() const {
    return GetParam().target == "cortex-m4f" || GetParam().target == "rv32imc" ||
           GetParam().target == "avr8";
  }
};

TEST_P(BoardTest, SamplesComputeExpectedResults) {
  const std::pair<const char*, const char*> kSamples[] = {
      {"hello_add", "random:seed=1,n=2"},
      {"mlp", "random:seed=1,batch=2"},
      {"recursion", "random:seed=1,k=2"},
      {"bare_metal_m4", "random:seed=1"},
  };
  const size_t number =
      static_cast<size_t>(FindBoard(GetParam().name, GetParam().target) - AllBoards().data());
  for (size_t i = 0; i < std::size(kSamples); ++i) {
    // All samples on all boards are with `ctest -C full`: board_programs_many.
    if (!typical() && i != number % std::size(kSamples)) continue;
    const auto& [name, data] = kSamples[i];
    const LatheRun run =
        Validate({SourcePath(absl::StrCat("samples/", name, "/", name, ".py")), "--data", data});
    EXPECT_EQ(run.exit, 0) << name << "\n" << run.out << run.err;
    EXPECT_THAT(run.out, HasSubstr("PASS"));
  }
}

// Values of any structure and elements under a byte, through the ports of a board's program.
TEST_P(BoardTest, PassesValuesAndPackedElements) {
  // Cores with the same calling convention and the same sizes of types.
  if (GetParam().kind == BoardKind::kCortexM && !typical() && GetParam().target != "cortex-m0")
    return;
  const ScratchDirectory scratch;
  ASSERT_THAT(WriteFile("model.py", R"(from tvm.script import ir as I, relax as R

@I.ir_module
class Module:
    @R.function(private=True)
    def nest(x: R.Tensor((3,), "int4"), n: R.Tensor((), "int64")) -> R.Object:
        if R.less(n, R.const(1, "int64")):
            r: R.Object = x
        else:
            r: R.Object = (x, Module.nest(R.add(x, x), R.subtract(n, R.const(1, "int64"))))
        return r

    @R.function
    def main(x: R.Tensor(dtype="float32"), y: R.Tensor((3,), "int4")) -> R.Object:
        z = R.add(x, R.const(1, "float32"))
        return (z, Module.nest(y, R.const(3, "int64")), R.str("text"), R.shape([2, 3]), y)
)"),
              IsOk());
  const LatheRun run = Validate({"model.py", "--data", "random:seed=1"});
  EXPECT_EQ(run.exit, 0) << run.out << run.err;
  EXPECT_THAT(run.out, HasSubstr("PASS"));
}

// Of tests/validate/pools.txt, whose tensors of 1 KiB are in both pools.
TEST_P(BoardTest, ProgramsOfSeveralMemoriesRun) {
  if (GetParam().target != "cortex-m4f") return;
  const ScratchDirectory scratch;
  const Txtar all = ParseTxtar(*ReadFile(SourcePath("tests/validate/pools.txt")));
  ASSERT_EQ(all.sections[0].name, "model.py");
  ASSERT_THAT(WriteFile("model.py", all.sections[0].text), IsOk());
  const LatheRun run = Validate({"model.py", "--pool", "fast:1K", "--pool", "slow:4K"});
  EXPECT_EQ(run.exit, 0) << run.out << run.err;
  EXPECT_THAT(run.out, HasSubstr("PASS"));
}

// The handler of faults is called from assembler, which link-time optimization does not read.
TEST_P(BoardTest, LinkTimeOptimizationKeepsTheFaultHandler) {
  if (!typical()) return;
  const LatheRun run = Validate({SourcePath("samples/cnn/cnn.py"), "--cflags", "-O2 -flto"});
  EXPECT_EQ(run.exit, 0) << run.out << run.err;
  EXPECT_THAT(run.out, HasSubstr("no bound: link-time optimization hides the call graph"));
}

TEST_P(BoardTest, FlagsForALoaderAreRejected) {
  if (!typical()) return;
  for (const char* flag : {"-fPIC", "-fpie"}) {
    const LatheRun run = Validate({SourcePath("samples/cnn/cnn.py"), "--cflags", flag});
    EXPECT_EQ(run.exit, 5) << run.out;
    EXPECT_THAT(run.err, HasSubstr(absl::StrCat("'", flag, "' is for code that a loader")));
  }
}

// Packages are named for a missing compiler or library, not for an error in flags.
TEST_P(BoardTest, AnErrorInFlagsNamesNoPackage) {
  if (!typical()) return;
  const LatheRun run = Validate({SourcePath("samples/cnn/cnn.py"), "--cflags", "-mno-such-flag"});
  EXPECT_EQ(run.exit, 5);
  EXPECT_THAT(run.err, HasSubstr("did not compile the generated code"));
  EXPECT_EQ(run.err.find("Debian packages"), std::string::npos) << run.err;
}

TEST_P(BoardTest, CountsAreTheSameOnEachRun) {
  if (!typical()) return;
  const std::vector<std::string> words = {SourcePath("samples/mlp/mlp.py"), "--data",
                                          "random:seed=1,batch=2", "--profile"};
  const LatheRun first = Validate(words);
  ASSERT_EQ(first.exit, 0) << first.err;
  EXPECT_EQ(Validate(words).out, first.out);
  const std::vector<std::string> lines = absl::StrSplit(first.out, '\n');
  ASSERT_GT(lines.size(), 4u);
  const auto run = std::find_if(lines.begin(), lines.end(), [](const std::string& line) {
    return absl::EndsWith(line, "  model_run");
  });
  ASSERT_NE(run, lines.end()) << first.out;
  // The steps are the whole.
  const auto number = [](const std::string& line) {
    return std::strtoll(line.c_str(), nullptr, 10);
  };
  int64_t sum = 0;
  for (auto step = run + 1; step != lines.end() && absl::StartsWith(*step, " "); ++step) {
    sum += number(*step);
  }
  EXPECT_EQ(sum, number(*run));
  EXPECT_THAT(first.out, HasSubstr("model_"));
}

// A function with a state is counted in all runs that are asked for.
TEST_P(BoardTest, CountsAreThoseOfAllSteps) {
  if (!typical()) return;
  const ScratchDirectory scratch;
  ASSERT_THAT(WriteFile("sum.py", R"(from tvm.script import ir as I, relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), "int32"), total: R.Tensor((4,), "int32")):
        R.func_attr({"state": [0]})
        with R.dataflow():
            y = R.add(total, x)
            R.output(y)
        return (y, y)
)"),
              IsOk());
  const LatheRun one = Validate({"sum.py", "--profile"});
  ASSERT_EQ(one.exit, 0) << one.err;
  EXPECT_EQ(one.out.find("steps together"), std::string::npos) << one.out;
  const LatheRun four = Validate({"sum.py", "--profile", "--steps", "4"});
  ASSERT_EQ(four.exit, 0) << four.err;
  EXPECT_THAT(four.out, HasSubstr("all 4 steps together; one takes "));
  EXPECT_THAT(four.out, HasSubstr("y of step 3"));
}

// What a run of two bytes gives whose function is this text.
absl::Status RunOf(const Board& board, const std::string& body) {
  GeneratedModel model;
  model.files = bundle::RuntimeFiles({});
  model.files.push_back({"model.h", R"(#include <stddef.h>
#include <stdint.h>
#include "lathe/rt.h"
#define MODEL_ARENA_SIZE 16u
#define MODEL_ARENA_ALIGN 8u
typedef struct { char none; } model_inputs;
typedef struct { uint8_t *y; } model_outputs;
typedef struct { uint8_t *arena; } model;
int model_init(model *m, void *arena, size_t arena_size);
int model_run(model *m, const model_inputs *in, const model_outputs *out);
)"});
  model.files.push_back({"model.c", absl::StrCat(R"(#include "model.h"
int model_init(model *m, void *arena, size_t arena_size) {
  (void)arena_size;
  m->arena = (uint8_t *)arena;
  return LATHE_OK;
}
int model_run(model *m, const model_inputs *in, const model_outputs *out) {
  (void)m;
  (void)in;
  out->y[0] = 1u;
  out->y[1] = 2u;
  )",
                                                 body, "\n}\n")});
  emit::ApiFunction api{};
  api.function = emit::MakeCName("model_run");
  api.prefix = emit::MakeCName("model");
  api.outputs.push_back({emit::MakeCName("y"), "uint8_t", ir::TensorId{0}});
  const std::vector<PartBytes> outputs = {{ir::DType::UInt(8), {2}, "\1\2"}};
  const Target* target = FindTarget(board.target);
  const BoardTools tools = {&board, target, std::string(target->compiler), {"-O2"}, {}, 2};
  const auto files = BoardFiles(model, api, "model", {}, outputs, board);
  if (!files.ok()) return files.status();
  LATHE_RETURN_IF_ERROR(BuildBoardProgram(*files, tools, "built"));
  const auto run = RunBoardProgram(tools, "built");
  if (!run.ok()) return run.status();
  return SameOutputs(*run);
}

TEST_P(BoardTest, ReportsFailures) {
  if (!typical()) return;
  const ScratchDirectory scratch;
  EXPECT_THAT(RunOf(GetParam(), "return LATHE_OK;"), IsOk());
  EXPECT_THAT(std::string(RunOf(GetParam(), "return LATHE_E_SHAPE;").message()),
              HasSubstr("ended with LATHE_E_SHAPE"));
  const absl::Status hung = RunOf(GetParam(), "for (;;) { out->y[0] ^= *(volatile uint8_t *)m; }");
  EXPECT_EQ(hung.code(), absl::StatusCode::kDeadlineExceeded) << hung;
  const absl::Status left = RunOf(GetParam(), "out->y[1] = m->arena[3];\n  return LATHE_OK;");
  EXPECT_THAT(std::string(left.message()), HasSubstr("differ"));
  const absl::Status fault = RunOf(GetParam(), "__builtin_trap();");
  EXPECT_FALSE(fault.ok());
  if (GetParam().kind != BoardKind::kAvr) {  // which has no faults: it goes on for ever
    EXPECT_THAT(std::string(fault.message()), HasSubstr("fault"));
  }
  const absl::Status deep =
      RunOf(GetParam(),
            absl::StrCat("{ volatile uint8_t deep[", GetParam().stack_size,
                         "];\n  uint32_t i;\n  for (i = 0u; i < sizeof deep; ++i) { deep[i] = "
                         "1u; }\n  out->y[0] = deep[3]; }\n  return LATHE_OK;"));
  EXPECT_FALSE(deep.ok());
}

INSTANTIATE_TEST_SUITE_P(All, BoardTest, ::testing::ValuesIn(Boards()), [](const auto& info) {
  std::string name = absl::StrCat(info.param.name, "_", info.param.target);
  for (char& c : name) c = c == '-' ? '_' : c;
  return name;
});

}  // namespace
}  // namespace lathe::driver
