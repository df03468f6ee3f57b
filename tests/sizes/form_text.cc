#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "tests/kernels/program_text.h"
#include "tests/sizes/form_rows.h"

namespace lathe::sizes {

FormDim FormText::Open() {
  switch (dice.Below(5)) {
    case 0:
    case 1:
      return {"n0", sizes_.n};
    case 2:
    case 3:
      return {"m1", sizes_.m};
    default:
      return Fixed();
  }
}

FormDim FormText::Fixed() {
  const int64_t size =
      dice.Percent(50) ? (dice.Percent(50) ? sizes_.n : sizes_.m) : dice.From(sizes_.choices);
  return {absl::StrCat(size), size};
}

FormDim FormText::Few() {
  const int64_t size = std::min<int64_t>(dice.From(sizes_.choices), 3);
  return {absl::StrCat(size), size};
}

std::string FormText::Shape(const std::vector<FormDim>& dims) {
  std::string text = "(";
  for (const FormDim& dim : dims) absl::StrAppend(&text, dim.text, ", ");
  return text + ")";
}

std::string FormText::Param(const std::vector<FormDim>& dims, const std::string& dtype) {
  const std::string name = absl::StrCat("x", count_++);
  std::string shape = "(";
  for (const FormDim& dim : dims) {
    const bool number = dim.text[0] >= '0' && dim.text[0] <= '9';
    absl::StrAppend(&shape, number ? dim.text : absl::StrCat("\"", dim.text, "\""), ", ");
  }
  absl::StrAppend(&params_, params_.empty() ? "" : ", ", name, ": R.Tensor(", shape, "), \"", dtype,
                  "\")");
  return name;
}

std::string FormText::Weights(const std::vector<FormDim>& dims) {
  kernels::Dims sizes;
  int64_t count = 1;
  for (const FormDim& dim : dims) {
    sizes.push_back(dim.size);
    count *= dim.size;
  }
  // Of a list without elements the text does not say the other dimensions.
  if (count == 0)
    return absl::StrCat("R.zeros(R.shape([", absl::StrJoin(sizes, ", "), "]), \"float32\")");
  return kernels::Constant(sizes);
}

std::string FormText::Line(const std::string& value) {
  const std::string name = absl::StrCat("v", count_++);
  absl::StrAppend(&lines_, "            ", name, " = ", value, "\n");
  return name;
}

std::string FormText::Program(const std::string& out) const {
  return absl::StrCat(
      "from tvm.script import ir as I, relax as R, tir as T\n\n\n@I.ir_module\nclass Module:\n"
      "    @R.function\n    def main(",
      params_, "):\n        n0 = T.int64()\n        m1 = T.int64()\n        with R.dataflow():\n",
      lines_, "            R.output(", out, ")\n        return ", out, "\n");
}

}  // namespace lathe::sizes
