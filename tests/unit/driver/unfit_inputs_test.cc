// What the generated C does with data and sizes that do not fit: it says so, and touches nothing
// outside its tensors (buffers have the very size, and the sanitizers look on).
#include <cstdlib>
#include <string>

#include "absl/strings/str_cat.h"
#include "generator/support/files.h"
#include "gtest/gtest.h"
#include "tests/support/run_lathe.h"
#include "tests/support/scratch_directory.h"

namespace lathe {
namespace {

struct Case {
  const char* name;
  const char* params;  // of main
  const char* body;
  const char* call;  // in C: sets in.NAME and out.NAME, and `wanted`
};

class UnfitInputs : public ::testing::TestWithParam<Case> {};

TEST_P(UnfitInputs, RejectedByTheGeneratedC) {
  const Case& c = GetParam();
  const ScratchDirectory folder;
  const std::string text = absl::StrCat(
      "from tvm.script import ir as I, relax as R, tirx as T\n\n\n@I.ir_module\nclass Module:\n"
      "    @R.function\n    def main(",
      c.params, "):\n", c.body);
  ASSERT_TRUE(WriteFile("m.py", text).ok());
  const LatheRun made = RunLatheOn({"compile", "m.py", "-o", "m", "-n", "m"});
  ASSERT_EQ(made.exit, 0) << made.err;
  const std::string program = absl::StrCat(
      "#include <stdlib.h>\n#include <string.h>\n#include \"m.h\"\n"
      "static void *tensor(size_t bytes, const void *from) {\n"
      "  void *p = malloc(bytes);\n"
      "  if (from != NULL) memcpy(p, from, bytes);\n"
      "  return p;\n}\n"
      "int main(void) {\n"
      "  static uint64_t arena[1024];\n"
      "  m model;\n  m_inputs in = {0};\n  m_outputs out = {0};\n  int wanted = 0;\n",
      c.call,
      "  if (m_init(&model, arena, sizeof arena) != LATHE_OK) return 1;\n"
      "  return m_run(&model, &in, &out) == wanted ? 0 : 2;\n}\n");
  ASSERT_TRUE(WriteFile("main.c", program).ok());
  const char* build =
      "cc -g -fsanitize=address,undefined -fno-sanitize-recover=all -Im main.c m/m.c -o run -lm && "
      "ASAN_OPTIONS=detect_leaks=0 ./run";
  EXPECT_EQ(std::system(build), 0);
}

INSTANTIATE_TEST_SUITE_P(
    , UnfitInputs,
    ::testing::Values(
        Case{"TakeTooFar", R"(x: R.Tensor((5, 4), "float32"), i: R.Tensor((2,), "int64"))",
             "        return R.take(x, i, axis=0)\n",
             "  in.x = tensor(80, NULL); in.i = tensor(16, (int64_t[]){0, 5});\n"
             "  out.gv = tensor(32, NULL); wanted = LATHE_E_INDEX;\n"},
        Case{"TakeWhatIsThere", R"(x: R.Tensor((5,), "uint8"), i: R.Tensor((2,), "int64"))",
             "        return R.take(x, i, axis=0)\n",
             "  in.x = tensor(5, \"abcd\"); in.i = tensor(16, (int64_t[]){4, 0});\n"
             "  out.gv = tensor(2, NULL);\n"},
        Case{"TakeByBytesOfATable", R"(x: R.Tensor((256,), "uint8"), i: R.Tensor((2,), "uint8"))",
             "        return R.take(x, i, axis=0)\n",
             "  in.x = tensor(256, NULL); memset((void *)in.x, 0, 256); in.i = tensor(2, "
             "\"\\377z\");\n"
             "  out.gv = tensor(2, NULL);\n"},
        Case{"GatherFromTheEnd", R"(x: R.Tensor((5,), "uint8"), i: R.Tensor((2,), "int32"))",
             "        return R.gather_elements(x, i, axis=0)\n",
             "  in.x = tensor(5, \"abcd\"); in.i = tensor(8, (int32_t[]){4, -5});\n"
             "  out.gv = tensor(2, NULL);\n"},
        Case{"GatherBeforeTheFront", R"(x: R.Tensor((5,), "uint8"), i: R.Tensor((2,), "int32"))",
             "        return R.gather_elements(x, i, axis=0)\n",
             "  in.x = tensor(5, \"abcd\"); in.i = tensor(8, (int32_t[]){4, -6});\n"
             "  out.gv = tensor(2, NULL); wanted = LATHE_E_INDEX;\n"},
        Case{
            "ScatterTooFar",
            R"(x: R.Tensor((5,), "uint8"), i: R.Tensor((2,), "int64"), u: R.Tensor((2,), "uint8"))",
            "        return R.scatter_elements(x, i, u, axis=0)\n",
            "  in.x = tensor(5, \"abcd\"); in.i = tensor(16, (int64_t[]){1, 1000000});\n"
            "  in.u = tensor(2, \"ab\"); out.gv = tensor(5, NULL); wanted = LATHE_E_INDEX;\n"},
        Case{"TakeByPowers", R"(x: R.Tensor((9,), "uint8"), i: R.Tensor((2,), "int32"))",
             "        return R.take(x, R.power(i, R.const(2, \"int32\")), axis=0)\n",
             "  in.x = tensor(9, \"abcdefgh\"); in.i = tensor(8, (int32_t[]){2, -2});\n"
             "  out.gv1 = tensor(2, NULL);\n"},
        Case{"TakeByTooGreatPowers", R"(x: R.Tensor((9,), "uint8"), i: R.Tensor((2,), "int32"))",
             "        return R.take(x, R.power(i, R.const(2, \"int32\")), axis=0)\n",
             "  in.x = tensor(9, \"abcdefgh\"); in.i = tensor(8, (int32_t[]){2, 3});\n"
             "  out.gv1 = tensor(2, NULL); wanted = LATHE_E_INDEX;\n"},
        Case{"MatmulOfUnequalLengths",
             R"(x: R.Tensor((2, "k"), "float32"), y: R.Tensor(("j", 2), "float32"))",
             "        k = T.int64()\n        j = T.int64()\n        return R.matmul(x, y)\n",
             "  in.k = 3; in.j = 2; in.x = tensor(24, NULL); in.y = tensor(16, NULL);\n"
             "  out.gv = tensor(16, NULL); wanted = LATHE_E_SHAPE;\n"},
        Case{
            "ScatterOfMoreRowsThanThereAre",
            R"(x: R.Tensor(("n", 2), "int8"), i: R.Tensor((1, "m"), "int64"), u: R.Tensor((1, "m"), "int8"))",
            "        n = T.int64()\n        m = T.int64()\n"
            "        return R.scatter_elements(x, i, u, axis=0)\n",
            "  in.n = 2; in.m = 3; in.x = tensor(4, \"abc\");\n"
            "  in.i = tensor(24, (int64_t[]){0, 0, 1}); in.u = tensor(3, \"ab\");\n"
            "  out.gv = tensor(4, NULL); wanted = LATHE_E_SHAPE;\n"},
        Case{
            "PutOfMoreValuesThanPlaces",
            R"(x: R.Tensor((4,), "int8"), i: R.Tensor(("n",), "int64"), u: R.Tensor(("m",), "int8"))",
            "        n = T.int64()\n        m = T.int64()\n"
            "        return R.index_put(x, (i,), u, accumulate=True)\n",
            "  in.n = 2; in.m = 3; in.x = tensor(4, \"abc\");\n"
            "  in.i = tensor(16, (int64_t[]){0, 1}); in.u = tensor(3, \"ab\");\n"
            "  out.gv = tensor(4, NULL); wanted = LATHE_E_SHAPE;\n"},
        Case{"SlicePastTheEnd", R"(x: R.Tensor((4,), "int8"), u: R.Tensor(("m",), "int8"))",
             "        m = T.int64()\n        return R.slice_scatter(x, u, 1, 4, 1, axis=0)\n",
             "  in.m = 4; in.x = tensor(4, \"abc\"); in.u = tensor(4, \"abc\");\n"
             "  out.gv = tensor(4, NULL); wanted = LATHE_E_SHAPE;\n"},
        Case{"StepsOfNothing", R"(x: R.Tensor((4,), "int8"), s: R.Shape(["a"]))",
             "        a = T.int64()\n        return R.strided_slice(x, (0,), (0,), (4,), (a,))\n",
             "  in.s_0 = 0; in.x = tensor(4, \"abc\"); out.gv = tensor(4, NULL);\n"
             "  wanted = LATHE_E_SHAPE;\n"},
        Case{"AnAnnotationThatDoesNotHold",
             R"(x: R.Tensor(("k",), "float32"), z: R.Tensor(("m",), "float32"))",
             "        k = T.int64()\n        m = T.int64()\n"
             "        y: R.Tensor((m,), \"float32\") = x\n        return R.add(y, z)\n",
             "  in.k = 2; in.m = 3; in.x = tensor(8, NULL); in.z = tensor(12, NULL);\n"
             "  out.gv = tensor(12, NULL); wanted = LATHE_E_SHAPE;\n"}),
    [](const ::testing::TestParamInfo<Case>& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace lathe
