// Tests shapes, axes, sizes and indices that are inputs of a model: interpreter and generated C
// compute correct values or report a mismatch (buffers have the exact size, and sanitizers are
// enabled).
#include <cstdlib>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "generator/support/files.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/onnx_program.h"
#include "tests/support/onnx_writer.h"
#include "tests/support/run_lathe.h"
#include "tests/support/scratch_directory.h"
#include "tests/unit/driver/unfit_onnx_cases.h"

namespace lathe::unfit {
namespace {

using testing::OnnxProgram;

std::vector<OnnxDim> Declared(const Input& input) {
  if (!input.declared.empty()) return input.declared;
  return std::vector<OnnxDim>(input.shape.begin(), input.shape.end());
}

std::string ModelOf(const Case& c) {
  OnnxModel m;
  std::vector<std::string> names;
  for (size_t i = 0; i < c.inputs.size(); ++i) {
    names.push_back(absl::StrCat("x", i));
    // Tensors without elements are what an input that is left out is in older versions.
    if (c.inputs[i].shape == List{0}) {
      names.back() = "";
      continue;
    }
    m.Input(names.back(), c.inputs[i].type, Declared(c.inputs[i]));
  }
  std::vector<std::string> results = {"y"};
  if (c.op == "Split") results = {"y", "z"};
  if (c.op == "TopK") results = {"y", "places"};
  m.Node(c.op, names, results, c.attributes);
  m.Output("y", c.result_type, c.result);
  if (c.op == "Split") {
    std::vector<OnnxDim> rest = c.result;
    rest.back() = c.result.size() == 1 ? int64_t{3} : int64_t{2};
    m.Output("z", c.result_type, rest);
  }
  return m.Bytes();
}

const char* DTypeName(int type) {
  return type == kFloat ? "float32" : type == kInt64 ? "int64" : "bool";
}
const char* CType(int type) {
  return type == kFloat ? "float" : type == kInt64 ? "int64_t" : "bool";
}

// All the inputs as they fit, but for `which`, which is `other`.
std::vector<testing::OnnxArgument> ArgumentsOf(const Case& c, size_t which, const Numbers& other) {
  std::vector<testing::OnnxArgument> args;
  for (size_t i = 0; i < c.inputs.size(); ++i) {
    const Input& input = c.inputs[i];
    if (input.shape == List{0}) continue;
    args.push_back({input.shape, i == which ? other : input.fits, DTypeName(input.type)});
  }
  return args;
}

constexpr size_t kNone = 100;

TEST(UnfitOnnxInputsTest, InterpreterReportsThem) {
  for (const Case& c : Cases()) {
    OnnxProgram fits(ModelOf(c));
    const std::string got = fits.Run(ArgumentsOf(c, kNone, {}));
    if (c.values.empty()) {
      EXPECT_THAT(got, ::testing::HasSubstr("[run-")) << c.name;
    } else {
      EXPECT_EQ(got, c.values) << c.name;
    }
    for (size_t i = 0; i < c.inputs.size(); ++i) {
      for (const Numbers& clash : c.inputs[i].clashes) {
        OnnxProgram program(ModelOf(c));
        EXPECT_THAT(program.Run(ArgumentsOf(c, i, clash)), ::testing::HasSubstr("[run-"))
            << c.name << " with " << absl::StrJoin(clash, ", ") << " as input " << i;
      }
    }
  }
}

int64_t CountOf(const List& shape) {
  int64_t count = 1;
  for (const int64_t dim : shape) count *= dim;
  return count;
}

// C that calls the model with these arguments and compares what it returns.
std::string CallOf(const Case& c, size_t which, const Numbers& other, bool fits) {
  std::string text = absl::StrCat("  {\n    ", c.name, " model;\n    ", c.name,
                                  "_inputs in = {0};\n    ", c.name, "_outputs out = {0};\n");
  for (size_t i = 0; i < c.inputs.size(); ++i) {
    const Input& input = c.inputs[i];
    if (input.shape == List{0}) continue;
    std::vector<std::string> values;
    for (const double v : i == which ? other : input.fits) {
      values.push_back(input.type == kInt64 ? absl::StrCat(static_cast<int64_t>(v), "LL")
                                            : absl::StrCat(v));
    }
    absl::StrAppend(&text, "    in.x", i, " = tensor(", CountOf(input.shape), " * sizeof(",
                    CType(input.type), "), (", CType(input.type), "[]){",
                    absl::StrJoin(values, ", "), "});\n");
    for (size_t d = 0; d < input.declared.size(); ++d) {
      if (const auto* name = std::get_if<std::string>(&input.declared[d])) {
        absl::StrAppend(&text, "    in.", *name, " = ", input.shape[d], ";\n");
      }
    }
  }
  List shape = c.sizes;
  for (const OnnxDim& dim : c.result) {
    if (c.sizes.empty()) shape.push_back(std::get<int64_t>(dim));
  }
  absl::StrAppend(&text, "    out.y = tensor(", CountOf(shape), " * sizeof(", CType(c.result_type),
                  "), NULL);\n");
  if (c.op == "Split") absl::StrAppend(&text, "    out.z = tensor(64, NULL);\n");
  absl::StrAppend(&text, "    if (", c.name, "_init(&model, arena, sizeof arena) != LATHE_OK) ",
                  "return 1;\n    check(\"", c.name, " ", which, " ", absl::StrJoin(other, " "),
                  "\", ", c.name, "_run(&model, &in, &out), ", fits ? "LATHE_OK" : c.status,
                  ");\n  }\n");
  return text;
}

TEST(UnfitOnnxInputsTest, GeneratedCReportsThem) {
  const ScratchDirectory folder;
  std::string includes, calls, sources;
  for (const Case& c : Cases()) {
    ASSERT_TRUE(WriteFile(c.name + ".onnx", ModelOf(c)).ok());
    const LatheRun made = RunLatheOn({"compile", c.name + ".onnx", "-o", "c", "-n", c.name});
    ASSERT_EQ(made.exit, 0) << c.name << ": " << made.err;
    absl::StrAppend(&includes, "#include \"", c.name, ".h\"\n");
    absl::StrAppend(&sources, " c/", c.name, ".c");
    calls += CallOf(c, kNone, {}, !c.values.empty());
    for (size_t i = 0; i < c.inputs.size(); ++i) {
      for (const Numbers& clash : c.inputs[i].clashes) calls += CallOf(c, i, clash, false);
    }
  }
  const std::string program = absl::StrCat(
      "#include <stdbool.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n",
      includes,
      "static uint64_t arena[8192];\nstatic int failed = 0;\n"
      "static void *tensor(size_t bytes, const void *from) {\n"
      "  void *p = malloc(bytes);\n  if (from != NULL) memcpy(p, from, bytes);\n  return p;\n}\n"
      "static void check(const char *what, int got, int wanted) {\n"
      "  if (got != wanted) { printf(\"%s: %d, not %d\\n\", what, got, wanted); failed = 1; }\n}\n"
      "int main(void) {\n",
      calls, "  return failed;\n}\n");
  ASSERT_TRUE(WriteFile("main.c", program).ok());
  const std::string build =
      absl::StrCat("cc -g -fsanitize=address,undefined -fno-sanitize-recover=all -Ic main.c",
                   sources, " -o run -lm && ASAN_OPTIONS=detect_leaks=0 ./run");
  EXPECT_EQ(std::system(build.c_str()), 0);
}

}  // namespace
}  // namespace lathe::unfit
