// A test case of ONNX: a model, its inputs and its expected outputs.
#ifndef LATHE_TESTS_ONNX_NODE_CASE_H_
#define LATHE_TESTS_ONNX_NODE_CASE_H_

#include <optional>
#include <string>
#include <vector>

#include "generator/driver/validate/compare_parts.h"
#include "generator/target/target.h"
#include "tests/compiled/compiled_program.h"

namespace lathe::onnx {

// ONNX's own tolerances; integers exactly.
inline constexpr driver::Tolerance kTolerance = {1e-3, 1e-7, 0};
// Of several nodes, each of which rounds.
inline constexpr driver::Tolerance kToleranceOfGraphs = {1e-3, 1e-5, 4, 4};

struct NodeCase {
  std::string name;
  std::string family;  // the operator it is about, by the folder's name
  // Why the interpreter's result is wrong or missing; empty if it is right.
  std::string interpreted;
  bool is_unsupported = false;  // and that is for want of support
  // Why there is no C of it; empty when there is.
  std::string refused;
  std::vector<compiled::CompiledProgram> programs;  // one for each data set
};

// The case in `folder`: model.onnx and test_data_set_0, test_data_set_1, ... With a `target`, the
// programs are generated for it, called `name`. Where the data has no outputs, they are to give
// what the interpreter does. `as_defined`: quantized operators round as ONNX says.
NodeCase LoadCase(const std::string& folder, const std::string& name, const Target* target,
                  driver::Tolerance tolerance, bool as_defined = false);

}  // namespace lathe::onnx

#endif  // LATHE_TESTS_ONNX_NODE_CASE_H_
