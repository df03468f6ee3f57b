#include "generator/emit/c/pool_view.h"

#include <algorithm>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "generator/emit/c/names/c_names.h"
#include "generator/emit/c/print_state.h"

namespace lathe::emit {

namespace {

std::string SizeMacro(const plan::Plan& plan, const std::string& prefix,
                      const plan::PoolUse& pool) {
  return plan.has_pools() ? absl::StrCat(prefix, "_POOL_", UpperCase(pool.name), "_SIZE")
                          : absl::StrCat(prefix, "_ARENA_SIZE");
}

// A prefix keeps the name of a user's pool apart from the other variables of a program.
std::string StartOf(const plan::Plan& plan, const plan::PoolUse& pool) {
  return plan.has_pools() ? absl::StrCat("start_of_", pool.name) : pool.name;
}

}  // namespace

std::vector<std::string> NamesOfRoutines(const plan::Plan& plan) {
  std::vector<std::string> names(std::begin(kRoutineNames), std::end(kRoutineNames));
  for (const plan::PoolUse& pool : plan.pools) names.push_back(pool.name);
  names.push_back(absl::StrCat(plan.pools.back().name, "_size"));
  return names;
}

bool CanNamePool(absl::string_view name) {
  const bool taken =
      name == kStateMember || std::find(std::begin(kRoutineNames), std::end(kRoutineNames), name) !=
                                  std::end(kRoutineNames);
  return !taken && !name.empty() && CNames().Unique(name) == name &&
         std::none_of(name.begin(), name.end(), absl::ascii_isupper);
}

void AddPools(const plan::Plan& plan, const std::string& name, bool open,
              TemplateValue::Dict& view) {
  const std::string prefix = UpperCase(name);
  TemplateValue::List pools;
  for (const plan::PoolUse& pool : plan.pools) {
    const bool grows = open && &pool == &plan.pools.back();
    pools.push_back(TemplateValue::Dict{
        {"name", pool.name},
        {"start", StartOf(plan, pool)},
        {"macro", SizeMacro(plan, prefix, pool)},
        // The size of the pool in a program that calls the model: arena_size for the last pool.
        {"room", &pool == &plan.pools.back() ? "arena_size" : SizeMacro(plan, prefix, pool)},
        {"static_room", &pool == &plan.pools.back() ? absl::StrCat(prefix, "_SELFTEST_ARENA")
                                                    : SizeMacro(plan, prefix, pool)},
        {"size", absl::StrCat(pool.size)},
        {"has_fixed", pool.size > 0},
        {"grows", grows},
        {"is_used", pool.size > 0 || grows}});
  }
  const std::string& last = plan.pools.back().name;
  view["pools"] = std::move(pools);
  view["has_pools"] = plan.has_pools();
  view["arena"] = last;
  view["arena_start"] = StartOf(plan, plan.pools.back());
  view["arena_macro"] = SizeMacro(plan, prefix, plan.pools.back());
  const bool has_state = !plan.state.offsets.empty();
  view["has_state"] = has_state;
  view["memory"] = absl::StrCat(plan.has_pools() ? "&pools" : "arena, arena_size",
                                has_state ? absl::StrCat(", state, ", prefix, "_STATE_SIZE") : "");
  view["align_macro"] = absl::StrCat(prefix, plan.has_pools() ? "_POOL_ALIGN" : "_ARENA_ALIGN");
}

}  // namespace lathe::emit
