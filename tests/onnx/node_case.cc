#include "tests/onnx/node_case.h"

#include <filesystem>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "generator/driver/pipeline.h"
#include "generator/driver/report/exit_code.h"
#include "generator/driver/validate/compare_parts.h"
#include "generator/driver/validate/expected_parts.h"
#include "generator/driver/validate/host_program.h"
#include "generator/interp/interpreter.h"
#include "generator/reader/onnx/data_set.h"
#include "generator/reader/onnx/read_onnx.h"
#include "generator/support/files.h"

namespace lathe::onnx {
namespace {

// A program that never ends is one that fails.
constexpr int64_t kMaxSteps = 400'000'000;

std::string FirstError(const Diagnostics& diags) {
  for (const Diagnostic& d : diags.all()) {
    if (d.severity == Severity::kError) return absl::StrCat(d.code, ": ", d.message);
  }
  return "";
}

std::string Compare(const std::vector<driver::PartBytes>& wanted,
                    const std::vector<driver::PartBytes>& got, driver::Tolerance tolerance) {
  for (size_t i = 0; i < wanted.size(); ++i) {
    const driver::Difference d = driver::CompareParts(wanted[i], got[i].bytes, tolerance);
    if (d.beyond != 0) {
      return absl::StrCat("values: output ", i, ": ", d.beyond, " of ", d.elements,
                          " elements differ, the first at ", d.first, "; at most by ", d.largest);
    }
  }
  return "";
}

std::vector<driver::PartBytes> PartsOf(const std::vector<interp::Value>& values) {
  std::vector<driver::PartBytes> parts;
  for (const interp::Value& value : values) {
    for (driver::PartBytes& part : driver::PartsOfValue(value)) parts.push_back(std::move(part));
  }
  return parts;
}

class Loading {
 public:
  Loading(NodeCase& c, const SourceFile& file, ir::Module module, ir::Context& context,
          driver::Tolerance tolerance)
      : case_(c),
        file_(file),
        module_(std::move(module)),
        context_(context),
        tolerance_(tolerance) {}

  void Generate(const Target& target) {
    Diagnostics diags;
    const auto prepared = driver::PrepareForLowering(context_, module_, target, {}, diags);
    if (prepared.ok() && !diags.has_errors()) {
      auto model = driver::GenerateModel(context_, *prepared, target, case_.name, {}, diags);
      if (model.ok() && !diags.has_errors()) model_ = *std::move(model);
    }
    if (model_) return;
    case_.refused = absl::StrCat("C: ", FirstError(diags));
    case_.is_unsupported = driver::ExitCodeOf(diags) == driver::kExitUnsupported;
  }

  void AddDataSet(const std::string& folder) {
    interp::Options options;
    options.max_steps = kMaxSteps;
    interp::Interpreter interpreter(context_, module_, std::move(options));
    const auto set = ReadDataSet(folder, file_, interpreter.budget());
    if (!set.ok()) return Fail(absl::StrCat("data: ", set.status().message()));
    std::vector<driver::PartBytes> wanted = PartsOf(set->outputs);
    Diagnostics diags;
    const auto got = interpreter.Run(*module_.Find("main"), set->inputs, diags);
    std::string problem = FirstError(diags);
    if (got.ok()) {
      const std::vector<driver::PartBytes> parts = driver::PartsOfValue(*got);
      if (set->outputs.empty()) {
        wanted = parts;
      } else if (const auto expected = driver::ExpectedParts(*set, parts); expected.ok()) {
        wanted = *expected;
        problem = Compare(wanted, parts, tolerance_);
      } else {
        problem = std::string(expected.status().message());
      }
    }
    if (!problem.empty()) Fail(problem);
    // Their memory is counted by the interpreter's budget.
    const auto given = interp::Value::OfTuple(set->outputs, interpreter.budget());
    if (model_ && given.ok()) AddProgram(*set, got.ok() ? *got : *given, *given);
  }

 private:
  void Fail(const std::string& why) {
    if (case_.interpreted.empty()) case_.interpreted = why;
  }

