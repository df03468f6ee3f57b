#include "tests/support/run_program.h"

#include "absl/strings/str_cat.h"
#include "generator/analysis/derive/derive_struct_info.h"
#include "generator/reader/read_module.h"
#include "gtest/gtest.h"

namespace lathe::interp {

Program::Program(const std::string& text, Options options) : file_("test.py", text) {
  absl::StatusOr<ir::Module> module = ReadModule(context_, file_, diags_);
  if (!module.ok()) {
    ADD_FAILURE() << "cannot be read:\n" << Errors();
    return;
  }
  module_ = *std::move(module);
  analysis::DeriveStructInfo(context_, module_, diags_);
  EXPECT_FALSE(diags_.has_errors()) << Errors();
  options.print = [this](absl::string_view text) { absl::StrAppend(&printed, text); };
  interpreter_ = std::make_unique<Interpreter>(context_, module_, std::move(options));
}

absl::StatusOr<Value> Program::RunValue(std::vector<Value> args, const std::string& function) {
  diags_ = Diagnostics();
  if (interpreter_ == nullptr) return absl::InvalidArgumentError("no module");
  const std::optional<ir::GlobalId> id = module_.Find(function);
  if (!id) return absl::NotFoundError("no function");
  return interpreter_->Run(*id, std::move(args), diags_);
}

std::string Program::Run(std::vector<Value> args, const std::string& function) {
  const absl::StatusOr<Value> value = RunValue(std::move(args), function);
  if (value.ok()) {
    EXPECT_FALSE(diags_.has_errors()) << Errors();
    return ShowValue(*value);
  }
  EXPECT_TRUE(diags_.has_errors()) << value.status();
  return Errors();
}

std::string Program::Errors() const {
  std::string text;
  for (const Diagnostic& d : diags_.all()) {
    if (d.severity == Severity::kError) absl::StrAppend(&text, d.message, " [", d.code, "]\n");
  }
  return text;
}

Value Program::Of(ir::DType dtype, std::vector<int64_t> shape,
                  const std::vector<double>& elements) {
  const auto tensor = NewTensor(dtype, std::move(shape), interpreter_->budget());
  EXPECT_TRUE(tensor.ok()) << tensor.status();
  for (size_t n = 0; n < elements.size(); ++n) (*tensor)->Set(n, FromDouble(dtype, elements[n]));
  return Value(*tensor);
}

Value Program::Floats(std::vector<int64_t> shape, const std::vector<double>& elements) {
  return Of(ir::DType::Float(32), std::move(shape), elements);
}

}  // namespace lathe::interp
