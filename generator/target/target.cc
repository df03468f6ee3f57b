#include "generator/target/target.h"

namespace lathe {
namespace {

constexpr Target kTargets[] = {
    {"generic-c99", "portable C99: no vectors, no assumptions beyond two's complement", 16},
};

}  // namespace

absl::Span<const Target> AllTargets() { return kTargets; }

const Target* FindTarget(absl::string_view name) {
  for (const Target& target : kTargets) {
    if (target.name == name) return &target;
  }
  return nullptr;
}

}  // namespace lathe
