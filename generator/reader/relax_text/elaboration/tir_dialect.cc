#include "generator/reader/relax_text/elaboration/tir_dialect.h"

#include "absl/strings/match.h"
#include "absl/types/span.h"

namespace lathe::relax_text {
namespace {

// The import of TIR up to 0.23, which printers write as a comment.
constexpr absl::string_view kImportUntil023 = " tir as T";

// Spellings that occur only since, or only until, a version.
constexpr absl::string_view kSince025[] = {"s_tir=",          "persistent=",
                                           "T.let[",          ": T.let =",
                                           "out_ty=",         "ty_args=",
                                           "R.Any",           "T.device_entry(",
                                           "layout=None",     "layout=T.",
                                           "T.local_scalar(", "import tile as",
                                           " = TypeVar(",     "tvm.tirx.layout import Axis"};
constexpr absl::string_view kSince024[] = {"import tirx", "T.sblock", "T.bind(", "\"tirx."};
constexpr absl::string_view kUntil023[] = {
    "import tir as", "T.block(",   "T.block_attr(", "T.allocate(", "T.allocate_const(",
    "T.LetStmt(",    "out_sinfo=", "sinfo_args=",   "\"tir.",      "tir_vars="};

bool HasAny(absl::string_view text, absl::Span<const absl::string_view> words) {
  for (absl::string_view word : words) {
    if (absl::StrContains(text, word)) return true;
  }
  return false;
}

}  // namespace

TirDialect DetectTirDialect(absl::string_view text) {
  if (absl::StrContains(text, kImportUntil023)) return TirDialect::kClassic;
  if (HasAny(text, kSince025)) return TirDialect::kMutable;
  if (HasAny(text, kSince024)) return TirDialect::kFlat;
  if (HasAny(text, kUntil023)) return TirDialect::kClassic;
  return TirDialect::kFlat;
}

}  // namespace lathe::relax_text
