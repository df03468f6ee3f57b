#include "tests/kernels/program_text.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace lathe::kernels {
namespace {

std::string Numbers(const Dims& shape, size_t axis, int& next) {
  if (axis == shape.size()) {
    next = (next * 29 + 17) % 211;
    return absl::StrCat(next % 2 == 0 ? "" : "-", "0.", next);
  }
  std::string text = "[";
  for (int64_t i = 0; i < shape[axis]; ++i) {
    absl::StrAppend(&text, i == 0 ? "" : ", ", Numbers(shape, axis + 1, next));
  }
  return text + "]";
}

}  // namespace

std::string Constant(const Dims& shape) {
  int next = 5;
  return absl::StrCat("R.const(", Numbers(shape, 0, next), ", \"float32\")");
}

std::string Shape(const Dims& dims) { return absl::StrCat("(", absl::StrJoin(dims, ", "), ",)"); }

std::string Program(const std::string& params, const std::vector<std::string>& lines) {
  std::string text = absl::StrCat(
      "from tvm.script import ir as I, relax as R\n\n\n@I.ir_module\nclass Module:\n"
      "    @R.function\n    def main(",
      params, "):\n        with R.dataflow():\n");
  for (const std::string& line : lines) absl::StrAppend(&text, "            ", line, "\n");
  return absl::StrCat(text, "            R.output(out)\n        return out\n");
}

std::string Param(const char* name, const std::string& shape) {
  return absl::StrCat(name, ": R.Tensor(", shape, ", \"float32\")");
}

}  // namespace lathe::kernels
