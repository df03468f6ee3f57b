#include "generator/driver/target_option.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "generator/support/closest_name.h"

namespace lathe::driver {

absl::StatusOr<const Target*> ReadTargetOption(const Arguments& args, absl::string_view otherwise) {
  const absl::string_view name = args.Value("--target", otherwise);
  if (const Target* target = FindTarget(name)) return target;
  return absl::InvalidArgumentError(
      absl::StrCat("no target is named '", name, "'", DidYouMean(name, TargetNames()),
                   "\nthe targets are: ", absl::StrJoin(TargetNames(), ", ")));
}

}  // namespace lathe::driver
