#include "generator/emit/cuda/emit_cuda.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "generator/emit/c/check_externs.h"
#include "generator/emit/c/kernel/c_kernel_dialect.h"
#include "generator/emit/c/kernel/print_c_expr.h"
#include "generator/emit/c/kernel/print_callee.h"
#include "generator/emit/c/model_facts.h"
#include "generator/emit/c/print_constants.h"
#include "generator/emit/c/print_packed.h"
#include "generator/emit/c/print_routine.h"
#include "generator/emit/cuda/cuda_entry_view.h"
#include "generator/emit/cuda/cuda_kernel_dialect.h"
#include "generator/emit/cuda/cuda_names.h"
#include "generator/emit/cuda/cuda_routine_dialect.h"
#include "generator/emit/cuda/device_view.h"
#include "generator/emit/cuda/nccl_functions.h"
#include "generator/emit/cuda/place_constants.h"
#include "generator/emit/cuda/print_host_kernel.h"
#include "generator/emit/cuda/print_launch.h"
#include "generator/emit/cuda/reads_back.h"
#include "generator/emit/cuda/refuse_steps.h"
#include "generator/emit/cuda/weights_view.h"
#include "generator/emit/text/comment_text.h"
#include "generator/emit/text/kernel_text.h"
#include "generator/emit/text/origin_view.h"
#include "generator/emit/text/render_named.h"
#include "generator/emit/text/wrap_lines.h"
#include "generator/ir/first_location.h"
#include "generator/schedule/cuda/check_callees.h"
#include "generator/support/status.h"

namespace lathe::emit {
namespace {

using Dict = TemplateValue::Dict;
using List = TemplateValue::List;

Dict FunctionView(CComment origin, const std::string& signature, absl::string_view body) {
  return {{"origin", std::move(origin)},
          {"signature", signature},
          {"body", std::string(absl::StripSuffix(body, "\n"))}};
}

class Emitter {
 public:
  Emitter(Model model, const IdVector<ir::KernelId, ir::GridLaunches>& launches,
          const CudaOptions& options, Diagnostics& diags)
      : model_(std::move(model)), launches_(launches), options_(options), diags_(diags) {
    model_.needs.prefix = model_.name;
  }

  absl::StatusOr<EmittedModel> Emit() {
    ReserveFunctionNames(model_.name, model_.file_names);
    if (model_.plan.has_devices()) ReservePlaceNames(model_.name, model_.file_names);
    NameEntries(model_, {"_dims", "_inputs", "_outputs", "_workspace_size", "_case", "_example"});
    if (model_.plan.has_devices()) {
      LATHE_ASSIGN_OR_RETURN(weights_, PlaceConstants(model_, emitted_.weights));
    } else {
      LATHE_RETURN_IF_ERROR(PrintConstants(model_, emitted_.weights, emitted_.constants).status());
    }
    LATHE_RETURN_IF_ERROR(Functions());
    LATHE_RETURN_IF_ERROR(Kernels());
    LATHE_RETURN_IF_ERROR(Routines());
    AddModel();
    LATHE_RETURN_IF_ERROR(Files());
    return std::move(emitted_);
  }

 private:
  struct FamilyText {
    CNeeds needs;
    List kernels;
  };

  absl::Status Functions() {
    functions_.prefix = model_.name;
    NameCallees(model_.context, callees_of_gpus_, model_.name, model_.file_names, functions_);
    List texts;
    for (const auto& [name, callee] : functions_.callees) {
      auto printed = PrintCallee(model_.context, callee, functions_);
      if (!printed.ok()) {
        return absl::UnimplementedError(
            absl::StrCat("function '", name, "': ", printed.status().message()));
      }
      texts.push_back(FunctionView(CommentText(absl::StrCat("PrimFunc ", name)), printed->signature,
                                   printed->body));
    }
    view_["functions"] = std::move(texts);
    return absl::OkStatus();
  }

  absl::Status Kernels() {
    for (int32_t i = 0; i < std::ssize(model_.program.kernels); ++i) {
      const ir::KernelId id{i};
      const ir::Kernel& kernel = model_.program.kernels[id];
      if (kernel.on_host) {
        LATHE_RETURN_IF_ERROR(HostKernel(kernel));
        continue;
      }
      FamilyText& family =
          families_.try_emplace(FamilyOf(launches_[id]), FamilyText{CNeeds{device_}, {}})
              .first->second;
      family.needs.prefix = model_.name;
      family.needs.callees = functions_.callees;
      family.needs.failing = functions_.failing;
      family.needs.callee_uses = functions_.callee_uses;
      auto printed =
          PrintLaunches(model_.context, kernel, launches_[id], model_.file_names, family.needs);
      LATHE_RETURN_IF_ERROR(Printed(printed.status(), kernel));
      outside_.insert(family.needs.externs.begin(), family.needs.externs.end());
      Add(kernel, std::move(printed->kernel), printed->functions, family.kernels);
    }
    return absl::OkStatus();
  }

