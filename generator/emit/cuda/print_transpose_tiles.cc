#include "generator/emit/cuda/print_transpose_tiles.h"

#include <vector>

#include "absl/strings/str_cat.h"
#include "generator/emit/c/kernel/print_c_element.h"
#include "generator/emit/c/kernel/print_c_stmt.h"
#include "generator/emit/c/names/c_types.h"
#include "generator/emit/cuda/print_axes.h"
#include "generator/emit/cuda/print_strided_loop.h"
#include "generator/support/status.h"

namespace lathe::emit {
namespace {

class TilesPrinter {
 public:
  TilesPrinter(CScope& scope, const ir::TransposeTiles& tiles, LineWriter& out)
      : scope_(scope), tiles_(tiles), out_(out) {}

  absl::StatusOr<GridText> Print() {
    for (ir::BufferRef tile : tiles_.tiles) {
      const std::string name = scope_.names.Unique(tile->name);
      scope_.buffers[tile] = name;
      scope_.owners[tile->data] = tile;
      out_.Line("__shared__ ", CType(tile->dtype), " ", name, "[", ir::kTransposeTile, " * ",
                ir::kTransposeTile + 1, "];");
    }
    lane_ = Declare(tiles_.lane, "threadIdx.x % 32u");
    line_ = scope_.names.Unique("line");
    out_.Line("const ", Type(), " ", line_, " = (", Type(), ")(threadIdx.x / 32u);");
    std::vector<ir::GridAxis> axes = tiles_.outer;
    const ir::GridAxis down = TilesAlong("down", tiles_.read_along);
    const ir::GridAxis across = TilesAlong("across", tiles_.write_along);
    axes.push_back(down);
    axes.push_back(across);
    const auto tile = [&]() -> absl::Status {
      const std::string first_read = absl::StrCat(scope_.vars.at(down.var).name, " * 32");
      const std::string first_write = absl::StrCat(scope_.vars.at(across.var).name, " * 32");
      LATHE_RETURN_IF_ERROR(Lines(first_read, first_write, true));
      out_.Line("__syncthreads();");
      LATHE_RETURN_IF_ERROR(Lines(first_read, first_write, false));
      out_.Line("__syncthreads(); /* before the next tile comes */");
      return absl::OkStatus();
    };
    LATHE_ASSIGN_OR_RETURN(const CText count,
                           PrintStridedLoop(scope_, axes, {"blockIdx.x", "gridDim.x"}, tile, out_));
    GridText text;
    text.ways = {
        {"", "", absl::StrCat("lathe_row_blocks(", count.text, ", LATHE_BLOCK)"), "LATHE_BLOCK"}};
    return text;
  }

 private:
  std::string Type() const { return scope_.wide ? "int64_t" : "int32_t"; }

  std::string Declare(ir::PrimRef var, const std::string& value) {
    const std::string name = scope_.names.Unique(ir::ToString(var));
    out_.Line("const ", Type(), " ", name, " = (", Type(), ")(", value, ");");
    scope_.vars[var] = {name, ir::DType::Int(scope_.wide ? 64 : 32)};
    scope_.ranges.Bound(var, {0, ir::kTransposeTile - 1});
    return name;
  }

  ir::GridAxis TilesAlong(const char* name, const ir::GridAxis& axis) {
    ir::Context& ir = scope_.ir;
    const ir::PrimRef extent = ir.MakeCast(ir::DType::Int(64), axis.extent);
    const ir::PrimRef last = ir.Make(ir::BinaryOp::kAdd, extent, ir.Int(ir::kTransposeTile - 1));
    return {ir.NewVar(name), ir.Int(0),
            ir.Make(ir::BinaryOp::kFloorDiv, last, ir.Int(ir::kTransposeTile))};
  }

  // Prints the loop in which a warp reads or writes every eighth line of the tile.
  absl::Status Lines(const std::string& first_read, const std::string& first_write, bool reads) {
    CScope inner = scope_;
    const std::string step = inner.names.Unique("step");
    const std::string row = inner.names.Unique(ir::ToString(tiles_.row));
    NameAxis(inner, {tiles_.row, nullptr, nullptr}, row);
    inner.ranges.Bound(tiles_.row, {0, ir::kTransposeTile - 1});
    out_.Line("LATHE_UNROLL");
    out_.Line("for (int32_t ", step, " = 0; ", step, " < 32; ", step, " += 8) {");
    {
      LineWriter::Indent in(out_);
      out_.Line("const ", Type(), " ", row, " = ", line_, " + ", step, ";");
      LATHE_ASSIGN_OR_RETURN(const std::string one,
                             Place(inner, tiles_.read_along, first_read, reads ? lane_ : row));
      LATHE_ASSIGN_OR_RETURN(const std::string other,
                             Place(inner, tiles_.write_along, first_write, reads ? row : lane_));
      out_.Line("if (", one, " && ", other, ") {");
      {
        LineWriter::Indent deeper(out_);
        LATHE_RETURN_IF_ERROR(PrintCStmt(inner, reads ? tiles_.read : tiles_.write, false, out_));
      }
      out_.Line("}");
    }
    out_.Line("}");
    scope_.must_be_wide = scope_.must_be_wide || inner.must_be_wide;
    return absl::OkStatus();
  }

  // Declares the axis. Returns the condition that it is in bounds.
  absl::StatusOr<std::string> Place(CScope& inner, const ir::GridAxis& axis,
                                    const std::string& first, const std::string& plus) {
    BoundAxis(inner, axis);
    const std::string name = inner.names.Unique(ir::ToString(axis.var));
    NameAxis(inner, axis, name);
    out_.Line("const ", Type(), " ", name, " = ", first, " + ", plus, ";");
    LATHE_ASSIGN_OR_RETURN(const CText end, PrintCIndexValue(inner, axis.extent));
    return absl::StrCat(name, " < ", end.In(kOrder + 1));
  }

  CScope& scope_;
  const ir::TransposeTiles& tiles_;
  LineWriter& out_;
  std::string lane_, line_;
};

}  // namespace

absl::StatusOr<GridText> PrintTransposeTiles(CScope& scope, const ir::TransposeTiles& tiles,
                                             LineWriter& out) {
  return TilesPrinter(scope, tiles, out).Print();
}

}  // namespace lathe::emit
