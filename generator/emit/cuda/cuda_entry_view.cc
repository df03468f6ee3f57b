#include "generator/emit/cuda/cuda_entry_view.h"

#include <algorithm>
#include <deque>
#include <set>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "generator/emit/c/kernel/print_c_element.h"
#include "generator/emit/c/kernel/stored_element.h"
#include "generator/emit/c/names/c_names.h"
#include "generator/emit/c/port_view.h"
#include "generator/ir/packed_elements.h"
#include "generator/support/status.h"

namespace lathe::emit {
namespace {

using Dict = TemplateValue::Dict;
using List = TemplateValue::List;
using ir::PrimRef;

// The value of a dynamic size in examples, clamped to its range.
constexpr int64_t kExampleSize = 4;
// The capacity of an output in examples if its number of elements is dynamic and has no bound.
constexpr int64_t kExampleRoom = 1024;

// Returns whether `part` is an int64 scalar, such as a size. Workspace sizes depend only on these.
bool IsDim(const ir::Part& part) {
  const auto* var = std::get_if<PrimRef>(&part);
  return var != nullptr && (*var)->dtype() == ir::DType::Int(64);
}

class CudaEntryViewBuilder {
 public:
  CudaEntryViewBuilder(Model& model, NeedPrinter& needs, ir::RoutineId id, const RoutineText& text,
                       const std::vector<int64_t>& before, std::set<std::string>& shown,
                       EmittedModel& emitted)
      : model_(model),
        needs_(needs),
        id_(id),
        routine_(model.program.routines[id]),
        text_(text),
        before_(before),
        shown_(shown),
        emitted_(emitted) {}

  absl::StatusOr<Dict> Build() {
    const CName& function = model_.entries.at(id_);
    const CName prefix = routine_.name == "main" ? model_.name : function;
    Name(prefix);
    ApiFunction api{id_, function,        prefix,         model_.plan.frames[id_].open, {}, {}, {},
                    {},  routine_.params, routine_.result};
    for (const Member& m : inputs_) {
      api.inputs.push_back(ApiPortOf(model_, m));
      api.inputs.back().is_dim = IsDim(m.port->part);
      api.inputs.back().device = DeviceOf(m.port->part);
    }
    for (const Member& m : outputs_) {
      api.outputs.push_back(ApiPortOf(model_, m));
      api.outputs.back().on_host = IsOnHost(m.port->part);
      api.outputs.back().device = DeviceOf(m.port->part);
    }
    LATHE_RETURN_IF_ERROR(Needs());
    Unfits();
    emitted_.functions.push_back(std::move(api));

    List dims, tensors, inputs, outputs;
    for (const Member& m : inputs_) {
      LATHE_ASSIGN_OR_RETURN(Dict view, ViewOf(m, false));
      if (IsDim(m.port->part)) {
        dims.push_back(std::move(view));
        continue;
      }
      if (m.port->part.index() == 0) tensors.push_back(view);
      inputs.push_back(std::move(view));
    }
    for (const Member& m : outputs_) {
      LATHE_ASSIGN_OR_RETURN(Dict view, ViewOf(m, true));
      if (m.port->part.index() == 0) tensors.push_back(view);
      outputs.push_back(std::move(view));
    }
    const auto has_macros = [](const TemplateValue& tensor) {
      const Dict& of = *tensor.As<Dict>();
      return *of.at("is_static").As<bool>() || *of.at("is_bounded").As<bool>();
    };
    const bool has_macro = absl::c_any_of(tensors, has_macros);
    const bool has_dims = !dims.empty(), has_inputs = !inputs.empty();
    const bool has_outputs = !outputs.empty();
    Dict view{{"function", function},
              {"prefix", prefix},
              {"dims", std::move(dims)},
              {"has_dims", has_dims},
              {"tensors", std::move(tensors)},
              {"inputs", std::move(inputs)},
              {"has_inputs", has_inputs},
              {"outputs", std::move(outputs)},
              {"has_outputs", has_outputs},
              {"has_need", !need_calls_.back().empty()},
              {"unfits", absl::StrJoin(unfits_, " || ")},
              {"need_call", need_calls_.back()},
              {"exact", exact_},
              {"call", Call()}};
    if (model_.plan.has_devices()) view["memories"] = Memories();
    AddChecks(model_, routine_, inputs_, outputs_, view);
    view["has_macros"] = has_macro || !view["ranges"].As<List>()->empty();
    return view;
  }