  absl::Status HostKernel(const ir::Kernel& kernel) {
    if (host_.kernels.empty()) {
      host_.needs.prefix = model_.name;
      NameCallees(model_.context, model_.program.callees, model_.name, model_.file_names,
                  host_.needs);
    }
    auto printed = PrintHostKernel(model_.context, kernel, model_.file_names, host_.needs);
    LATHE_RETURN_IF_ERROR(Printed(printed.status(), kernel));
    LATHE_RETURN_IF_ERROR(Printed(CallsNothingOutside(), kernel));
    given_bytes_ = std::max(given_bytes_, printed->given_bytes);
    for (const std::string& text : printed->functions) absl::StrAppend(&host_text_, text);
    Add(kernel, std::move(printed->kernel), printed->functions, host_.kernels);
    return absl::OkStatus();
  }

  absl::Status CallsNothingOutside() const {
    if (host_.needs.externs.empty()) return absl::OkStatus();
    return absl::UnimplementedError(
        absl::StrCat("the call of '", host_.needs.externs.begin()->first,
                     "', an external function, in a kernel for the host is not supported yet"));
  }

  // Returns `status`. Reports a failure to print `kernel` as unsupported.
  absl::Status Printed(const absl::Status& status, const ir::Kernel& kernel) {
    if (status.ok()) return status;
    return diags_.Unsupported(ir::FirstLocation(kernel.func.body), "cannot-emit")
           << "kernel '" << kernel.name << "': " << status.message();
  }

  void Add(const ir::Kernel& kernel, PrintedKernel printed,
           const std::vector<std::string>& functions, List& file) {
    List texts;
    for (const std::string& text : functions) texts.push_back(Dict{{"text", text}});
    Dict view = FunctionView(CommentLines(kernel.origin), printed.signature, printed.body);
    view["functions"] = std::move(texts);
    file.push_back(view);
    all_kernels_.push_back(view);
    emitted_.kernels.Add(
        {printed.name, printed.writes,
         KernelText(CommentLines(kernel.origin), functions, printed.signature, printed.body)});
    model_.kernels.Add(std::move(printed));
  }

  // Prints each routine as a separate function. An exported function checks its arguments and calls
  // the function of its routine.
  absl::Status Routines() {
    FindCalled(model_);
    LATHE_RETURN_IF_ERROR(FindExterns(model_));
    emitted_.externs = model_.externs;
    LATHE_RETURN_IF_ERROR(MarkWritten(model_, diags_));
    before_ = BytesBefore(model_, given_bytes_);
    emitted_.before = before_;
    const int32_t count = static_cast<int32_t>(model_.program.routines.size());
    for (int32_t i = 0; i < count; ++i) {
      model_.routines.Add(model_.file_names.Unique(
          absl::StrCat(model_.name, "_", model_.program.routines[ir::RoutineId{i}].name, "_body")));
    }
    List routines, entries;
    for (int32_t i = 0; i < count; ++i) {
      const ir::RoutineId id{i};
      const ir::Routine& routine = model_.program.routines[id];
      if (!routine.exported && !model_.called.contains(id)) continue;
      LATHE_ASSIGN_OR_RETURN(const RoutineText text, PrintRoutine(model_, id, false));
      copies_ = copies_ || absl::StrContains(text.body, "_copy_on_host(");
      fills_ = fills_ || absl::StrContains(text.body, "_ones_on_host(");
      Dict view = FunctionView(CommentText(absl::StrCat("function ", routine.name)), text.signature,
                               text.body);
      if (model_.called.contains(id)) prototypes_.push_back(view);
      routines.push_back(std::move(view));
      if (!routine.exported) continue;
      open_ = open_ || model_.plan.frames[id].open;
      LATHE_ASSIGN_OR_RETURN(Dict entry,
                             CudaEntryView(model_, needs_, id, text, before_, shown_, emitted_));
      entries.push_back(std::move(entry));
    }
    view_["routines"] = std::move(routines);
    view_["entries"] = std::move(entries);
    return absl::OkStatus();
  }

  // Returns whether there are weights and they are stored at `place`.
  bool AreWeights(Weights place) const {
    return !emitted_.weights.empty() && options_.emit.weights == place;
  }

