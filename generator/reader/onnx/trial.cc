#include "generator/reader/onnx/trial.h"

namespace lathe::onnx {

Trial::Trial(Import& import)
    : import_(import),
      mark_(import.builder.Here()),
      match_casts_(import.builder.match_casts()),
      nodes_(import.nodes),
      calls_(import.calls),
      skipped_nodes_(import.skipped_nodes),
      reported_(import.diags),
      has_unimported_(import.has_unimported) {}

// The folding budgets are not restored: they limit the time of the whole import.
Trial::~Trial() {
  if (kept_) return;
  import_.builder.RestoreTo(mark_);
  import_.diags = reported_;
  import_.nodes = nodes_;
  import_.calls = calls_;
  import_.skipped_nodes = skipped_nodes_;
  import_.has_unimported = has_unimported_;
}

}  // namespace lathe::onnx
