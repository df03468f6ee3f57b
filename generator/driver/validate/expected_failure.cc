#include "generator/driver/validate/expected_failure.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "generator/driver/report/status_name.h"
#include "generator/driver/validate/expected_parts.h"

namespace lathe::driver {
namespace {

// Limits an output, because outputs are also allocated on the host.
constexpr uint64_t kMaxOutputBytes = uint64_t{1} << 32;

}  // namespace

std::optional<std::string> FailureReason(const Diagnostics& diags) {
  for (const Diagnostic& d : diags.all()) {
    if (d.severity != Severity::kError) continue;
    return d.blame == Blame::kMalformed ? std::optional(d.message) : std::nullopt;
  }
  return std::nullopt;
}

absl::StatusOr<std::string> StatusOfFailedRun(const absl::StatusOr<std::string>& run,
                                              const std::string& why) {
  if (run.ok()) {
    return absl::FailedPreconditionError(
        absl::StrCat("the evaluation fails, but the compiled program does not: ", why));
  }
  if (const auto status = StatusName(run.status())) return *status;
  if (!absl::IsFailedPrecondition(run.status())) return run.status();
  return absl::FailedPreconditionError(absl::StrCat("the evaluation fails (", why, "), and ",
                                                    run.status().message(),
                                                    ", but a status was expected"));
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
    if (bytes > kMaxOutputBytes) {
      return absl::ResourceExhaustedError(
          absl::StrCat("output '", function.outputs[i].name, "' takes ",
                       bytes == UINT64_MAX ? "over 2^64" : absl::StrCat(bytes), " bytes; at most ",
                       kMaxOutputBytes, " are supported"));
    }
    room[i].bytes.assign(bytes, '\0');
  }
  return room;
}

}  // namespace lathe::driver