 private:
  // Prints the calls that compute the workspace size of a run, for each memory.
  absl::Status Needs() {
    const plan::Frame& frame = model_.plan.frames[id_];
    for (size_t pool = 0; pool < frame.shares.size(); ++pool) {
      LATHE_ASSIGN_OR_RETURN(const std::optional<Need> need, needs_.Of(id_, pool));
      need_calls_.emplace_back();
      exact_ = exact_ && (need ? need->exact : !frame.shares[pool].open);
      if (!need) continue;
      std::vector<std::string> args;
      for (PrimRef var : need->vars) {
        const Member* member = DimOf(var);
        if (member == nullptr) {
          return absl::UnimplementedError(
              absl::StrCat("the workspace of '", routine_.name, "' depends on '", ir::ToString(var),
                           "' of ", ToString(var->dtype()), "; supported: sizes of int64"));
        }
        args.push_back(member->place);
      }
      need_calls_.back() = absl::StrCat(need->function, "(", absl::StrJoin(args, ", "), ")");
    }
    return absl::OkStatus();
  }

  // Prints the conditions under which a size is rejected.
  void Unfits() {
    for (size_t i = 0; i < inputs_.size(); ++i) {
      const Member& m = inputs_[i];
      if (!IsDim(m.port->part)) continue;
      if (unfits_.empty()) unfits_.push_back("dims == NULL");
      const auto same = std::find_if(inputs_.begin(), inputs_.begin() + static_cast<int64_t>(i),
                                     [&](const Member& k) { return k.port->part == m.port->part; });
      const PrimRef var = std::get<PrimRef>(m.port->part);
      std::string unfit = same->place == m.place ? UnfitSize(model_, routine_, var, m.place)
                                                 : absl::StrCat(m.place, " != ", same->place);
      if (!unfit.empty()) unfits_.push_back(std::move(unfit));
    }
  }

  // Returns the data from which workspace_size computes the workspace of each device.
  List Memories() const {
    List memories;
    for (size_t i = 0; i < need_calls_.size(); ++i) {
      memories.push_back(Dict{{"number", absl::StrCat(i)},
                              {"name", model_.program.devices[i].name},
                              {"before", absl::StrCat(before_[i])},
                              {"size", absl::StrCat(model_.plan.pools[i].size)},
                              {"whole", absl::StrCat(before_[i] + model_.plan.pools[i].size)},
                              {"has_need", !need_calls_[i].empty()},
                              {"need_call", need_calls_[i]}});
    }
    return memories;
  }

  int DeviceOf(const ir::Part& part) const {
    const auto* id = std::get_if<ir::TensorId>(&part);
    return id == nullptr ? 0 : model_.program.tensors[*id].device;
  }

  // Returns whether `part` is an output that holds the sizes of another output, in host memory.
  bool IsOnHost(const ir::Part& part) const {
    const auto* id = std::get_if<ir::TensorId>(&part);
    return id != nullptr && std::any_of(routine_.outputs.begin(), routine_.outputs.end(),
                                        [&](const ir::Part& other) {
                                          const auto* tensor = std::get_if<ir::TensorId>(&other);
                                          return tensor != nullptr &&
                                                 model_.program.tensors[*tensor].sizes == *id;
                                        });
  }

  void Name(const CName& prefix) {
    CNames dims = CNames::OfMembers(model_.name);
    CNames in = dims, out = dims;
    for (size_t i = 0; i < text_.inputs.size(); ++i) {
      const Port& port = text_.inputs[i];
      const std::string hint = i < routine_.inputs.size() ? routine_.input_names[i] : port.name;
      const bool dim = IsDim(port.part);
      const CName name = (dim ? dims : in).Unique(hint);
      inputs_.push_back({&port, name, absl::StrCat(dim ? "dims->" : "in->", name)});
      NameMacros(model_, prefix, "_IN_", inputs_.back());
    }
    for (size_t i = 0; i < text_.outputs.size(); ++i) {
      const CName name = out.Unique(routine_.output_names[i]);
      Port port = text_.outputs[i];
      if (!port.capacity.empty()) port.capacity = out.Unique(absl::StrCat(name, "_capacity"));
      ports_.push_back(std::move(port));
      outputs_.push_back({&ports_.back(), name, absl::StrCat("out->", name)});
      NameMacros(model_, prefix, "_OUT_", outputs_.back());
    }
  }

  const Member* DimOf(PrimRef var) const {
    for (const Member& m : inputs_) {
      if (m.port->part == ir::Part(var) && IsDim(m.port->part)) return &m;
    }
    return nullptr;
  }

  // Returns the number of elements of `tensor` in terms of the struct `dims` of an example.
  absl::StatusOr<std::string> CountText(const ir::Tensor& tensor) {
    CNames names;
    CScope scope{model_.context, model_.needs, names};
    scope.wide = true;
    for (const Member& m : inputs_) {
      if (!IsDim(m.port->part)) continue;
      scope.vars[std::get<PrimRef>(m.port->part)] = {absl::StrCat("dims.", m.name),
                                                     ir::DType::Int(64)};
    }
    std::string text;
    for (PrimRef dim : tensor.shape) {
      LATHE_ASSIGN_OR_RETURN(const CText size, PrintCIndexValue(scope, dim));
      absl::StrAppend(&text, text.empty() ? "" : " * ", "(size_t)", size.In(kPrefix));
    }
    return text.empty() ? "1" : text;
  }

