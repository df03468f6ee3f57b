// Imports and evaluates a model in memory.
#ifndef LATHE_TESTS_SUPPORT_ONNX_PROGRAM_H_
#define LATHE_TESTS_SUPPORT_ONNX_PROGRAM_H_

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "generator/ir/context.h"
#include "generator/ir/module.h"
#include "generator/reader/onnx/read_onnx.h"
#include "generator/support/diagnostics.h"
#include "generator/support/source.h"

namespace lathe::testing {

struct OnnxArgument {
  std::vector<int64_t> shape;
  std::vector<double> elements;
  std::string dtype = "float32";
};

struct OnnxProgram {
  explicit OnnxProgram(const std::string& bytes, const onnx::ReadOptions& options = {});

  // "model.onnx: node 'n' (Op, #0): message [code]", one per line.
  std::string Errors() const;
  // Returns the TVMScript text, or the errors.
  std::string Text() const;
  // Returns the result for `args`, as in "(2,): 3 28", several separated by "; "; or the error.
  std::string Run(const std::vector<OnnxArgument>& args);

  SourceFile file;
  ir::Context context;
  Diagnostics diags;
  std::optional<ir::Module> module;
};

}  // namespace lathe::testing

#endif  // LATHE_TESTS_SUPPORT_ONNX_PROGRAM_H_
