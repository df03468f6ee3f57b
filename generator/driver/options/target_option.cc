#include "generator/driver/options/target_option.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "generator/support/closest_name.h"
#include "generator/support/status.h"

namespace lathe::driver {

absl::StatusOr<ChosenTarget> ReadTargetOption(const Arguments& args, absl::string_view otherwise) {
  const absl::string_view name = args.Value("--target", otherwise);
  ChosenTarget chosen;
  if (NamesGpus(name)) {
    LATHE_ASSIGN_OR_RETURN(chosen.gpus, ReadGpus(name));
    chosen.target = &CudaTarget();
    return chosen;
  }
  chosen.target = FindTarget(name);
  if (chosen.target != nullptr) return chosen;
  const std::string as_gpu = absl::StrCat("cuda:", name);
  const std::string near = ReadGpus(as_gpu).ok() ? absl::StrCat("; did you mean '", as_gpu, "'?")
                                                 : DidYouMean(name, TargetNames());
  const auto gpu = [](std::string* out, const Gpu& row) {
    absl::StrAppend(out, "cuda:", row.name);
  };
  return absl::InvalidArgumentError(
      absl::StrCat("no target is named '", name, "'", near, "\nsupported targets: ",
                   absl::StrJoin(TargetNames(), ", "), ", ", absl::StrJoin(AllGpus(), ", ", gpu)));
}

absl::Status CheckOptionsForGpus(const Arguments& args) {
  // Looks only at given options, because a verb declares only some of these.
  for (const auto& [option, value] : args.given) {
    if (option->name == "--weights" && value == "decoded") {
      return absl::InvalidArgumentError(
          "'--weights decoded' is supported for C targets, not for GPUs; supported for GPUs: "
          "words, "
          "incbin, external");
    }
    for (absl::string_view of_c :
         {"--pool", "--externs", "--package", "--package-version", "--cc", "--cflags",
          "--cflags-only", "--stack-of", "--max-flash", "--max-stack", "--explain-peak", "--step",
          "--step-macs", "--hooks"}) {
      if (option->name != of_c) continue;
      return absl::InvalidArgumentError(
          absl::StrCat("option '", of_c, "' is supported for C targets, not for GPUs"));
    }
  }
  return absl::OkStatus();
}

}  // namespace lathe::driver
