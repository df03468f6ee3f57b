#include "generator/lower/lower.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "generator/lower/declare_ports.h"
#include "generator/lower/declare_state.h"
#include "generator/lower/declare_values.h"
#include "generator/lower/limit_values.h"
#include "generator/lower/lower_function.h"
#include "generator/lower/lowering.h"

namespace lathe::lower {

namespace {

// Finds the strongly connected components of routines (Tarjan), in time linear in the calls.
// Iterative, because call chains may be long.
class Components {
 public:
  explicit Components(ir::Program& program) : program_(program), nodes_(program.routines.size()) {
    for (int32_t i = 0; i < std::ssize(program.routines); ++i) {
      ir::ForEachStep(program.routines[ir::RoutineId{i}].steps, [&](const ir::Step& step) {
        const auto* call = std::get_if<ir::CallStep>(&step.node);
        if (call != nullptr) nodes_[ir::RoutineId{i}].calls.push_back(call->routine);
      });
    }
  }

  void Mark() {
    for (int32_t i = 0; i < std::ssize(nodes_); ++i) {
      if (nodes_[ir::RoutineId{i}].number < 0) From({i});
    }
  }

 private:
  struct Node {
    std::vector<ir::RoutineId> calls;
    size_t next = 0;  // index of the next call to visit
    int number = -1;  // order of the first visit
    int low = 0;      // the smallest number reachable
    bool open = false;
  };

  void Begin(ir::RoutineId id) {
    Node& node = nodes_[id];
    node.number = node.low = count_++;
    node.open = true;
    open_.push_back(id);
    path_.push_back(id);
  }

  void From(ir::RoutineId first) {
    Begin(first);
    while (!path_.empty()) {
      const ir::RoutineId id = path_.back();
      Node& node = nodes_[id];
      if (node.next < node.calls.size()) {
        const ir::RoutineId callee = node.calls[node.next++];
        Node& other = nodes_[callee];
        if (other.number < 0) {
          Begin(callee);
        } else if (other.open) {
          node.low = std::min(node.low, other.number);
        }
        continue;
      }
      path_.pop_back();
      if (!path_.empty()) nodes_[path_.back()].low = std::min(nodes_[path_.back()].low, node.low);
      if (node.low == node.number) Close(id);
    }
  }

  // The routines opened since `root`, with `root`, form one component.
  void Close(ir::RoutineId root) {
    const bool is_alone = open_.back() == root;
    for (bool ended = false; !ended;) {
      const ir::RoutineId id = open_.back();
      open_.pop_back();
      nodes_[id].open = false;
      ended = id == root;
      const std::vector<ir::RoutineId>& calls = nodes_[id].calls;
      program_.routines[id].recursive =
          !is_alone || std::find(calls.begin(), calls.end(), id) != calls.end();
    }
  }

  ir::Program& program_;
  IdVector<ir::RoutineId, Node> nodes_;
  std::vector<ir::RoutineId> path_, open_;
  int count_ = 0;
};

}  // namespace

absl::StatusOr<ir::Program> Lower(ir::Context& context, const ir::Module& module,
                                  Diagnostics& diags) {
  if (!LimitValues(module, diags)) return absl::UnimplementedError("a value is too large");
  // Each iteration adds a function to `by_value`, so the loop ends after at most one per function.
  for (Functions by_value;;) {
    Diagnostics found;
    Lowering lowering(context, module, found, by_value);
    for (int32_t i = 0; i < std::ssize(module.globals); ++i) {
      const ir::Global& global = module.globals[ir::GlobalId{i}];
      if (global.function() == nullptr || !ir::IsExported(global)) continue;
      (void)lowering.SignatureOf(ir::GlobalId{i});
    }
    for (size_t i = 0; i < lowering.worklist.size() && !lowering.overspecialized; ++i) {
      const auto [id, signature] = lowering.worklist[i];
      LowerFunction(lowering, *signature, *module.globals[id].function());
    }
    if (lowering.overspecialized) {
      by_value.insert(*lowering.overspecialized);
      continue;
    }
    for (const Diagnostic& d : found.all()) diags.Add(d);
    Components(lowering.program).Mark();  // after tail calls have become loops
    if (lowering.failed) return absl::UnimplementedError("the module cannot be lowered");
    DeclareValues(module, lowering.program);
    DeclarePorts(module, lowering.program);
    if (!DeclareState(module, lowering.effects, lowering.program, diags)) {
      return absl::UnimplementedError("the state of a function cannot be kept");
    }
    return std::move(lowering.program);
  }
}

}  // namespace lathe::lower
