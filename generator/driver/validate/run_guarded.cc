#include "generator/driver/validate/run_guarded.h"

#include <filesystem>

#include "absl/strings/str_cat.h"
#include "generator/driver/report/status_name.h"
#include "generator/support/check.h"
#include "generator/support/diagnostics.h"
#include "generator/support/status.h"

namespace lathe::driver {
namespace {

// Limits the arena of a guarded model, in which no two tensors share bytes.
constexpr int64_t kMaxGuarded = int64_t{1} << 31;

// Returns true if a run may have failed only because guards need more memory.
bool IsTooLarge(const absl::Status& ended) {
  const std::optional<std::string> status = StatusName(ended);
  return absl::IsResourceExhausted(ended) || status == "LATHE_E_MEMORY" ||
         status == "LATHE_E_ARENA_SIZE";
}

}  // namespace

const emit::ApiFunction* FindFunction(const GeneratedModel& model, const std::string& name) {
  for (const emit::ApiFunction& f : model.functions) {
    if (model.program.routines[f.routine].name == name) return &f;
  }
  return nullptr;
}

GuardedRuns RunGuarded(ir::Context& context, const GeneratedModel& model, const Target& target,
                       const GenerateOptions& options, const emit::ApiFunction& function,
                       absl::string_view name, const std::string& folder, const RunModel& run) {
  GuardedRuns runs;
  runs.plain = run(model, function, folder);
  const bool ended = runs.plain.ok() || absl::IsFailedPrecondition(runs.plain.status());
  if (!ended || options.gpus != nullptr) return runs;
  const auto run_guarded = [&]() -> absl::StatusOr<std::string> {
    Diagnostics diags;  // unused: the diagnostics of `model` have been reported
    LATHE_ASSIGN_OR_RETURN(const GeneratedModel guarded,
                           GuardModel(context, model, target, name, options, diags));
    if (guarded.plan.arena_size > kMaxGuarded) {
      return absl::ResourceExhaustedError(absl::StrCat("the program needs an arena of ",
                                                       guarded.plan.arena_size,
                                                       " bytes; the maximum is ", kMaxGuarded));
    }
    const emit::ApiFunction* same =
        FindFunction(guarded, model.program.routines[function.routine].name);
    LATHE_CHECK(same != nullptr, "a guarded model exports the same functions");
    return run(guarded, *same, (std::filesystem::path(folder) / "guarded").string());
  };
  absl::StatusOr<std::string> outputs = run_guarded();
  if (outputs.ok()) {
    runs.guarded = *std::move(outputs);
  } else if (IsTooLarge(outputs.status())) {
    runs.why_unguarded =
        absl::StrCat("not run with guards around each tensor: ", outputs.status().message());
  } else if (outputs.status().message() != runs.plain.status().message()) {
    runs.fault = outputs.status();
  }
  return runs;
}

}  // namespace lathe::driver
