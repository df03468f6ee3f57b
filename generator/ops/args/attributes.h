// Reads attributes of calls for inference and computation. The reader has supplied every attribute
// of the schema; values are checked here.
#ifndef LATHE_OPS_ARGS_ATTRIBUTES_H_
#define LATHE_OPS_ARGS_ATTRIBUTES_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "generator/ir/op.h"

namespace lathe::ops {

// Returns the attribute as a value of that type; nullopt when it is None, absent or of another
// type.
std::optional<int64_t> FindInt(const ir::Call& call, const std::string& name);
std::optional<std::vector<int64_t>> FindInts(const ir::Call& call, const std::string& name);
std::optional<double> FindFloat(const ir::Call& call, const std::string& name);
std::optional<std::vector<double>> FindFloats(const ir::Call& call, const std::string& name);
bool FindBool(const ir::Call& call, const std::string& name);           // false by default
std::string FindString(const ir::Call& call, const std::string& name);  // "" by default
ir::DType FindDType(const ir::Call& call, const std::string& name);     // Void by default
bool IsNone(const ir::Call& call, const std::string& name);

// Returns the attribute; fails if it is absent or of another type.
absl::StatusOr<int64_t> NeedInt(ir::InferContext& c, const ir::Call& call, const std::string& name);
absl::StatusOr<std::vector<int64_t>> NeedInts(ir::InferContext& c, const ir::Call& call,
                                              const std::string& name);
// Requires exactly `count` numbers.
absl::StatusOr<std::vector<int64_t>> NeedInts(ir::InferContext& c, const ir::Call& call,
                                              const std::string& name, size_t count);
absl::Status NeedFloats(ir::InferContext& c, const ir::Call& call, const std::string& name,
                        size_t count);
// Requires one of the strings in `allowed`.
absl::StatusOr<std::string> NeedOneOf(ir::InferContext& c, const ir::Call& call,
                                      const std::string& name,
                                      const std::vector<std::string>& allowed);

// Returns `axis` counted from the front. Fails when a tensor of `ndim` dimensions has no such axis.
absl::StatusOr<int> NormalAxis(ir::InferContext& c, const ir::Call& call, const std::string& name,
                               int64_t axis, int ndim);
// Returns several axes, normalized likewise, which must differ.
absl::StatusOr<std::vector<int>> NormalAxes(ir::InferContext& c, const ir::Call& call,
                                            const std::string& name,
                                            const std::vector<int64_t>& axes, int ndim);

// Returns the attribute. Is for computation, after inference has checked the attribute: its absence
// is an internal error.
int64_t IntAttr(const ir::Call& call, const std::string& name);
std::vector<int64_t> IntsAttr(const ir::Call& call, const std::string& name);
double FloatAttr(const ir::Call& call, const std::string& name);
std::vector<double> FloatsAttr(const ir::Call& call, const std::string& name);
// Returns `axis`, which may be negative, counted from the front.
int FromFront(int64_t axis, int ndim);
// Returns, for each axis of the result of an R.permute_dims, the axis of the tensor of `ndim`
// dimensions; without the attribute, they are reversed.
std::vector<int> PermutedAxes(const ir::Call& call, int ndim);

}  // namespace lathe::ops

#endif  // LATHE_OPS_ARGS_ATTRIBUTES_H_
