#include "generator/driver/cli/shared_arena.h"

#include <algorithm>
#include <map>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "generator/driver/options/name_option.h"
#include "generator/driver/options/target_option.h"
#include "generator/emit/c/shared_arena.h"
#include "generator/emit/c/shared_constants.h"
#include "generator/support/status.h"

namespace lathe::driver {
namespace {

constexpr absl::string_view kOptionsOfOneModel[] = {"--dim",      "--params", "--outputs",
                                                    "--tap",      "--like",   "--io",
                                                    "--stack-of", "--stream", "--stream-padding"};

absl::Status CheckSharedOptions(const Arguments& args) {
  const auto refuse = [](absl::string_view what) {
    return absl::InvalidArgumentError(absl::StrCat(
        "option '--share-arena' ", what, "; supported are plain bundles of C with one arena"));
  };
  if (NamesGpus(args.Value("--target"))) return refuse("is not for GPUs");
  if (args.Has("--pool")) return refuse("and '--pool' exclude each other");
  if (args.Value("--package", "plain") != "plain") {
    return refuse("and '--package' exclude each other");
  }
  if (absl::c_linear_search(args.operands, "-")) return refuse("does not read standard input");
  return absl::OkStatus();
}

// Returns the arguments of the model in `operand`. `name` is its --name, or null.
Arguments ArgumentsOf(const Arguments& args, const std::string& operand,
                      const std::pair<const Option*, std::string>* name) {
  Arguments one;
  one.declared = args.declared;
  one.operands = {operand};
  for (const auto& given : args.given) {
    if (given.first->name != "--name") one.given.push_back(given);
  }
  if (name != nullptr) one.given.push_back(*name);
  return one;
}

// Drops the values that are for other models, and the prefixes of those for the model `name`.
void SelectValues(const std::vector<std::string>& names, const std::string& name, Arguments& args) {
  std::vector<std::pair<const Option*, std::string>> selected;
  for (const auto& [option, value] : args.given) {
    absl::string_view text = value;
    bool others = false;
    if (absl::c_linear_search(kOptionsOfOneModel, option->name)) {
      const absl::string_view prefix = text.substr(0, text.find(':'));
      if (prefix.size() < text.size() && absl::c_linear_search(names, prefix)) {
        others = prefix != name;
        text.remove_prefix(prefix.size() + 1);
      }
    }
    if (!others) selected.emplace_back(option, std::string(text));
  }
  args.given = std::move(selected);
}

// Adds the sizes and the stack of the next model.
void AddMeasures(const CodeMeasures& next, CodeMeasures& all) {
  all.sizes.text += next.sizes.text;
  all.sizes.rodata += next.sizes.rodata;
  all.sizes.data += next.sizes.data;
  all.sizes.bss += next.sizes.bss;
  all.sizes.functions.insert(next.sizes.functions.begin(), next.sizes.functions.end());
  all.sizes.constants.insert(next.sizes.constants.begin(), next.sizes.constants.end());
  all.weights += next.weights;
  if (next.stack_known > all.stack_known) all.stack_path = next.stack_path;
  all.stack_known = std::max(all.stack_known, next.stack_known);
  if (all.stack) all.stack = next.stack ? std::max(*all.stack, *next.stack) : next.stack;
  all.stack_unbounded.insert(all.stack_unbounded.end(), next.stack_unbounded.begin(),
                             next.stack_unbounded.end());
}

}  // namespace

absl::StatusOr<std::vector<Arguments>> ArgumentsOfModels(const Arguments& args) {
  if (!args.Has("--share-arena")) {
    if (args.operands.size() == 1) return std::vector<Arguments>{args};
    return absl::InvalidArgumentError(
        absl::StrCat("'compile' takes no operand '", args.operands[1],
                     "' unless --share-arena NAME gives several models one arena"));
  }
  LATHE_RETURN_IF_ERROR(CheckSharedOptions(args));
  const std::string shared(args.Value("--share-arena"));
  LATHE_RETURN_IF_ERROR(CheckName("--share-arena", shared, false, false).status());
  std::vector<std::pair<const Option*, std::string>> given;
  for (const auto& option : args.given) {
    if (option.first->name == "--name") given.push_back(option);
  }
  if (!given.empty() && given.size() != args.operands.size()) {
    return absl::InvalidArgumentError(
        absl::StrCat("option '--name' must be given once for each of the ", args.operands.size(),
                     " models, in their order; it is given ", given.size(), " times"));
  }
  std::vector<Arguments> all;
  std::vector<std::string> names;
  std::map<std::string, std::string> taken = {{absl::AsciiStrToUpper(shared), shared}};
  for (size_t i = 0; i < args.operands.size(); ++i) {
    all.push_back(ArgumentsOf(args, args.operands[i], given.empty() ? nullptr : &given[i]));
    LATHE_ASSIGN_OR_RETURN(const std::string name, ReadNameOption(all.back(), false, false));
    const auto [other, is_new] = taken.emplace(absl::AsciiStrToUpper(name), name);
    if (!is_new) {
      return absl::InvalidArgumentError(
          absl::StrCat("the names '", other->second, "' and '", name,
                       "' have the same macros; -n names each model, in their order"));
    }
    if (absl::StartsWithIgnoreCase(name, absl::StrCat(shared, "_shared_"))) {
      return absl::InvalidArgumentError(absl::StrCat("'", name, "' is the name of a constant of '",
                                                     shared, "'; -n names each model"));
    }
    names.push_back(name);
  }
  for (size_t i = 0; i < all.size(); ++i) SelectValues(names, names[i], all[i]);
  return all;
}

absl::StatusOr<SharedBytes> ShareConstants(const Arguments& args, ReportedModels& models,
                                           std::vector<emit::OutputFile>& files) {
  if (!args.Has("--share-arena") || args.Value("--weights", "words") != "words") {
    return SharedBytes();
  }
  emit::SharedConstants shared(args.Value("--share-arena"));
  for (const auto& model : models) {
    shared.Add(model->compiled.model.program, *model->compiled.target);
  }
  if (shared.stored_bytes() == 0) return SharedBytes();
  for (const auto& model : models) {
    CompiledModel& compiled = model->compiled;
    emit::EmitOptions options = compiled.emitted_with;
    options.shared_constants = &shared;
    Diagnostics diags;  // the model was emitted before
    LATHE_RETURN_IF_ERROR(EmitAgain(compiled.context, *compiled.target, compiled.name, options,
                                    compiled.model, diags));
  }
  LATHE_ASSIGN_OR_RETURN(files.emplace_back(), shared.Source());
  return SharedBytes{shared.stored_bytes(), shared.saved_bytes()};
}

absl::Status AddFilesOfModels(const Arguments& args, const ReportedModels& models,
                              std::vector<emit::OutputFile>& files) {
  if (!args.Has("--share-arena")) {
    files = models[0]->compiled.model.files;
    return absl::OkStatus();
  }
  std::map<std::string, size_t> places;
  for (size_t i = 0; i < files.size(); ++i) places[files[i].name] = i;
  const auto add = [&](const emit::OutputFile& file) {
    const auto [at, is_new] = places.emplace(file.name, files.size());
    if (is_new) files.push_back(file);
    if (is_new || files[at->second].text == file.text) return absl::OkStatus();
    return absl::InvalidArgumentError(absl::StrCat("two of the models have different files '",
                                                   file.name,
                                                   "'; -n names each model, in their order"));
  };
  std::vector<emit::ArenaUser> users;
  int64_t align = 1;
  for (const auto& model : models) {
    const CompiledModel& compiled = model->compiled;
    align = std::max<int64_t>(align, compiled.target->ram_align);
    const bool open =
        absl::c_any_of(compiled.model.functions, [](const emit::ApiFunction& f) { return f.open; });
    users.push_back({compiled.name, compiled.model.plan.arena_size, open});
    for (const emit::OutputFile& file : compiled.model.files) LATHE_RETURN_IF_ERROR(add(file));
  }
  LATHE_ASSIGN_OR_RETURN(const emit::OutputFile header,
                         emit::SharedArenaHeader(args.Value("--share-arena"), users, align));
  return add(header);
}

ModelReport ReportTogether(const ReportedModels& models, const SharedBytes& constants) {
  const auto largest = absl::c_max_element(models, [](const auto& a, const auto& b) {
    return a->report.ram.arena < b->report.ram.arena;
  });
  ModelReport all;
  all.routines = (*largest)->report.routines;
  for (RoutineReport& routine : all.routines) {
    absl::StrAppend(&routine.name, " of ", (*largest)->compiled.name);
  }
  all.ram.arena = (*largest)->report.ram.arena;
  all.lower_bound = (*largest)->report.lower_bound;
  all.macs = 0;
  for (const auto& model : models) {
    const ModelReport& one = model->report;
    all.ram.inputs += one.ram.inputs;
    all.ram.outputs += one.ram.outputs;
    all.ram.state += one.ram.state;
    all.ram.instance += one.ram.instance;
    all.ram.open |= one.ram.open;
    all.open |= one.open;
    all.weights += one.weights;
    if (all.macs) all.macs = one.macs ? std::optional(*all.macs + *one.macs) : std::nullopt;
    if (!one.measures) continue;
    if (all.measures) {
      AddMeasures(*one.measures, *all.measures);
    } else {
      all.measures = one.measures;
    }
  }
  all.weights -= constants.saved;
  if (all.measures) {
    all.measures->sizes.rodata += constants.stored;
    all.measures->weights += constants.stored;
  }
  return all;
}

}  // namespace lathe::driver
