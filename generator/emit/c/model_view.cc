#include "generator/emit/c/model_view.h"

#include <set>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"
#include "generator/emit/c/entry_view.h"
#include "generator/emit/c/kernel/print_c_expr.h"
#include "generator/emit/c/kernel/print_callee.h"
#include "generator/emit/c/kernel/print_vector_functions.h"
#include "generator/emit/c/kernel_call_texts.h"
#include "generator/emit/c/model_facts.h"
#include "generator/emit/c/model_names.h"
#include "generator/emit/c/names/c_names.h"
#include "generator/emit/c/names/c_types.h"
#include "generator/emit/c/port_view.h"
#include "generator/emit/c/print_constants.h"
#include "generator/emit/c/print_guards.h"
#include "generator/emit/c/print_packed.h"
#include "generator/emit/c/print_routine.h"
#include "generator/emit/c/read_constants.h"
#include "generator/emit/c/run_parts_view.h"
#include "generator/emit/c/scalar_ranges.h"
#include "generator/emit/c/state_view.h"
#include "generator/emit/text/comment_text.h"
#include "generator/emit/text/kernel_text.h"
#include "generator/emit/text/origin_view.h"
#include "generator/schedule/vectors/describe_form.h"
#include "generator/support/status.h"

namespace lathe::emit {
namespace {

using Dict = TemplateValue::Dict;
using List = TemplateValue::List;

std::string WithoutLastNewline(std::string text) {
  if (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

class ModelViewBuilder {
 public:
  ModelViewBuilder(Model model, bool selftest, EmittedModel& emitted, Diagnostics& diags)
      : model_(std::move(model)), selftest_(selftest), emitted_(emitted), diags_(diags) {
    model_.needs.prefix = model_.name;
    model_.needs.has_fma_functions = model_.target.has_scalar_fma;
    if (!model_.target.has_c99_math) {
      model_.needs.no_c99_math = absl::StrCat("is not in <math.h> of '", model_.target.name,
                                              "'; supported: the functions that C had before C99, "
                                              "cbrt, hypot, round, trunc, fma, fmin, fmax, fdim");
    }
    if (model_.target.double_bits == 64) return;
    model_.needs.no_float64 = absl::StrCat(
        "float64 cannot be had on '", model_.target.name, "', where double has ",
        model_.target.double_bits, " bits; supported: float16, bfloat16, float32, integers, bool");
  }

  const std::set<std::string>& headers() const { return model_.needs.headers; }

  absl::StatusOr<Dict> Build() {
    const plan::Plan& plan = model_.plan;
    ReserveNames();
    LATHE_ASSIGN_OR_RETURN(List constants,
                           PrintConstants(model_, emitted_.weights, emitted_.constants));
    FindCalled(model_);
    LATHE_ASSIGN_OR_RETURN(List callees, Callees());
    LATHE_ASSIGN_OR_RETURN(List kernels, Kernels());
    LATHE_RETURN_IF_ERROR(FindExterns(model_));
    LATHE_RETURN_IF_ERROR(MarkWritten(model_, diags_));
    LATHE_ASSIGN_OR_RETURN(List routines, Routines());
    LATHE_ASSIGN_OR_RETURN(List entries, Entries());
    KeepReadConstants({&callees, &kernels, &routines, &entries}, constants, emitted_.constants);
    List prototypes;
    for (const Dict& routine : called_) prototypes.push_back(routine);
    const bool table = model_.extern_mode == Externs::kTable && !model_.externs.empty();
    if (table) model_.needs.headers.insert("<string.h>");
    AddVectorFunctions(model_.target, model_.needs);
    List includes = Includes();
    List externs = ExternPrototypes();
    emitted_.takes_table = table;
    emitted_.externs = model_.externs;
    const bool has_values = HasBoxedPorts(), converts = HasPortConversions();
    if (has_values) emitted_.runtime.emplace_back("any.h");
    if (converts) emitted_.runtime.emplace_back("quantize.h");
    List needs;
    for (const std::string& text : needs_.functions()) needs.push_back(Dict{{"text", text}});
    LATHE_ASSIGN_OR_RETURN(const std::string vectors,
                           PrintVectorFunctions(model_.target, model_.needs));
    const bool has_externs = !externs.empty();
    const bool has_prototypes = !prototypes.empty();
    const std::string ready = Ready(table);
    Dict view{{"name", model_.name},
              {"NAME", UpperCase(model_.name)},
              {"target", std::string(model_.target.name)},
              {"arena_size", absl::StrCat(plan.arena_size)},
              {"arena_lower_bound", absl::StrCat(plan.lower_bound)},
              {"arena_align", absl::StrCat(model_.target.ram_align)},
              {"has_arena", plan.arena_size > 0 || open_},
              {"has_fixed", plan.arena_size > 0},
              {"open", open_},
              {"recurses", Recurses()},
              {"packed", PackedFunctions(model_)},
              {"has_packed", !model_.externs.empty()},
              {"has_values", has_values},
              {"converts", converts},
              {"keeps", !model_.keeps.empty()},
              {"packed_count", absl::StrCat(model_.externs.size())},
              {"table", table},
              {"init_params", InitParams(table)},
              {"has_ready", !ready.empty()},
              {"ready", ready},
              {"ready_check", ready.empty() ? "" : absl::StrCat("m->", ready, " == NULL || ")},
              {"has_words", HaveWords(constants)},
              {"incbin", model_.weights == Weights::kIncbin && !emitted_.weights.empty()},
              {"external", model_.HasExternalWeights()},
              {"decoded", model_.HasExternalWeights() && model_.weights == Weights::kDecoded},
              {"weights_size", absl::StrCat(emitted_.weights.size())},
              {"weights_align", absl::StrCat(1 << kWeightsLogAlign)},
              {"weights_log_align", absl::StrCat(kWeightsLogAlign)},
              {"weights_checksum", absl::StrFormat("0x%08x", BlobChecksum(emitted_.weights))},
              {"selftest", selftest_},
              {"needs", std::move(needs)},
              {"vectors", WithoutLastNewline(vectors)},
              {"has_vectors", !vectors.empty()},
              {"constants", std::move(constants)},
              {"has_callees", !callees.empty()},
              {"callees", std::move(callees)},
              {"kernels", std::move(kernels)},
              {"prototypes", std::move(prototypes)},
              {"has_prototypes", has_prototypes},
              {"routines", std::move(routines)},
              {"entries", std::move(entries)},
              {"has_includes", !includes.empty()},
              {"includes", std::move(includes)},
              {"externs", std::move(externs)},
              {"has_externs", has_externs}};
    AddMemory(model_, open_, view);
    return view;
  }

 private:
  // Reserves the names of the functions that the templates define.
  void ReserveNames() {
    const auto reserve = [&](absl::string_view own) {
      (void)model_.file_names.Unique(absl::StrCat(model_.name, "_", own));
    };
    for (const char* own :
         {"init", "missing", "externs", "find", "weights", "checksum", "selftest", "pools"}) {
      reserve(own);
    }
    if (selftest_) {
      for (const char* own : {"differs", "halves_differ", "tensors_differ", "values_differ"}) {
        reserve(own);
      }
    }
    if (model_.HasState()) {
      model_.needs.headers.insert("<string.h>");
      for (absl::string_view own : kStateFunctions) reserve(own);
    }
    if (model_.plan.guard > 0) {
      model_.needs.headers.insert(absl::StrCat("\"", GuardHeader(model_.name), "\""));
      for (const char* own : kGuardFunctions) reserve(own);
    }
    std::vector<std::string> endings = {"_inputs", "_outputs",
                                        absl::StrCat("_", model_.arena_size())};
    std::vector<std::string> of_run;
    if (HasParts()) {
      endings.emplace_back("_step");
      of_run = {"_part", "_check"};
    }
    NameEntries(model_, endings, of_run);
    if (!model_.target.vector_macro.empty()) {
      for (const std::string& own : VectorFunctionNames()) reserve(own);
    }
  }

  bool HasParts() const { return model_.parts.size() > 0; }

  List Includes() const {
    List includes;
    for (const std::string& header : model_.needs.headers) {
      includes.push_back(Dict{{"header", header}});
    }
    return includes;
  }

  List ExternPrototypes() const {
    List externs;
    for (const auto& [name, prototype] : model_.needs.externs) {
      externs.push_back(Dict{{"prototype", prototype}});
    }
    return externs;
  }

  // Returns true if an input or output is a boxed value.
  bool HasBoxedPorts() const {
    for (int32_t i = 0; i < std::ssize(model_.program.tensors); ++i) {
      const ir::Tensor& t = model_.program.tensors[ir::TensorId{i}];
      const bool is_port = t.home == ir::Home::kInput || t.home == ir::Home::kOutput;
      if (t.is_value() && is_port) return true;
    }
    return false;
  }

  bool HasPortConversions() const {
    for (int32_t i = 0; i < std::ssize(model_.program.tensors); ++i) {
      if (HasConversions(model_.program.tensors[ir::TensorId{i}])) return true;
    }
    return false;
  }

  std::string InitParams(bool table) const {
    return absl::StrCat(
        model_.name, " *m, ",
        model_.plan.has_pools() ? absl::StrCat("const ", model_.name, "_pools *pools")
                                : "void *arena, size_t arena_size",
        model_.HasState() ? ", void *state, size_t state_size" : "",
        table ? ", const lathe_packed *functions" : "",
        model_.HasExternalWeights() ? ", const void *weights, size_t weights_size" : "");
  }

  // Returns the pointer member of the model that is null until init has run. Returns an empty text
  // if the model has no pointers.
  std::string Ready(bool table) const {
    for (const plan::PoolUse& pool : model_.plan.pools) {
      if (pool.size > 0 || (open_ && &pool == &model_.plan.pools.back())) return pool.name;
    }
    if (model_.HasState()) return "state";
    if (model_.HasExternalWeights()) return "weights";
    return table ? absl::StrCat("externs[", model_.externs.size() - 1, "]") : "";
  }

  // Returns the origin of the kernel, for the comment above its function.
  static CComment Origin(const ir::Kernel& kernel, const std::string& call) {
    std::string text = kernel.origin;
    if (!call.empty()) absl::StrAppend(&text, absl::StrContains(text, "\n") ? "\n" : ": ", call);
    if (kernel.form) absl::StrAppend(&text, "\nin ", schedule::DescribeForm(*kernel.form));
    if (!kernel.layers.empty()) {
      absl::StrAppend(&text,
                      "\njoined: a line of each layer is computed when the next one needs it");
    }
    return CommentLines(text);
  }

  absl::StatusOr<List> Callees() {
    List callees;
    NameCallees(model_.context, model_.program.callees, model_.name, model_.file_names,
                model_.needs);
    for (const auto& [name, callee] : model_.needs.callees) {
      auto printed = PrintCallee(model_.context, callee, model_.needs);
      if (!printed.ok()) {
        return absl::UnimplementedError(
            absl::StrCat("function '", name, "': ", printed.status().message()));
      }
      callees.push_back(Dict{{"signature", printed->signature},
                             {"origin", CommentText(absl::StrCat("PrimFunc ", name))},
                             {"body", WithoutLastNewline(printed->body)}});
    }
    return callees;
  }

  absl::StatusOr<List> Kernels() {
    const auto ranges = ScalarRanges(model_);
    const auto calls = KernelCallTexts(model_.program);
    List kernels;
    for (int32_t i = 0; i < std::ssize(model_.program.kernels); ++i) {
      const ir::KernelId id{i};
      const ir::Kernel& kernel = model_.program.kernels[id];
      const CName name = model_.file_names.Unique(absl::StrCat(model_.name, "_", kernel.name));
      auto printed = PrintKernel(model_.context, kernel, ranges[id], name, model_.needs);
      if (!printed.ok()) {
        return absl::UnimplementedError(
            absl::StrCat("kernel '", kernel.name, "': ", printed.status().message()));
      }
      kernels.push_back(Dict{{"signature", printed->signature},
                             {"functions", WithoutLastNewline(printed->functions)},
                             {"has_functions", !printed->functions.empty()},
                             {"origin", Origin(kernel, calls[id])},
                             {"body", WithoutLastNewline(printed->body)}});
      emitted_.kernels.Add({printed->name, printed->writes,
                            KernelText(Origin(kernel, calls[id]), {printed->functions},
                                       printed->signature, printed->body)});
      model_.kernels.Add(*std::move(printed));
    }
    return kernels;
  }

  absl::StatusOr<List> Routines() {
    List routines;
    for (int32_t i = 0; i < std::ssize(model_.program.routines); ++i) {
      model_.routines.Add(model_.file_names.Unique(
          absl::StrCat(model_.name, "_", model_.program.routines[ir::RoutineId{i}].name, "_body")));
    }
    for (int32_t i = 0; i < std::ssize(model_.program.routines); ++i) {
      const ir::RoutineId id{i};
      const ir::Routine& routine = model_.program.routines[id];
      if (!model_.called.contains(id)) continue;
      LATHE_ASSIGN_OR_RETURN(const RoutineText text, PrintRoutine(model_, id, false));
      Dict view = {{"signature", text.signature},
                   {"origin", CommentText(absl::StrCat("function ", routine.name))},
                   {"body", WithoutLastNewline(text.body)}};
      called_.push_back(view);
      routines.push_back(std::move(view));
    }
    return routines;
  }

  bool Recurses() const {
    for (int32_t i = 0; i < std::ssize(model_.program.routines); ++i) {
      if (model_.program.routines[ir::RoutineId{i}].recursive) return true;
    }
    return false;
  }

  absl::StatusOr<List> Entries() {
    List entries;
    size_t first_part = 0;
    for (int32_t i = 0; i < std::ssize(model_.program.routines); ++i) {
      const ir::RoutineId id{i};
      if (!model_.program.routines[id].exported) continue;
      open_ = open_ || model_.plan.frames[id].open;
      LATHE_ASSIGN_OR_RETURN(Dict entry, EntryView(model_, needs_, id, emitted_));
      AddRunParts(model_, id, first_part, emitted_.functions.back(), entry);
      first_part += model_.PartsOf(id).size();
      entries.push_back(std::move(entry));
    }
    return entries;
  }

  static constexpr int kWeightsLogAlign = 6;  // a cache line, at least the alignment of any target

  Model model_;
  NeedPrinter needs_{model_};
  const bool selftest_;
  EmittedModel& emitted_;
  Diagnostics& diags_;
  std::vector<Dict> called_;
  bool open_ = false;
};

}  // namespace

absl::StatusOr<Dict> ModelView(Model model, const EmitOptions& options, EmittedModel& emitted,
                               Diagnostics& diags) {
  ModelViewBuilder view(std::move(model), options.selftest, emitted, diags);
  LATHE_ASSIGN_OR_RETURN(Dict dict, view.Build());
  AddOrigin(options, dict);
  TemplateValue::List stream;
  for (const std::string& input : options.stream) {
    stream.push_back(TemplateValue::Dict{{"text", CommentText(input)}});
  }
  dict["has_stream"] = !stream.empty();
  dict["stream"] = std::move(stream);
  dict["hooks"] = options.steps.hooked();
  dict["steps"] = options.steps.parts;
  for (absl::string_view header : view.headers()) {
    if (absl::ConsumePrefix(&header, "\"lathe/") && absl::ConsumeSuffix(&header, "\"")) {
      emitted.runtime.emplace_back(header);
    }
  }
  return dict;
}

}  // namespace lathe::emit
