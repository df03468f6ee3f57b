#include "generator/lower/lower.h"

#include <optional>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "generator/ir/op.h"
#include "generator/support/status.h"
#include "generator/transform/legalize.h"

namespace lathe::lower {
namespace {

using ir::TensorId;

constexpr char kSupported[] =
    "supported: tensors of static shape, tuples of them, calls of operators and of PrimFuncs";

// The tensors a Relax value consists of, tuples flattened.
using Parts = std::vector<TensorId>;

class ComputeCall final : public ir::ComputeContext {
 public:
  ComputeCall(ir::Context& context, const ir::Module& module, ir::StructInfoRef result)
      : context_(context), module_(module), result_(result) {}
  ir::Context& ir() override { return context_; }
  ir::StructInfoRef InfoOf(const ir::Operand& operand) const override {
    return Match(
        operand.node, [&](ir::ValueId id) { return module_.values[id].info; },
        [&](ir::ConstantId id) {
          const ir::Constant& c = module_.constants[id];
          std::vector<ir::PrimRef> dims;
          for (int64_t d : c.shape) dims.push_back(context_.Int(d));
          return context_.Tensor(std::move(dims), c.dtype);
        },
        [&](const ir::ShapeExpr& s) { return context_.Shape(s.values); },
        [&](const ir::PrimValue& p) { return context_.Prim(p.value->dtype(), p.value); },
        [&](const ir::TupleExpr& t) {
          std::vector<ir::StructInfoRef> fields;
          for (const ir::Operand& f : t.fields) fields.push_back(InfoOf(f));
          return context_.Tuple(std::move(fields));
        },
        [&](const auto&) { return context_.Object(); });
  }
  ir::StructInfoRef ResultInfo() const override { return result_; }

 private:
  ir::Context& context_;
  const ir::Module& module_;
  ir::StructInfoRef result_;
};

class Lowering {
 public:
  Lowering(ir::Context& context, const ir::Module& module, Diagnostics& diags)
      : context_(context), module_(module), diags_(diags) {}

  absl::StatusOr<ir::Program> Run() {
    for (size_t i = 0; i < module_.globals.size(); ++i) {
      const ir::Global& g = module_.globals[ir::GlobalId{static_cast<int32_t>(i)}];
      if (const ir::Function* f = g.function(); f != nullptr && ir::IsExported(g)) Entry(g, *f);
    }
    if (failed_) return absl::UnimplementedError("the module cannot be lowered");
    return std::move(program_);
  }

 private:
  DiagnosticBuilder Unsupported(const Location& loc) {
    failed_ = true;
    return diags_.Unsupported(loc, "cannot-lower");
  }

  std::optional<TensorId> NewTensor(const ir::TensorInfo& info, absl::string_view name,
                                    ir::Home home, const Location& loc) {
    ir::Tensor tensor{std::string(name), info.dtype, {}, home, {}};
    bool fixed = info.dims() != nullptr;
    for (size_t i = 0; fixed && i < info.dims()->size(); ++i) {
      const auto* dim = (*info.dims())[i]->As<ir::IntImm>();
      fixed = dim != nullptr;
      if (fixed) tensor.shape.push_back(dim->value);
    }
    if (!fixed || info.dtype.is_void()) {
      Unsupported(loc) << "'" << name << "' has no static shape and dtype; " << kSupported;
      return std::nullopt;
    }
    return program_.tensors.Add(std::move(tensor));
  }

  bool NewTensors(ir::StructInfoRef info, absl::string_view name, ir::Home home,
                  const Location& loc, Parts& parts) {
    if (const auto* tensor = info->As<ir::TensorInfo>()) {
      const auto id = NewTensor(*tensor, name, home, loc);
      if (id) parts.push_back(*id);
      return id.has_value();
    }
    if (const auto* tuple = info->As<ir::TupleInfo>()) {
      for (size_t i = 0; i < tuple->fields.size(); ++i) {
        if (!NewTensors(tuple->fields[i], absl::StrCat(name, "_", i), home, loc, parts)) {
          return false;
        }
      }
      return true;
    }
    Unsupported(loc) << "'" << name << "' is " << ir::ToString(info) << "; " << kSupported;
    return false;
  }

