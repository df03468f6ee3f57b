#include "generator/bundle/package_kinds.h"

namespace lathe::bundle {
namespace {

// PlatformIO, Arduino and Bazel compile in folders of their own, and packs name each include path
// of the assembler apart, so that .incbin does not find the weights there.
constexpr PackageKind kPackageKinds[] = {
    {"cmake", "", true, true},         {"make", "", false, true},
    {"zephyr", "", true, true},        {"esp-idf", "", true, true},
    {"arduino", "src/", false, false}, {"platformio", "src/", false, false},
    {"cmsis-pack", "", false, false},  {"meson", "", true, true},
    {"bazel", "src/", false, false},
};

}  // namespace

absl::Span<const PackageKind> PackageKinds() { return kPackageKinds; }

const PackageKind* FindPackageKind(absl::string_view name) {
  for (const PackageKind& kind : kPackageKinds) {
    if (kind.name == name) return &kind;
  }
  return nullptr;
}

}  // namespace lathe::bundle
