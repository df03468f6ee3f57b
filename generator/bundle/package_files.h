// Generates the build files of a bundle in C.
#ifndef LATHE_BUNDLE_PACKAGE_FILES_H_
#define LATHE_BUNDLE_PACKAGE_FILES_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "generator/bundle/package_kinds.h"
#include "generator/emit/text/emitted_model.h"
#include "generator/ir/program.h"
#include "generator/plan/plan.h"

namespace lathe::bundle {

struct PackagedModel {
  std::string name;
  std::string version;  // "1.0.0"
  const ir::Program& program;
  const plan::Plan& plan;
  absl::Span<const emit::ApiFunction> functions;
  // Init needs the arena only: no file of weights, and no table of external functions.
  bool needs_only_memory;
};

// Adds the files of a package of this kind to `files`, the bundle of a model, and moves the bundle
// to the folder of its sources. If init needs memory only and all sizes of the first function are
// constant, the example of the package runs the self-test, if the bundle has one, else this
// function on inputs of zeros. Fails if the package cannot have one of the files.
absl::Status AddPackageFiles(const PackageKind& kind, const PackagedModel& model,
                             std::vector<emit::OutputFile>& files);

}  // namespace lathe::bundle

#endif  // LATHE_BUNDLE_PACKAGE_FILES_H_
