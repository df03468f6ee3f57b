#include "generator/driver/measure_code.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "generator/driver/library_stack.h"
#include "generator/driver/report/work_folder.h"
#include "generator/driver/stack_depth.h"
#include "generator/machine/code_depth.h"
#include "generator/machine/decode.h"
#include "generator/machine/object_calls.h"
#include "generator/support/files.h"
#include "generator/support/run_command.h"
#include "generator/support/status.h"

namespace lathe::driver {
namespace {

namespace fs = std::filesystem;

// Larger sources compile slowly, so progress is printed.
constexpr size_t kManyBytes = size_t{4} << 20;

void Add(const machine::ObjectSizes& more, machine::ObjectSizes& sizes) {
  sizes.text += more.text;
  sizes.rodata += more.rodata;
  sizes.data += more.data;
  sizes.bss += more.bss;
  for (const auto& [name, size] : more.functions) sizes.functions[name] += size;
  for (const auto& [name, size] : more.constants) sizes.constants[name] += size;
}

bool IsAssembler(const std::string& name) { return absl::EndsWith(name, ".S"); }
// Returns whether the file has code of the model.
bool IsSource(const emit::OutputFile& file) {
  return file.of_model && (absl::EndsWith(file.name, ".c") || IsAssembler(file.name));
}

// Returns whether a compiler wrote its own intermediate code: sections of GCC, or LLVM's bitcode.
bool HasIntermediateCode(absl::string_view object) {
  return absl::StrContains(object, ".gnu.lto_") || absl::StartsWith(object, "BC\xC0\xDE");
}

// Returns "net_run" for "net_run.constprop.0", the name of a part or copy of a function.
std::string BaseName(const std::string& name) { return name.substr(0, name.find('.')); }

// Cold parts use the frame of the function that jumps to them.
std::string WithoutCold(const std::string& name) {
  const size_t cold = name.rfind(".cold");
  return cold == std::string::npos ? name : name.substr(0, cold);
}

class Measurement {
 public:
  Measurement(const MeasureSettings& settings, const std::string& folder)
      : settings_(settings), root_(folder) {}

  absl::StatusOr<CodeMeasures> Run(absl::Span<const emit::OutputFile> files) {
    size_t bytes = 0;
    for (const emit::OutputFile& file : files) {
      std::error_code ignored;
      fs::create_directories((root_ / file.name).parent_path(), ignored);
      LATHE_RETURN_IF_ERROR(WriteFile((root_ / file.name).string(), file.text));
      if (IsSource(file)) bytes += file.text.size();
    }
    LATHE_RETURN_IF_ERROR(AskCompiler());
    if (bytes > kManyBytes && settings_.say) {
      settings_.say(absl::StrCat("measuring ", bytes >> 20, " MiB of source with ", settings_.cc));
    }
    for (const emit::OutputFile& file : files) {
      if (IsSource(file)) LATHE_RETURN_IF_ERROR(Compile(file.name));
    }
    LATHE_RETURN_IF_ERROR(CheckEntries());
    const std::set<std::string> constants(settings_.constants.begin(), settings_.constants.end());
    for (const auto& [name, size] : measures_.sizes.constants) {
      if (constants.count(BaseName(name)) > 0) measures_.weights += size;
    }
    BoundStack();
    return std::move(measures_);
  }

 private:
  absl::StatusOr<CommandResult> RunCompiler(const std::vector<std::string>& further,
                                            const std::string& source, const std::string& object) {
    std::vector<std::string> words = {settings_.cc, "-std=c99", "-I", root_.string()};
    words.insert(words.end(), settings_.flags.begin(), settings_.flags.end());
    words.insert(words.end(), further.begin(), further.end());
    // The suffix selects the language, whatever language the flags set.
    const bool sets_language =
        std::any_of(settings_.flags.begin(), settings_.flags.end(),
                    [](const std::string& flag) { return absl::StartsWith(flag, "-x"); });
    if (sets_language) words.insert(words.end(), {"-x", "none"});
    words.insert(words.end(), {"-c", source, "-o", object});
    return RunCommand(words);
  }