  void AddModel() {
    if (model_.kernels_fail()) model_.needs.headers.insert("\"lathe/scalar.h\"");
    List includes = Includes(model_.needs.headers), needs;
    for (const std::string& function : needs_.functions())
      needs.push_back(Dict{{"text", function}});
    emitted_.runtime.emplace_back("cuda_launch.h");
    emitted_.kernels_fail = model_.kernels_fail();
    outside_.insert(functions_.externs.begin(), functions_.externs.end());
    List outside;
    for (const auto& [name, prototype] : outside_) {
      outside.push_back(Dict{{"prototype", prototype}});
      emitted_.kernel_externs.push_back(name);
    }
    view_["outside"] = std::move(outside);
    view_["name"] = model_.name;
    view_["NAME"] = UpperCase(model_.name);
    view_["target"] = options_.target;
    view_["align"] = absl::StrCat(model_.target.ram_align);
    view_["arena_size"] = absl::StrCat(model_.plan.arena_size);
    view_["arena_lower_bound"] = absl::StrCat(model_.plan.lower_bound);
    view_["before"] = absl::StrCat(before_[0]);
    AddDevices(model_, weights_, view_);
    if (model_.plan.has_devices()) emitted_.runtime.emplace_back("cuda_places.h");
    view_["host_copies"] = copies_;
    view_["host_fills"] = fills_;
    view_["host_moves"] = copies_ || fills_;
    view_["open"] = open_;
    view_["captures"] = !waits_;
    view_["capturable"] = waits_ ? "0" : "1";
    view_["fails"] = model_.kernels_fail();
    view_["packed"] = PackedFunctions(model_);
    view_["has_packed"] = !model_.externs.empty();
    const bool nccl = absl::c_any_of(model_.externs, IsOfNccl);
    if (nccl) emitted_.runtime.emplace_back("cuda_nccl.h");
    view_["nccl"] = nccl;
    view_["selftest"] = options_.emit.selftest;
    AddOrigin(options_.emit, view_);
    AddWeights(model_, emitted_.weights, options_.emit.weights, view_);
    view_["has_least"] = model_.plan.arena_size > 0;
    view_["shown"] = Includes(shown_);
    view_["includes"] = std::move(includes);
    view_["needs"] = std::move(needs);
    view_["kernels"] = all_kernels_;
    view_["prototypes"] = std::move(prototypes_);
  }

  List DeviceIncludes(const CNeeds& needs, std::set<std::string> headers) {
    headers.insert("\"lathe/cuda_device.h\"");
    for (const std::string& header : needs.headers) headers.insert(DevicePart(header));
    return Includes(headers);
  }

  // Returns the template data of `headers`. Adds headers of the runtime to the bundle.
  List Includes(const std::set<std::string>& headers) {
    List includes;
    for (const std::string& header : headers) {
      includes.push_back(Dict{{"header", header}});
      absl::string_view part = header;
      if (absl::ConsumePrefix(&part, "\"lathe/") && absl::ConsumeSuffix(&part, "\"")) {
        emitted_.runtime.emplace_back(part);
      }
    }
    return includes;
  }

  absl::Status Files() {
    Dict data = {{"model", std::move(view_)}};
    LATHE_RETURN_IF_ERROR(Add(".h", "cuda/model.h.tmpl", data));
    LATHE_RETURN_IF_ERROR(Add(
        ".cpp", model_.plan.has_devices() ? "cuda/devices/model.cpp.tmpl" : "cuda/model.cpp.tmpl",
        data));
    LATHE_RETURN_IF_ERROR(Add("_kernels.h", "cuda/kernels.h.tmpl", data));
    if (!outside_.empty()) {
      LATHE_RETURN_IF_ERROR(Add("_outside.h", "cuda/outside.h.tmpl", data));
    }
    if (!functions_.callees.empty()) {
      functions_.headers.erase(FunctionsHeader(model_.name));  // a file does not include itself
      data["file"] = Dict{{"includes", DeviceIncludes(functions_, {})}};
      LATHE_RETURN_IF_ERROR(Add("_functions.h", "cuda/functions.h.tmpl", data));
    }
    for (auto& [family, text] : families_) {
      List includes = DeviceIncludes(text.needs, {"\"lathe/cuda_launch.h\""});
      const FamilyFile& file = FileOf(family);
      data["family"] = Dict{{"stem", file.stem},
                            {"summary", file.summary},
                            {"includes", std::move(includes)},
                            {"kernels", std::move(text.kernels)}};
      LATHE_RETURN_IF_ERROR(Add(absl::StrCat("_", file.stem, ".cu"), "cuda/kernels.cu.tmpl", data));
    }
    if (HasHost()) LATHE_RETURN_IF_ERROR(HostFile(data));
    if (AreWeights(Weights::kWords)) {
      LATHE_RETURN_IF_ERROR(Add("_weights.cpp", "cuda/weights.cpp.tmpl", data));
    } else if (!emitted_.weights.empty()) {
      if (AreWeights(Weights::kIncbin)) {
        LATHE_RETURN_IF_ERROR(Add("_weights.S", "c/weights.S.tmpl", data));
      }
      emitted_.files.push_back({absl::StrCat(model_.name, "_weights.bin"), emitted_.weights});
    }
    std::vector<std::string> examples = {"run.cpp"};
    if (!waits_) examples.push_back("graph.cu");
    const char* folder = model_.plan.has_devices() ? "cuda/examples/devices/" : "cuda/examples/";
    for (const std::string& example : examples) {
      LATHE_RETURN_IF_ERROR(AddFile(absl::StrCat("examples/", example),
                                    absl::StrCat(folder, example, ".tmpl"), data));
    }
    return absl::OkStatus();
  }

