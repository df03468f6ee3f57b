#include "generator/emit/cuda/print_tiled_product.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "generator/analysis/bounds.h"
#include "generator/emit/c_types.h"
#include "generator/emit/cuda/print_axes.h"
#include "generator/emit/emit.h"
#include "generator/emit/kernel_sizes.h"
#include "generator/emit/print_c_element.h"
#include "generator/emit/print_c_expr.h"
#include "generator/emit/print_c_stmt.h"
#include "generator/emit/stored_element.h"
#include "generator/lower/rewrite_scalar.h"
#include "generator/support/status.h"

namespace lathe::emit {
namespace {

using ir::GridAxis;
using ir::PrimRef;
using ir::TileShape;

class ProductPrinter {
 public:
  ProductPrinter(CScope& scope, const ir::TiledProduct& product)
      : scope_(scope), ir_(scope.ir), product_(product) {}

  absl::StatusOr<GridText> Print(LineWriter& out) {
    scope_.needs.headers.insert(product_.cores ? "\"lathe/mma_tiles.h\"" : "\"lathe/tiles.h\"");
    LATHE_ASSIGN_OR_RETURN(const std::string batch_count, Count(product_.batch));
    LATHE_ASSIGN_OR_RETURN(const std::string row_count, Count(product_.rows));
    LATHE_ASSIGN_OR_RETURN(const std::string column_count, Count(product_.columns));
    LATHE_ASSIGN_OR_RETURN(const std::string depth_count, Count(product_.depth));
    tile_ = Own("Tile");
    LATHE_ASSIGN_OR_RETURN(GridText text, Ways());
    for (const auto* axes : {&product_.batch, &product_.rows, &product_.columns, &product_.depth}) {
      for (const GridAxis& axis : *axes) BoundAxis(scope_, axis);
    }
    index_ = scope_.wide ? "int64_t" : "int32_t";
    TemplateValue::Dict t;
    for (const char* name :
         {"shared", "rows", "columns", "tiles", "place", "by_row", "by_column", "finish"}) {
      t[name] = Own(name);
    }
    const std::string place = *t["place"].As<std::string>();
    t["at"] = "at";
    t["Tile"] = tile_;
    t["sum_tile"] = product_.cores ? "lathe_sum_mma_tile" : "lathe_sum_tile";
    t["index"] = index_;
    t["is_fixed"] = product_.tiles.size() == 1;
    t["tile"] = TypeOf(product_.tiles[0].shape);
    t["row_count"] = row_count;
    t["column_count"] = column_count;
    t["depth_count"] = depth_count;
    const auto tiles = [&](const char* lines) {
      const std::string name = *t[lines].As<std::string>();
      const std::string of = absl::StrCat(tile_, "::", lines);
      return absl::StrCat("((", name, " + ", of, " - 1) / ", of, ")");
    };
    t["tile_count"] = absl::StrCat(batch_count == "1" ? "" : batch_count + " * ", tiles("rows"),
                                   " * ", tiles("columns"));
    LineWriter batch(2);
    if (product_.batch.size() == 1) {
      NameAxis(scope_, product_.batch[0], Own(ir::ToString(product_.batch[0].var)));
      batch.Line("const ", index_, " ", scope_.vars.at(product_.batch[0].var).name, " = ", place,
                 ".batch;");
    } else {
      LATHE_RETURN_IF_ERROR(PrintAxes(scope_, product_.batch, place + ".batch", batch));
    }
    t["has_batch"] = !product_.batch.empty();
    t["batch"] = std::string(absl::StripSuffix(batch.text(), "\n"));
    LATHE_ASSIGN_OR_RETURN(t["by_row_elements"], Factor(product_.by_row, "row"));
    LATHE_ASSIGN_OR_RETURN(t["by_column_elements"], Factor(product_.by_column, "column"));
    LATHE_RETURN_IF_ERROR(Finish(t));
    LATHE_ASSIGN_OR_RETURN(const std::string body,
                           RenderNamed("cuda/tiled_product.cu.tmpl", {{"t", t}}));
    out.Append(body);
    return text;
  }

 private:
  std::string Own(const std::string& name) { return scope_.names.Unique(name); }

  absl::StatusOr<std::string> Count(const std::vector<GridAxis>& axes) {
    const PrimRef count = CountOf(scope_, axes);
    if (!scope_.wide && analysis::BoundsOf(ir_, count, scope_.ranges).hi > kMostNarrow) {
      scope_.must_be_wide = true;
    }
    LATHE_ASSIGN_OR_RETURN(const CText text, PrintCIndexValue(scope_, count));
    return text.In(kProduct + 1);
  }

