#include "generator/driver/run_options.h"

#include "gmock/gmock.h"
#include "tests/support/matchers.h"

namespace lathe::driver {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

// As the parser would hand them over.
absl::StatusOr<RunOptions> Read(const std::vector<std::pair<std::string, std::string>>& given) {
  static constexpr Option kJson = {"--json", 0, "", ""};
  Arguments args;
  args.declared.push_back(&kJson);
  for (const Option& o : RunOptionTable()) args.declared.push_back(&o);
  for (const auto& [name, value] : given) {
    for (const Option* o : args.declared) {
      if (o->name == name) args.given.emplace_back(o, value);
    }
  }
  return ReadRunOptions(args);
}

TEST(RunOptionsTest, Defaults) {
  const auto options = Read({});
  ASSERT_THAT(options, IsOk());
  EXPECT_EQ(options->func, "main");
  EXPECT_FALSE(options->seed.has_value());
}

TEST(RunOptionsTest, ReadsAll) {
  const auto options = Read({{"--func", "f"},
                             {"--input", "x=a=b.npy"},
                             {"--input", "rest.npz"},
                             {"--random", "seed=18446744073709551615"},
                             {"--dim", "n=4"},
                             {"--dim", "m=0..0"},
                             {"--output", "out.npz"},
                             {"--extern", "./a.so"}});
  ASSERT_THAT(options, IsOk());
  EXPECT_EQ(options->func, "f");
  EXPECT_THAT(options->inputs, ElementsAre(Pair("x", "a=b.npy"), Pair("", "rest.npz")));
  EXPECT_EQ(options->seed, 18446744073709551615u);
  EXPECT_THAT(options->sizes, ElementsAre(Pair("m", 0), Pair("n", 4)));
  EXPECT_EQ(options->output, "out.npz");
  EXPECT_THAT(options->externs, ElementsAre("./a.so"));
}

TEST(RunOptionsTest, ReportsErrors) {
  const auto wrong = [](const char* name, const char* value) {
    return std::string(Read({{name, value}}).status().message());
  };
  EXPECT_EQ(wrong("--input", "x"), "option '--input' must be NAME=FILE, or an .npz file; got 'x'");
  EXPECT_THAT(wrong("--input", "=x.npy"), HasSubstr("got '=x.npy'"));
  EXPECT_THAT(wrong("--random", "1"), HasSubstr("seed=N"));
  EXPECT_THAT(wrong("--random", "seed=-1"), HasSubstr("got 'seed=-1'"));
  for (const char* dim : {"n", "=4", "n=", "n=-", "n=4..2", "n=4..", "n=99999999999999999999"}) {
    EXPECT_THAT(wrong("--dim", dim), HasSubstr("option '-D' must be NAME=N")) << dim;
  }
  EXPECT_EQ(Read({{"--dim", "n=-1"}})->sizes.at("n"), -1);  // unless it is a size
  EXPECT_EQ(wrong("--dim", "n=1..32"), "to run, 'n' needs one size; got 1..32");
  EXPECT_EQ(Read({{"--dim", "n=1"}, {"--dim", "n=2"}}).status().message(),
            "'n' is specified more than once with -D");
  EXPECT_EQ(Read({{"--input", "x=a"}, {"--input", "x=b"}}).status().message(),
            "'x' is specified more than once with --input");
}

}  // namespace
}  // namespace lathe::driver
