// lathe_names: inserts hostile names at every entry point, and checks that each is rejected or that
// the files equal those of a harmless name except for identifiers and literals, and the pages of
// `lathe report` and `lathe diff` except for texts.
//
//   lathe_names --count 600 [--first 0] [--build 20] [--door NAME] [--folder DIR]
//
// Case n goes through door n % doors, in one of five ways in turn: C, C with a
// table of functions, C for AVX2, C with weights in a file, CUDA. Every --build-th that is C is
// given to a compiler. What is wrong is printed; the exit code is 1 then.
#include <cstdio>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "generator/bundle/write_bundle.h"
#include "generator/driver/generate_model.h"
#include "generator/driver/pipeline.h"
#include "generator/emit/cuda/cuda_names.h"
#include "generator/support/files.h"
#include "generator/support/run_command.h"
#include "generator/target/gpu.h"
#include "generator/target/target.h"
#include "tests/hostile/c_tokens.h"
#include "tests/hostile/check_pages.h"
#include "tests/hostile/doors.h"
#include "tests/hostile/hostile_name.h"

namespace lathe::hostile {
namespace {

constexpr int kWays = 5, kTable = 1, kVectors = 2;
constexpr int kCuda = 4;
constexpr char kModel[] = "net";

struct Compiled {
  std::vector<emit::OutputFile> files;  // empty: refused
  Pages pages;                          // of C with a table
  std::string refused;
};

Compiled Compile(const Door& door, const std::string& name, int way) {
  static const GpuChoice gpus = *ReadGpus("cuda:sm_80");
  Compiled out;
  driver::CompiledModel compiled;
  const SourceFile& file = compiled.file.emplace(door.path, door.program(name));
  ir::Context& context = compiled.context;
  Diagnostics diags;
  driver::GenerateOptions options;
  if (way == kTable) options.emit.externs = emit::Externs::kTable;
  if (way == 3) options.emit.weights = emit::Weights::kExternal;
  if (way == kCuda) options.gpus = &gpus;
  const Target& target =
      way == kCuda ? CudaTarget() : *FindTarget(way == kVectors ? "x86-64-v3" : "generic-c99");
  std::optional<ir::Module> module = driver::LoadModule(context, file, diags);
  if (module && !diags.has_errors()) {
    const auto prepared = driver::PrepareForLowering(context, *module, target, {}, diags);
    if (prepared.ok() && !diags.has_errors()) {
      auto model = driver::GenerateModel(context, *prepared, target, kModel, options, diags);
      if (model.ok()) out.files = model->files;
      if (model.ok() && way == kTable) {
        compiled.loaded = std::move(module);
        compiled.target = &target;
        compiled.name = kModel;
        compiled.model = *std::move(model);
        out.pages = PagesOf(compiled);
      }
      if (!model.ok() && !diags.has_errors()) out.refused = std::string(model.status().message());
    }
  }
  for (const Diagnostic& d : diags.all()) {
    if (d.severity == Severity::kError) absl::StrAppend(&out.refused, Render(d));
  }
  return out;
}

// Those whose text depends on the program.
bool IsOurs(const std::string& file) { return absl::StartsWith(file, "lathe/"); }
bool IsText(const std::string& file) { return !absl::EndsWith(file, ".bin"); }

class Session {
 public:
  explicit Session(std::string folder) : folder_(std::move(folder)) {}

  void Case(const Door& door, uint64_t n, int way, bool build) {
    Case(door, HostileName(n), absl::StrCat("name ", n), way, build);
  }

  // A name with all that ends an element, an attribute or a comment of a page, through each door.
  void Markup(const std::vector<Door>& doors) {
    for (const Door& door : doors) {
      Case(door, "--></script><!--\"'><img src=x onerror=y>&lt;", "markup", kTable, false);
    }
  }

  // Doors that let nothing through test nothing.
  void Closed(const std::vector<Door>& doors) {
    for (const Door& door : doors) {
      bool open = false;
      for (int way = 0; way < kWays; ++way) open = open || !BenignOf(door, way).files.empty();
      where_ = absl::StrCat("door ", door.name);
      if (!open) closed_.emplace(door.name, BenignOf(door, 0).refused);
    }
  }

  int End() const {
    for (const auto& [name, why] : closed_) {
      std::printf("closed: %s refuses the harmless name: %s\n", name.c_str(), why.c_str());
    }
    std::printf("%lld cases: %lld compiled, %lld refused, %lld built by cc; %lld problems\n",
                static_cast<long long>(cases_), static_cast<long long>(compiled_),
                static_cast<long long>(cases_ - compiled_), static_cast<long long>(built_),
                static_cast<long long>(problems_));
    return problems_ == 0 ? 0 : 1;
  }