  std::string NameOf(const GridAxis& axis) {
    BoundAxis(scope_, axis);
    const auto known = scope_.vars.find(axis.var);
    const std::string name =
        known == scope_.vars.end() ? Own(ir::ToString(axis.var)) : known->second.name;
    NameAxis(scope_, axis, name);
    return name;
  }

  // Axes as one parameter of a function, and the lines that take it apart. A single one keeps its
  // name.
  struct Whole {
    std::string name;
    std::string apart;
  };
  absl::StatusOr<Whole> AsOne(const std::vector<GridAxis>& axes, const char* name) {
    if (axes.size() == 1) return Whole{NameOf(axes[0]), ""};
    Whole whole{Own(name), ""};
    for (const GridAxis& axis : axes) (void)NameOf(axis);
    LineWriter lines(2);
    LATHE_RETURN_IF_ERROR(PrintAxes(scope_, axes, whole.name, lines));
    whole.apart = lines.Take();
    return whole;
  }

  std::string SumType() const {
    const ir::DType dtype = product_.sum_dtype;
    if (dtype.is_floating()) return std::string(CScalarType(dtype));
    return absl::StrCat("uint", int{dtype.bits}, "_t");  // which wraps around
  }

  std::string TypeOf(const TileShape& s) const {
    if (product_.cores) {
      const absl::string_view name = SmallFloatName(*product_.cores);
      return absl::StrCat("lathe_mma_tile<lathe_", name.empty() ? "s8" : name, "_cores, ", s.rows,
                          ", ", s.columns, ", ", s.each_row, ", ", s.each_column, ">");
    }
    return absl::StrCat("lathe_tile<", SumType(), ", ", s.rows, ", ", s.columns, ", ", s.depth,
                        ", ", s.each_row, ", ", s.each_column, ">");
  }

  // Which tiles for which sizes, as the host chooses them.
  absl::StatusOr<GridText> Ways() {
    CScope host = scope_;
    host.sizes.clear();  // which only the kernel has
    std::vector<std::string> counts;
    for (const auto* axes : {&product_.batch, &product_.rows, &product_.columns}) {
      LATHE_ASSIGN_OR_RETURN(const CText count, PrintCIndexValue(host, CountOf(host, *axes)));
      counts.push_back(count.In(kProduct + 1));
    }
    GridText text;
    const bool fixed = product_.tiles.size() == 1;
    for (const ir::TileChoice& choice : product_.tiles) {
      const TileShape& shape = choice.shape;
      const std::string tiles = absl::StrCat("lathe_tiles(", counts[0], ", ", counts[1], ", ",
                                             shape.rows, ", ", counts[2], ", ", shape.columns, ")");
      GridWay way;
      if (choice.at_least > 0) way.condition = absl::StrCat(tiles, " >= ", choice.at_least);
      if (!fixed) way.instance = absl::StrCat("<", TypeOf(shape), ">");
      way.blocks = tiles;
      way.threads = absl::StrCat(shape.threads());
      text.ways.push_back(std::move(way));
    }
    text.head = fixed ? absl::StrCat("__global__ void __launch_bounds__(",
                                     product_.tiles[0].shape.threads(), ")")
                      : absl::StrCat("template <typename ", tile_,
                                     ">\n__global__ void __launch_bounds__(", tile_, "::threads)");
    return text;
  }

  // A parameter of a function, without its name where the body does not say it.
  std::string Param(const std::string& type, const std::string& name,
                    const std::string& body) const {
    return MentionsName(body, name) ? absl::StrCat(type, " ", name) : type;
  }

  // Lines of `head` that `body` needs, the innermost first.
  static std::string Needed(const std::string& head, std::string body) {
    std::vector<std::string> lines = absl::StrSplit(head, '\n', absl::SkipEmpty());
    for (size_t i = lines.size(); i-- > 0;) {
      const std::vector<std::string> words = absl::StrSplit(lines[i], ' ');
      if (MentionsName(body, words[2])) body = absl::StrCat(lines[i], "\n", body);
    }
    return body;
  }

  // A number as it lies in memory.
  std::string Stored(ir::DType dtype, const CText& number) const {
    const std::string put = WriteElement(scope_.needs, dtype, {"code", "", true}, number);
    return std::string(absl::StripSuffix(absl::StripPrefix(put, "code = "), ";"));
  }

