#include "generator/schedule/finish/check_tensor_sizes.h"

#include <algorithm>
#include <limits>
#include <set>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "generator/analysis/arithmetic/shape_vars.h"

namespace lathe::schedule {
namespace {

// The limit of the sum of all bytes, where a frame counts once for each caller. Sums below it do
// not overflow.
constexpr double kMaxPlanned = 0x1p59;

// Half of the address space, the largest object in C. With 64-bit pointers, the part of it that
// processors use.
int64_t MostBytes(const Target& target) {
  return (int64_t{1} << (target.pointer_bits == 64 ? 47 : target.pointer_bits - 1)) - 1;
}

absl::Status TooLarge(absl::string_view what, absl::string_view bytes, const Target& target) {
  return absl::ResourceExhaustedError(absl::StrCat(what, " takes ", bytes, " bytes; on '",
                                                   target.name, "' the limit of a tensor is ",
                                                   MostBytes(target)));
}

// Returns the size or the largest size of a tensor; 0 if it is unbounded. A double is precise
// enough.
double BytesOf(const ir::Tensor& tensor) {
  if (tensor.is_value()) return ir::kValueBytes;
  double count = 1;
  for (ir::PrimRef dim : tensor.shape) {
    const auto* size = dim->As<ir::IntImm>();
    // A constant that exceeds 64 bits stays an operation.
    if (size == nullptr && analysis::VarsIn(dim).empty()) {
      return std::numeric_limits<double>::infinity();
    }
    if (size == nullptr) {
      count = static_cast<double>(tensor.max_elements.value_or(0));
      break;
    }
    count *= static_cast<double>(size->value);
  }
  const double lanes = std::max<int>(tensor.dtype.lanes, 1);
  const double bits = tensor.dtype.is_bool() ? 8 : tensor.dtype.bits;
  return count * lanes * bits / 8;
}

std::string Shown(double bytes) {
  return bytes < 0x1p53 ? absl::StrCat(static_cast<int64_t>(bytes)) : "more than 2^53";
}

}  // namespace

absl::Status CheckTensorSizes(const ir::Program& program, const Target& target) {
  const double most = static_cast<double>(MostBytes(target));
  std::set<int32_t> used;
  double calls = 1;
  for (int32_t i = 0; i < std::ssize(program.routines); ++i) {
    ir::ForEachStep(program.routines[ir::RoutineId{i}].steps, [&](const ir::Step& step) {
      calls += std::holds_alternative<ir::CallStep>(step.node) ? 1 : 0;
      ir::ForEachTensor(step, [&](ir::TensorId id) {
        used.insert(id.index);
        used.insert(program.Whole(id).index);
      });
    });
    for (const std::vector<ir::Part>* parts : {&program.routines[ir::RoutineId{i}].inputs,
                                               &program.routines[ir::RoutineId{i}].outputs}) {
      for (const ir::Part& part : *parts) {
        if (const auto* id = std::get_if<ir::TensorId>(&part)) used.insert(id->index);
      }
    }
  }
  double planned = 0;
  for (int32_t index : used) {
    const ir::Tensor& tensor = program.tensors[ir::TensorId{index}];
    const double bytes = BytesOf(tensor);
    if (bytes > most) {
      const std::string shape =
          absl::StrJoin(tensor.shape, ", ",
                        [](std::string* out, ir::PrimRef dim) { out->append(ir::ToString(dim)); });
      return TooLarge(absl::StrCat("'", tensor.name, "' of (", shape, ")"), Shown(bytes), target);
    }
    if (tensor.home == ir::Home::kArena) planned += bytes;
  }
  if (planned * calls > kMaxPlanned) {
    return TooLarge("the memory of the program", Shown(planned), target);
  }
  return absl::OkStatus();
}

absl::Status CheckObjectSize(absl::string_view object, int64_t bytes, const Target& target) {
  if (bytes <= MostBytes(target)) return absl::OkStatus();
  return TooLarge(object, absl::StrCat(bytes), target);
}

}  // namespace lathe::schedule