  // Returns the template data of a member of dims, inputs or outputs.
  absl::StatusOr<Dict> ViewOf(const Member& m, bool output) {
    Dict view = MemberView(model_, m, output);
    view["type"] = ApiPortOf(model_, m).type;
    view["on_gpu"] = false;
    view["on_host"] = IsOnHost(m.port->part);
    if (const auto* id = std::get_if<ir::TensorId>(&m.port->part)) {
      const ir::Tensor& tensor = model_.program.tensors[*id];
      view["on_gpu"] = !IsOnHost(m.port->part);
      view["prints_first"] = true;
      if (output) view["first"] = FirstOf(absl::StrCat("out_", m.name), tensor.dtype);
      view["device"] = absl::StrCat(tensor.device);
      if (model_.plan.has_devices() && !IsOnHost(m.port->part)) {
        view["comment"] =
            absl::StrCat(*view["comment"].As<std::string>(), ", on ",
                         model_.program.devices[static_cast<size_t>(tensor.device)].name);
      }
      if (IsOnHost(m.port->part)) {
        view["comment"] = absl::StrCat(m.macro, "_LEN numbers, of the host");
      }
      if (tensor.sizes.valid()) {
        view["elements"] = absl::StrCat(tensor.max_elements.value_or(kExampleRoom));
        return view;
      }
      LATHE_ASSIGN_OR_RETURN(view["elements"], CountText(tensor));
      return view;
    }
    const PrimRef var = std::get<PrimRef>(m.port->part);
    const ir::Range* range = DeclaredRange(routine_, var);
    const int64_t example =
        range == nullptr ? kExampleSize : std::clamp(kExampleSize, range->low, range->high);
    view["example"] = absl::StrCat(example);
    view["comment"] = absl::StrCat(output ? "a scalar" : ScalarComment(model_, routine_, m, var),
                                   IsDim(m.port->part) && !output ? "" : ", of the host");
    view["prints_first"] = false;
    view["first"] = absl::StrCat("out_", m.name);
    return view;
  }

  // Returns the first element of a host vector of stored elements, as a number.
  std::string FirstOf(const std::string& vector, ir::DType dtype) {
    CNeeds needs{model_.needs.dialect};
    const std::string pointer = ir::IsPacked(dtype) ? vector + ".data()" : vector;
    const CText first = ReadElement(needs, dtype, {pointer, "0"});
    shown_.insert(needs.headers.begin(), needs.headers.end());
    return first.In(kPrefix);
  }

  std::string Call() const {
    std::vector<std::string> args;
    if (model_.HasExternalWeights()) args.push_back("m->weights");
    const auto memory = [&](size_t pool) {
      return model_.plan.has_devices() ? absl::StrCat("places[", pool, "].") : "";
    };
    for (size_t i = 0; i < before_.size(); ++i) {
      if (!model_.UsesPool(id_, i)) continue;
      const std::string start = absl::StrCat("(uint8_t *)", memory(i), "workspace");
      args.push_back(before_[i] == 0 ? start : absl::StrCat("&(", start, ")[", before_[i], "]"));
    }
    for (size_t i = 0; i < before_.size(); ++i) {
      if (!model_.plan.frames[id_].shares[i].open) continue;
      const std::string bytes = memory(i) + "workspace_bytes";
      args.push_back(before_[i] == 0 ? bytes : absl::StrCat(bytes, " - ", before_[i]));
    }
    for (const std::vector<Member>* members : {&inputs_, &outputs_}) {
      for (const Member& m : *members) args.push_back(m.place);
    }
    for (const Member& m : outputs_) {
      if (!m.port->capacity.empty()) args.push_back(absl::StrCat("out->", m.port->capacity));
    }
    for (const std::string& arg : model_.dialect.LastArgs(model_)) {
      args.push_back(arg == "places" ? "at" : arg);
    }
    return absl::StrCat(model_.routines[id_], "(", absl::StrJoin(args, ", "), ")");
  }

  Model& model_;
  NeedPrinter& needs_;
  const ir::RoutineId id_;
  const ir::Routine& routine_;
  const RoutineText& text_;
  const std::vector<int64_t>& before_;
  std::set<std::string>& shown_;
  std::vector<std::string> need_calls_;  // for each memory; empty: its size is constant
  std::vector<std::string> unfits_;
  bool exact_ = true;
  EmittedModel& emitted_;
  std::vector<Member> inputs_, outputs_;
  std::deque<Port> ports_;  // of outputs, with the names of their members
};

}  // namespace

absl::StatusOr<Dict> CudaEntryView(Model& model, NeedPrinter& needs, ir::RoutineId id,
                                   const RoutineText& text, const std::vector<int64_t>& before,
                                   std::set<std::string>& shown, EmittedModel& emitted) {
  return CudaEntryViewBuilder(model, needs, id, text, before, shown, emitted).Build();
}

}  // namespace lathe::emit
