#include "generator/target/compiler_packages.h"

#include "generator/target/target.h"

namespace lathe {

absl::string_view PackagesOfCompiler(absl::string_view compiler) {
  for (const Target& target : AllTargets()) {
    if (target.compiler == compiler) return target.packages;
  }
  return compiler == "gcc" || compiler == "clang" ? compiler : "";
}

}  // namespace lathe
