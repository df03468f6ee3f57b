#include "generator/driver/options/step_option.h"

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"

namespace lathe::driver {

absl::StatusOr<emit::StepOptions> ReadStepOptions(const Arguments& args) {
  constexpr int64_t kMaxThousands = 1'000'000'000'000;  // the product fits 64 bits
  emit::StepOptions steps{args.Has("--hooks"), args.Has("--step") || args.Has("--step-macs")};
  if (!args.Has("--step-macs")) return steps;
  int64_t thousands = 0;
  if (!absl::SimpleAtoi(args.Value("--step-macs"), &thousands) || thousands < 1 ||
      thousands > kMaxThousands) {
    return absl::InvalidArgumentError(
        absl::StrCat("option '--step-macs' must be a number of thousands from 1 to ", kMaxThousands,
                     "; got '", args.Value("--step-macs"), "'"));
  }
  steps.most_macs = thousands * 1000;
  return steps;
}

}  // namespace lathe::driver
