// What a graph pass is. The order they run in, and the reasons for it, are in driver/pipeline.cc.
#ifndef LATHE_TRANSFORM_PASS_H_
#define LATHE_TRANSFORM_PASS_H_

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "generator/ir/context.h"
#include "generator/ir/module.h"
#include "generator/support/diagnostics.h"
#include "generator/target/target.h"

namespace lathe {

// What every pass may reach. No pass keeps state of its own between runs.
struct PassContext {
  ir::Context& ir;
  Diagnostics& diags;
  // What the program is made for, on the road to C; null elsewhere.
  const Target* target = nullptr;
};

struct Pass {
  absl::string_view name;  // the file's name, and what --after takes
  absl::Status (*run)(PassContext&, ir::Module&);
};

}  // namespace lathe

#endif  // LATHE_TRANSFORM_PASS_H_
