#include "generator/driver/validate/run_inputs.h"

#include <map>
#include <set>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "generator/analysis/derive/derive_prim_func.h"
#include "generator/driver/validate/named_arrays.h"
#include "generator/driver/validate/state_values.h"
#include "generator/interp/data/npy_format.h"
#include "generator/interp/data/npz_format.h"
#include "generator/interp/data/random_input.h"
#include "generator/interp/data/tensor_ops.h"
#include "generator/interp/match_struct_info.h"
#include "generator/interp/mentions.h"
#include "generator/reader/onnx/data_set.h"
#include "generator/support/closest_name.h"
#include "generator/support/files.h"
#include "generator/support/status.h"

namespace lathe::driver {

// Not local: StepInputs::Inputs, which the header declares, holds it.
struct NamedParameter {
  std::string name;
  ir::StructInfoRef info;
};

namespace {

using interp::Scalar;
using interp::TensorRef;
using interp::Value;
using ir::StructInfoRef;

absl::Status Usage(absl::string_view message) { return absl::InvalidArgumentError(message); }

std::vector<NamedParameter> ParametersOf(interp::Runtime& rt, ir::GlobalId id) {
  std::vector<NamedParameter> params;
  const ir::Global& global = rt.module.globals[id];
  if (const ir::Function* f = global.function()) {
    for (ir::ValueId param : f->params) {
      const ir::Value& v = rt.module.values[param];
      const StructInfoRef info = v.annotation != nullptr ? v.annotation : v.info;
      params.push_back({v.name, info != nullptr ? info : rt.ir.Object()});
    }
  } else if (const ir::PrimFunc* f = global.prim_func()) {
    const auto* info = analysis::DerivePrimFunc(rt.ir, *f)->As<ir::FuncInfo>();
    for (size_t n = 0; n < f->params.size(); ++n) {
      const ir::PrimParam& param = f->params[n];
      const std::string name =
          param.buffer != nullptr ? param.buffer->name : param.var->As<ir::SymVar>()->name;
      params.push_back(
          {name, info->params && n < info->params->size() ? (*info->params)[n] : rt.ir.Object()});
    }
  }
  return params;
}

ir::DType DTypeIn(StructInfoRef info) {
  if (const auto* t = info->As<ir::TensorInfo>()) return t->dtype;
  if (const auto* p = info->As<ir::PrimInfo>()) return p->dtype;
  return ir::DType::Void();
}

}  // namespace

class StepInputs::Inputs {
 public:
  Inputs(interp::Interpreter& interpreter, const RunOptions& options,
         std::vector<NamedParameter> parameters)
      : rt_(interpreter.runtime()), options_(options), parameters_(std::move(parameters)) {}

  absl::Status Read() {
    for (const NamedParameter& p : parameters_) AddNames(p.name, p.info);
    LATHE_RETURN_IF_ERROR(ReadFiles());
    return BindSizes();
  }

  absl::StatusOr<std::vector<Value>> Of(int64_t step) {
    step_ = step;
    for (const auto& [name, sequence] : sequences_) {
      LATHE_ASSIGN_OR_RETURN(given_[name], ToParameter(ElementOf(*sequence.array, step),
                                                       leaves_.at(name), sequence.path));
    }
    std::vector<Value> values;
    for (const NamedParameter& p : parameters_) {
      LATHE_ASSIGN_OR_RETURN(Value value, Make(p.name, p.info));
      values.push_back(std::move(value));
    }
    return values;
  }

  // The sizes that were chosen at random.
  const std::map<std::string, int64_t>& random_sizes() const { return random_sizes_; }

 private:
  // Registers the leaves of a parameter by name, and the shape variables in its info.
  void AddNames(const std::string& name, StructInfoRef info) {
    if (const auto* tuple = info->As<ir::TupleInfo>()) {
      for (size_t n = 0; n < tuple->fields.size(); ++n) {
        AddNames(absl::StrCat(name, ".", n), tuple->fields[n]);
      }
      return;
    }
    leaves_.emplace(name, info);
    for (ir::PrimRef var : interp::MentionsOf(info, rt_.scalars).shape_vars) vars_.push_back(var);
  }

