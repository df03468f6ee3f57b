// Defines graph passes. Their order, with reasons, is in driver/pipeline.cc.
#ifndef LATHE_TRANSFORM_PASS_H_
#define LATHE_TRANSFORM_PASS_H_

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "generator/ir/context.h"
#include "generator/ir/module.h"
#include "generator/support/diagnostics.h"
#include "generator/target/target.h"

namespace lathe {

// The inputs of every pass. Passes keep no state between runs.
struct PassContext {
  ir::Context& ir;
  Diagnostics& diags;
  // The compilation target; null when the pass does not run as part of a compilation.
  const Target* target = nullptr;
  bool small = false;  // small constants rather than fast kernels
};

struct Pass {
  absl::string_view name;  // the file's name, and what --after takes
  absl::Status (*run)(PassContext&, ir::Module&);
};

}  // namespace lathe

#endif  // LATHE_TRANSFORM_PASS_H_