 private:
  void Case(const Door& door, const std::string& name, const std::string& called, int way,
            bool build) {
    const Compiled& benign = BenignOf(door, way);
    const Compiled made = Compile(door, name, way);
    ++cases_;
    where_ = absl::StrCat("door ", door.name, ", way ", way, ", ", called, " '",
                          absl::CHexEscape(name.substr(0, 200)), "'");
    if (made.files.empty()) return Refused(door, benign, made.refused);
    ++compiled_;
    compiled_by_[door.name]++;
    if (benign.files.empty()) return Problem("compiled, but the harmless name is refused");
    if (door.means) return Lex(made.files);
    if (made.files.size() != benign.files.size()) {
      // Functions of CUDA's own are declared nowhere else.
      return way == kCuda && emit::IsCudaFunction(name) ? Lex(made.files) : Problem("other files");
    }
    for (size_t i = 0; i < made.files.size(); ++i) Compare(made.files[i], benign.files[i]);
    if (const std::string wrong = CheckPages(made.pages, benign.pages); !wrong.empty()) {
      Problem(wrong);
    }
    if (build && way != kCuda) Build(made.files, way);
  }

  const Compiled& BenignOf(const Door& door, int way) {
    const auto [it, is_new] = benign_.try_emplace({door.name, way});
    if (is_new) it->second = Compile(door, door.benign, way);
    return it->second;
  }

  void Problem(absl::string_view what) {
    if (++problems_ <= 40) {
      std::printf("%s: %s\n", where_.c_str(), std::string(what).c_str());
      std::fflush(stdout);
    }
  }

  void Refused(const Door& door, const Compiled& benign, const std::string& why) {
    if (why.empty()) return Problem("refused without a word");
    for (char c : why) {
      const auto byte = static_cast<unsigned char>(c);
      if ((byte < 32 && c != '\n' && c != '\t') || byte == 127) {
        return Problem(absl::StrCat("a message with control characters: ",
                                    absl::CHexEscape(why.substr(0, 300))));
      }
    }
    if (why.size() > 40000) Problem(absl::StrCat("a message of ", why.size(), " bytes"));
    if (door.any && !benign.files.empty()) {
      Problem(absl::StrCat("refused: ", why.substr(0, 600)));
    }
  }

  void Lex(const std::vector<emit::OutputFile>& files) {
    for (const emit::OutputFile& file : files) {
      if (IsOurs(file.name) || !IsText(file.name)) continue;
      const auto tokens = CTokens(file.text);
      if (!tokens.ok()) Problem(absl::StrCat(file.name, ": ", tokens.status().message()));
    }
  }

  void Compare(const emit::OutputFile& made, const emit::OutputFile& benign) {
    if (made.name != benign.name) return Problem(absl::StrCat("another file: ", made.name));
    if (IsOurs(made.name) || !IsText(made.name)) return;
    const auto got = CTokens(made.text);
    if (!got.ok()) return Problem(absl::StrCat(made.name, ": ", got.status().message()));
    const auto want = CTokens(benign.text);
    if (!want.ok())
      return Problem(absl::StrCat("harmless ", made.name, ": ", want.status().message()));
    for (size_t i = 0; i < got->size() && i < want->size(); ++i) {
      const CToken &a = (*got)[i], &b = (*want)[i];
      // A checksum of the files.
      const bool sum = a.kind == CTokenKind::kNumber && IsOfBundle(*got, i);
      // The length of a literal: "text", 4u.
      const bool length = a.kind == CTokenKind::kNumber && i > 1 && (*got)[i - 1].text == "," &&
                          (*got)[i - 2].kind == CTokenKind::kText;
      const bool free = a.kind == CTokenKind::kName || a.kind == CTokenKind::kText || sum || length;
      const bool directive = i > 0 && (*got)[i - 1].kind == CTokenKind::kDirective;
      const bool keyword = a.kind == CTokenKind::kName && a.text != b.text &&
                           (directive || IsKeyword(a.text) || IsKeyword(b.text));
      if (a.kind == b.kind && (free || a.text == b.text) && !keyword) continue;
      return Problem(absl::StrCat(made.name, ":", a.line, ": ", a.text,
                                  " where the harmless name has ", b.text));
    }
    if (got->size() != want->size()) Problem(absl::StrCat(made.name, ": more or fewer tokens"));
  }

