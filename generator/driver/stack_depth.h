// How deep the stack gets: what each function needs, joined along the calls between them.
#ifndef LATHE_DRIVER_STACK_DEPTH_H_
#define LATHE_DRIVER_STACK_DEPTH_H_

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace lathe::driver {

struct FunctionStack {
  int64_t bytes = 0;
  bool bounded = true;  // not "dynamic", as compilers say of what grows while it runs
};

// The files that -fstack-usage leaves: a line "model.c:12:5:net_run 48 static" for each function.
void ReadStackUsage(absl::string_view text, std::map<std::string, FunctionStack>& functions);

// Which functions of `source` call which, by their names: it is code that Lathe prints, where a
// function starts at the start of a line and ends with a brace of its own there.
void ReadCalls(absl::string_view source, std::map<std::string, std::set<std::string>>& calls);

struct StackDepth {
  std::optional<int64_t> bytes;      // nothing where a function calls itself or grows
  std::vector<std::string> path;     // the deepest calls, or those that lead to what has no bound
  std::set<std::string> unmeasured;  // called, but not among the functions
};
StackDepth FindStackDepth(const std::map<std::string, FunctionStack>& functions,
                          const std::map<std::string, std::set<std::string>>& calls,
                          absl::Span<const std::string> entries);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_STACK_DEPTH_H_
