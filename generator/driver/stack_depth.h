// Bounds the stack depth of a program by the sum of frames along its deepest chain of calls.
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

struct StackFunction {
  std::optional<int64_t> bytes;  // of the frame, or of the function with its callees
  std::string why_unknown;       // "is not measured"
  bool grows = false;            // by alloca or a variable-length array
  bool calls_pointers = false;
  std::set<std::string> callees;
};

// Functions by unique name. Local functions have their file as prefix: "net.c:net_add".
using StackGraph = std::map<std::string, StackFunction>;

// Returns the C name without the file.
std::string StackName(absl::string_view unique);

// Adds the functions, frames and calls of a file that GCC writes with -fcallgraph-info=su.
void ReadCallGraph(absl::string_view text, StackGraph& graph);

// Adds the frames that compilers write with -fstack-usage, one per line: "model.c:12:5:net_run 48
// static". Names in `local` are local to `file`.
void ReadStackUsage(absl::string_view text, absl::string_view file,
                    const std::set<std::string>& local, StackGraph& graph);

struct StackDepth {
  std::optional<int64_t> bytes;        // nullopt if there is no bound
  int64_t known = 0;                   // of measured functions, with each recursion counted once
  std::vector<std::string> path;       // the deepest chain of calls among these
  std::vector<std::string> unbounded;  // reasons for no bound: "expf is not measured"
};
// Returns the depth of the deepest function in `entries`.
StackDepth FindStackDepth(const StackGraph& graph, absl::Span<const std::string> entries);

// Returns the functions reachable from `entries` whose frame is unknown.
std::set<std::string> UnknownCallees(const StackGraph& graph,
                                     absl::Span<const std::string> entries);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_STACK_DEPTH_H_
