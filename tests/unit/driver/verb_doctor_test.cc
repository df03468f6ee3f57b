// Tests the versions that `lathe doctor` finds in what programs print.
#include <cstdlib>
#include <filesystem>
#include <string>

#include "absl/strings/str_cat.h"
#include "generator/support/files.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/matchers.h"
#include "tests/support/run_lathe.h"
#include "tests/support/scratch_directory.h"

namespace lathe::driver {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(VerbDoctorTest, TheVersionMayFollowATitle) {
  const ScratchDirectory scratch;
  const auto write = [](const std::string& name, const std::string& printed) {
    ASSERT_THAT(WriteFile(name, absl::StrCat("#!/bin/sh\ncat <<'END'\n", printed, "END\n")),
                IsOk());
    std::filesystem::permissions(name, std::filesystem::perms::owner_all);
  };
  write("nvcc",
        "nvcc: a compiler driver\nCopyright (c) 2005-2024 a company\nBuilt on Thu_Mar_28\n"
        "compilation tools, release 12.4, V12.4.131\n");
  write("avr-gcc", "a compiler\nof no version\n");
  const char* path = std::getenv("PATH");
  const std::string before = path == nullptr ? "" : path;
  setenv("PATH", absl::StrCat(std::filesystem::current_path().string(), ":", before).c_str(), 1);
  const LatheRun run = RunLatheOn({"doctor"});
  setenv("PATH", before.c_str(), 1);
  EXPECT_THAT(run.out, HasSubstr("compilation tools, release 12.4, V12.4.131\n"));
  EXPECT_THAT(run.out, Not(HasSubstr("driver\n")));
  EXPECT_THAT(run.out, HasSubstr("avr-gcc                  a compiler\n"));
}

}  // namespace
}  // namespace lathe::driver
