#include "generator/schedule/cuda/check_callees.h"

#include <set>
#include <vector>

#include "absl/strings/str_cat.h"
#include "generator/ir/tir_mentions.h"
#include "generator/schedule/cuda/bind_threads.h"

namespace lathe::schedule {
namespace {

using Callees = std::map<std::string, ir::PrimFunc>;

std::vector<std::string> CalledBy(const ir::PrimFunc& func) {
  ir::TirMentions mentions = ir::MentionsOf(func);
  mentions.globals.insert(mentions.globals.end(), mentions.externs.begin(), mentions.externs.end());
  return std::move(mentions.globals);
}

bool Reaches(const Callees& callees, const std::string& from, const std::string& to,
             std::set<std::string>& seen) {
  for (const std::string& next : CalledBy(callees.at(from))) {
    if (callees.count(next) == 0) continue;
    if (next == to || (seen.insert(next).second && Reaches(callees, next, to, seen))) return true;
  }
  return false;
}

}  // namespace

Callees CalleesOfGpus(const ir::Program& program) {
  Callees found;
  const auto add = [&](const ir::PrimFunc& caller, const auto& self) -> void {
    for (const std::string& name : CalledBy(caller)) {
      const auto callee = program.callees.find(name);
      if (callee != program.callees.end() && found.insert(*callee).second) {
        self(callee->second, self);
      }
    }
  };
  for (int32_t i = 0; i < std::ssize(program.kernels); ++i) {
    const ir::Kernel& kernel = program.kernels[ir::KernelId{i}];
    if (!kernel.on_host) add(kernel.func, add);
  }
  return found;
}

absl::Status CheckCallees(const Callees& callees) {
  for (const auto& [name, func] : callees) {
    std::set<std::string> seen;
    const char* why = BindsThreads(func.body) ? "which binds loops to threads"
                      : Reaches(callees, name, name, seen)
                          ? "which may call itself to an unknown depth"
                          : nullptr;
    if (why == nullptr) continue;
    return absl::UnimplementedError(absl::StrCat("'", name, "', which is called in a kernel and ",
                                                 why,
                                                 ", cannot be printed as CUDA yet; supported: "
                                                 "called functions with serial loops and calls"));
  }
  return absl::OkStatus();
}

}  // namespace lathe::schedule
