#include "generator/emit/cuda/print_attention.h"

#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "generator/emit/c/kernel/print_c_element.h"
#include "generator/emit/c/kernel/print_c_expr.h"
#include "generator/emit/c/names/c_types.h"
#include "generator/emit/cuda/print_axes.h"
#include "generator/emit/cuda/print_finish.h"
#include "generator/emit/cuda/tile_functions.h"
#include "generator/emit/text/render_named.h"
#include "generator/support/status.h"

namespace lathe::emit {
namespace {

constexpr ir::DType kExact = ir::DType::Float(32);

class AttentionPrinter {
 public:
  AttentionPrinter(CScope& scope, const ir::Attention& attention)
      : scope_(scope), attention_(attention), functions_(scope, attention.cores) {}

  absl::StatusOr<GridText> Print(LineWriter& out) {
    const ir::Attention& a = attention_;
    scope_.needs.headers.insert(a.cores ? "\"lathe/mma_attention.h\"" : "\"lathe/attention.h\"");
    TemplateValue::Dict t;
    LATHE_ASSIGN_OR_RETURN(t["row_count"], functions_.Count(a.rows));
    LATHE_ASSIGN_OR_RETURN(t["key_count"], functions_.Count(a.keys));
    LATHE_ASSIGN_OR_RETURN(const std::string batch_count, functions_.Count(a.batch));
    LATHE_ASSIGN_OR_RETURN(GridText text, Ways());
    for (const auto* axes : {&a.batch, &a.rows, &a.keys, &a.depth, &a.columns}) {
      for (const ir::GridAxis& axis : *axes) BoundAxis(scope_, axis);
    }
    for (const char* name : {"Tile", "shared", "rows", "keys", "parts", "tiles", "row", "by_query",
                             "by_key", "by_value", "score", "seen", "finish"}) {
      t[name] = functions_.UniqueName(name);
    }
    t["at"] = "at";
    t["index"] = functions_.index();
    t["tile"] = TileType();
    t["attend"] = a.cores ? "lathe_attend_mma" : "lathe_attend";
    t["tile_count"] =
        absl::StrCat(batch_count == "1" ? "" : batch_count + " * ", *t["parts"].As<std::string>());
    t["has_batch"] = !a.batch.empty();
    const std::string number = absl::StrCat("at / ", *t["parts"].As<std::string>());
    LATHE_ASSIGN_OR_RETURN(t["batch"], functions_.Delinearize(a.batch, number));
    LATHE_ASSIGN_OR_RETURN(t["query"], functions_.Factor(a.query, "query", "k"));
    LATHE_ASSIGN_OR_RETURN(t["key"], functions_.Factor(a.key, "key", "k"));
    LATHE_ASSIGN_OR_RETURN(t["value"], functions_.Factor(a.value, "column", "key"));
    LATHE_ASSIGN_OR_RETURN(t["score_of"], Score());
    LATHE_ASSIGN_OR_RETURN(t["seen_keys"], Seen());
    LATHE_ASSIGN_OR_RETURN(t["finish_of"], Finish());
    LATHE_ASSIGN_OR_RETURN(const std::string body,
                           RenderNamed("cuda/attention.cu.tmpl", {{"t", t}}));
    out.Append(body);
    return text;
  }

 private:
  std::string TileType() const {
    const ir::AttentionShape& s = attention_.shape;
    const std::string sizes =
        absl::StrCat(s.keys, ", ", attention_.depth_count, ", ", attention_.column_count, ">");
    if (!attention_.cores) return absl::StrCat("lathe_attention_tile<", s.rows, ", ", sizes);
    return absl::StrCat("lathe_mma_attention_tile<lathe_", SmallFloatName(*attention_.cores),
                        "_cores, ", s.rows, ", ", s.warp_rows, ", ", sizes);
  }

  absl::StatusOr<GridText> Ways() {
    CScope host = scope_;
    host.sizes.clear();  // which only the kernel has
    TileFunctions functions(host, std::nullopt);
    LATHE_ASSIGN_OR_RETURN(const std::string batch, functions.Count(attention_.batch));
    LATHE_ASSIGN_OR_RETURN(const std::string rows, functions.Count(attention_.rows));
    const ir::AttentionShape& shape = attention_.shape;
    GridText text;
    text.head = absl::StrCat("__global__ void __launch_bounds__(", shape.threads(), ", 2)");
    text.ways = {{"", "",
                  absl::StrCat("lathe_tiles(", batch, ", ", rows, ", ", shape.rows, ", 1, 1)"),
                  absl::StrCat(shape.threads())}};
    return text;
  }

  absl::StatusOr<std::string> Score() {
    LATHE_ASSIGN_OR_RETURN(const LinearAxes row, functions_.AsParameter(attention_.rows, "query"));
    LATHE_ASSIGN_OR_RETURN(const LinearAxes key, functions_.AsParameter(attention_.keys, "key"));
    const TileFunctions::SumParameter sum = functions_.DeclareSum(attention_.sum, kExact);
    if (attention_.scale != nullptr && attention_.cores) {
      LATHE_ASSIGN_OR_RETURN(const std::string text, PrintCExpr(scope_, attention_.scale));
      return absl::StrCat("lathe_scaled_scores{", text, "}");
    }
    LATHE_ASSIGN_OR_RETURN(const CText score, PrintCNumber(scope_, attention_.score));
    return functions_.Function({row, key}, score.text, absl::StrCat(sum.type, " ", sum.name));
  }

  absl::StatusOr<std::string> Seen() {
    if (!attention_.mask_bounds) return std::string("lathe_every_key()");
    const ir::MaskBounds& seen = *attention_.mask_bounds;
    const ir::GridAxis& row = attention_.rows[0];
    const std::string first = functions_.UniqueName("first"), last = functions_.UniqueName("last");
    LATHE_ASSIGN_OR_RETURN(const std::string hidden,
                           PrintCExpr(scope_, scope_.ir.Float(seen.hidden, kExact)));
    const std::string own = scope_.vars.at(row.var).name;
    NameAxis(scope_, row, first);
    LATHE_ASSIGN_OR_RETURN(const CText from, PrintCIndexValue(scope_, seen.first));
    NameAxis(scope_, row, last);
    LATHE_ASSIGN_OR_RETURN(const CText to, PrintCIndexValue(scope_, seen.end));
    NameAxis(scope_, row, own);
    const std::string index = functions_.index();
    return absl::StrCat("lathe_some_keys(", hidden, ", [=](",
                        TileFunctions::Param(index, first, from.text), ", ",
                        TileFunctions::Param(index, last, to.text), ") -> lathe_key_range<", index,
                        "> { return {", from.text, ", ", to.text, "}; })");
  }

  absl::StatusOr<std::string> Finish() {
    return PrintFinish(scope_,
                       {attention_.rows, attention_.columns, attention_.result, kExact,
                        attention_.finish, attention_.store_alignment},
                       functions_);
  }

  CScope& scope_;
  const ir::Attention& attention_;
  TileFunctions functions_;
};

}  // namespace

absl::StatusOr<GridText> PrintAttention(CScope& scope, const ir::Attention& attention,
                                        LineWriter& out) {
  return AttentionPrinter(scope, attention).Print(out);
}

}  // namespace lathe::emit
