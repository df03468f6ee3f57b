// Tests model names as type names: names that headers declare are rejected, and names that a bundle
// uses internally are permitted.
#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "generator/emit/c/names/c_names.h"
#include "generator/emit/c/names/library_names.h"
#include "generator/support/files.h"
#include "gmock/gmock.h"
#include "tests/cuda/compile_bundle.h"
#include "tests/support/run_lathe.h"
#include "tests/support/scratch_directory.h"

namespace lathe {
namespace {

// What bundles, the emulation and programs that use a model include.
constexpr char kIncludes[] =
    "#include <math.h>\n#include <stddef.h>\n#include <stdint.h>\n#include <stdio.h>\n#include "
    "<stdlib.h>\n"
    "#include <string.h>\n#include <time.h>\n#ifdef __cplusplus\n#include <algorithm>\n#include "
    "<vector>\n"
    "#include <cuda.h>\n#include <cuda_runtime.h>\n#endif\n";

std::vector<std::string> Lines(const std::string& file) {
  return absl::StrSplit(*ReadFile(file), '\n', absl::SkipEmpty());
}

// A type of each word that is in the headers: the compiler says which of them cannot be.
void LookAtHeaders(const std::string& compiler, const std::string& source,
                   bool (*is_taken)(absl::string_view)) {
  ASSERT_TRUE(WriteFile(source, kIncludes).ok());
  ASSERT_EQ(Shell(absl::StrCat("(", compiler, "-E ", source, "; ", compiler, "-dM -E ", source,
                               ") | grep -oE '\\b[A-Za-z][A-Za-z0-9_]*\\b' | grep -vE '__|_$' | ",
                               "sort -u > words"))
                .exit,
            0);
  const std::vector<std::string> words = Lines("words");
  ASSERT_GE(words.size(), 500u);
  std::string text = kIncludes;
  const auto first = std::count(text.begin(), text.end(), '\n') + 1;
  for (const std::string& word : words) {
    absl::StrAppend(&text, "typedef struct ", word, " ", word, "; struct ", word,
                    " { int in_it; };\n");
  }
  ASSERT_TRUE(WriteFile(source, text).ok());
  (void)Shell(absl::StrCat(compiler, "-fsyntax-only -fmax-errors=0 ", source));
  std::set<std::string> refused;
  for (const std::string& line : Lines("said")) {
    const std::vector<std::string> parts = absl::StrSplit(line, ':');
    int at = 0;
    if (parts.size() < 4 || parts[0] != source || !absl::SimpleAtoi(parts[1], &at)) continue;
    if (parts[3] == " error") refused.insert(words[static_cast<size_t>(at - first)]);
  }
  EXPECT_GE(refused.size(), 200u);
  for (const std::string& word : refused)
    EXPECT_TRUE(emit::IsTakenInC(word) || is_taken(word)) << word;
}

TEST(CudaNamesTest, NamesDifferFromHeaderNames) {
  const ScratchDirectory scratch;
  LookAtHeaders(absl::StrCat("c++ -std=gnu++17 -I ", SourcePath("runtime-c/emulation"), " "),
                "names.cpp", emit::IsNameOfGpus);
  LookAtHeaders("cc -std=gnu11 ", "names.c", emit::IsNameOfC);
}

constexpr char kModel[] = R"(from tvm.script import ir as I, relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 3), "float32"), k: R.Prim("float32")) -> R.Tensor(("n", 2), "float32"):
        y = R.matmul(x, R.const([[0.5, 1.0], [-2.0, 3.0], [4.0, 5.0]], "float32"))
        return y

    @R.function
    def check(x: R.Tensor((3,), "float32")) -> R.Tensor((3,), "float32"):
        return R.exp(x)

    @R.function
    def differs(x: R.Tensor((3,), "float32")) -> R.Tensor((3,), "float32"):
        return R.exp(x)
)";

TEST(CudaNamesTest, ModelNamesMayEqualRuntimeNames) {
  const ScratchDirectory scratch;
  ASSERT_TRUE(WriteFile("model.py", kModel).ok());
  for (const std::string name : {"m", "stream", "config", "check", "weights"}) {
    const LatheRun made = RunLatheOn({"compile", "model.py", "-t", "cuda:sm_80", "-n", name, "-o",
                                      "bundle", "--golden", "--weights", "external"});
    ASSERT_EQ(made.exit, 0) << made.err;
    const Ran compiled =
        Shell(absl::StrCat(BundleCompiler(), "-D", emit::UpperCase(name),
                           "_SELFTEST_MAIN -fsyntax-only -x c++ bundle/", name, ".cpp bundle/",
                           name, "_selftest.cpp bundle/examples/run.cpp"));
    EXPECT_EQ(compiled.exit, 0) << name << "\n" << compiled.said;
  }
}

// And so may those of programs that validate makes.
TEST(CudaNamesTest, ModelsOfAnyNameAreValidated) {
  const ScratchDirectory scratch;
  for (const char* name : {"place", "check"}) {
    ASSERT_TRUE(WriteFile(absl::StrCat(name, ".py"), kModel).ok());
    const LatheRun ran = RunLatheOn(
        {"validate", absl::StrCat(name, ".py"), "--on", "cuda-emulation", "--func", "check"});
    EXPECT_EQ(ran.exit, 0) << ran.out << ran.err;
  }
}

}  // namespace
}  // namespace lathe
