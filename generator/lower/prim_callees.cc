#include "generator/lower/prim_callees.h"

#include <optional>
#include <vector>

#include "absl/strings/str_cat.h"
#include "generator/ir/buffer_extent.h"
#include "generator/ir/device/canonicalize_prim_func.h"
#include "generator/ir/device/launches_from_scope_ids.h"
#include "generator/ir/each_stmt.h"
#include "generator/ir/tir_mentions.h"
#include "generator/lower/make_kernel.h"

namespace lathe::lower {
namespace {

absl::Status Supported(const std::string& name, const ir::PrimFunc& func) {
  const auto refuse = [&](absl::string_view why) {
    return absl::UnimplementedError(
        absl::StrCat("it calls '", name, "', ", why,
                     "; called functions that take scalars, pointers to elements and buffers of "
                     "known sizes are supported"));
  };
  for (const ir::PrimParam& param : func.params) {
    if (param.buffer == nullptr) {
      const bool points = param.var->dtype().is_handle();
      if (points && param.var->As<ir::SymVar>()->pointee.is_void()) {
        return refuse("which takes a pointer to an unknown type");
      }
      continue;
    }
    if (!param.buffer->strides.empty() || !ir::ExtentOf(*param.buffer)) {
      return refuse(absl::StrCat("whose buffer '", param.buffer->name, "' has sizes or strides ",
                                 "that are passed as arguments"));
    }
  }
  bool large = false;
  ir::ForEachStmt(func.body, [&](ir::StmtRef stmt) {
    const auto own = [&](ir::BufferRef buffer) { large = large || !IsSmall(*buffer); };
    if (const auto* block = stmt->As<ir::BlockStmt>()) {
      for (ir::BufferRef buffer : block->allocs) own(buffer);
    }
    const auto* alloc = stmt->As<ir::AllocStmt>();
    if (alloc != nullptr && !alloc->constant) own(alloc->buffer);
  });
  if (const std::string left = ir::FindUnloweredScopeId(func.body); !left.empty()) {
    return refuse(absl::StrCat("in which T.", left, " does not specify the launch dimensions"));
  }
  if (!large) return absl::OkStatus();
  return refuse(absl::StrCat("which allocates more than ", kMaxLocalBytes, " bytes"));
}

}  // namespace

absl::Status AddCallees(ir::Context& context, const ir::Module& module, const ir::PrimFunc& func,
                        std::map<std::string, ir::PrimFunc>& callees) {
  const ir::TirMentions mentions = ir::MentionsOf(func);
  std::vector<std::string> names = mentions.globals;
  names.insert(names.end(), mentions.externs.begin(), mentions.externs.end());
  for (const std::string& name : names) {
    const std::optional<ir::GlobalId> id = module.Find(name);
    const ir::PrimFunc* callee = id ? module.globals[*id].prim_func() : nullptr;
    if (callee == nullptr) continue;
    const auto [added, is_new] = callees.try_emplace(name, *callee);
    if (!is_new) continue;
    added->second = ir::CanonicalizePrimFunc(context, *callee);
    if (absl::Status status = Supported(name, added->second); !status.ok()) return status;
    if (absl::Status status = AddCallees(context, module, *callee, callees); !status.ok()) {
      return status;
    }
  }
  return absl::OkStatus();
}

}  // namespace lathe::lower
