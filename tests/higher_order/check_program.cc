#include "tests/higher_order/check_program.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "generator/driver/pipeline.h"
#include "generator/driver/validate/run_inputs.h"
#include "tests/higher_order/evaluate.h"
#include "tests/higher_order/print_program.h"
#include "tests/random/check_program.h"
#include "tests/random/dice.h"
#include "tests/support/pass_probe.h"

namespace lathe::higher_order {
namespace {

constexpr int kMaxCalls = 400;

// A packed function in destination-passing style: every element twice.
absl::StatusOr<interp::Value> Twice(const interp::PackedCall& call) {
  const interp::Tensor *from = call.args[0].AsTensor(), *to = call.args[1].AsTensor();
  for (uint64_t i = 0; i < from->num_elements(); ++i) {
    to->Set(i, interp::Bits{from->At(i).bits} * 2);
  }
  return interp::Value::Unit();
}

interp::Options InterpreterSettings() {
  interp::Options settings;
  settings.max_steps = 3'000'000;
  settings.packed.Add("random.twice", Twice);
  return settings;
}

std::vector<int64_t> NumbersOf(const interp::Tensor& tensor) {
  std::vector<int64_t> numbers;
  for (uint64_t i = 0; i < tensor.num_elements(); ++i) {
    numbers.push_back(static_cast<int64_t>(tensor.At(i).bits));
  }
  return numbers;
}

Value ArgumentOf(const interp::Value& given, const Type& type) {
  const std::vector<int64_t> numbers = NumbersOf(*given.AsTensor());
  if (type.kind == Type::Kind::kBool) return {BoolValue{numbers[0] != 0}};
  if (type.kind != Type::Kind::kVector) return {ScalarValue{numbers[0]}};
  return {std::make_shared<std::vector<int64_t>>(numbers)};
}

void AppendInterpreted(const interp::Value& value, std::vector<std::vector<int64_t>>& tensors) {
  if (const interp::Tensor* tensor = value.AsTensor()) tensors.push_back(NumbersOf(*tensor));
  const auto* fields = value.AsTuple();
  for (size_t i = 0; fields != nullptr && i < fields->size(); ++i) {
    AppendInterpreted((*fields)[i], tensors);
  }
}

std::string ShowTensors(const std::vector<std::vector<int64_t>>& tensors) {
  return absl::StrJoin(tensors, " ", [](std::string* out, const std::vector<int64_t>& tensor) {
    absl::StrAppend(out, "[", absl::StrJoin(tensor, ", "), "]");
  });
}

const Function& Called(const Program& program, const std::string& name) {
  return *std::find_if(program.functions.begin(), program.functions.end(),
                       [&](const Function& f) { return f.name == name; });
}

}  // namespace

Plan PlanFor(const Program& program, uint64_t seed) {
  random::Dice dice(seed ^ 0x5eed);
  Plan plan;
  plan.seed = seed;
  const bool second = program.functions.back().name == "second" && dice.Percent(50);
  plan.function = second ? "second" : "main";
  plan.length = dice.Between(0, 4);
  const std::vector<std::string> names = random::PassNames();
  for (int64_t n = dice.Between(1, 4); n > 0; --n) plan.passes.push_back(dice.From(names));
  return plan;
}

Checked Check(const Program& program, const Plan& plan, const std::string& name) {
  Checked checked;
  const auto wrong = [&](std::string what) {
    checked.problem = std::move(what);
    return std::move(checked);
  };
  if (!NamesResolve(program)) return wrong("a name in it is hidden");
  const Function& function = Called(program, plan.function);
  driver::RunOptions run;
  run.func = plan.function;
  run.seed = 1 + plan.seed % 7;
  run.integers_below = 1000;
  if (function.own) run.sizes[*function.own] = plan.length;

  const SourceFile file("program.py", Print(program));
  ir::Context context;
  Diagnostics diags;
  const auto module = driver::LoadModule(context, file, diags);
  if (!module) return wrong(absl::StrCat("it is refused: ", testing::Errors(diags)));
  interp::Interpreter interpreter(context, *module, InterpreterSettings());
  const ir::GlobalId id = *module->Find(plan.function);
  const auto args = driver::CollectInputs(interpreter, id, run);
  if (!args.ok()) return wrong(std::string(args.status().message()));
  std::vector<Value> given;
  for (size_t i = 0; i < args->size(); ++i) {
    given.push_back(ArgumentOf((*args)[i], *function.params[i].type));
  }
  const auto value = Evaluate(program, plan.function, given, kMaxCalls);
  checked.too_long = !value.has_value();
  if (!value) return checked;
  const std::vector<std::vector<int64_t>> wanted = TensorsOf(*value);

  const auto evaluated = interpreter.Run(id, *args, diags);
  if (!evaluated.ok()) return wrong(absl::StrCat("running fails: ", testing::Errors(diags)));
  std::vector<std::vector<int64_t>> got;
  AppendInterpreted(*evaluated, got);
  if (got != wanted) {
    return wrong(absl::StrCat("run gives ", ShowTensors(got), ", not ", ShowTensors(wanted)));
  }
  random::SizesByName sizes;
  for (const Function& f : program.functions) {
    if (f.exported && f.own) sizes[*f.own] = plan.length;
  }
  const random::Outcome outcome = random::RunMain(context, *module, sizes);
  const std::string changed =
      random::Problem(context, *module, sizes, outcome, plan.passes, plan.seed % 2 == 0);
  if (!changed.empty()) {
    return wrong(absl::StrCat("passes ", absl::StrJoin(plan.passes, ","), ": ", changed));
  }
  auto compiled = compiled::CompileCall(context, *module, plan.function, name, *args, *evaluated);
  if (compiled.ok()) {
    checked.compiled = *std::move(compiled);
  } else if (absl::IsUnimplemented(compiled.status())) {
    checked.refused = std::string(compiled.status().message());
  } else {
    return wrong(std::string(compiled.status().message()));
  }
  return checked;
}

}  // namespace lathe::higher_order
