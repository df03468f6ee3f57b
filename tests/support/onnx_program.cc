#include "tests/support/onnx_program.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "generator/interp/interpreter.h"
#include "generator/ir/print/print_tvmscript.h"

namespace lathe::testing {
namespace {

void Show(const interp::Value& value, std::vector<std::string>& out) {
  if (const interp::Tensor* t = value.AsTensor()) {
    std::vector<std::string> elements;
    for (uint64_t i = 0; i < t->num_elements(); ++i) elements.push_back(ToString(t->At(i)));
    out.push_back(
        absl::StrCat(interp::ShapeToString(t->shape), ": ", absl::StrJoin(elements, " ")));
  } else if (const auto* fields = value.AsTuple()) {
    for (const interp::Value& field : *fields) Show(field, out);
  } else {
    out.push_back(interp::Describe(value));
  }
}

}  // namespace

OnnxProgram::OnnxProgram(const std::string& bytes, const onnx::ReadOptions& options)
    : file("model.onnx", bytes) {
  auto read = onnx::ReadOnnx(context, file, diags, options);
  if (read.ok()) module = *std::move(read);
}

std::string OnnxProgram::Errors() const {
  std::string all;
  for (const Diagnostic& d : diags.all()) {
    absl::StrAppend(&all, RenderPlace(d.loc), d.message, " [", d.code, "]\n");
  }
  return all;
}

std::string OnnxProgram::Text() const {
  return module ? ir::PrintTvmScript(*module, {}) : Errors();
}

std::string OnnxProgram::Run(const std::vector<OnnxArgument>& args) {
  if (!module) return Errors();
  interp::Interpreter interpreter(context, *module);
  std::vector<interp::Value> values;
  for (const OnnxArgument& arg : args) {
    const auto t = *interp::NewTensor(*ir::ParseDType(arg.dtype), arg.shape, interpreter.budget());
    for (size_t i = 0; i < arg.elements.size(); ++i) {
      t->Set(i, interp::FromDouble(t->dtype, arg.elements[i]));
    }
    values.emplace_back(t);
  }
  const auto got = interpreter.Run(*module->Find("main"), values, diags);
  if (!got.ok()) return Errors();
  std::vector<std::string> out;
  Show(*got, out);
  return absl::StrJoin(out, "; ");
}

}  // namespace lathe::testing