  // #define NET_BUNDLE 0x..., #if NET_BUNDLE != 0x...
  static bool IsOfBundle(const std::vector<CToken>& tokens, size_t at) {
    for (size_t back = 1; back <= 3 && back <= at; ++back) {
      if (absl::EndsWith(tokens[at - back].text, "_BUNDLE")) return true;
    }
    return false;
  }

  static bool IsKeyword(const std::string& word) {
    static const std::set<std::string> words = {
        "auto",     "break",   "case",         "char",     "const",    "continue", "default",
        "do",       "double",  "else",         "enum",     "extern",   "float",    "for",
        "goto",     "if",      "inline",       "int",      "long",     "return",   "register",
        "restrict", "short",   "signed",       "sizeof",   "static",   "struct",   "switch",
        "typedef",  "union",   "void",         "volatile", "while",    "unsigned", "bool",
        "class",    "new",     "private",      "template", "this",     "typename", "_Pragma",
        "asm",      "__asm__", "alignas",      "concept",  "requires", "using",    "virtual",
        "wchar_t",  "nullptr", "__attribute__"};
    return words.count(word) != 0;
  }

  void Build(const std::vector<emit::OutputFile>& files, int way) {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
    if (!bundle::WriteBundle(folder_, files).ok()) return Problem("the files cannot be written");
    std::vector<std::string> words = {"cc",      "-std=c99",      "-Wall", "-Wextra", "-Wshadow",
                                      "-Werror", "-fsyntax-only", "-I",    folder_};
    if (way == kVectors) words.push_back("-march=x86-64-v3");
    for (const emit::OutputFile& file : files) {
      if (absl::EndsWith(file.name, ".c")) words.push_back(absl::StrCat(folder_, "/", file.name));
    }
    ++built_;
    Run(words);
    Run({"c++", "-std=c++20", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-I", folder_, "-x",
         "c++", absl::StrCat(folder_, "/", kModel, ".h")});
  }

  void Run(const std::vector<std::string>& words) {
    const auto ran = RunCommand(words);
    if (!ran.ok()) return Problem(ran.status().message());
    // A header as the main file is what the command is for.
    if (ran->exit_code != 0) Problem(absl::StrCat("cc: ", ran->output.substr(0, 1200)));
  }

  const std::string folder_;
  std::map<std::pair<std::string, int>, Compiled> benign_;
  std::map<std::string, int64_t> compiled_by_;
  std::map<std::string, std::string> closed_;  // why
  std::string where_;
  int64_t cases_ = 0, compiled_ = 0, built_ = 0, problems_ = 0;
};

}  // namespace
}  // namespace lathe::hostile

int main(int argc, char** argv) {
  using namespace lathe;           // NOLINT: a program of its own
  using namespace lathe::hostile;  // NOLINT
  uint64_t count = 600, first = 0, build = 20;
  std::string only, folder = LATHE_NAMES_FOLDER;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string word = argv[i], value = argv[i + 1];
    const bool well = word == "--count"   ? absl::SimpleAtoi(value, &count)
                      : word == "--first" ? absl::SimpleAtoi(value, &first)
                      : word == "--build" ? absl::SimpleAtoi(value, &build) && build > 0
                                          : word == "--door" || word == "--folder";
    if (word == "--door") only = value;
    if (word == "--folder") folder = value;
    if (!well) {
      std::fprintf(stderr,
                   "usage: lathe_names [--count N] [--first N] [--build N] [--door NAME] "
                   "[--folder DIR]\n");
      return 2;
    }
  }
  const auto archive = ReadFile(LATHE_DOORS);
  if (!archive.ok()) {
    std::fprintf(stderr, "%s\n", std::string(archive.status().message()).c_str());
    return 2;
  }
  std::vector<Door> doors;
  for (std::vector<Door>& some : std::vector<std::vector<Door>>{TextDoors(*archive), OnnxDoors()}) {
    for (Door& door : some) {
      if (only.empty() || door.name == only) doors.push_back(std::move(door));
    }
  }
  if (doors.empty()) return 2;
  Session session(folder);
  session.Closed(doors);
  session.Markup(doors);
  for (uint64_t n = first; n < first + count; ++n) {
    // Each door takes all known names, in an order of its own, and then others.
    const uint64_t round = n / doors.size(), at = n % doors.size();
    const uint64_t known = KnownNames();
    const uint64_t name = round < known ? (round * 7919 + at * 37) % known : n;
    session.Case(doors[at], name, static_cast<int>((round + at) % kWays), n % build == 0);
  }
  return session.End();
}
