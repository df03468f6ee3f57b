// Tests names of functions that users define.
#include "generator/emit/c/names/extern_name.h"

#include <string>

#include "generator/emit/cuda/cuda_names.h"
#include "gtest/gtest.h"

namespace lathe::emit {
namespace {

std::string Wrong(absl::string_view symbol, const ExternRules& rules = kCExternRules) {
  return std::string(ExternName(symbol, "net", rules).status().message());
}

TEST(ExternNameTest, AcceptsUnusedIdentifiers) {
  for (const char* name : {"my_scale", "Scale2", "a", "network", "a__b", "fabsf", "exp10", "pow"}) {
    EXPECT_EQ(ExternName(name, "net", kCExternRules)->str(), name);
  }
  EXPECT_EQ(ExternName("__expf", "net", kCudaExternRules)->str(), "__expf");
  EXPECT_EQ(ExternName("lathe_ccl_allreduce", "net", kCExternRules)->str(), "lathe_ccl_allreduce");
}

TEST(ExternNameTest, RejectsOthersWithAReason) {
  for (const std::string name : {"", "a b", "a\n", "1a", "a.b", "\xC3\xA9", "a\\", "f()", "a;"}) {
    EXPECT_EQ(Wrong(name), "is not a C identifier") << name;
  }
  for (const char* name : {"_a", "__asm__", "__builtin_trap", "_Bool", "__expf"}) {
    EXPECT_EQ(Wrong(name), "is reserved for compilers: it begins with an underscore") << name;
  }
  for (const char* name : {"while", "co_await", "memcpy", "printf", "NULL", "INT8_MAX", "malloc",
                           "frexp", "size_t", "errno", "main", "typeof_unqual"}) {
    EXPECT_EQ(Wrong(name), "has another meaning in C") << name;
  }
  for (const char* name : {"lathe_keep", "lathe_x", "lathe_value"}) {
    EXPECT_EQ(Wrong(name), "is a name of Lathe's runtime") << name;
  }
  for (const char* name : {"net", "net_run", "NET_X", "net_"}) {
    EXPECT_EQ(Wrong(name), "begins like the names of the model, 'net', which --name changes");
  }
  EXPECT_EQ(Wrong("cudaMalloc", kCudaExternRules), "has another meaning in C, C++ or CUDA");
  EXPECT_NE(Wrong("__asm__", kCudaExternRules), "");
  EXPECT_NE(Wrong("__builtin_trap", kCudaExternRules), "");
}

// The limit is tested here: extern name, 128 bytes.
TEST(ExternNameTest, AreAsLongAsTheLimit) {
  EXPECT_EQ(Wrong(std::string(kMaxExternName, 'x')), "");
  EXPECT_EQ(Wrong(std::string(kMaxExternName + 1, 'x')), "has more than 128 bytes");
}

TEST(ExternNameTest, MathFunctionsNeedStandardSignatures) {
  EXPECT_EQ(MathSignatureOf("powf")->params.size(), 2u);
  EXPECT_EQ(MathSignatureOf("powf")->result, ir::DType::Float(32));
  EXPECT_EQ(MathSignatureOf("fma")->params.size(), 3u);
  EXPECT_FALSE(MathSignatureOf("frexp").has_value());
  EXPECT_FALSE(MathSignatureOf("f").has_value());
}

}  // namespace
}  // namespace lathe::emit
