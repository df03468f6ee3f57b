// Tests that a bundle is the old one, the new one or none, whichever system call fails and wherever
// the process is killed.
#include "generator/bundle/write_bundle.h"

#include <sys/resource.h>
#include <sys/stat.h>

#include <csignal>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "generator/support/files.h"
#include "gmock/gmock.h"
#include "tests/support/failing_file_calls.h"
#include "tests/support/matchers.h"
#include "tests/support/scratch_directory.h"

namespace lathe::bundle {
namespace {

namespace fs = std::filesystem;
using After = FailingFileCalls::After;
using Files = std::vector<emit::OutputFile>;
using Contents = std::map<std::string, std::string>;

const Files kOld = {{"net.h", "old header\n"},
                    {"net.c", std::string(100, 'o')},
                    {"lathe/rt.h", "runtime\n"},
                    {"lathe/half.h", "halves\n"}};
const Files kNew = {{"net.h", "new header\n"},
                    {"net.c", std::string(200, 'n')},
                    {"lathe/rt.h", "runtime\n"},
                    {"lathe/scalar.h", "scalars\n"}};

Contents Of(const Files& files) {
  Contents contents;
  for (const emit::OutputFile& file : files) contents[file.name] = file.text;
  return contents;
}

// Every file below `folder`, temporary ones too.
Contents Read(const std::string& folder) {
  Contents contents;
  if (!fs::exists(folder)) return contents;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    contents[entry.path().lexically_relative(folder).string()] = *ReadFile(entry.path().string());
  }
  return contents;
}

ino_t Inode(const std::string& path) {
  struct stat info = {};
  EXPECT_EQ(::stat(path.c_str(), &info), 0) << path;
  return info.st_ino;
}

void Put(const Files& files) {
  FailingFileCalls calls(0, After::kError);
  ASSERT_THAT(WriteBundle(calls, "out", files), IsOk());
}

// Lets every call fail in turn; `prepare` makes what is there before, `check` looks at it after.
template <typename Prepare, typename Check>
void FailEverywhere(After after, Prepare prepare, Check check, bool can_exchange = true) {
  for (int fails = 1;; ++fails) {
    const ScratchDirectory scratch;
    prepare();
    FailingFileCalls calls(fails, after);
    calls.can_exchange = can_exchange;
    const absl::Status status = WriteBundle(calls, "out", kNew);
    SCOPED_TRACE(absl::StrCat("call ", fails, " of ", calls.count(), ": ", status.ToString()));
    check(status);
    if (!calls.failed()) {
      EXPECT_THAT(status, IsOk());
      EXPECT_GT(fails, 10);
      return;
    }
    if (::testing::Test::HasFatalFailure()) return;
  }
}

class WriteBundleTest : public ::testing::TestWithParam<After> {};

TEST_P(WriteBundleTest, NewFolderIsCompleteOrAbsent) {
  FailEverywhere(
      GetParam(), [] {},
      [&](const absl::Status& status) {
        EXPECT_EQ(Read("out"), status.ok() || fs::exists("out") ? Of(kNew) : Contents());
        if (!status.ok() && GetParam() != After::kKill) {
          EXPECT_TRUE(fs::is_empty(".")) << "something is left";
        }
      });
}

TEST_P(WriteBundleTest, FolderIsOldOrNew) {
  Contents old = Of(kOld), fresh = Of(kNew);
  old["main.c"] = fresh["main.c"] = "the user's\n";
  fresh["lathe/half.h"] = "halves\n";
  FailEverywhere(
      GetParam(),
      [&] {
        Put(kOld);
        ASSERT_THAT(WriteFile("out/main.c", "the user's\n"), IsOk());
      },
      [&](const absl::Status& status) {
        const Contents now = Read("out");
        EXPECT_TRUE(now == old || now == fresh) << ::testing::PrintToString(now);
        if (status.ok()) {
          EXPECT_EQ(now, fresh);
        }
        if (!status.ok() && GetParam() != After::kKill) {
          EXPECT_EQ(now, old);
          EXPECT_EQ(Read(".").size(), old.size()) << "something is left beside it";
        }
      });
}

// Where folders cannot be exchanged, files are, and go back when one fails.
TEST(WriteBundleInPlaceTest, FolderIsOldOrNewAfterErrors) {
  Contents old = Of(kOld), fresh = Of(kNew);
  fresh["lathe/half.h"] = "halves\n";
  for (const After after : {After::kError, After::kFull}) {
    FailEverywhere(
        after, [] { Put(kOld); },
        [&](const absl::Status& status) {
          Contents now = Read("out");
          // What cannot be removed when all is done stays.
          if (status.ok())
            std::erase_if(now, [](const auto& f) { return f.first.ends_with(".old"); });
          EXPECT_EQ(now, status.ok() ? fresh : old);
        },
        false);
  }
}

TEST(WriteBundleInPlaceTest, CurrentFolderStaysItself) {
  const ScratchDirectory scratch;
  ASSERT_THAT(WriteBundle(".", kOld), IsOk());
  const ino_t folder = Inode("."), same = Inode("lathe/rt.h");
  ASSERT_THAT(WriteBundle(".", kNew), IsOk());
  EXPECT_EQ(Inode("."), folder);
  EXPECT_EQ(Inode("lathe/rt.h"), same);
  EXPECT_EQ(*ReadFile("net.h"), "new header\n");
  EXPECT_EQ(Read(".").size(), 5u);
}

TEST(WriteBundleInPlaceTest, FoldersOfOthersStayThemselves) {
  const ScratchDirectory scratch;
  ASSERT_THAT(WriteBundle("out", kOld), IsOk());
  fs::create_directory("out/mine");
  const ino_t mine = Inode("out/mine"), folder = Inode("out");
  ASSERT_THAT(WriteBundle("out", kNew), IsOk());
  EXPECT_EQ(Inode("out/mine"), mine);
  EXPECT_EQ(Inode("out"), folder);
  EXPECT_EQ(*ReadFile("out/net.h"), "new header\n");
}

INSTANTIATE_TEST_SUITE_P(Ways, WriteBundleTest,
                         ::testing::Values(After::kError, After::kFull, After::kKill),
                         [](const auto& info) {
                           return std::string(info.param == After::kError  ? "Error"
                                              : info.param == After::kFull ? "Full"
                                                                           : "Kill");
                         });

TEST(WriteBundleTimesTest, UnchangedFilesAreNotWritten) {
  const ScratchDirectory scratch;
  ASSERT_THAT(WriteBundle("a/b/out", kOld), IsOk());
  const ino_t folder = Inode("a/b/out"), same = Inode("a/b/out/lathe/rt.h");
  const auto time = fs::last_write_time("a/b/out/lathe/rt.h");
  ASSERT_THAT(WriteBundle("a/b/out", kOld), IsOk());
  EXPECT_EQ(Inode("a/b/out"), folder) << "nothing was to be done";
  ASSERT_THAT(WriteBundle("a/b/out/", kNew), IsOk());
  EXPECT_EQ(Inode("a/b/out/lathe/rt.h"), same);
  EXPECT_EQ(fs::last_write_time("a/b/out/lathe/rt.h"), time);
}

TEST(WriteBundleTimesTest, LinksLeadToTheFolder) {
  const ScratchDirectory scratch;
  fs::create_directory("real");
  fs::create_directory_symlink("real", "out");
  ASSERT_THAT(WriteBundle("out", kOld), IsOk());
  ASSERT_THAT(WriteBundle("out", kNew), IsOk());
  EXPECT_TRUE(fs::is_symlink("out"));
  EXPECT_EQ(*ReadFile("real/net.h"), "new header\n");
}

// The operating system's own refusal in the middle of a file.
TEST(WriteBundleLimitTest, FileSizeLimit) {
  const ScratchDirectory scratch;
  ASSERT_THAT(WriteBundle("out", kOld), IsOk());
  Files large = kNew;
  large[1].text = std::string(100'000, 'n');
  rlimit before = {};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small = {4096, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const absl::Status status = WriteBundle("out", large);
  EXPECT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  (void)std::signal(SIGXFSZ, handler);
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(std::string(status.message()), ::testing::HasSubstr("net.c': File too large"));
  EXPECT_EQ(Read("out"), Of(kOld));
  EXPECT_EQ(Read(".").size(), kOld.size()) << "something is left beside it";
}

}  // namespace
}  // namespace lathe::bundle
