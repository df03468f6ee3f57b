#include "generator/driver/options/fusion_options.h"

namespace lathe::driver {

schedule::Fusion ReadFusion(const Arguments& args) {
  if (args.Has(kNoFuseOption.name)) return {false, schedule::LayerJoins::kNone};
  const absl::string_view prefer = args.Value(kPreferOption.name, "");
  if (prefer == "ram") return {true, schedule::LayerJoins::kAll};
  return {true, prefer.empty() ? schedule::LayerJoins::kWorthwhile : schedule::LayerJoins::kNone};
}

bool PrefersFlash(const Arguments& args) { return args.Value(kPreferOption.name, "") == "flash"; }

}  // namespace lathe::driver
