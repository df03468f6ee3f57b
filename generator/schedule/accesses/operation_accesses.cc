#include "generator/schedule/accesses/operation_accesses.h"

#include "absl/strings/str_cat.h"
#include "generator/ir/defined_operations.h"
#include "generator/ir/int8_dot.h"
#include "generator/ir/products.h"
#include "generator/ir/requantize.h"
#include "generator/nest/scalar_facts.h"
#include "generator/support/align_up.h"

namespace lathe::schedule {
namespace {

using ir::PrimRef;

class Regions {
 public:
  Regions(ir::Context& context, const ir::Intrinsic& call, AccessWalk& walk)
      : ir_(context), call_(call), walk_(walk) {}

  void Find() {
    if (call_.name == ir::kInt8Dot) return Dots();
    if (call_.name == ir::kDotPanels) return DotPanels();
    if (call_.name == ir::kProducts) return Products();
    if (call_.name == ir::kRequantize) return Requantize();
    if (ir::IsPairedProducts(call_.name)) return PairedProducts();
    if (ir::IsPairedRow(call_.name)) return PairedRow();
    if (ir::IsPairedDepthwise(call_.name)) return ChannelProducts(ir::kPairedColumns);
    if (ir::IsHeliumProducts(call_.name)) return HeliumProducts();
    if (ir::IsQuadProducts(call_.name)) return QuadProducts();
    if (ir::IsHeliumDepthwise(call_.name)) return HeliumDepthwise();
    if (ir::IsQuadDepthwise(call_.name)) return ChannelProducts(1);
    if (call_.name == ir::kPaddedLines) return PaddedLines();
    if (call_.name == ir::kUnpackWeights) return UnpackWeights();
    if (call_.name == ir::kJoinColumns) return JoinColumns();
    Depthwise();
  }

 private:
  // A numeric argument of the operation. It must be at least `least`.
  int64_t N(size_t at, int64_t least = 0) {
    const auto number = at < call_.args.size() ? nest::Number(call_.args[at]) : std::nullopt;
    walk_.Need(number && *number >= least,
               absl::StrCat(call_.name, ": argument ", at, " is at least ", least));
    return number.value_or(0);
  }
  void Elements(size_t at, int64_t count) {
    const auto* load = at < call_.args.size() ? call_.args[at]->As<ir::Load>() : nullptr;
    if (load == nullptr) {
      return walk_.Need(false, absl::StrCat(call_.name, ": argument ", at, " is a place"));
    }
    for (PrimRef index : load->indices) walk_.Expr(index);
    walk_.Run(load->buffer, load->indices, ir_.Int(count));
  }
  // One factor for each channel, unless the argument is a constant.
  void Factors(size_t at, int64_t count) {
    if (!nest::Number(call_.args[at])) Elements(at, count);
  }

  // The position of the first place among the arguments, after the numbers.
  size_t FirstPlace() const { return ir::NumbersOfDefined(call_.name).size(); }
  // The int32 numbers of a scale: a mantissa and a shift, or a factor.
  int64_t NumbersOfScale() const { return ir::RoundsOnce(call_.name) ? 1 : 2; }

  int64_t SpanOfRows() {
    const int64_t rows = N(0), step = N(1), pieces = N(2, 1), pitch = N(3), count = N(4);
    return ir::SpanOfRows(rows, step, pieces, pitch, count);
  }
  int64_t SpanOfWindows() {
    const int64_t columns = N(0), channels = N(1), step = N(2), height = N(3, 1), line = N(4),
                  width = N(5, 1), tap = N(6);
    return ir::SpanOfWindows(columns, channels, step, height, line, width, tap);
  }

  void Dots() {
    const int64_t count = N(0), step = N(1);
    const auto rows = std::ssize(call_.args) - 4;
    Elements(2, rows * ir::kDotColumns);
    Elements(3, (ir::kDotColumns - 1) * step + count);
    for (size_t i = 4; i < call_.args.size(); ++i) Elements(i, count);
  }