  // [=](int32_t row, int32_t k) { return ...; }
  std::string Function(const Whole& line, const Whole& k, const std::string& result) const {
    const std::string body = Needed(line.apart + k.apart, absl::StrCat("return ", result, ";"));
    const std::string params = absl::StrCat("[=](", Param(index_, line.name, body), ", ",
                                            Param(index_, k.name, body), ") {");
    const std::vector<std::string> all = absl::StrSplit(body, '\n');
    if (all.size() == 1) return absl::StrCat(params, " ", body, " }");
    return absl::StrCat(params, "\n  ", absl::StrJoin(all, "\n  "), "\n}");
  }

  absl::StatusOr<std::string> Factor(const ir::ProductFactor& factor, const char* name) {
    LATHE_ASSIGN_OR_RETURN(const Whole line, AsOne(factor.lines, name));
    LATHE_ASSIGN_OR_RETURN(const Whole k, AsOne(factor.depth, "k"));
    const std::string along = factor.along_depth ? "along_depth" : "along_lines";
    if (factor.element == nullptr) {
      LATHE_ASSIGN_OR_RETURN(const CText number, PrintCNumber(scope_, factor.value));
      const std::string value =
          product_.cores ? Stored(factor.value->dtype(), number) : number.text;
      return absl::StrCat("lathe_elements_", along, "(", Function(line, k, value), ")");
    }
    const auto* load = factor.element->As<ir::Load>();
    LATHE_ASSIGN_OR_RETURN(const std::string address,
                           PrintCAddress(scope_, load->buffer, load->indices));
    ir::Buffer one;
    one.name = "element";
    one.dtype = load->buffer->dtype;
    one.scope = ir::kRegisterScope;
    one.data = ir_.NewPointer(one.name, one.dtype, "local");
    const ir::BufferRef element = ir_.NewBuffer(std::move(one));
    scope_.locals.insert(element);
    scope_.buffers[element] = "element";
    lower::RewriteScalar rewrite(ir_);
    rewrite.ReplaceLoads(load->buffer, ir_.MakeLoad(element, {}));
    LATHE_ASSIGN_OR_RETURN(std::string value, PrintCExpr(scope_, rewrite(factor.value)));
    if (product_.cores) value = "element";
    return absl::StrCat("lathe_neighbours_", along, "<", CType(load->buffer->dtype), ">(\n    ",
                        Function(line, k, address), ",\n    [](", CType(load->buffer->dtype),
                        " element) { return ", value, "; })");
  }

  // What becomes of a sum.
  absl::Status Finish(TemplateValue::Dict& t) {
    LATHE_ASSIGN_OR_RETURN(const Whole row, AsOne(product_.rows, "row"));
    LATHE_ASSIGN_OR_RETURN(const Whole column, AsOne(product_.columns, "column"));
    const std::string sum = Own(product_.sum->name);
    scope_.locals.insert(product_.sum);
    scope_.buffers[product_.sum] = sum;
    LineWriter lines(2);
    for (ir::StmtRef stmt : product_.finish) {
      LATHE_RETURN_IF_ERROR(PrintCStmt(scope_, stmt, false, lines));
    }
    std::string body =
        Needed(row.apart + column.apart, std::string(absl::StripSuffix(lines.text(), "\n")));
    const ir::DType dtype = product_.sum->dtype;
    std::string given = sum;
    std::string type(CLocalType(dtype));
    if (!SmallFloatName(dtype).empty()) {
      given = Own("exact");
      const std::string rounded = WriteElement(scope_.needs, dtype, {sum, "", true}, CText{given});
      body = absl::StrCat("const ", type, " ", rounded, "\n", body);
      type = SumType();
    }
    t["finish_params"] = absl::StrCat(Param(index_, row.name, body), ", ",
                                      Param(index_, column.name, body), ", ", type, " ", given);
    t["finish_body"] = body;
    return absl::OkStatus();
  }

  CScope& scope_;
  ir::Context& ir_;
  const ir::TiledProduct& product_;
  std::string index_, tile_;
};

}  // namespace

absl::StatusOr<GridText> PrintTiledProduct(CScope& scope, const ir::TiledProduct& product,
                                           LineWriter& out) {
  return ProductPrinter(scope, product).Print(out);
}

}  // namespace lathe::emit
