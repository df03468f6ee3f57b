#include "generator/driver/cli/verbs.h"

#include "generator/driver/cli/verb_analyze.h"
#include "generator/driver/cli/verb_bench.h"
#include "generator/driver/cli/verb_check.h"
#include "generator/driver/cli/verb_compile.h"
#include "generator/driver/cli/verb_completion.h"
#include "generator/driver/cli/verb_diff.h"
#include "generator/driver/cli/verb_doctor.h"
#include "generator/driver/cli/verb_explain.h"
#include "generator/driver/cli/verb_fit.h"
#include "generator/driver/cli/verb_help.h"
#include "generator/driver/cli/verb_inspect.h"
#include "generator/driver/cli/verb_ops.h"
#include "generator/driver/cli/verb_profile.h"
#include "generator/driver/cli/verb_quantize.h"
#include "generator/driver/cli/verb_reduce.h"
#include "generator/driver/cli/verb_report.h"
#include "generator/driver/cli/verb_run.h"
#include "generator/driver/cli/verb_targets.h"
#include "generator/driver/cli/verb_validate.h"

namespace lathe::driver {
namespace {

constexpr const Verb* kVerbs[] = {
    &kVerbCheck,   &kVerbRun,     &kVerbInspect,    &kVerbCompile, &kVerbAnalyze,
    &kVerbReport,  &kVerbDiff,    &kVerbValidate,   &kVerbReduce,  &kVerbFit,
    &kVerbProfile, &kVerbBench,   &kVerbQuantize,   &kVerbOps,     &kVerbTargets,
    &kVerbDoctor,  &kVerbExplain, &kVerbCompletion, &kVerbHelp,
};

}  // namespace

absl::Span<const Verb* const> AllVerbs() { return kVerbs; }

const Verb* FindVerb(absl::string_view name) {
  for (const Verb* verb : kVerbs) {
    if (verb->name == name) return verb;
  }
  return nullptr;
}

std::vector<absl::string_view> VerbNames() {
  std::vector<absl::string_view> names;
  for (const Verb* verb : kVerbs) names.push_back(verb->name);
  return names;
}

}  // namespace lathe::driver