  void Entry(const ir::Global& g, const ir::Function& f) {
    entry_ = ir::EntryPoint{g.name, {}, {}, {}};
    parts_.clear();
    for (ir::ValueId p : f.params) {
      const ir::Value& value = module_.values[p];
      Parts parts;
      if (!NewTensors(value.info, value.name, ir::Home::kInput, value.loc, parts)) return;
      entry_.inputs.insert(entry_.inputs.end(), parts.begin(), parts.end());
      parts_[p] = std::move(parts);
    }
    for (const ir::Block& block : f.body.blocks) {
      for (const ir::Binding& binding : block.bindings) {
        if (!Bind(binding)) return;
      }
    }
    const auto result = PartsOf(f.body.result, f.body.result_loc);
    if (!result) return;
    for (TensorId id : *result) entry_.outputs.push_back(AsOutput(id));
    program_.entries.push_back(std::move(entry_));
  }

  // The tensor itself, when nothing else lives in it; else an output that it is copied to.
  TensorId AsOutput(TensorId id) {
    if (program_.tensors[id].home == ir::Home::kArena) {
      program_.tensors[id].home = ir::Home::kOutput;
      return id;
    }
    ir::Tensor copy = program_.tensors[id];
    copy.home = ir::Home::kOutput;
    absl::StrAppend(&copy.name, "_out");
    const TensorId out = program_.tensors.Add(std::move(copy));
    entry_.steps.push_back({{}, {id, out}});
    return out;
  }

  std::optional<Parts> PartsOf(const ir::Operand& operand, const Location& loc) {
    if (const auto* id = operand.As<ir::ValueId>()) return parts_[*id];
    if (const auto* id = operand.As<ir::ConstantId>()) {
      const ir::Constant& c = module_.constants[*id];
      ir::Tensor tensor{absl::StrCat("const_", id->index), c.dtype, c.shape, ir::Home::kConstant,
                        *id};
      return Parts{program_.tensors.Add(std::move(tensor))};
    }
    if (const auto* tuple = operand.As<ir::TupleExpr>()) {
      Parts all;
      for (const ir::Operand& field : tuple->fields) {
        const auto parts = PartsOf(field, loc);
        if (!parts) return std::nullopt;
        all.insert(all.end(), parts->begin(), parts->end());
      }
      return all;
    }
    Unsupported(loc) << "a value that is not a tensor cannot be stored yet; " << kSupported;
    return std::nullopt;
  }

  bool Bind(const ir::Binding& b) {
    return Match(
        b.rhs,
        [&](const ir::Operand& o) {
          auto parts = PartsOf(o, b.loc);
          if (parts) parts_[b.var] = *std::move(parts);
          return parts.has_value();
        },
        [&](const ir::Call& c) { return BindCall(b, c); },
        [&](const ir::GetField& g) { return BindField(b, g); },
        [&](const ir::MatchCast&) { return Refuse(b, "R.match_cast"); },
        [&](const ir::If&) { return Refuse(b, "'if'"); },
        [&](const ir::Function&) { return Refuse(b, "a local function"); });
  }

  bool Refuse(const ir::Binding& b, absl::string_view what) {
    Unsupported(b.loc) << what << " cannot be lowered to C yet; " << kSupported;
    return false;
  }

  bool BindField(const ir::Binding& b, const ir::GetField& g) {
    const auto* id = g.tuple.As<ir::ValueId>();
    const auto* tuple = id == nullptr ? nullptr : module_.values[*id].info->As<ir::TupleInfo>();
    if (tuple == nullptr) return Refuse(b, "a field of something that is no variable");
    size_t first = 0;
    for (int i = 0; i < g.index; ++i) first += CountTensors(tuple->fields[i]);
    const Parts& all = parts_[*id];
    const size_t count = CountTensors(tuple->fields[g.index]);
    parts_[b.var] = Parts(all.begin() + first, all.begin() + first + count);
    return true;
  }

