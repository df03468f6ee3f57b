#include "generator/emit/c/kernel/print_tile.h"

#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "generator/analysis/arithmetic/simplify.h"
#include "generator/emit/c/kernel/print_axis_loops.h"
#include "generator/emit/c/kernel/print_c_element.h"
#include "generator/emit/c/kernel/print_c_stmt.h"
#include "generator/emit/c/kernel/print_kernel.h"
#include "generator/emit/c/kernel/print_tile_sums.h"
#include "generator/emit/c/kernel/print_vector_expr.h"
#include "generator/emit/text/render_named.h"
#include "generator/support/status.h"

namespace lathe::emit {
namespace {

using ir::BinaryOp;
using ir::PrimRef;

class TilePrinter : public TiledSumText {
 public:
  explicit TilePrinter(const TiledSumText& text) : TiledSumText(text) {}
  absl::StatusOr<std::string> Tile();

 private:
  static absl::StatusOr<std::string> Render(const TemplateValue::Dict& t);
  // Prints the address of the tile's first row at the first k of the block.
  absl::StatusOr<std::string> RowPlace();
  // Sets the addresses of the tile's panel and, for integers, of its scales, called `scales`.
  void Panels(const std::string& scales, TemplateValue::Dict& t);
  absl::Status Finish(TemplateValue::Dict& t);
  // Prints the code of a sum in several blocks: the result's memory holds the incomplete sums.
  absl::Status Unfinished(TemplateValue::Dict& t);
  static std::string Trimmed(LineWriter& out);
};

absl::StatusOr<std::string> TilePrinter::Tile() {
  TemplateValue::Dict t;
  const std::string upper = UpperCase(scope_.needs.prefix);
  const std::string by_row = scope_.names.Unique("by_row"), panel = scope_.names.Unique("panel");
  LATHE_ASSIGN_OR_RETURN(const std::string row_place, RowPlace());
  const std::string scales = sum_.panel_scales == nullptr ? "" : UniqueName("scales");
  LATHE_ASSIGN_OR_RETURN(const std::string add_up,
                         PrintTileSums(*this, {by_row, panel, scales, VectorCount()}));
  t["NAME"] = upper;
  t["kernel"] = kernel_;
  t["function"] = function_;
  t["vector"] = VectorType(scope_, lanes_);
  const bool scalar = lanes_ == 1;
  if (scalar) {
    scope_.needs.has_scalar_tiles = true;
    scope_.needs.headers.insert("<math.h>");
  }
  t["zeros"] = scalar ? "0.0f" : absl::StrCat(VectorFunction(scope_, "all"), "(0.0f)");
  t["index"] = index_;
  t["rows"] = absl::StrCat(sum_.rows);
  t["vectors"] = absl::StrCat(sum_.vectors);
  t["width"] = absl::StrCat(width_);
  t["lanes"] = absl::StrCat(lanes_);
  t["last_lane"] = absl::StrCat(lanes_ - 1);
  t["depth"] = absl::StrCat(sum_.depth);
  t["has_tail"] = tail_ != 0 && !scalar;
  t["is_blocked"] = blocked_;
  t["stores_vectors"] = sum_.stores_vectors || scalar;
  t["lanes_before"] = LanesBefore(v_, lanes_);
  t["sums"] = sums_;
  t["r"] = r_;
  t["v"] = v_;
  t["row_count"] = rows_;
  t["columns"] = count_;
  t["column_count"] = tail_ != 0 ? count_ : absl::StrCat(width_);
  t["vector_count"] = VectorCount();
  t["k_begin"] = k_begin_;
  t["k_end"] = k_end_;
  t["row_start"] = by_row;
  t["panel_start"] = panel;
  t["by_row"] = row_place;
  Panels(scales, t);
  t["add_up"] = add_up;
  t["row"] = row_;
  t["column"] = column_;
  t["first_row"] = first_row_;
  t["first_column"] = first_column_;
  t["part"] = part_;
  LATHE_RETURN_IF_ERROR(Finish(t));
  t["has_row"] = MentionsName(*t["finish"].As<std::string>(), row_);
  t["params"] = "";
  LATHE_ASSIGN_OR_RETURN(const std::string body, Render(t));
  std::vector<std::string> names = params_.names;
  names.insert(names.end(), outer_.begin(), outer_.end());
  names.insert(names.end(), {first_row_, first_column_});
  for (const std::string& name : names) {
    if (MentionsName(body, name)) captured_.insert(name);
  }
  t["params"] = absl::StrJoin(Parameters(), ", ");
  return Render(t);
}

absl::StatusOr<std::string> TilePrinter::Render(const TemplateValue::Dict& t) {
  return RenderNamed("kernels/tiled_sum.c.tmpl", {{"t", t}});
}

// Prints the address of the tile's first row at the first k of the block.
absl::StatusOr<std::string> TilePrinter::RowPlace() {
  const PrimRef first = ir_.NewVar("first_row");
  scope_.vars[first] = {first_row_, ir::DType::Int(64)};
  BoundByExtent(scope_, first, sum_.row.extent);
  PrimRef place =
      ir_.Make(BinaryOp::kAdd, sum_.row_start, ir_.Make(BinaryOp::kMul, first, sum_.row_stride));
  place = analysis::Simplify(ir_, place, scope_.ranges);
  LATHE_ASSIGN_OR_RETURN(const std::string text, PrintCIndex(scope_, place));
  const std::string pointer = absl::StrCat("&", scope_.buffers.at(sum_.by_row), "[", text);
  if (!blocked_) return absl::StrCat(pointer, "]");
  LATHE_ASSIGN_OR_RETURN(const CText stride, PrintCIndexValue(scope_, sum_.k_strides.back()));
  const std::string times = stride.text == "1" ? "" : absl::StrCat(" * ", stride.In(kProduct + 1));
  return absl::StrCat(pointer, " + ", k_begin_, times, "]");
}

void TilePrinter::Panels(const std::string& scales, TemplateValue::Dict& t) {
  const std::string panels = scope_.buffers.at(sum_.panels);
  const bool packed = sum_.by_column == nullptr;
  const bool pairs = packed && sum_.panels->dtype.bits == 4;  // of elements in a byte
  std::vector<std::string> place;
  if (columns_ > width_ && packed) {
    place.push_back(absl::StrCat(first_column_, pairs ? " / 2 * " : " * ", sum_.depth));
  }
  if (blocked_ && packed) place.push_back(absl::StrCat(k_begin_, " * ", width_));
  const std::string address =
      place.empty() ? panels : absl::StrCat("&", panels, "[", absl::StrJoin(place, " + "), "]");
  t["panel"] = pairs ? absl::StrCat("(const int8_t *)", address) : address;
  t["panel_type"] = PanelType();
  t["has_scales"] = sum_.panel_scales != nullptr;
  if (sum_.panel_scales == nullptr) return;
  const std::string from = scope_.buffers.at(sum_.panel_scales);
  const int64_t blocks = (sum_.depth + sum_.scale_block - 1) / sum_.scale_block;
  t["scale_start"] = scales;
  t["scales"] =
      columns_ > width_ ? absl::StrCat("&", from, "[", first_column_, " * ", blocks, "]") : from;
}

absl::Status TilePrinter::Finish(TemplateValue::Dict& t) {
  const ir::NestStage& stage = sum_.stage;
  const std::string done = absl::StrCat(sums_, "[", r_, "][", v_, "]");
  if (!sum_.stores_vectors || lanes_ == 1) {
    scope_.locals.insert(stage.acc);
    if (lanes_ == 1) {
      scope_.buffers[stage.acc] = done;
    } else {
      const std::string tile = UniqueName("tile");
      t["tile"] = tile;
      t["tile_size"] = absl::StrCat(sum_.rows * width_);
      t["store_tile"] = absl::StrCat(VectorFunction(scope_, "store"), "(&", tile, "[", r_, " * ",
                                     width_, " + ", v_, " * ", lanes_, "], ", done, ");");
      scope_.buffers[stage.acc] = absl::StrCat(tile, "[(", row_, " - ", first_row_, ") * ", width_,
                                               " + ", column_, " - ", first_column_, "]");
    }
    LineWriter out(2);
    for (const ir::NestLet& let : stage.lets) {
      LATHE_RETURN_IF_ERROR(
          PrintCStmt(scope_, ir_.Make(ir::LetStmt{let.var, let.value}, Location()), false, out));
    }
    LATHE_RETURN_IF_ERROR(PrintCStmt(
        scope_, ir_.Make(ir::StoreStmt{stage.to, stage.at, stage.value}, Location()), false, out));
    t["finish"] = Trimmed(out);
    return absl::OkStatus();
  }
  VectorScope v{scope_, sum_.column.var, lanes_, tail_ != 0 ? part_ : "", {}};
  NameSum(v, stage.acc, done);
  LineWriter out(2);
  for (const ir::NestLet& let : stage.lets) {
    if (let.var->dtype() != ir::DType::Float(32)) {
      LATHE_RETURN_IF_ERROR(
          PrintCStmt(scope_, ir_.Make(ir::LetStmt{let.var, let.value}, Location()), false, out));
      continue;
    }
    LATHE_ASSIGN_OR_RETURN(const VectorText value, PrintVectorValue(v, let.value));
    const std::string name = scope_.names.Unique(ir::ToString(let.var));
    out.Line("const ", value.is_vector ? VectorType(scope_, lanes_) : std::string("float"), " ",
             name, " = ", value.text.text, ";");
    if (value.is_vector) v.vectors[let.var] = name;
    scope_.vars[let.var] = {name, let.var->dtype()};
  }
  LATHE_ASSIGN_OR_RETURN(const std::string value, PrintVector(v, stage.value));
  LATHE_ASSIGN_OR_RETURN(const std::string store, PrintVectorStore(v, stage.to, stage.at, value));
  out.Line(store);
  t["finish"] = Trimmed(out);
  if (!blocked_) return absl::OkStatus();
  return Unfinished(t);
}

// Prints the code of a sum in several blocks: the result's memory holds the incomplete sums.
absl::Status TilePrinter::Unfinished(TemplateValue::Dict& t) {
  const std::string done = absl::StrCat(sums_, "[", r_, "][", v_, "]");
  const CVar row = scope_.vars.at(sum_.row.var), column = scope_.vars.at(sum_.column.var);
  scope_.vars[sum_.row.var].name = absl::StrCat("(", first_row_, " + ", r_, ")");
  scope_.vars[sum_.column.var].name =
      absl::StrCat("(", first_column_, " + ", v_, " * ", lanes_, ")");
  VectorScope v{scope_, sum_.column.var, lanes_, "", {}};
  if (tail_ != 0) v.part = absl::StrCat(count_, " - ", v_, " * ", lanes_);
  LATHE_ASSIGN_OR_RETURN(const std::string load,
                         PrintVector(v, ir_.MakeLoad(sum_.stage.to, sum_.stage.at)));
  LATHE_ASSIGN_OR_RETURN(const std::string store,
                         PrintVectorStore(v, sum_.stage.to, sum_.stage.at, done));
  t["load_unfinished"] = load;
  t["store_unfinished"] = store;
  scope_.vars[sum_.row.var] = row;
  scope_.vars[sum_.column.var] = column;
  return absl::OkStatus();
}

std::string TilePrinter::Trimmed(LineWriter& out) {
  std::string text = out.Take();
  absl::StripTrailingAsciiWhitespace(&text);
  return text;
}

}  // namespace

absl::StatusOr<std::string> PrintTile(TiledSumText& text) {
  TilePrinter printer(text);
  LATHE_ASSIGN_OR_RETURN(std::string function, printer.Tile());
  text.captured_ = printer.captured_;
  return function;
}

}  // namespace lathe::emit
