#include "generator/emit/c/kernel/print_tile_loops.h"

#include <functional>
#include <tuple>
#include <utility>

#include "absl/strings/str_cat.h"
#include "generator/analysis/arithmetic/simplify.h"
#include "generator/emit/c/kernel/print_c_element.h"
#include "generator/emit/c/kernel/print_vector_expr.h"
#include "generator/support/status.h"

namespace lathe::emit {
namespace {

using ir::BinaryOp;
using ir::PrimRef;

class TileLoopsPrinter : public TiledSumText {
 public:
  explicit TileLoopsPrinter(const TiledSumText& text) : TiledSumText(text) {}
  absl::Status Loops(LineWriter& out);

 private:
  absl::Status Batch(size_t axis, LineWriter& out);
  absl::Status Blocks(LineWriter& out);
  // Prints the loop over panels. `panel` prints its body for the first column and their number.
  using PrintPanel = std::function<absl::Status(const std::string& column, int64_t count)>;
  absl::Status Panels(const PrintPanel& panel, LineWriter& out);
  // Prints the loops over panels and rows in the order of the form.
  absl::Status PanelsAndRows(LineWriter& out);
  // Prints the packing of the panel at `column` and the loops that use it.
  absl::Status Panel(const std::string& column, int64_t count, LineWriter& out);
  // Prints the loops that pack the column operand into the panel.
  absl::Status Pack(const std::string& column, int64_t count, LineWriter& out);
  // Prints the tiles of one block of rows, whose number is the given C expression.
  using PrintBlock = std::function<absl::Status(const std::string& rows, LineWriter& out)>;
  absl::Status Outer(size_t axis, const PrintBlock& block, LineWriter& out);
  absl::Status Rows(const PrintBlock& block, LineWriter& out);
  // Prints the loop over row blocks: the smallest number of blocks, whose sizes differ by at most
  // one.
  absl::Status BalancedRows(const PrintBlock& block, LineWriter& out);
};

absl::Status TileLoopsPrinter::Loops(LineWriter& out) { return Batch(0, out); }

absl::Status TileLoopsPrinter::Batch(size_t axis, LineWriter& out) {
  if (axis == sum_.batch.size()) return Blocks(out);
  LATHE_ASSIGN_OR_RETURN(const CText extent, PrintCIndexValue(scope_, sum_.batch[axis].extent));
  out.Line("for (", index_, " ", outer_[axis], " = 0; ", outer_[axis], " < ", extent.In(kOrder + 1),
           "; ++", outer_[axis], ") {");
  {
    LineWriter::Indent in(out);
    LATHE_RETURN_IF_ERROR(Batch(axis + 1, out));
  }
  out.Line("}");
  return absl::OkStatus();
}

absl::Status TileLoopsPrinter::Blocks(LineWriter& out) {
  if (!blocked_) return PanelsAndRows(out);
  const std::string blocks = absl::StrCat("for (", index_, " ", k_begin_, " = 0; ", k_begin_, " < ",
                                          innermost_, "; ", k_begin_, " += ", sum_.block, ") {");
  out.Line(blocks);
  {
    LineWriter::Indent in(out);
    out.Line("const ", index_, " ", k_end_, " = ", k_begin_, " < ", innermost_ - sum_.block, " ? ",
             k_begin_, " + ", sum_.block, " : ", innermost_, ";");
    LATHE_RETURN_IF_ERROR(PanelsAndRows(out));
  }
  out.Line("}");
  return absl::OkStatus();
}

absl::Status TileLoopsPrinter::PanelsAndRows(LineWriter& out) {
  if (!sum_.rows_outermost) {
    return Panels(
        [&](const std::string& column, int64_t count) { return Panel(column, count, out); }, out);
  }
  const auto block = [&](const std::string& rows, LineWriter& inner) {
    return Panels(
        [&](const std::string& column, int64_t count) {
          inner.Line(Call(column, count, rows));
          return absl::OkStatus();
        },
        inner);
  };
  return Outer(0, block, out);
}

absl::Status TileLoopsPrinter::Panels(const PrintPanel& panel, LineWriter& out) {
  const int64_t whole = columns_ - tail_;
  if (whole > width_) {
    out.Line("for (", index_, " ", first_column_, " = 0; ", first_column_, " < ", whole, "; ",
             first_column_, " += ", width_, ") {");
    {
      LineWriter::Indent in(out);
      LATHE_RETURN_IF_ERROR(panel(first_column_, width_));
    }
    out.Line("}");
  } else if (whole > 0) {
    LATHE_RETURN_IF_ERROR(panel("0", width_));
  }
  if (tail_ != 0) LATHE_RETURN_IF_ERROR(panel(absl::StrCat(whole), tail_));
  return absl::OkStatus();
}

// Prints the packing of the panel at `column` and the loops that use it.
absl::Status TileLoopsPrinter::Panel(const std::string& column, int64_t count, LineWriter& out) {
  if (sum_.by_column != nullptr) LATHE_RETURN_IF_ERROR(Pack(column, count, out));
  const auto block = [&](const std::string& rows, LineWriter& inner) {
    inner.Line(Call(column, count, rows));
    return absl::OkStatus();
  };
  return Outer(0, block, out);
}

// Prints the loops that pack the column operand into the panel.
absl::Status TileLoopsPrinter::Pack(const std::string& column, int64_t count, LineWriter& out) {
  const auto& reduce = sum_.stage.reduce;
  const auto* stride = sum_.column_stride->As<ir::IntImm>();
  const bool side_by_side = stride != nullptr && stride->value == 1;
  PrimRef place = sum_.column_start;
  PrimRef k = ir_.Int(0);
  const PrimRef first = ir_.NewVar("first_column"), own = ir_.NewVar("column");
  scope_.vars[first] = {column, ir::DType::Int(64)};
  scope_.ranges.Bound(first, {0, columns_ - 1});
  scope_.vars[own] = {UniqueName("c"), ir::DType::Int(64)};
  scope_.ranges.Bound(own, {0, width_ - 1});
  place =
      ir_.Make(BinaryOp::kAdd, place,
               ir_.Make(BinaryOp::kMul, ir_.Make(BinaryOp::kAdd, first, own), sum_.column_stride));
  for (size_t i = 0; i < reduce.size(); ++i) {
    const PrimRef var = ir_.MakeCast(ir::DType::Int(64), reduce[i].var);
    place =
        ir_.Make(BinaryOp::kAdd, place, ir_.Make(BinaryOp::kMul, var, sum_.column_k_strides[i]));
    k = ir_.Make(BinaryOp::kAdd,
                 ir_.Make(BinaryOp::kMul, k, ir_.MakeCast(ir::DType::Int(64), reduce[i].extent)),
                 var);
  }
  LATHE_ASSIGN_OR_RETURN(const std::string from,
                         PrintCIndex(scope_, analysis::Simplify(ir_, place, scope_.ranges)));
  LATHE_ASSIGN_OR_RETURN(CText row, PrintCIndexValue(scope_, analysis::Simplify(ir_, k)));
  if (blocked_) row = {absl::StrCat(row.In(kSum), " - ", k_begin_), kSum};
  const std::string c = scope_.vars.at(own).name;
  const std::string to = absl::StrCat("&", scope_.buffers.at(sum_.panels), "[", row.In(kProduct),
                                      " * ", width_, " + ", c, "]");
  const std::string source = absl::StrCat("&", scope_.buffers.at(sum_.by_column), "[", from, "]");
  const int64_t step = side_by_side ? lanes_ : 1;
  const std::string columns = absl::StrCat("for (", index_, " ", c, " = 0; ", c, " < ", count, "; ",
                                           c, " += ", step, ") {");
  // Contiguous elements are read in memory order.
  std::string indent;
  const auto open = [&](const std::string& line) {
    out.Line(indent, line);
    indent += "  ";
  };
  if (!side_by_side) open(columns);
  for (size_t i = 0; i < reduce.size(); ++i) {
    const std::string name = scope_.vars.at(reduce[i].var).name;
    const bool blocks = blocked_ && i + 1 == reduce.size();
    open(absl::StrCat("for (", index_, " ", name, " = ", blocks ? k_begin_ : "0", "; ", name, " < ",
                      blocks ? k_end_ : absl::StrCat(NumberOf(reduce[i].extent)), "; ++", name,
                      ") {"));
  }
  if (side_by_side) open(columns);
  if (!side_by_side || lanes_ == 1) {
    out.Line(indent, to.substr(1), " = ", source.substr(1), ";");
  } else if (count % lanes_ == 0) {
    out.Line(indent, VectorFunction(scope_, "store"), "(", to, ", ", VectorFunction(scope_, "load"),
             "(", source, "));");
  } else {
    out.Line(indent, VectorFunction(scope_, "store"), "(", to, ", ",
             VectorFunction(scope_, "load_part"), "(", source, ", ", count, " - ", c, "));");
  }
  for (; !indent.empty(); indent.resize(indent.size() - 2)) out.Line(indent.substr(2), "}");
  return absl::OkStatus();
}

absl::Status TileLoopsPrinter::Outer(size_t axis, const PrintBlock& block, LineWriter& out) {
  if (axis == sum_.outer.size()) return Rows(block, out);
  LATHE_ASSIGN_OR_RETURN(const CText extent, PrintCIndexValue(scope_, sum_.outer[axis].extent));
  const std::string& name = outer_[sum_.batch.size() + axis];
  out.Line("for (", index_, " ", name, " = 0; ", name, " < ", extent.In(kOrder + 1), "; ++", name,
           ") {");
  {
    LineWriter::Indent in(out);
    LATHE_RETURN_IF_ERROR(Outer(axis + 1, block, out));
  }
  out.Line("}");
  return absl::OkStatus();
}

absl::Status TileLoopsPrinter::Rows(const PrintBlock& block, LineWriter& out) {
  const auto* extent = sum_.row.extent->As<ir::IntImm>();
  if (extent == nullptr) return BalancedRows(block, out);
  const int64_t rows = extent->value;
  const int64_t blocks = (rows + sum_.rows - 1) / sum_.rows;
  const int64_t few = blocks == 0 ? 0 : rows / blocks;
  const int64_t more = (rows - few * blocks) * (few + 1);  // rows in blocks of one more
  for (const auto& [from, to, step] :
       {std::tuple(int64_t{0}, more, few + 1), std::tuple(more, rows, few)}) {
    if (from == to) continue;
    out.Line("for (", index_, " ", first_row_, " = ", from, "; ", first_row_, " < ", to, "; ",
             first_row_, " += ", step, ") {");
    {
      LineWriter::Indent in(out);
      LATHE_RETURN_IF_ERROR(block(absl::StrCat(step), out));
    }
    out.Line("}");
  }
  return absl::OkStatus();
}

// Prints the loop over row blocks: the smallest number of blocks, whose sizes differ by at most
// one.
absl::Status TileLoopsPrinter::BalancedRows(const PrintBlock& block, LineWriter& out) {
  LATHE_ASSIGN_OR_RETURN(const CText extent, PrintCIndexValue(scope_, sum_.row.extent));
  const std::string all = extent.In(kSum);
  const std::string left = UniqueName("blocks");
  // The loop condition tests the row and not the number of blocks. Both are equivalent, but gcc
  // does not see that and would warn about overflows for sizes out of range.
  out.Line(index_, " ", left, " = (", all, " + ", sum_.rows - 1, ") / ", sum_.rows, ";");
  out.Line("for (", index_, " ", first_row_, " = 0; ", first_row_, " < ", extent.In(kOrder + 1),
           "; --", left, ") {");
  {
    LineWriter::Indent in(out);
    out.Line("const ", index_, " ", rows_, " = (", all, " - ", first_row_, ") / ", left, ";");
    out.Line("switch (", rows_, ") {");
    for (int rows = 1; rows <= sum_.rows; ++rows) {
      LineWriter::Indent deeper(out);
      out.Line(rows < sum_.rows ? absl::StrCat("case ", rows, ":") : "default:");
      LineWriter::Indent in(out);
      LATHE_RETURN_IF_ERROR(block(absl::StrCat(rows), out));
      out.Line("break;");
    }
    out.Line("}");
    out.Line(first_row_, " += ", rows_, ";");
  }
  out.Line("}");
  return absl::OkStatus();
}

}  // namespace

absl::Status PrintTileLoops(const TiledSumText& text, LineWriter& out) {
  return TileLoopsPrinter(text).Loops(out);
}

}  // namespace lathe::emit
