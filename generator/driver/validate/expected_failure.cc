#include "generator/driver/validate/expected_failure.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "generator/driver/validate/expected_parts.h"

namespace lathe::driver {
namespace {

// Limits an output, because outputs are also allocated on the host.
constexpr uint64_t kMostBytes = uint64_t{1} << 32;

}  // namespace

std::optional<std::string> FailureReason(const Diagnostics& diags) {
  for (const Diagnostic& d : diags.all()) {
    if (d.severity != Severity::kError) continue;
    return d.blame == Blame::kMalformed ? std::optional(d.message) : std::nullopt;
  }
  return std::nullopt;
}

absl::StatusOr<std::vector<PartBytes>> ReserveOutputs(ir::Context& context,
                                                      const GeneratedModel& model,
                                                      const emit::ApiFunction& function,
                                                      const std::vector<PartBytes>& inputs) {
  std::vector<PartBytes> room = OutputLayouts(context, model, function, inputs, {});
  for (size_t i = 0; i < room.size(); ++i) {
    const auto* scalar = std::get_if<ir::PrimRef>(&function.outputs[i].part);
    if (scalar != nullptr) room[i].dtype = (*scalar)->dtype();
    uint64_t bytes = function.outputs[i].is_value ? 0 : ir::StorageBytes(room[i].dtype, 1);
    for (int64_t& dim : room[i].shape) {
      dim = std::max<int64_t>(dim, 0);
      if (__builtin_mul_overflow(bytes, static_cast<uint64_t>(dim), &bytes)) bytes = UINT64_MAX;
    }
    if (bytes > kMostBytes) {
      return absl::ResourceExhaustedError(
          absl::StrCat("output '", function.outputs[i].name, "' takes ",
                       bytes == UINT64_MAX ? "over 2^64" : absl::StrCat(bytes), " bytes; at most ",
                       kMostBytes, " are supported"));
    }
    room[i].bytes.assign(bytes, '\0');
  }
  return room;
}

}  // namespace lathe::driver
