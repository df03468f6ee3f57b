// Bounds how deep the stack gets: the frames of functions, joined along the calls between them.
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
  std::optional<int64_t> bytes;  // of its frame, or of all that it needs; nothing where unknown
  std::string why_unknown;       // "is not measured"
  bool grows = false;            // by alloca or an array of variable length
  bool calls_pointers = false;
  std::set<std::string> callees;
};

// By a name that is the function's alone: those of one file have that in front, "net.c:net_add".
using StackGraph = std::map<std::string, StackFunction>;

// The name in C, without the file.
std::string StackName(absl::string_view unique);

// Adds what GCC writes with -fcallgraph-info=su: the functions of a file with their frames, and
// what they call.
void ReadCallGraph(absl::string_view text, StackGraph& graph);

// Adds the frames that -fstack-usage writes: a line "model.c:12:5:net_run 48 static" each. Names in
// `local` are known in `file` alone.
void ReadStackUsage(absl::string_view text, absl::string_view file,
                    const std::set<std::string>& local, StackGraph& graph);

struct StackDepth {
  std::optional<int64_t> bytes;        // nothing where there is no bound
  int64_t known = 0;                   // of what is measured, every function once
  std::vector<std::string> path;       // the deepest calls of it
  std::vector<std::string> unbounded;  // why there is no bound: "expf is not measured"
};
// Of the deepest of `entries`.
StackDepth FindStackDepth(const StackGraph& graph, absl::Span<const std::string> entries);

// Functions that are called from `entries` on, and have no frame.
std::set<std::string> UnknownCallees(const StackGraph& graph,
                                     absl::Span<const std::string> entries);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_STACK_DEPTH_H_
