// A call of a kernel while fusion works on it: its nest over buffers of its own, each the place of
// a tensor of the routine.
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

// The attribute of kernels of operators in which loops that a user wrote take part.
inline constexpr char kOfUser[] = "lathe.of_user";

struct NestCall {
  Nest nest;
  std::vector<ir::BufferRef> params;  // one for each tensor: what is passed twice is one parameter
  std::vector<ir::TensorId> tensors;
  ir::BufferRef result = nullptr;  // the parameter that the last stage stores
  std::string name;
  // The bindings it computes, with their operators.
  std::vector<std::pair<std::string, std::string>> origins;
  bool fused = false;
  bool of_user = false;  // loops that a user wrote take part

  ir::BufferRef ParamOf(ir::TensorId tensor) const;
};

// The scalars of kernels in terms of the routine: equal values are one variable in all nests.
class SharedScalars {
 public:
  explicit SharedScalars(ir::Context& context) : context_(context) {}
  // A number stays one.
  ir::PrimRef Of(ir::PrimRef formal, ir::PrimRef value);
  // What the variable, which Of gave, is in the routine.
  ir::PrimRef ValueOf(ir::PrimRef var) const { return values_.at(var); }
  bool Has(ir::PrimRef var) const { return values_.contains(var); }

 private:
  ir::Context& context_;
  absl::flat_hash_map<std::pair<ir::PrimRef, int>, ir::PrimRef> vars_;  // by value and bits
  absl::flat_hash_map<ir::PrimRef, ir::PrimRef> values_;
};

// Nothing when the kernel cannot be seen through, writes what it is also given to read, or has
// several results.
std::optional<NestCall> MakeNestCall(ir::Context& context, const ir::Program& program,
                                     const ir::KernelStep& step, SharedScalars& scalars);

}  // namespace lathe::nest

#endif  // LATHE_NEST_NEST_CALL_H_
