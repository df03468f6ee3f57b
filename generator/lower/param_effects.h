// Records how the Relax functions of a module use the tensors passed to them: which they write, and
// which share bytes with the result. AnalyzeEffects (written_values.h) computes it.
#ifndef LATHE_LOWER_PARAM_EFFECTS_H_
#define LATHE_LOWER_PARAM_EFFECTS_H_

#include <vector>

#include "absl/container/flat_hash_map.h"
#include "generator/ir/module.h"

namespace lathe::lower {

// The effects of one function, an entry for each parameter.
struct ParamEffects {
  std::vector<char> writes;  // the function may write to the parameter
  std::vector<char> keeps;   // the result may share the bytes of the parameter
};

class FunctionEffects {
 public:
  void Set(ir::GlobalId f, ParamEffects effects) { effects_[f] = std::move(effects); }

  // Merges `more` into the effects of `f`, which must be set, with as many parameters. Returns
  // whether anything changed.
  bool Add(ir::GlobalId f, const ParamEffects& more) {
    ParamEffects& known = effects_[f];
    bool changed = false;
    for (size_t i = 0; i < more.writes.size(); ++i) {
      changed = changed || known.writes[i] < more.writes[i] || known.keeps[i] < more.keeps[i];
      known.writes[i] |= more.writes[i];
      known.keeps[i] |= more.keeps[i];
    }
    return changed;
  }

  // Returns false for unknown functions: if no function of the module writes in place, none is
  // recorded.
  bool Writes(ir::GlobalId f, size_t param) const {
    const auto it = effects_.find(f);
    return it != effects_.end() && param < it->second.writes.size() &&
           it->second.writes[param] != 0;
  }
  bool WritesAny(ir::GlobalId f) const {
    const auto it = effects_.find(f);
    if (it == effects_.end()) return false;
    for (char writes : it->second.writes) {
      if (writes != 0) return true;
    }
    return false;
  }
  // Returns true for unknown functions, which is conservative.
  bool Keeps(ir::GlobalId f, size_t param) const {
    const auto it = effects_.find(f);
    return it == effects_.end() || param >= it->second.keeps.size() || it->second.keeps[param] != 0;
  }

 private:
  absl::flat_hash_map<ir::GlobalId, ParamEffects> effects_;
};

}  // namespace lathe::lower

#endif  // LATHE_LOWER_PARAM_EFFECTS_H_
