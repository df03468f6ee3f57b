// Lists the kinds of packages: the build systems that a bundle can have files for.
#ifndef LATHE_BUNDLE_PACKAGE_KINDS_H_
#define LATHE_BUNDLE_PACKAGE_KINDS_H_

#include <string>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace lathe::bundle {

// The files of a kind are the templates in templates/package/<kind>/. In their paths, NAME is the
// name of the model.
struct PackageKind {
  absl::string_view name;
  absl::string_view source_folder;  // of the generated C in the package: "src/" or ""
  bool has_targets;                 // its build has targets besides that with the name of the model
  bool takes_incbin;                // its build finds the file that the assembler includes
};

// The values of --package.
inline constexpr char kPackageChoices[] =
    "plain|cmake|make|zephyr|esp-idf|arduino|platformio|cmsis-pack|meson|bazel";

// Returns all kinds but "plain", a bundle without build files.
absl::Span<const PackageKind> PackageKinds();

// Returns the kind of this name, or null for "plain" and for unknown names.
const PackageKind* FindPackageKind(absl::string_view name);

}  // namespace lathe::bundle

#endif  // LATHE_BUNDLE_PACKAGE_KINDS_H_