  absl::Status ReadFiles() {
    for (const auto& [name, path] : options_.inputs) {
      if (!name.empty()) {
        LATHE_ASSIGN_OR_RETURN(const std::string bytes, ReadFile(path));
        LATHE_RETURN_IF_ERROR(CheckIsArray(name, path, bytes));
        LATHE_RETURN_IF_ERROR(ReadLeaf(name, path, bytes, true));
        continue;
      }
      LATHE_ASSIGN_OR_RETURN(const std::vector<interp::ZipMember> arrays,
                             ReadNamedArrays(path, *rt_.budget));
      for (const interp::ZipMember& m : arrays) {
        LATHE_RETURN_IF_ERROR(ReadLeaf(m.name, absl::StrCat(path, ":", m.name), m.bytes, false));
      }
    }
    return absl::OkStatus();
  }

  // Fails if the file is an archive, but one array is expected.
  absl::Status CheckIsArray(const std::string& name, const std::string& path,
                            const std::string& bytes) {
    auto members = interp::ReadNpzMembers(bytes, *rt_.budget);
    if (!members.ok()) return absl::OkStatus();
    std::string names;
    for (const interp::ZipMember& m : *members) {
      absl::StrAppend(&names, names.empty() ? " '" : ", '", m.name, "'");
    }
    return Usage(absl::StrCat("'", name, "' takes one array, but '", path,
                              "' is an archive; '--input ", path,
                              "' assigns its arrays to parameters by name; it has", names));
  }

  absl::Status ReadLeaf(const std::string& name, const std::string& path, const std::string& bytes,
                        bool required) {
    const auto leaf = leaves_.find(name);
    if (leaf == leaves_.end()) {
      // An archive may contain arrays for other functions.
      if (!required) return absl::OkStatus();
      std::vector<absl::string_view> names;
      for (const auto& [known, info] : leaves_) names.push_back(known);
      return Usage(absl::StrCat("'", options_.func, "' has no parameter '", name, "'",
                                DidYouMean(name, names)));
    }
    absl::StatusOr<TensorRef> tensor =
        absl::EndsWith(path, ".pb") ? onnx::ReadTensorFile(bytes, DTypeIn(leaf->second), rt_.budget)
                                    : interp::ReadNpy(bytes, rt_.budget, DTypeIn(leaf->second));
    if (!tensor.ok()) return InArrayFile(path, tensor.status());
    if (IsSequence(**tensor, leaf->second)) {
      if ((*tensor)->shape[0] != *options_.steps) {
        return Usage(absl::StrCat("'", path, "' has ", (*tensor)->shape[0],
                                  " elements along its first axis, but '--steps' is ",
                                  *options_.steps));
      }
      sequences_[name] = {*tensor, path};
      tensor = ElementOf(**tensor, 0);
    }
    LATHE_ASSIGN_OR_RETURN(Value value, ToParameter(*std::move(tensor), leaf->second, path));
    interp::BindLoneVars(value, leaf->second, scope_);
    given_[name] = std::move(value);
    return absl::OkStatus();
  }

  // An array with an element for each run.
  struct Sequence {
    TensorRef array;
    std::string path;
  };

  // Returns true if the array has one axis more than the parameter.
  bool IsSequence(const interp::Tensor& array, StructInfoRef info) const {
    if (!options_.steps) return false;
    if (const auto* t = info->As<ir::TensorInfo>()) {
      return t->ndim >= 0 && array.ndim() == t->ndim + 1;
    }
    if (info->As<ir::PrimInfo>() != nullptr) return array.ndim() == 1;
    return info->As<ir::ShapeInfo>() != nullptr && array.ndim() == 2;
  }

  static TensorRef ElementOf(const interp::Tensor& array, int64_t step) {
    interp::Tensor element = array;
    element.shape.erase(element.shape.begin());
    element.byte_offset += static_cast<uint64_t>(step) * element.bytes();
    return std::make_shared<const interp::Tensor>(std::move(element));
  }

  // Converts an array to the kind of the parameter: a scalar, a shape, a tensor.
  static absl::StatusOr<Value> ToParameter(TensorRef tensor, StructInfoRef info,
                                           const std::string& path) {
    if (const auto* prim = info->As<ir::PrimInfo>()) {
      if (tensor->num_elements() != 1) {
        return Usage(absl::StrCat("'", path, "' must contain one number for a scalar"));
      }
      const Scalar s = tensor->At(0);
      return Value(prim->dtype.is_void() ? s : s.CastTo(prim->dtype));
    }
    if (info->As<ir::ShapeInfo>() != nullptr) {
      auto dims = interp::ShapeFromTensor(*tensor);
      if (!dims.ok()) return InArrayFile(path, dims.status());
      return Value::OfShape(*std::move(dims));
    }
    return Value(std::move(tensor));
  }