  bool HasHost() const {
    return absl::c_any_of(model_.program.devices, [](const ir::Device& d) { return d.is_host; });
  }

  absl::Status HostFile(Dict& data) {
    auto printed = PrintHostCallees(model_.context, host_text_, host_.needs);
    LATHE_RETURN_IF_ERROR(printed.status());
    LATHE_RETURN_IF_ERROR(CallsNothingOutside());
    List callees;
    for (const HostCallee& callee : *printed) {
      callees.push_back(FunctionView(CommentText(absl::StrCat("PrimFunc ", callee.name)),
                                     callee.function.signature, callee.function.body));
    }
    const bool has_callees = !callees.empty();
    std::set<std::string> headers = {"\"lathe/cuda_host.h\""};
    headers.insert(host_.needs.headers.begin(), host_.needs.headers.end());
    data["host"] = Dict{{"includes", Includes(headers)},
                        {"has_callees", has_callees},
                        {"callees", std::move(callees)},
                        {"kernels", std::move(host_.kernels)}};
    return Add("_host.cu", "cuda/host.cu.tmpl", data);
  }

  absl::Status Add(const std::string& ending, const char* file, const Dict& data) {
    return AddFile(absl::StrCat(model_.name, ending), file, data);
  }

  absl::Status AddFile(std::string name, const std::string& file, const Dict& data) {
    LATHE_ASSIGN_OR_RETURN(std::string text, RenderNamed(file, data));
    WrapLines(text);
    emitted_.files.push_back({std::move(name), std::move(text)});
    return absl::OkStatus();
  }

  Model model_;
  const CudaKernelDialect device_;  // for kernels; model_ has the one for routines
  const IdVector<ir::KernelId, ir::GridLaunches>& launches_;
  const CudaOptions& options_;
  Diagnostics& diags_;
  NeedPrinter needs_{model_};
  EmittedModel emitted_;
  const std::map<std::string, ir::PrimFunc> callees_of_gpus_ =
      schedule::CalleesOfGpus(model_.program);
  CNeeds functions_{device_};                   // functions that kernels call
  std::map<std::string, std::string> outside_;  // prototypes of external functions, by name
  std::set<std::string> shown_;                 // headers that examples include
  std::map<KernelFamily, FamilyText> families_;
  FamilyText host_{CNeeds{model_.needs.dialect}, {}};
  std::string host_text_;        // the functions of host kernels
  int64_t given_bytes_ = 0;      // upper bound of the arguments of a host kernel
  std::vector<int64_t> before_;  // bytes reserved at the start of each workspace
  PlacedWeights weights_;
  List all_kernels_;
  List prototypes_;
  Dict view_;
  bool open_ = false;
  bool copies_ = false, fills_ = false;  // whether the host has copy or fill steps
  const bool waits_ = ReadsBack(model_.program);
};

}  // namespace

absl::StatusOr<EmittedModel> EmitCuda(ir::Context& context, const ir::Program& program,
                                      const IdVector<ir::KernelId, ir::GridLaunches>& launches,
                                      const plan::Plan& plan, const Target& target,
                                      const CName& name, const CudaOptions& options,
                                      Diagnostics& diags) {
  RefuseSteps(program, diags);
  const CudaDeviceDialect one;
  const CudaDevicesDialect several;
  const RoutineDialect& routines =
      plan.has_devices() ? static_cast<const RoutineDialect&>(several) : one;
  const CKernelDialect host;
  CheckExterns(program, name.str(), options.emit.externs, routines.extern_rules(), diags);
  if (diags.has_errors()) return absl::UnimplementedError("the program has no form in CUDA");
  Model model{context,  program,     plan, target, name, Externs::kLink, Weights::kExternal,
              routines, CNeeds{host}};
  auto emitted = Emitter(std::move(model), launches, options, diags).Emit();
  if (emitted.ok() || diags.has_errors()) return emitted;
  return diags.Unsupported({}, "cannot-emit") << emitted.status().message();
}

}  // namespace lathe::emit
