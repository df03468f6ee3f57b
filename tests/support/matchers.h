// gmock matchers for absl::Status and absl::StatusOr.
//
//   EXPECT_THAT(Read(path), IsOk());
//   EXPECT_THAT(Parse("4"), IsOkAndHolds(4));
//   EXPECT_THAT(Parse("x"), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("number")));
#ifndef LATHE_TESTS_SUPPORT_MATCHERS_H_
#define LATHE_TESTS_SUPPORT_MATCHERS_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gmock/gmock.h"

namespace lathe {

inline const absl::Status& StatusOf(const absl::Status& s) { return s; }
template <typename T>
const absl::Status& StatusOf(const absl::StatusOr<T>& s) {
  return s.status();
}

MATCHER(IsOk, negation ? "is an error" : "is OK") {
  *result_listener << StatusOf(arg);
  return StatusOf(arg).ok();
}

MATCHER_P(IsOkAndHolds, value, "is OK and holds a value that matches") {
  if (!arg.ok()) {
    *result_listener << arg.status();
    return false;
  }
  return ::testing::ExplainMatchResult(value, *arg, result_listener);
}

MATCHER_P2(StatusIs, code, message, "is an error of that code and message") {
  *result_listener << StatusOf(arg);
  return StatusOf(arg).code() == code &&
         ::testing::ExplainMatchResult(message, StatusOf(arg).message(), result_listener);
}

}  // namespace lathe

#endif  // LATHE_TESTS_SUPPORT_MATCHERS_H_