  absl::Status BindSizes() {
    std::set<std::string> names;
    for (ir::PrimRef var : vars_) names.insert(var->As<ir::SymVar>()->name);
    for (const auto& [name, size] : options_.sizes) {
      if (names.count(name) > 0) continue;
      const std::vector<absl::string_view> known(names.begin(), names.end());
      return Usage(absl::StrCat("'", options_.func, "' has no shape variable '", name, "'",
                                DidYouMean(name, known)));
    }
    for (ir::PrimRef var : vars_) {
      const std::string& name = var->As<ir::SymVar>()->name;
      const auto size = options_.sizes.find(name);
      const Scalar* bound = scope_.FindShapeVar(var);
      if (size != options_.sizes.end()) {
        if (size->second < 0 && !rt_.ir.IsSigned(var)) {
          return Usage(
              absl::StrCat("'", name, "' is a size and must not be negative, got ", size->second));
        }
        if (bound != nullptr && bound->AsInt() != size->second) {
          return Usage(absl::StrCat("'", name, "' is ", size->second, " according to -D, but ",
                                    bound->AsInt(), " according to the files"));
        }
        if (bound == nullptr) scope_.BindShapeVar(var, Scalar::Int(size->second, var->dtype()));
      } else if (bound == nullptr && options_.seed) {
        const interp::Bits r = interp::RandomInput(*options_.seed, name).Next(ir::DType::UInt(8));
        // A signed number may be negative or zero.
        int64_t size = rt_.ir.IsSigned(var) ? static_cast<int64_t>(r % 12) - 4
                                            : 2 + static_cast<int64_t>(r % 8);
        const auto range = options_.ranges.find(name);
        if (range != options_.ranges.end()) size = range->second.NearestTo(size);
        random_sizes_[name] = size;
        scope_.BindShapeVar(var, Scalar::Int(random_sizes_[name], var->dtype()));
      }
    }
    return absl::OkStatus();
  }

  absl::StatusOr<Value> Make(const std::string& name, StructInfoRef info) {
    if (const auto it = given_.find(name); it != given_.end()) return it->second;
    if (const auto* tuple = info->As<ir::TupleInfo>()) {
      std::vector<Value> fields;
      for (size_t n = 0; n < tuple->fields.size(); ++n) {
        LATHE_ASSIGN_OR_RETURN(Value value, Make(absl::StrCat(name, ".", n), tuple->fields[n]));
        fields.push_back(std::move(value));
      }
      return Value::OfTuple(std::move(fields), rt_.budget);
    }
    if (!options_.seed) return Missing(name);
    return RandomValue(name, info);
  }

  absl::StatusOr<Value> RandomValue(const std::string& name, StructInfoRef info) {
    const std::string drawn = step_ == 0 ? name : absl::StrCat(name, "@", step_);
    interp::RandomInput random(*options_.seed, drawn);
    random.KeepIntegersBelow(options_.integers_below);
    if (const auto* t = info->As<ir::TensorInfo>()) {
      const ir::DType dtype = t->dtype.is_void() ? ir::DType::Float(32) : t->dtype;
      std::vector<int64_t> dims;
      if (t->dims() != nullptr) {
        LATHE_ASSIGN_OR_RETURN(dims, Dims(*t->dims()));
      } else {
        dims = RandomShape(name, t->ndim, random);
      }
      LATHE_ASSIGN_OR_RETURN(TensorRef tensor,
                             interp::NewTensor(dtype, std::move(dims), rt_.budget));
      random.Fill(*tensor);
      return Value(std::move(tensor));
    }
    if (const auto* p = info->As<ir::PrimInfo>(); p != nullptr && interp::IsComputable(p->dtype)) {
      if (p->value != nullptr) {
        LATHE_ASSIGN_OR_RETURN(const std::vector<int64_t> value, Dims({p->value}));
        return Value(Scalar::Int(value[0], p->dtype));
      }
      return Value(Scalar{p->dtype, random.Next(p->dtype)});
    }
    if (const auto* s = info->As<ir::ShapeInfo>()) {
      if (s->values) {
        LATHE_ASSIGN_OR_RETURN(std::vector<int64_t> dims, Dims(*s->values));
        return Value::OfShape(std::move(dims));
      }
      if (s->ndim == ir::kUnknownRank) {
        return Value::OfShape(RandomShape(name, s->ndim, random));
      }
      std::vector<int64_t> dims;
      dims.reserve(s->ndim);
      for (int d = 0; d < s->ndim; ++d) {
        dims.push_back(2 + static_cast<int64_t>(random.Next(ir::DType::UInt(8)) % 8));
      }
      return Value::OfShape(std::move(dims));
    }
    return Usage(absl::StrCat("'", name, "' cannot be random: it is ", rt_.Show(info),
                              options_.input_hint.empty() ? "" : "; provide it with ",
                              options_.input_hint));
  }