  // Finds the stack options that the compiler supports, and whether the flags leave the code to the
  // linker. Its object would then have no code, so that is disabled.
  absl::Status AskCompiler() {
    const std::string source = (root_ / "asked.c").string(), object = source + ".o";
    LATHE_RETURN_IF_ERROR(WriteFile(source, "int lathe_asked(void) { return 0; }\n"));
    const std::vector<std::string> usage = {"-fstack-usage"};
    const std::vector<std::string> graph = {"-fstack-usage", "-fcallgraph-info=su"};
    for (const std::vector<std::string>& options : {graph, usage, std::vector<std::string>()}) {
      LATHE_ASSIGN_OR_RETURN(const CommandResult asked, RunCompiler(options, source, object));
      if (asked.exit_code != 0) continue;
      options_ = options;
      const auto bytes = ReadFile(object);
      at_link_time_ = bytes.ok() && HasIntermediateCode(*bytes);
      break;
    }
    if (!at_link_time_) return absl::OkStatus();
    options_.emplace_back("-fno-lto");
    why_unknown_ = "link-time optimization hides the call graph";
    if (settings_.say) {
      settings_.say(
          "code is measured without link-time optimization (-fno-lto), which decides its size when "
          "the program is linked");
    }
    return absl::OkStatus();
  }

  // Reports that a command wrote no object with machine code.
  absl::Status NoCode(absl::string_view what) const {
    return absl::FailedPreconditionError(absl::StrCat(
        "code cannot be measured: '", settings_.cc, " ", absl::StrJoin(settings_.flags, " "), "' ",
        what,
        "; flags such as -S, -E, -fsyntax-only and -fwhole-program leave no code to measure"));
  }

  // Checks that the exported functions were compiled. A size without them is no bound.
  absl::Status CheckEntries() const {
    for (const std::string& entry : settings_.entries) {
      if (defined_.count(entry) == 0) {
        return NoCode(absl::StrCat("compiled no function '", entry, "'"));
      }
    }
    return absl::OkStatus();
  }

  absl::Status Compile(const std::string& file) {
    const std::string source = (root_ / file).string(), object = source + ".o";
    LATHE_ASSIGN_OR_RETURN(const CommandResult built, RunCompiler(options_, source, object));
    if (built.exit_code != 0) {
      return absl::UnavailableError(
          absl::StrCat("'", settings_.cc, "' did not compile the generated code:\n", built.output));
    }
    const auto bytes = ReadFile(object);
    if (!bytes.ok()) return NoCode("wrote no object");
    const auto read = machine::ReadElfFile(*bytes);
    if (!read.ok()) {
      return NoCode(HasIntermediateCode(*bytes) ? "wrote bitcode, no machine code"
                                                : "wrote no ELF object");
    }
    const machine::ElfFile& elf = *read;
    for (const machine::Symbol& symbol : elf.symbols) {
      if (symbol.kind == machine::SymbolKind::kFunction && symbol.section >= 0) {
        defined_.insert(symbol.name);
      }
    }
    const machine::ObjectSizes sizes = machine::MeasureObject(elf);
    Add(sizes, measures_.sizes);
    if (IsAssembler(file)) {
      measures_.weights += sizes.rodata;
      return absl::OkStatus();
    }
    AddFunctions(source, elf);
    return absl::OkStatus();
  }

