// Imports nodes on trial: all that they emitted and reported is undone unless it is kept.
#ifndef LATHE_READER_ONNX_TRIAL_H_
#define LATHE_READER_ONNX_TRIAL_H_

#include "generator/reader/onnx/import.h"

namespace lathe::onnx {

class Trial {
 public:
  explicit Trial(Import& import);
  ~Trial();
  Trial(const Trial&) = delete;
  Trial& operator=(const Trial&) = delete;

  void Keep() { kept_ = true; }
  // Returns true if a shape is checked only when the program runs.
  bool ChecksShapes() const { return import_.builder.match_casts() != match_casts_; }

 private:
  Import& import_;
  const transform::BlockBuilder::Mark mark_;
  const int64_t match_casts_, nodes_, calls_, skipped_nodes_;
  const Diagnostics reported_;
  const bool has_unimported_;
  bool kept_ = false;
};

}  // namespace lathe::onnx

#endif  // LATHE_READER_ONNX_TRIAL_H_
