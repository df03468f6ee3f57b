// Compares stack bounds from instructions with the frame sizes that compilers report.
#include "generator/machine/code_depth.h"

#include <cstdlib>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "generator/machine/object_calls.h"
#include "generator/support/files.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/matchers.h"
#include "tests/support/scratch_directory.h"

namespace lathe::machine {
namespace {

struct Compiler {
  const char* name;
  const char* flags;
};
constexpr Compiler kCompilers[] = {
    {"arm-none-eabi-gcc", "-mcpu=cortex-m0 -mthumb"},
    {"arm-none-eabi-gcc", "-mcpu=cortex-m3 -mthumb"},
    {"arm-none-eabi-gcc", "-mcpu=cortex-m4 -mthumb -mfpu=fpv4-sp-d16 -mfloat-abi=hard"},
    {"arm-none-eabi-gcc", "-mcpu=cortex-m55 -mthumb -mfloat-abi=hard"},
    {"riscv64-unknown-elf-gcc", "-march=rv32imc -mabi=ilp32 --specs=picolibc.specs"},
    {"riscv64-unknown-elf-gcc", "-march=rv64gc -mabi=lp64d --specs=picolibc.specs"},
    {"avr-gcc", "-mmcu=atmega2560"},
};

// Frames of many sizes, saved registers, two exits, a loop, a switch.
constexpr char kLeaves[] = R"(
volatile int sink[64];
#define KEEP(p) __asm__ volatile("" : : "r"(p) : "memory")
#define FRAME(n) int frame_##n(int x) { char a[n]; a[x] = 1; KEEP(a); return a[x & 3]; }
FRAME(4) FRAME(40) FRAME(200) FRAME(508) FRAME(1020) FRAME(2500) FRAME(5000)
int registers(const int *p) {
  int a = p[0], b = p[1], c = p[2], d = p[3], e = p[4], f = p[5], g = p[6], h = p[7], i = p[8];
  sink[0] = 1;
  return a * (b + c) * (d + e) * (f + g) * (h + i) + a + b * 3 + c * 5 + d * 7 + e * f * g * h * i;
}
int exits(int x) { int a[20]; if (x < 0) return 1; KEEP(a); sink[1] = a[x]; return 2; }
int loop(int n) { int s = 0; for (int i = 0; i < n; ++i) { s += sink[i & 63] * i; } return s; }
int choose(int n, int x) {
  switch (n) {
    case 0: sink[1] = x; return 1;
    case 1: sink[2] = x + 1; break;
    case 2: sink[3] = x + 2; return 5;
    case 3: sink[4] = x * 3; break;
    case 4: sink[5] = x + 4; return 9;
    case 5: sink[6] = x - 5; break;
    case 6: sink[7] = x ^ 6; break;
    default: return x;
  }
  return n + sink[n];
}
int main(void) { return 0; }
)";

std::string Built(const Compiler& compiler, const std::string& source, const std::string& more) {
  EXPECT_THAT(WriteFile("a.c", source), IsOk());
  const std::string command =
      absl::StrCat(compiler.name, " ", compiler.flags, " -std=gnu99 -w -fstack-usage ", more);
  EXPECT_EQ(std::system(command.c_str()), 0) << command;
  const auto bytes = ReadFile("a.out");
  return bytes.ok() ? *bytes : "";
}

bool Answers(const Compiler& compiler) {
  return std::system(absl::StrCat(compiler.name, " --version >/dev/null 2>&1").c_str()) == 0;
}

constexpr char kLink[] =
    " a.c -o a.out -nostartfiles -Wl,-e,0 -Wl,--no-gc-sections "
    "-Wl,--unresolved-symbols=ignore-all ";

TEST(CodeDepthTest, FrameSizesMatchTheCompiler) {
  for (const Compiler& compiler : kCompilers) {
    if (!Answers(compiler)) continue;
    for (const char* level : {"-O1", "-O2", "-Os"}) {
      SCOPED_TRACE(absl::StrCat(compiler.name, " ", compiler.flags, " ", level));
      const ScratchDirectory scratch;
      const std::string bytes = Built(compiler, kLeaves, absl::StrCat(level, kLink));
      const auto program = ReadElfFile(bytes);
      ASSERT_THAT(program, IsOk());
      std::string usage;
      for (const char* name : {"a.su", "a.out-a.su"}) {
        if (const auto text = ReadFile(name); text.ok()) usage = *text;
      }
      ASSERT_NE(usage, "");
      CodeDepth depth(*program);
      int compared = 0;
      for (absl::string_view line : absl::StrSplit(usage, '\n')) {
        const std::vector<std::string> fields = absl::StrSplit(line, '\t');
        if (fields.size() < 3) continue;
        const std::string name = fields[0].substr(fields[0].rfind(':') + 1);
        int64_t frame = 0;
        ASSERT_TRUE(absl::SimpleAtoi(fields[1], &frame));
        const CodeDepth::Bound& bound = depth.Of(name);
        // Frames of AVR are made by writing the stack pointer, which has no bound, never a wrong
        // one.
        if (program->cpu == Cpu::kAvr && !bound.bytes) continue;
        ASSERT_TRUE(bound.bytes.has_value()) << name << ": " << bound.why_not;
        // GCC counts what a call pushes on AVR to the function that is called, and does not count
        // the function that ARMv6-M's switch calls.
        const int64_t called = BytesOfCall(*program);
        const int64_t more =
            absl::StrContains(compiler.flags, "cortex-m0") && name == "choose" ? 4 : 0;
        EXPECT_GE(*bound.bytes + called, frame) << name;
        EXPECT_LE(*bound.bytes + called, frame + more) << name;
        ++compared;
      }
      EXPECT_GE(compared, program->cpu == Cpu::kAvr ? 4 : 12);
    }
  }
}

TEST(CodeDepthTest, ReportsWhyThereIsNoBound) {
  constexpr char kSource[] = R"(
int work(int x);
void use(char *p);
__attribute__((noinline)) int itself(int n) { return n < 2 ? 1 : itself(n - 1) * itself(n - 2) + 1; }
__attribute__((noinline)) int pointer(int (*f)(int)) { return f(3) + 1; }
__attribute__((noinline)) int missing(int x) { return work(x) + 1; }
__attribute__((noinline)) int array(int n) { char b[n]; __asm__ volatile("" : : "r"(b) : "memory"); return b[0]; }
__attribute__((noinline)) int calls(int n) { return array(n) + 1; }
int main(void) { return itself(3) + pointer(0) + missing(3) + calls(3); }
)";
  for (const Compiler& compiler : kCompilers) {
    if (!Answers(compiler)) continue;
    SCOPED_TRACE(absl::StrCat(compiler.name, " ", compiler.flags));
    const ScratchDirectory scratch;
    const std::string bytes = Built(compiler, kSource, absl::StrCat("-Os", kLink));
    const auto program = ReadElfFile(bytes);
    ASSERT_THAT(program, IsOk());
    CodeDepth depth(*program);
    for (const char* name : {"itself", "pointer", "missing", "array", "calls", "main", "nothing"}) {
      EXPECT_FALSE(depth.Of(name).bytes.has_value()) << name;
      EXPECT_NE(depth.Of(name).why_not, "") << name;
    }
    EXPECT_THAT(depth.Of("itself").why_not, ::testing::HasSubstr("itself"));
    EXPECT_THAT(depth.Of("calls").why_not, ::testing::StartsWith("array "));
  }
}