  void DotPanels() {
    const int64_t count = N(0), panels = N(1);
    const auto rows = std::ssize(call_.args) - 4;
    walk_.Need(rows >= 1 && rows <= ir::kDotPanelRows, "lathe_dot_panels_i8: up to four rows");
    const int64_t columns = panels * ir::kDotPanelColumns;
    Elements(2, rows * columns);
    Elements(3, columns * ir::kDotPanelDepth * ir::DotPanelFours(count));
    for (size_t i = 4; i < call_.args.size(); ++i) Elements(i, count);
  }

  void Products() {
    const int64_t rows = N(0), pieces = N(2, 1), count = N(4), columns = N(5);
    const int64_t span = SpanOfRows();
    if (rows == 0) return;
    Elements(10, span);
    Elements(11, ir::DotPanels(columns) * ir::kDotPanelColumns * ir::PiecesDepth(pieces, count));
    Elements(12, columns);
    Factors(13, columns);
    Elements(14, rows * columns);
  }

  void Requantize() {
    const int64_t count = N(0);
    Elements(5, count);
    Factors(6, count);
    Elements(7, count);
  }

  void Depthwise() {
    const int64_t columns = N(0), channels = N(1), height = N(3, 1), width = N(5, 1);
    const int64_t span = SpanOfWindows();
    if (columns == 0) return;
    Elements(11, span);
    Elements(12, height * width * channels);
    Elements(13, channels);
    Factors(14, channels);
    Elements(15, columns * channels);
  }

  void PairedProducts() {
    const int64_t rows = N(0), pieces = N(2, 1), count = N(4, 1), columns = N(5, 1), each = N(6),
                  alone = N(7);
    const size_t x = FirstPlace();
    const int64_t depth = pieces * ir::PairedDepth(count), padded = ir::PairedColumns(columns);
    const int64_t span = SpanOfRows();
    if (rows == 0) return;
    Elements(x, span);
    Elements(x + 1, padded * depth);
    Elements(x + 2, padded);
    Elements(x + 3,
             ir::PairedScales(each == 0 ? ir::kPairedColumns : padded, ir::RoundsOnce(call_.name)));
    Elements(x + 4, ir::PairedScratch(rows, depth, alone != 0));
    Elements(x + 5, rows * columns);
  }

  // Rows that are read in place have one piece without padding.
  void NeedWholeRows(int64_t pieces, int64_t count, int64_t elements) {
    walk_.Need(pieces == 1 && elements == count,
               absl::StrCat(call_.name, ": rows that are not gathered are whole"));
  }

  void PairedRow() {
    const int64_t rows = N(0), pieces = N(2, 1), count = N(4, 1), columns = N(5, 1), each = N(6),
                  gathered = N(7);
    const int64_t span = SpanOfRows();
    if (rows == 0) return;
    const int64_t elements = AlignUp(pieces * count, ir::kPairedElements);
    const int64_t padded = AlignUp(columns, ir::kPairedRowColumns);
    if (gathered == 0) NeedWholeRows(pieces, count, elements);
    const size_t x = FirstPlace();
    Elements(x, span);
    Elements(x + 1, padded * elements);
    Elements(x + 2, padded);
    Elements(x + 3,
             ir::PairedScales(each == 0 ? ir::kPairedColumns : padded, ir::RoundsOnce(call_.name)));
    Elements(x + 4, gathered == 0 ? 1 : elements);
    Elements(x + 5, rows * columns);
  }

  // Lines outside of the image are not read. Without `edges`, the ends of lines keep what an
  // earlier call wrote.
  void PaddedLines() {
    const int64_t height = N(1), length = N(2), before = N(3), after = N(4), lines = N(5);
    Elements(10, height * length);
    Elements(11, lines * (before + length + after));
  }

  void UnpackWeights() {
    const int64_t words = N(0);
    Elements(2, words);
    Elements(3, words * ir::kUnpackElements);
  }

