// lathe_reduce: generates programs and checks that they are reduced to few bindings.
//
//   lathe_reduce --count 6 --seed 1 [--print]
//
// Program n is made of seed + n alone. For each operator that it calls, "the program fails" means
// "the program calls the operator". The reduced program has to be well formed, to fail, to be the
// same if it is reduced twice, and to have at most kMostBindings bindings. A problem is printed
// with its seed; the exit code is 1 then.
#include <algorithm>
#include <cstdio>
#include <string>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "generator/analysis/derive/derive_struct_info.h"
#include "generator/analysis/well_formed/well_formed.h"
#include "generator/ir/print/print_tvmscript.h"
#include "generator/ir/verify_graph.h"
#include "generator/transform/reduce/reduce_program.h"
#include "tests/random/write_program.h"

namespace lathe::random {
namespace {

// A call of an operator, and another binding that makes an operand that it needs.
constexpr size_t kMostBindings = 2;

struct ReduceSettings {
  int64_t count = 6;
  uint64_t seed = 1;
  bool print = false;
};

bool Calls(const ir::Module& module, const std::string& op) {
  Tally tally;
  CountOps(module, tally);
  return tally.ops.count(op) > 0;
}

std::string WhyMalformed(ir::Context& context, ir::Module module) {
  if (const auto broken = ir::BrokenInvariant(module)) return *broken;
  Diagnostics diags;
  analysis::CheckWellFormed(context, module, diags);
  if (!diags.has_errors()) analysis::DeriveStructInfo(context, module, diags);
  if (!diags.has_errors()) analysis::CheckWellFormedWithInfos(context, module, diags);
  return diags.has_errors() ? diags.all().front().message : "";
}

class ReduceSession {
 public:
  explicit ReduceSession(const ReduceSettings& settings) : settings_(settings) {}

  int Run() {
    for (int64_t n = 0; n < settings_.count; ++n) {
      if (!Check(settings_.seed + static_cast<uint64_t>(n))) return 1;
    }
    std::printf("%lld programs, %lld operators, %lld calls of 'fails', at most %lld bindings\n",
                static_cast<long long>(settings_.count), static_cast<long long>(operators_),
                static_cast<long long>(asked_), static_cast<long long>(most_));
    return 0;
  }

 private:
  bool Check(uint64_t seed) {
    ir::Context context;
    const auto program = WriteProgram(context, seed);
    if (!program.ok()) return Complain(seed, "", std::string(program.status().message()));
    Tally tally;
    CountOps(program->module, tally);
    for (const auto& [op, count] : tally.ops) {
      const ir::Module least = Reduce(context, program->module, op);
      const std::string text = ir::PrintTvmScript(least, {});
      ++operators_;
      most_ = std::max(most_, transform::CountAllBindings(least));
      if (settings_.print)
        std::printf("seed %llu, %s\n%s", static_cast<unsigned long long>(seed), op.c_str(),
                    text.c_str());
      if (const std::string why = WhyMalformed(context, least); !why.empty()) {
        return Complain(seed, op, absl::StrCat(why, "\n", text));
      }
      if (!Calls(least, op)) return Complain(seed, op, absl::StrCat("no call\n", text));
      if (transform::CountAllBindings(least) > kMostBindings) {
        return Complain(seed, op, absl::StrCat("many bindings\n", text));
      }
      if (ir::PrintTvmScript(Reduce(context, program->module, op), {}) != text) {
        return Complain(seed, op, absl::StrCat("another result of the second time\n", text));
      }
    }
    return true;
  }

  ir::Module Reduce(ir::Context& context, const ir::Module& module, const std::string& op) {
    const auto fails = [&](const ir::Module& m) {
      ++asked_;
      return Calls(m, op);
    };
    return transform::ReduceProgram(context, module, {fails});
  }

  static bool Complain(uint64_t seed, const std::string& op, const std::string& why) {
    std::printf("seed %llu, %s: %s\n", static_cast<unsigned long long>(seed), op.c_str(),
                why.c_str());
    return false;
  }

  const ReduceSettings settings_;
  int64_t operators_ = 0, asked_ = 0;
  size_t most_ = 0;
};

bool ReadWords(int argc, char** argv, ReduceSettings& settings) {
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const bool more = i + 1 < argc;
    if (word == "--print") {
      settings.print = true;
    } else if (word == "--count" && more) {
      if (!absl::SimpleAtoi(argv[++i], &settings.count)) return false;
    } else if (word == "--seed" && more) {
      if (!absl::SimpleAtoi(argv[++i], &settings.seed)) return false;
    } else {
      return false;
    }
  }
  return true;
}

}  // namespace
}  // namespace lathe::random

int main(int argc, char** argv) {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  lathe::random::ReduceSettings settings;
  if (!lathe::random::ReadWords(argc, argv, settings)) {
    std::fprintf(stderr, "usage: lathe_reduce [--count N] [--seed N] [--print]\n");
    return 2;
  }
  return lathe::random::ReduceSession(settings).Run();
}
