// Records how functions of the module use the tensors passed to them.
#ifndef LATHE_LOWER_PARAM_EFFECTS_H_
#define LATHE_LOWER_PARAM_EFFECTS_H_

#include <vector>

#include "absl/container/flat_hash_map.h"
#include "generator/ir/module.h"

namespace lathe::lower {

struct ParamEffects {
  std::vector<char> writes;  // the function may write to it
  std::vector<char> keeps;   // the result may share its bytes
};

class FunctionEffects {
 public:
  void Set(ir::GlobalId f, ParamEffects effects) { effects_[f] = std::move(effects); }

  // Merges `more` into the known effects. Returns whether anything changed.
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

  // False for unknown functions.
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
  // Conservatively true for unknown functions.
  bool Keeps(ir::GlobalId f, size_t param) const {
    const auto it = effects_.find(f);
    return it == effects_.end() || param >= it->second.keeps.size() || it->second.keeps[param] != 0;
  }

 private:
  absl::flat_hash_map<ir::GlobalId, ParamEffects> effects_;
};

}  // namespace lathe::lower

#endif  // LATHE_LOWER_PARAM_EFFECTS_H_
