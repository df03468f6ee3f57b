#include "tests/support/relay_program.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "generator/interp/interpreter.h"
#include "generator/reader/relay_text/read_relay_text.h"

namespace lathe::testing {
namespace {

void ShowResult(const interp::Value& value, std::vector<std::string>& out) {
  if (const interp::Tensor* t = value.AsTensor()) {
    std::string line =
        absl::StrCat(ir::ToString(t->dtype), "(", absl::StrJoin(t->shape, ", "), "):");
    for (uint64_t i = 0; i < t->num_elements(); ++i)
      absl::StrAppend(&line, " ", ToString(t->At(i)));
    out.push_back(line);
  } else if (const auto* fields = value.AsTuple()) {
    for (const interp::Value& field : *fields) ShowResult(field, out);
  } else {
    out.push_back(interp::Describe(value));
  }
}

}  // namespace

RelayProgram::RelayProgram(const std::string& text)
    : file("test.relay", "#[version = \"0.0.5\"]\n" + text) {
  auto read = relay::ReadRelayText(context, file, diags);
  if (read.ok()) module = *std::move(read);
}

std::string RelayProgram::Errors() const {
  std::string all;
  for (const Diagnostic& d : diags.all()) absl::StrAppend(&all, d.message, " [", d.code, "]\n");
  return all;
}

std::string RelayProgram::Run(const std::vector<RelayArgument>& args) {
  if (!module) return Errors();
  interp::Interpreter interpreter(context, *module);
  std::vector<interp::Value> values;
  for (const RelayArgument& arg : args) {
    const auto t = *interp::NewTensor(*ir::ParseDType(arg.dtype), arg.shape, interpreter.budget());
    for (size_t i = 0; i < arg.elements.size(); ++i) {
      t->Set(i, interp::FromDouble(t->dtype, arg.elements[i]));
    }
    values.emplace_back(t);
  }
  const auto got = interpreter.Run(*module->Find("main"), values, diags);
  if (!got.ok()) return Errors();
  std::vector<std::string> out;
  ShowResult(*got, out);
  return absl::StrJoin(out, "; ");
}

std::string RelayParams(const std::vector<std::string>& names,
                        const std::vector<RelayArgument>& args) {
  std::vector<std::string> params;
  for (size_t i = 0; i < names.size(); ++i) {
    params.push_back(absl::StrCat("%", names[i], ": Tensor[(", absl::StrJoin(args[i].shape, ", "),
                                  "), ", args[i].dtype, "]"));
  }
  return absl::StrJoin(params, ", ");
}

}  // namespace lathe::testing