  // Adds the functions of an object. Frames come from the compiler. Calls come from the compiler
  // and from the instructions, which include calls that the compiler does not report.
  void AddFunctions(const std::string& source, const machine::ElfFile& elf) {
    const std::map<std::string, machine::FunctionCalls> found = machine::FindObjectCalls(elf);
    std::set<std::string> local;
    for (const auto& [name, calls] : found) {
      if (calls.local) local.insert(name);
    }
    StackGraph graph;
    const auto info = ReadFile(source + ".ci");
    const auto usage = ReadFile(source + ".su");
    if (info.ok()) {
      ReadCallGraph(*info, graph);
    } else if (usage.ok() && machine::CanDecode(elf)) {
      ReadStackUsage(*usage, source, local, graph);
    } else if (why_unknown_.empty()) {
      why_unknown_ = absl::StrCat("'", settings_.cc, "' does not report the call graph (",
                                  "GCC does from version 10)");
    }
    const auto unique = [&](const std::string& name) {
      const std::string whole = WithoutCold(name);
      const bool is_local = local.count(name) > 0 || local.count(whole) > 0;
      return is_local ? absl::StrCat(source, ":", whole) : whole;
    };
    for (const auto& [name, calls] : found) {
      // The compiler describes only one of several identical functions.
      if (!calls.same_as.empty() && graph.count(unique(name)) == 0) {
        graph[unique(name)] = {0, "", false, false, {unique(calls.same_as)}};
        continue;
      }
      StackFunction& function = graph[unique(name)];
      const bool split = name != WithoutCold(name);
      for (const std::string& callee : calls.callees) {
        const bool itself = unique(callee) == unique(name);
        // Parts of one function jump to each other. The call graph, if there is one, shows
        // recursion.
        if (itself && (info.ok() || split || callee != name)) continue;
        function.callees.insert(unique(callee));
      }
      if (!info.ok() && calls.through_pointer) function.calls_pointers = true;
    }
    below_ = std::max(below_, machine::BytesBelow(elf));
    for (auto& [name, function] : graph) {
      StackFunction& whole = graph_[name];
      if (function.bytes) whole.bytes = *function.bytes;
      whole.grows = whole.grows || function.grows;
      whole.calls_pointers = whole.calls_pointers || function.calls_pointers;
      whole.callees.insert(function.callees.begin(), function.callees.end());
    }
  }

  // Returns the flags with which a program of library functions is linked.
  std::vector<std::string> LinkFlags() const {
    std::vector<std::string> flags = settings_.flags;
    flags.erase(std::remove(flags.begin(), flags.end(), "-c"), flags.end());
    if (at_link_time_) flags.emplace_back("-fno-lto");
    return flags;
  }

  void BoundStack() {
    for (const auto& [name, bytes] : settings_.stack_of) {
      StackFunction& function = graph_[name];
      if (!function.bytes) function.bytes = bytes;
    }
    std::set<std::string> public_names;
    for (const std::string& name : UnknownCallees(graph_, settings_.entries)) {
      if (!absl::StrContains(name, ":") && !absl::StrContains(name, "/")) public_names.insert(name);
    }
    for (auto& [name, function] :
         MeasureLibraryStack(settings_.cc, LinkFlags(), public_names, root_.string())) {
      if (function.bytes) graph_[name].callees.clear();
      graph_[name].bytes = function.bytes;
      graph_[name].why_unknown = function.why_unknown;
    }
    StackDepth depth = FindStackDepth(graph_, settings_.entries);
    if (!why_unknown_.empty()) {
      depth.bytes.reset();
      depth.unbounded.assign(1, why_unknown_);
    }
    if (depth.bytes) measures_.stack = *depth.bytes + below_;
    measures_.stack_known = depth.known + below_;
    measures_.stack_path = absl::StrJoin(depth.path, " > ");
    measures_.stack_unbounded = std::move(depth.unbounded);
  }

  const MeasureSettings& settings_;
  const fs::path root_;
  std::vector<std::string> options_;
  StackGraph graph_;
  std::set<std::string> defined_;  // functions with code
  bool at_link_time_ = false;      // the flags leave the code to the linker
  int64_t below_ = 0;              // bytes that the deepest function uses below its frame
  std::string why_unknown_;        // set if there is no call graph, or another one after linking
  CodeMeasures measures_;
};

}  // namespace

std::optional<int64_t> CodeMeasures::CodeOf(const std::string& name) const {
  std::optional<int64_t> bytes;
  for (auto it = sizes.functions.lower_bound(name);
       it != sizes.functions.end() && absl::StartsWith(it->first, name); ++it) {
    if (BaseName(it->first) == name) bytes = bytes.value_or(0) + it->second;
  }
  return bytes;
}

absl::StatusOr<CodeMeasures> MeasureCode(absl::Span<const emit::OutputFile> files,
                                         const MeasureSettings& settings) {
  const WorkFolder work(settings.folder);
  return Measurement(settings, work.path()).Run(files);
}

}  // namespace lathe::driver