  // Returns a small random shape for a parameter without a declared shape.
  std::vector<int64_t> RandomShape(const std::string& name, int ndim, interp::RandomInput& random) {
    const auto below = [&](uint64_t end) {
      return static_cast<int64_t>(random.Next(ir::DType::UInt(8)) % end);
    };
    if (ndim == ir::kUnknownRank) ndim = static_cast<int>(random_sizes_[name + ".ndim"] = below(4));
    std::vector<int64_t> dims;
    for (int d = 0; d < ndim; ++d) {
      dims.push_back(random_sizes_[absl::StrCat(name, ".shape[", d, "]")] = 2 + below(4));
    }
    return dims;
  }

  absl::StatusOr<std::vector<int64_t>> Dims(const std::vector<ir::PrimRef>& dims) {
    Diagnostics diags;
    rt_.diags = &diags;
    auto values = rt_.EvalDims(dims, scope_, {});
    rt_.diags = nullptr;
    if (values.ok()) return values;
    if (diags.all().empty()) return Usage(values.status().message());
    const Diagnostic& first = diags.all()[0];
    return first.blame == Blame::kLimit ? absl::ResourceExhaustedError(first.message)
                                        : Usage(first.message);
  }

  absl::Status Missing(const std::string& name) {
    std::string list;
    for (const NamedParameter& p : parameters_) {
      absl::StrAppend(&list, "\n  ", p.name, ": ", rt_.Show(p.info));
    }
    return Usage(absl::StrCat("no input for '", name, "'; provide it with ",
                              absl::StrReplaceAll(options_.input_hint, {{"NAME", name}}),
                              ", or use ", options_.random_hint, " for random values; '",
                              options_.func, "' takes", list));
  }

  interp::Runtime& rt_;
  const RunOptions& options_;
  std::vector<NamedParameter> parameters_;
  std::map<std::string, StructInfoRef> leaves_;
  std::vector<ir::PrimRef> vars_;
  std::map<std::string, Sequence> sequences_;
  int64_t step_ = 0;
  std::map<std::string, Value> given_;
  interp::Scope scope_;
  std::map<std::string, int64_t> random_sizes_;
};

StepInputs::StepInputs(std::unique_ptr<Inputs> inputs) : inputs_(std::move(inputs)) {}
StepInputs::StepInputs(StepInputs&&) noexcept = default;
StepInputs::~StepInputs() = default;

absl::StatusOr<StepInputs> StepInputs::Read(interp::Interpreter& interpreter, ir::GlobalId function,
                                            const RunOptions& options) {
  std::vector<NamedParameter> parameters = ParametersOf(interpreter.runtime(), function);
  parameters.resize(parameters.size() - StateCount(interpreter.runtime().module, function));
  auto inputs = std::make_unique<Inputs>(interpreter, options, std::move(parameters));
  LATHE_RETURN_IF_ERROR(inputs->Read());
  return StepInputs(std::move(inputs));
}

absl::StatusOr<std::vector<Value>> StepInputs::Of(int64_t step) { return inputs_->Of(step); }

const std::map<std::string, int64_t>& StepInputs::random_sizes() const {
  return inputs_->random_sizes();
}

absl::StatusOr<std::vector<Value>> CollectInputs(interp::Interpreter& interpreter,
                                                 ir::GlobalId function, const RunOptions& options,
                                                 std::map<std::string, int64_t>* random_sizes) {
  LATHE_ASSIGN_OR_RETURN(StepInputs inputs, StepInputs::Read(interpreter, function, options));
  LATHE_ASSIGN_OR_RETURN(std::vector<Value> values, inputs.Of(0));
  if (random_sizes != nullptr) *random_sizes = inputs.random_sizes();
  const interp::Runtime& rt = interpreter.runtime();
  LATHE_ASSIGN_OR_RETURN(std::vector<Value> state, FirstState(rt.module, function, rt.budget));
  for (Value& variable : state) values.push_back(std::move(variable));
  return values;
}

}  // namespace lathe::driver