  // `given` are the outputs of the data set, `got` what the interpreter makes of its inputs.
  void AddProgram(const DataSet& set, const interp::Value& got, const interp::Value& given) {
    const emit::ApiFunction* main = nullptr;
    for (const emit::ApiFunction& f : model_->functions) {
      if (model_->program.routines[f.routine].name == "main") main = &f;
    }
    compiled::CompiledProgram program;
    program.name = case_.name;
    const auto parts = driver::PartsOfCall(*model_, *main, set.inputs);
    if (parts.ok() && set.outputs.empty()) {
      program.wanted = driver::PartsOfResult(*main, got);
    } else if (parts.ok()) {
      const auto form = driver::OutputLayouts(context_, *model_, *main, *parts,
                                              driver::PartsOfResult(*main, given));
      const auto expected = driver::ExpectedParts(set, form, main);
      if (expected.ok()) program.wanted = *expected;
    }
    if (!parts.ok() || parts->size() != main->inputs.size() ||
        program.wanted.size() != main->outputs.size()) {
      case_.refused = "C: the function takes or gives something else than the data set";
      return;
    }
    program.inputs = *parts;
    const auto files =
        driver::HostFiles(*model_, *main, case_.name, program.inputs, program.wanted);
    if (!files.ok()) {
      case_.refused = std::string(files.status().message());
      return;
    }
    program.files = *files;
    case_.programs.push_back(std::move(program));
  }

  NodeCase& case_;
  const SourceFile& file_;
  const ir::Module module_;
  ir::Context& context_;
  const driver::Tolerance tolerance_;
  std::optional<driver::GeneratedModel> model_;
};

}  // namespace

namespace {

ReadOptions Options(const InputShapes& shapes, bool as_defined) {
  ReadOptions options(shapes);
  options.as_defined = as_defined;
  return options;
}

// How long the sequences are that the model is given, which it does not say itself.
absl::StatusOr<InputShapes> ShapesOf(const std::filesystem::path& root, const SourceFile& file) {
  const auto set = ReadDataSet((root / "test_data_set_0").string(), file,
                               std::make_shared<interp::MemoryBudget>());
  // Strings and their like: what is wrong with them is for the import to say.
  if (!set.ok()) return InputShapes();
  return set->shapes;
}

}  // namespace

NodeCase LoadCase(const std::string& folder, const std::string& name, const Target* target,
                  driver::Tolerance tolerance, bool as_defined) {
  NodeCase c;
  c.name = name;
  absl::string_view rest = name;
  absl::ConsumePrefix(&rest, "test_");
  c.family = std::string(rest.substr(0, rest.find('_')));
  const std::filesystem::path root(folder);
  const auto text = ReadFile((root / "model.onnx").string());
  if (!text.ok()) {
    c.interpreted = std::string(text.status().message());
    return c;
  }
  const SourceFile file((root / "model.onnx").string(), *text);
  ir::Context context;
  Diagnostics diags;
  const absl::StatusOr<InputShapes> shapes = ShapesOf(root, file);
  const absl::StatusOr<ir::Module> module =
      shapes.ok() ? ReadOnnx(context, file, diags, Options(*shapes, as_defined)) : shapes.status();
  if (!module.ok() && !diags.has_errors()) {
    c.interpreted = c.refused = absl::StrCat("data: ", module.status().message());
    return c;
  }
  if (!module.ok() || diags.has_errors()) {
    c.interpreted = c.refused = absl::StrCat("import: ", FirstError(diags));
    c.is_unsupported = driver::ExitCodeOf(diags) == driver::kExitUnsupported;
    return c;
  }
  Loading loading(c, file, *module, context, tolerance);
  if (target != nullptr) loading.Generate(*target);
  for (int i = 0;; ++i) {
    const std::filesystem::path set = root / absl::StrCat("test_data_set_", i);
    std::error_code ignored;
    if (!std::filesystem::is_directory(set, ignored)) break;
    loading.AddDataSet(set.string());
  }
  return c;
}

}  // namespace lathe::onnx
