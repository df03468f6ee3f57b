#include "generator/transform/block_builder.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "generator/analysis/arithmetic/shape_vars.h"
#include "generator/analysis/arithmetic/simplify.h"
#include "generator/analysis/derive/derive_binding.h"
#include "generator/analysis/derive/derive_function.h"
#include "generator/analysis/derive/derive_operand.h"
#include "generator/analysis/derive/derive_prim_func.h"
#include "generator/analysis/derive/derive_struct_info.h"
#include "generator/analysis/well_formed/well_formed.h"
#include "generator/interp/data/scalar.h"
#include "generator/interp/data/tensor.h"
#include "generator/ir/verify_graph.h"
#include "generator/ops/complete_call.h"
#include "generator/ops/ops.h"
#include "generator/support/check.h"
#include "generator/transform/call_to_tir.h"
#include "generator/transform/consolidate_blocks.h"
#include "generator/transform/legalize.h"
#include "generator/transform/normalize.h"

namespace lathe::transform {

using ir::Operand;
using ir::StructInfoRef;

namespace {

std::optional<bool> KnownTruth(ir::PrimRef e) {
  const auto* imm = e->As<ir::IntImm>();
  if (imm == nullptr) return std::nullopt;
  return imm->value != 0;
}

// Drops all diagnostics but the first `count`.
void Truncate(Diagnostics& diags, size_t count) {
  if (diags.all().size() == count) return;
  const std::vector<Diagnostic> all = diags.all();
  diags = Diagnostics();
  for (size_t i = 0; i < count; ++i) diags.Add(all[i]);
}

}  // namespace

BlockBuilder::BlockBuilder(ir::Context& context)
    : context_(context),
      names_(module_),
      derivation_(std::make_unique<analysis::Derivation>(context, module_, premature_)) {
  module_.name = "Module";
}

StructInfoRef BlockBuilder::Tensor(std::initializer_list<int64_t> dims, ir::DType dtype) {
  std::vector<ir::PrimRef> exprs;
  for (int64_t dim : dims) exprs.push_back(context_.Int(dim));
  return context_.Tensor(std::move(exprs), dtype);
}

Operand BlockBuilder::Constant(ir::DType dtype, std::vector<int64_t> shape,
                               const std::vector<double>& elements) {
  const auto count = interp::CountElements(shape);
  LATHE_CHECK(count && *count == elements.size(), "the number of elements must match the shape");
  auto bytes = std::make_shared<std::vector<uint8_t>>(ir::StorageBytes(dtype, elements.size()));
  for (size_t i = 0; i < elements.size(); ++i) {
    interp::WriteElement(bytes->data(), dtype, i, interp::FromDouble(dtype, elements[i]));
  }
  return {module_.constants.Add({dtype, std::move(shape), std::move(bytes)})};
}

StructInfoRef BlockBuilder::InfoOf(const Operand& operand) {
  return analysis::DeriveOperand(*derivation_, operand).info;
}

void BlockBuilder::Name(const Operand& operand, absl::string_view name) {
  const auto* id = operand.As<ir::ValueId>();
  if (id != nullptr && module_.values[*id].annotation == nullptr) {
    module_.values[*id].name = std::string(name);
  }
}

void BlockBuilder::Fail(absl::string_view message) {
  for (Diagnostics* diags : {&diags_, &premature_}) {
    diags->Error(loc_, "builder-misuse") << message;
  }
}

// A function without a body.
ir::Function BlockBuilder::MakeSignature(const std::vector<Param>& params,
                                         const FunctionOptions& options) {
  ir::Function f;
  f.pure = options.pure;
  f.ret = options.ret;
  for (const Param& param : params) {
    ir::Value value;
    value.name = param.name;
    value.annotation = param.info == nullptr ? context_.Object() : param.info;
    value.loc = value.annotation_loc = loc_;
    f.params.push_back(module_.values.Add(std::move(value)));
  }
  return f;
}

void BlockBuilder::FillBody(ir::Function& f, absl::string_view name,
                            const std::function<Operand(const Operands&)>& body) {
  analysis::Derivation& d = *derivation_;
  Operands operands;
  const analysis::ShapeScope::Mark mark = d.shape_scope.Enter();
  for (ir::ValueId id : f.params) {
    for (ir::PrimRef var : analysis::BindingVars(module_.values[id].annotation)) {
      d.shape_scope.Add(var);
    }
    operands.push_back({id});
  }
  for (ir::ValueId id : f.params) d.Bind(id, {d.Normalize(module_.values[id].annotation)});
  const analysis::Derivation::Function outer =
      std::exchange(d.function, {&f, std::string(name), false});
  f.body = CollectBody([&] { return body(operands); });
  for (ir::ValueId id : f.params) d.Unbind(id);
  d.shape_scope.Leave(mark);
  d.function = outer;
}

ir::GlobalId BlockBuilder::Function(absl::string_view name, const std::vector<Param>& params,
                                    const std::function<Operand(const Operands&)>& body,
                                    const FunctionOptions& options) {
  LATHE_CHECK(bodies_.empty(), "functions of the module must not be nested");
  ir::Function f = MakeSignature(params, options);
  const std::string unique = names_.Unique(name);
  if (options.exported) f.attrs[ir::kGlobalSymbol] = ir::AttrValue(unique);
  FillBody(f, unique, body);
  // Derives the whole function again, as for one that was read, which checks its result.
  const analysis::Derived derived = analysis::DeriveFunction(*derivation_, f, unique);
  const ir::GlobalId id = module_.globals.Add({unique, std::move(f), loc_});
  derivation_->globals.Add(derived);
  return id;
}

ir::GlobalId BlockBuilder::Declare(absl::string_view name, const std::vector<Param>& params,
                                   const FunctionOptions& options) {
  LATHE_CHECK(options.ret != nullptr, "a declared function needs a result annotation");
  ir::Function f = MakeSignature(params, options);
  const std::string unique = names_.Unique(name);
  if (options.exported) f.attrs[ir::kGlobalSymbol] = ir::AttrValue(unique);
  derivation_->globals.Add(analysis::DeriveSignature(*derivation_, f));
  return module_.globals.Add({unique, std::move(f), loc_});
}

void BlockBuilder::Define(ir::GlobalId function,
                          const std::function<Operand(const Operands&)>& body) {
  LATHE_CHECK(bodies_.empty(), "functions of the module must not be nested");
  // Moved out of the module while it is filled, because its body may add functions.
  ir::Function f = *module_.globals[function].function();
  FillBody(f, module_.globals[function].name, body);
  analysis::DeriveFunction(*derivation_, f, module_.globals[function].name);
  module_.globals[function].def = std::move(f);
}

Operand BlockBuilder::LocalFunction(
    absl::string_view name, const std::vector<Param>& params,
    const std::function<Operand(const Operands&, const Operand&)>& body,
    const FunctionOptions& options) {
  LATHE_CHECK(!bodies_.empty(), "a local function must be inside a function");
  ir::Function f = MakeSignature(params, options);
  ir::Value value;
  value.name = std::string(name);
  value.dataflow = in_dataflow_;
  value.loc = loc_;
  const ir::ValueId id = module_.values.Add(std::move(value));
  derivation_->Bind(id, analysis::DeriveSignature(*derivation_, f));
  FillBody(f, name, [&](const Operands& in) { return body(in, Operand{id}); });
  derivation_->Unbind(id);
  return Place(id, std::move(f));
}

ir::GlobalId BlockBuilder::PrimFunc(absl::string_view name, ir::PrimFunc func) {
  derivation_->globals.Add({analysis::DerivePrimFunc(context_, func)});
  return module_.globals.Add({names_.Unique(name), std::move(func), loc_});
}

Operand BlockBuilder::Bind(ir::Rhs rhs, absl::string_view name, bool dataflow) {
  ir::Value value;
  value.name = std::string(name);
  value.dataflow = dataflow;
  value.loc = loc_;
  return Place(module_.values.Add(std::move(value)), std::move(rhs));
}

// Appends a binding of `id` to the open body.
Operand BlockBuilder::Place(ir::ValueId id, ir::Rhs rhs) {
  LATHE_CHECK(!bodies_.empty(), "a binding must be inside a function");
  std::vector<ir::Block>& blocks = bodies_.back()->blocks;
  if (blocks.empty() || blocks.back().dataflow != in_dataflow_) {
    blocks.push_back({in_dataflow_, {}, loc_});
  }
  blocks.back().bindings.push_back({id, std::move(rhs), loc_});
  derivation_->function.in_dataflow = in_dataflow_;
  analysis::DeriveBinding(*derivation_, blocks.back().bindings.back());
  return {id};
}

Operand BlockBuilder::Emit(ir::Rhs rhs, absl::string_view name) {
  return Bind(std::move(rhs), name, in_dataflow_);
}

Operand BlockBuilder::Op(absl::string_view op, Operands args, ir::AttrMap attrs,
                         absl::string_view name) {
  const ir::Op* found = ops::FindOp(op);
  if (found == nullptr) {
    Fail(absl::StrCat("no operator is named '", op, "'"));
    return Bind(Tuple(std::move(args)), name, in_dataflow_);
  }
  size_t most = 0;
  for (const ir::OpParam& param : found->params) {
    most = param.variadic ? args.size() : most + (param.attr ? 0 : 1);
    if (param.variadic) break;
  }
  if (args.size() > most) {
    Fail(absl::StrCat(op, " takes ", most, " argument", most == 1 ? "" : "s", ", got ",
                      args.size()));
    return Bind(Tuple(std::move(args)), name, in_dataflow_);
  }
  ir::Call call;
  call.callee = found;
  call.attrs = std::move(attrs);
  std::vector<std::optional<Operand>> given(args.begin(), args.end());
  const absl::Status complete = ops::CompleteCall(context_, *found, std::move(given), call);
  if (!complete.ok()) {
    Fail(absl::StrCat(op, ": ", complete.message()));
    return Bind(Tuple(std::move(args)), name, in_dataflow_);
  }
  return Bind(std::move(call), name, in_dataflow_);
}

Operand BlockBuilder::Call(ir::GlobalId function, Operands args, absl::string_view name) {
  ir::Call call;
  call.callee = function;
  call.args = std::move(args);
  return Bind(std::move(call), name, in_dataflow_);
}

Operand BlockBuilder::Call(const Operand& function, Operands args, absl::string_view name) {
  const auto* id = function.As<ir::ValueId>();
  LATHE_CHECK(id != nullptr, "a function that is called is a variable");
  ir::Call call;
  call.callee = *id;
  call.args = std::move(args);
  return Bind(std::move(call), name, in_dataflow_);
}

Operand BlockBuilder::Field(Operand tuple, int index, absl::string_view name) {
  return Bind(ir::GetField{std::move(tuple), index}, name, in_dataflow_);
}

Operand BlockBuilder::MatchCast(Operand value, StructInfoRef info, absl::string_view name) {
  ++match_casts_;
  return Bind(ir::MatchCast{std::move(value), info, loc_}, name, in_dataflow_);
}

BlockBuilder::Mark BlockBuilder::Here() const {
  LATHE_CHECK(!bodies_.empty(), "bindings are inside a function");
  const std::vector<ir::Block>& blocks = bodies_.back()->blocks;
  return {blocks.size(), blocks.empty() ? 0 : blocks.back().bindings.size(), diags_.all().size(),
          premature_.all().size()};
}

void BlockBuilder::RestoreTo(const Mark& mark) {
  LATHE_CHECK(!bodies_.empty(), "bindings are inside a function");
  std::vector<ir::Block>& blocks = bodies_.back()->blocks;
  for (size_t i = blocks.size(); i-- > 0 && i + 1 >= mark.blocks;) {
    std::vector<ir::Binding>& bindings = blocks[i].bindings;
    const size_t kept = i + 1 == mark.blocks ? mark.bindings : 0;
    while (bindings.size() > kept) {
      derivation_->Unbind(bindings.back().var);
      bindings.pop_back();
    }
    if (i >= mark.blocks) blocks.pop_back();
  }
  Truncate(diags_, mark.errors);
  Truncate(premature_, mark.premature);
}

Operand BlockBuilder::If(Operand cond, const std::function<Operand()>& then_body,
                         const std::function<Operand()>& else_body, absl::string_view name) {
  LATHE_CHECK(!in_dataflow_, "dataflow blocks have no branches");
  ir::If branch;
  branch.cond = std::move(cond);
  branch.then_body = CollectBody(then_body);
  branch.else_body = CollectBody(else_body);
  return Bind(std::move(branch), name, false);
}

Operand BlockBuilder::CallTir(ir::GlobalId func, Operands args, StructInfoRef result,
                              absl::string_view name) {
  return Bind(transform::CallTir(func, args, {}, result), name, in_dataflow_);
}

Operand BlockBuilder::EmitTe(absl::string_view name, const Operands& args,
                             const ComputeFn& compute) {
  std::vector<ops::Te::NamedInfo> inputs;
  for (size_t i = 0; i < args.size(); ++i) {
    const auto* id = args[i].As<ir::ValueId>();
    const std::string input = id == nullptr ? absl::StrCat("arg", i) : module_.values[*id].name;
    inputs.push_back({input, InfoOf(args[i])});
    if (inputs.back().info->As<ir::TensorInfo>() != nullptr) continue;
    Fail(absl::StrCat("argument ", i, " of '", name, "' is ", ToString(inputs.back().info),
                      ", not a tensor"));
    return Bind(Tuple(args), "lv", in_dataflow_);
  }
  absl::StatusOr<ops::Te> te = ops::Te::Of(context_, inputs);
  if (!te.ok()) {
    Fail(absl::StrCat("'", name, "' cannot be computed: ", te.status().message()));
    return Bind(Tuple(args), "lv", in_dataflow_);
  }
  const std::vector<ir::BufferRef> outputs = compute(*te);
  std::vector<StructInfoRef> results;
  for (ir::BufferRef output : outputs) {
    results.push_back(context_.Tensor(output->shape, output->dtype));
  }
  std::vector<ops::Te::Condition>& conditions = te->conditions();
  for (ops::Te::Condition& c : conditions) {
    c.holds = analysis::Simplify(context_, c.holds);
    if (KnownTruth(c.holds) != false) continue;
    for (Diagnostics* diags : {&diags_, &premature_}) {
      diags->Error(loc_, "op-argument-shape") << c.why;
    }
  }
  conditions.erase(std::remove_if(conditions.begin(), conditions.end(),
                                  [](const auto& c) { return KnownTruth(c.holds) == true; }),
                   conditions.end());
  ir::PrimFunc func = te->Finish(outputs);
  func.attrs[kOperatorName] = ir::AttrValue(std::string(name));
  const absl::StatusOr<std::vector<ir::PrimRef>> sizes = AddSizeParams(func);
  if (!sizes.ok()) {
    Fail(absl::StrCat("'", name, "' cannot be computed: ", sizes.status().message()));
    return Bind(Tuple(args), "lv", in_dataflow_);
  }
  StructInfoRef result = results.size() == 1 ? results[0] : context_.Tuple(results);
  const ir::GlobalId id = PrimFunc(name, std::move(func));
  return Bind(transform::CallTir(id, args, *sizes, result), "lv", in_dataflow_);
}

// Collects the bindings that `body` emits in a new body.
ir::Body BlockBuilder::CollectBody(const std::function<Operand()>& body) {
  ir::Body gathered;
  analysis::Derivation& d = *derivation_;
  const analysis::ShapeScope::Mark mark = d.shape_scope.Enter();
  const bool in_dataflow = std::exchange(in_dataflow_, false);
  const Location outer_loc = loc_;
  bodies_.push_back(&gathered);
  gathered.result = body();
  bodies_.pop_back();
  in_dataflow_ = in_dataflow;
  gathered.result_loc = At(outer_loc);
  for (const ir::Block& block : gathered.blocks) {
    for (const ir::Binding& binding : block.bindings) d.Unbind(binding.var);
  }
  d.shape_scope.Leave(mark);
  ConsolidateBlocks(gathered);
  return gathered;
}

Operand BlockBuilder::Dataflow(const std::function<Operand()>& body) {
  LATHE_CHECK(!in_dataflow_, "dataflow blocks must not be nested");
  in_dataflow_ = true;
  Operand result = body();
  in_dataflow_ = false;
  return result;
}

Operand BlockBuilder::Output(Operand value, absl::string_view name) {
  LATHE_CHECK(in_dataflow_, "outputs leave a dataflow block");
  return Bind(std::move(value), name, false);
}

absl::StatusOr<ir::Module> BlockBuilder::Finish() {
  LATHE_CHECK(bodies_.empty(), "every function is finished");
  if (!diags_.has_errors()) analysis::CheckWellFormed(context_, module_, diags_);
  if (!diags_.has_errors()) analysis::DeriveStructInfo(context_, module_, diags_);
  if (!diags_.has_errors()) {
    ir::VerifyGraph(module_, "the block builder");
    Normalize(context_, module_);
    analysis::CheckWellFormedWithInfos(context_, module_, diags_);
  }
  if (diags_.has_errors()) {
    std::string all = "the module is not well-formed";
    for (const Diagnostic& d : diags_.all()) {
      if (d.severity == Severity::kError) absl::StrAppend(&all, "\n", Render(d));
    }
    return absl::InvalidArgumentError(all);
  }
  return std::exchange(module_, ir::Module());
}

}  // namespace lathe::transform