  static size_t CountTensors(ir::StructInfoRef info) {
    const auto* tuple = info->As<ir::TupleInfo>();
    if (tuple == nullptr) return 1;
    size_t count = 0;
    for (ir::StructInfoRef field : tuple->fields) count += CountTensors(field);
    return count;
  }

  bool BindCall(const ir::Binding& b, const ir::Call& call) {
    const ir::Op* op = call.op();
    if (op == nullptr) return Refuse(b, "a call of a function");
    ir::Kernel kernel;
    std::optional<ir::GlobalId> shared;  // the PrimFunc of a call_tir: one kernel for all its calls
    std::vector<const ir::Operand*> inputs;
    if (op->name == "relax.call_tir") {
      const auto* gv = call.args[0].As<ir::GlobalId>();
      const ir::PrimFunc* func = gv == nullptr ? nullptr : module_.globals[*gv].prim_func();
      if (func == nullptr) return Refuse(b, "R.call_tir of something that is no PrimFunc");
      if (call.args.size() > 2) return Refuse(b, "R.call_tir with shape arguments");
      const auto* made_of = ir::FindAttr<std::string>(func->attrs, transform::kOperatorName);
      kernel = {module_.globals[*gv].name, *func,
                made_of != nullptr ? *made_of
                                   : absl::StrCat("R.call_tir of ", module_.globals[*gv].name)};
      shared = *gv;
      inputs.push_back(&call.args[1]);
    } else if (op->compute != nullptr) {
      ComputeCall compute(context_, module_, module_.values[b.var].info);
      auto func = op->compute(compute, call);
      if (!func.ok()) {
        Unsupported(b.loc) << func.status().message();
        return false;
      }
      const absl::string_view short_name =
          absl::string_view(op->name).substr(absl::string_view(op->name).rfind('.') + 1);
      kernel = {absl::StrCat(short_name, "_", module_.values[b.var].name), *std::move(func),
                op->name};
      for (const ir::Operand& arg : call.args) {
        const bool tensor =
            arg.As<ir::ValueId>() || arg.As<ir::ConstantId>() || arg.As<ir::TupleExpr>();
        if (tensor) inputs.push_back(&arg);
      }
    } else {
      return Refuse(b, absl::StrCat("operator '", op->name, "'"));
    }
    ir::Step step;
    for (const ir::Operand* input : inputs) {
      const auto parts = PartsOf(*input, b.loc);
      if (!parts) return false;
      step.args.insert(step.args.end(), parts->begin(), parts->end());
    }
    Parts out;
    const ir::Value& value = module_.values[b.var];
    if (!NewTensors(value.info, value.name, ir::Home::kArena, b.loc, out)) return false;
    step.args.insert(step.args.end(), out.begin(), out.end());
    if (kernel.func.params.size() != step.args.size()) {
      return Refuse(b, "a PrimFunc whose parameters are not its tensors");
    }
    step.kernel = AddKernel(std::move(kernel), shared);
    entry_.steps.push_back(std::move(step));
    parts_[b.var] = std::move(out);
    return true;
  }

  ir::KernelId AddKernel(ir::Kernel kernel, std::optional<ir::GlobalId> shared) {
    if (!shared) return program_.kernels.Add(std::move(kernel));
    const auto [it, is_new] = kernels_of_.try_emplace(*shared);
    if (is_new) it->second = program_.kernels.Add(std::move(kernel));
    return it->second;
  }

  ir::Context& context_;
  const ir::Module& module_;
  Diagnostics& diags_;
  ir::Program program_;
  absl::flat_hash_map<ir::GlobalId, ir::KernelId> kernels_of_;
  ir::EntryPoint entry_;
  absl::flat_hash_map<ir::ValueId, Parts> parts_;
  bool failed_ = false;
};

}  // namespace

absl::StatusOr<ir::Program> Lower(ir::Context& context, const ir::Module& module,
                                  Diagnostics& diags) {
  return Lowering(context, module, diags).Run();
}

}  // namespace lathe::lower
