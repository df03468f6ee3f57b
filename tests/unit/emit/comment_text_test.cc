// Tests program texts in comments of generated files.
#include "generator/emit/text/comment_text.h"

#include "gtest/gtest.h"

namespace lathe::emit {
namespace {

TEST(CommentTextTest, StaysInItsComment) {
  EXPECT_EQ(CommentText("conv1/bias:0 of (n, 4)").str(), "conv1/bias:0 of (n, 4)");
  EXPECT_EQ(CommentText("*/ int x; /*").str(), "* / int x; / *");
  EXPECT_EQ(CommentText("a\nb\tc\r").str(), "a b c ");
  EXPECT_EQ(CommentText("a\\").str(), "a\\.");
  EXPECT_EQ(CommentText("a\\ ").str(), "a\\ .");
  EXPECT_EQ(CommentText("?\?/").str(), "? ?/");
  EXPECT_EQ(CommentText(std::string("a\0b", 3)).str(), "a<00>b");
  EXPECT_EQ(CommentText("\xE2\x80\xAEx").str(), "<U+202E>x");
  EXPECT_EQ(CommentText("\xFFx").str(), "<FF>x");
  EXPECT_EQ(CommentText("@bundle@").str(), "@ bundle@");
}

TEST(CommentTextTest, IsAsLongAsTheLimit) {
  EXPECT_EQ(CommentText(std::string(kMaxCommentBytes, 'x')).str(), std::string(240, 'x'));
  EXPECT_EQ(CommentText(std::string(kMaxCommentBytes + 1, 'x')).str(),
            std::string(240, 'x') + "...");
}

TEST(CommentLinesTest, EachBeginsLikeALineOfAComment) {
  EXPECT_EQ(CommentLines("a\nb*/").str(), "a\n * b* /");
  std::string lines = "x";
  for (size_t i = 1; i < kMaxCommentLines; ++i) lines += "\nx";
  EXPECT_EQ(CommentLines(lines).str().find("..."), std::string::npos);
  EXPECT_NE(CommentLines(lines + "\nx").str().find("\n * ..."), std::string::npos);
}

}  // namespace
}  // namespace lathe::emit
