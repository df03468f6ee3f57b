#include "generator/emit/c/kernel/drop_unread.h"

#include <gtest/gtest.h>

namespace lathe::emit {
namespace {

TEST(DropUnread, RemovesUnreadAssignments) {
  EXPECT_EQ(DropUnread("  int64_t a = 0;\n  const float *b = &x[a];\n  a = n;\n  y[0] = 1;\n",
                       {"a", "b"}),
            "  y[0] = 1;\n");
}

TEST(DropUnread, KeepsReadVariables) {
  const char* const body = "  int64_t a = 0;\n  y[a] = 1;\n";
  EXPECT_EQ(DropUnread(body, {"a"}), body);
}

TEST(DropUnread, StoresIntoMembersAndMemoryStay) {
  const char* const body = "  *out->a = in->n;\n  out->a = n;\n  out.a = n;\n  y[0].a = 1;\n";
  EXPECT_EQ(DropUnread(body, {"a"}), body);
  const char* const through = "  float *a = x;\n  *a = 1;\n";
  EXPECT_EQ(DropUnread(through, {"a"}), through);
}

TEST(DropUnread, MemberAccessIsNotARead) {
  EXPECT_EQ(DropUnread("  int64_t a = 0;\n  y[0] = in->a + m.a;\n", {"a"}),
            "  y[0] = in->a + m.a;\n");
}

TEST(DropUnread, NameInALiteralIsNotARead) {
  EXPECT_EQ(DropUnread("  int64_t a = 0;\n  f(\"a \\\" a\", 3u);\n", {"a"}),
            "  f(\"a \\\" a\", 3u);\n");
}

TEST(WithParamsRead, NameInALiteralOrCommentIsNotARead) {
  EXPECT_EQ(WithParamsRead({"a"}, "f(\"x, a\"); /* a */\n"), "(void)a;\nf(\"x, a\"); /* a */\n");
  EXPECT_EQ(WithParamsRead({"a"}, "f(\"\\\"\", a);\n"), "f(\"\\\"\", a);\n");
}

TEST(WithParamsRead, KeepsTheIndentationOfUnreadMarks) {
  EXPECT_EQ(WithParamsRead({"a", "n"}, "x = a[0];\n"), "(void)n;\nx = a[0];\n");
}

}  // namespace
}  // namespace lathe::emit