// The functions of the libraries that generated code may call are all followed to their ends.
TEST(CodeDepthTest, LibrariesAreFollowed) {
  constexpr const char* kNames[] = {"exp", "erf",  "log",  "sin",    "cos",    "tan",    "atan",
                                    "pow", "fmod", "sqrt", "memcpy", "memset", "memmove"};
  for (const Compiler& compiler : kCompilers) {
    if (!Answers(compiler)) continue;
    SCOPED_TRACE(absl::StrCat(compiler.name, " ", compiler.flags));
    const ScratchDirectory scratch;
    std::string words = absl::StrCat("-Os", kLink);
    for (const char* name : kNames) absl::StrAppend(&words, " -Wl,-u,", name);
    const std::string bytes = Built(compiler, "int x;", absl::StrCat(words, " -lm"));
    const auto program = ReadElfFile(bytes);
    ASSERT_THAT(program, IsOk());
    CodeDepth depth(*program);
    for (const char* name : kNames) {
      if (program->cpu == Cpu::kAvr && absl::string_view(name) == "erf") continue;  // it has none
      EXPECT_TRUE(depth.Of(name).bytes.has_value()) << name << ": " << depth.Of(name).why_not;
    }
  }
}

TEST(ObjectCallsTest, CallsMatchTheSource) {
  constexpr char kSource[] = R"(
int work(int x);
__attribute__((noinline)) static int leaf(int x) { return x * 3 + work(x); }
__attribute__((noinline)) static int itself(int n) { return n < 2 ? 1 : itself(n - 1) * itself(n - 2) + 1; }
int entry(int x) { return leaf(x) + itself(x); }
int tail(int x) { return work(x + 1); }
int pointer(int (*f)(int)) { return f(3) + 1; }
)";
  for (const Compiler& compiler : kCompilers) {
    if (!Answers(compiler)) continue;
    SCOPED_TRACE(absl::StrCat(compiler.name, " ", compiler.flags));
    const ScratchDirectory scratch;
    const std::string bytes = Built(compiler, kSource, "-Os -fno-ipa-icf -c a.c -o a.out");
    const auto object = ReadElfFile(bytes);
    ASSERT_THAT(object, IsOk());
    const auto calls = FindObjectCalls(*object);
    using ::testing::Contains;
    EXPECT_THAT(calls.at("leaf").callees, Contains("work"));
    EXPECT_THAT(calls.at("entry").callees, Contains("leaf"));
    EXPECT_THAT(calls.at("entry").callees, Contains("itself"));
    EXPECT_THAT(calls.at("itself").callees, Contains("itself"));
    EXPECT_THAT(calls.at("tail").callees, Contains("work"));
    EXPECT_TRUE(calls.at("pointer").through_pointer);
    EXPECT_FALSE(calls.at("entry").through_pointer);
    EXPECT_TRUE(calls.at("leaf").local);
    EXPECT_FALSE(calls.at("entry").local);
  }
}

}  // namespace
}  // namespace lathe::machine
