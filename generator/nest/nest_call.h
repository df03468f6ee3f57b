// Represents a kernel call during fusion: a nest over its own buffers, one for each tensor of the
// routine that it uses.
#ifndef LATHE_NEST_NEST_CALL_H_
#define LATHE_NEST_NEST_CALL_H_

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "generator/ir/context.h"
#include "generator/ir/program.h"
#include "generator/nest/nest.h"

namespace lathe::nest {

// Marks kernels of operators that contain loops written by the user.
inline constexpr char kUserLoops[] = "lathe.has_user_loops";

// Returns whether the function contains loops written by the user.
bool HasUserLoops(const ir::PrimFunc& func);

struct NestCall {
  Nest nest;
  std::vector<ir::BufferRef>
      params;  // one for each tensor; a tensor passed twice has one parameter
  std::vector<ir::TensorId> tensors;
  ir::BufferRef result = nullptr;  // the parameter that the last stage stores to
  std::string name;
  // The bindings that the call computes, with their operators.
  std::vector<std::pair<std::string, std::string>> origins;
  bool fused = false;
  bool has_user_loops = false;  // contains loops written by the user

  ir::BufferRef ParamOf(ir::TensorId tensor) const;
};

// Maps the scalars of kernels to variables shared by all nests: equal values get the same variable.
class SharedScalars {
 public:
  explicit SharedScalars(ir::Context& context) : context_(context) {}
  // Constants are returned unchanged.
  ir::PrimRef Of(ir::PrimRef formal, ir::PrimRef value);
  // Returns the value in the routine of a variable that Of returned.
  ir::PrimRef ValueOf(ir::PrimRef var) const { return values_.at(var); }
  bool Has(ir::PrimRef var) const { return values_.contains(var); }

 private:
  ir::Context& context_;
  absl::flat_hash_map<std::pair<ir::PrimRef, int>, ir::PrimRef> vars_;  // by value and bits
  absl::flat_hash_map<ir::PrimRef, ir::PrimRef> values_;
};

// Returns the call of `step` as a nest. Returns nothing if the kernel's body cannot be parsed, if
// it reads a tensor that it also writes, if it has several results, or if a buffer is not compact.
std::optional<NestCall> MakeNestCall(ir::Context& context, const ir::Program& program,
                                     const ir::KernelStep& step, SharedScalars& scalars);

}  // namespace lathe::nest

#endif  // LATHE_NEST_NEST_CALL_H_
