#include "generator/lower/match_sizes.h"

#include "absl/strings/str_cat.h"
#include "generator/analysis/arithmetic/prove.h"
#include "generator/analysis/arithmetic/substitute.h"

namespace lathe::lower {

void SizeMatch::Add(ir::PrimRef formal, ir::PrimRef actual, absl::string_view what) {
  if (formal->As<ir::SymVar>() != nullptr && mapping_.try_emplace(formal, actual).second) {
    NeedSizeFor(formal, actual, what);
  } else {
    pairs_.push_back({formal, actual, std::string(what)});
  }
}

void SizeMatch::NeedSizeFor(ir::PrimRef formal, ir::PrimRef actual, absl::string_view what) {
  if (formal->dtype() == ir::DType::Int(64) && !context_.IsSigned(formal)) NeedSize(actual, what);
}

void SizeMatch::NeedSize(ir::PrimRef actual, absl::string_view what) {
  const ir::PrimRef zero = context_.Int(0, actual->dtype());
  if (analysis::ProveLessEqual(context_, zero, actual) == ir::Tri::kYes) return;
  sizes_.push_back({context_.Make(ir::BinaryOp::kLe, zero, actual), std::string(what)});
}

std::vector<ir::CheckStep> SizeMatch::Checks() {
  std::vector<ir::CheckStep> checks = sizes_;
  for (const Pair& pair : pairs_) {
    const ir::PrimRef wanted = analysis::Substitute(context_, pair.formal, mapping_);
    const ir::PrimRef got = context_.MakeCast(wanted->dtype(), pair.actual);
    if (analysis::ProveEqual(context_, wanted, got) == ir::Tri::kYes) continue;
    const bool is_number = wanted->As<ir::IntImm>() != nullptr;
    checks.push_back({is_number ? context_.Make(ir::BinaryOp::kEq, got, wanted)
                                : context_.Make(ir::BinaryOp::kEq, wanted, got),
                      pair.what});
  }
  return checks;
}

}  // namespace lathe::lower
