// Defines macros that propagate failed statuses.
#ifndef LATHE_SUPPORT_STATUS_H_
#define LATHE_SUPPORT_STATUS_H_

#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

#define LATHE_RETURN_IF_ERROR(expr)                                                  \
  do {                                                                               \
    if (absl::Status lathe_status = (expr); !lathe_status.ok()) return lathe_status; \
  } while (false)

#define LATHE_STATUS_CONCAT_(a, b) a##b
#define LATHE_STATUS_CONCAT(a, b) LATHE_STATUS_CONCAT_(a, b)
#define LATHE_ASSIGN_OR_RETURN(lhs, expr) \
  LATHE_ASSIGN_OR_RETURN_(LATHE_STATUS_CONCAT(lathe_or_, __LINE__), lhs, expr)
#define LATHE_ASSIGN_OR_RETURN_(tmp, lhs, expr) \
  auto tmp = (expr);                            \
  if (!tmp.ok()) return tmp.status();           \
  lhs = *std::move(tmp)

#endif  // LATHE_SUPPORT_STATUS_H_