  void JoinColumns() {
    const int64_t rows = N(0), columns = N(1);
    N(2, 1);
    Elements(3, rows * columns);
    Elements(4, rows * columns);
  }

  void HeliumProducts() {
    const int64_t rows = N(0), pieces = N(2, 1), count = N(4, 1), columns = N(5, 1), each = N(6),
                  gathered = N(7);
    const int64_t span = SpanOfRows();
    if (rows == 0) return;
    const size_t x = FirstPlace();
    Elements(x, span);
    const int64_t depth =
        gathered == 0 ? pieces * ir::HeliumPiece(count) : ir::HeliumPiece(pieces * count);
    const int64_t padded = AlignUp(columns, ir::kHeliumColumns);
    Elements(x + 1, padded / ir::kHeliumColumns * depth);
    Elements(x + 2, padded);
    Elements(x + 3, (each == 0 ? 1 : AlignUp(columns, ir::kHeliumSums)) * NumbersOfScale());
    Elements(x + 4, ir::HeliumScratch(rows, columns, pieces * count, gathered != 0));
    Elements(x + 5, rows * columns);
  }

  void QuadProducts() {
    const int64_t rows = N(0), pieces = N(2, 1), count = N(4, 1), columns = N(5, 1),
                  together = N(6, 1), each = N(7), gathered = N(9);
    const int64_t span = SpanOfRows();
    if (rows == 0) return;
    const int64_t elements = AlignUp(pieces * count, ir::kQuadElements);
    const int64_t padded = AlignUp(columns, ir::kQuadColumns);
    if (gathered == 0) NeedWholeRows(pieces, count, elements);
    const size_t x = FirstPlace();
    Elements(x, span);
    Elements(x + 1, padded * elements);
    Elements(x + 2, padded);
    Elements(x + 3, (each == 0 ? 1 : columns) * NumbersOfScale());
    Elements(x + 4, ir::QuadScratch(rows, together, elements, gathered));
    Elements(x + 5, rows * columns);
  }

  void HeliumDepthwise() {
    const int64_t columns = N(0), channels = N(1, 1), height = N(3, 1), width = N(5, 1);
    const int64_t padded = AlignUp(channels, ir::kHeliumLanes);
    const int64_t span = SpanOfWindows();
    if (columns == 0) return;
    const size_t x = FirstPlace();
    Elements(x, span);
    Elements(x + 1, padded * height * width);
    Elements(x + 2, padded / ir::kHeliumLanes * 2 * ir::kHeliumNumbers);
    Elements(x + 3, columns * channels);
  }

  // Constants are padded to a multiple of `block` channels.
  void ChannelProducts(int64_t block) {
    const int64_t columns = N(0), channels = N(1, 1), height = N(3, 1), width = N(5, 1);
    const int64_t padded = AlignUp(channels, block);
    const int64_t span = SpanOfWindows();
    if (columns == 0) return;
    const size_t x = FirstPlace();
    Elements(x, span);
    Elements(x + 1, padded * height * width);
    Elements(x + 2, padded);
    const bool paired = ir::IsPairedDepthwise(call_.name);
    Elements(x + 3, paired ? ir::PairedScales(padded, ir::RoundsOnce(call_.name))
                           : padded * NumbersOfScale());
    Elements(x + 4, columns * channels);
  }

  ir::Context& ir_;
  const ir::Intrinsic& call_;
  AccessWalk& walk_;
};

}  // namespace

bool IsAccessingOperation(absl::string_view name) {
  return name == ir::kInt8Dot || name == ir::kDotPanels || name == ir::kProducts ||
         ir::IsRequantizing(name) || ir::HasDefinition(name);
}

void OperationAccesses(ir::Context& context, const ir::Intrinsic& call, AccessWalk& walk) {
  Regions(context, call, walk).Find();
}

}  // namespace lathe::schedule
