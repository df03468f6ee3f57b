#include "generator/emit/cuda/print_wide_stride.h"

#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "generator/emit/c/kernel/print_c_element.h"
#include "generator/emit/c/kernel/print_c_stmt.h"
#include "generator/emit/c/names/c_types.h"
#include "generator/emit/cuda/print_axes.h"
#include "generator/emit/cuda/print_strided_loop.h"
#include "generator/support/status.h"

namespace lathe::emit {
namespace {

class WidePrinter {
 public:
  WidePrinter(CScope& scope, const ir::WideStride& wide, LineWriter& out)
      : scope_(scope), wide_(wide), out_(out) {}

  absl::StatusOr<GridText> Print() {
    scope_.needs.headers.insert("\"lathe/wide.h\"");
    const std::string number = absl::StrCat(wide_.width);
    const ir::PrimRef count = CountOf(scope_, wide_.axes);
    LATHE_ASSIGN_OR_RETURN(const CText counted, PrintCIndexValue(scope_, count));
    const std::string done = scope_.names.Unique("done");
    out_.Line(scope_.wide ? "int64_t " : "int32_t ", done, " = 0;");
    out_.Line("if (", Aligned(), ") {");
    {
      LineWriter::Indent in(out_);
      const std::string end =
          wide_.whole ? counted.text
                      : absl::StrCat(counted.In(kProduct), " / ", number, " * ", number);
      out_.Line(done, " = ", end, ";");
      LATHE_RETURN_IF_ERROR(Pieces(done));
    }
    out_.Line("}");
    const auto body = [&] { return PrintCStmt(scope_, wide_.body, false, out_); };
    const std::string first = absl::StrCat(done, " + lathe_thread()");
    const LoopShare threads = {scope_.wide ? first : absl::StrCat("(", first, ")"),
                               "lathe_threads()"};
    LATHE_ASSIGN_OR_RETURN(const CText total,
                           PrintStridedLoop(scope_, wide_.axes, threads, body, out_));
    GridText text;
    text.ways = {
        {"", "", absl::StrCat("lathe_wide_blocks(", total.text, ", ", number, ")"), "LATHE_BLOCK"}};
    return text;
  }

 private:
  // Returns the condition that all accessed buffers are aligned to the vector width.
  std::string Aligned() const {
    std::vector<std::string> asked;
    const auto ask = [&](const ir::WidePiece& piece) {
      const std::string text = absl::StrCat("lathe_is_aligned<", wide_.width, ">(",
                                            scope_.buffers.at(piece.buffer), ")");
      for (const std::string& before : asked) {
        if (before == text) return;
      }
      asked.push_back(text);
    };
    for (const ir::WidePiece& piece : wide_.reads) ask(piece);
    ask(wide_.write);
    return absl::StrJoin(asked, " && ");
  }

  absl::Status Pieces(const std::string& done) {
    const std::string at = scope_.names.Unique("first");
    const std::string as = scope_.wide ? "" : "(int32_t)";
    const std::string number = absl::StrCat(wide_.width);
    out_.Line("for (", scope_.wide ? "int64_t " : "int32_t ", at, " = ", as, "lathe_thread() * ",
              number, "; ", at, " < ", done, "; ", at, " += ", as, "lathe_threads() * ", number,
              ") {");
    {
      LineWriter::Indent in(out_);
      CScope inner = scope_;
      for (const ir::GridAxis& axis : wide_.axes) BoundAxis(inner, axis);
      if (wide_.axes.size() == 1) {
        NameAxis(inner, wide_.axes[0], at);
      } else {
        LATHE_RETURN_IF_ERROR(PrintAxes(inner, wide_.axes, at, out_));
      }
      for (const ir::WidePiece& piece : wide_.reads) {
        const std::string array = Array(inner, piece);
        LATHE_ASSIGN_OR_RETURN(const std::string from,
                               PrintCAddress(inner, piece.buffer, piece.at));
        out_.Line("lathe_read(", array, ", ", from, ");");
      }
      const std::string array = Array(inner, wide_.write);
      const std::string lane = inner.names.Unique(ir::ToString(wide_.lane));
      inner.vars[wide_.lane] = {lane, ir::DType::Int(32)};
      inner.ranges.Bound(wide_.lane, {0, wide_.width - 1});
      out_.Line("LATHE_UNROLL");
      out_.Line("for (int32_t ", lane, " = 0; ", lane, " < ", number, "; ++", lane, ") {");
      {
        LineWriter::Indent deeper(out_);
        LATHE_RETURN_IF_ERROR(PrintCStmt(inner, wide_.lanes, false, out_));
      }
      out_.Line("}");
      LATHE_ASSIGN_OR_RETURN(const std::string to,
                             PrintCAddress(inner, wide_.write.buffer, wide_.write.at));
      out_.Line("lathe_write(", to, ", ", array, ");");
      scope_.must_be_wide = scope_.must_be_wide || inner.must_be_wide;
    }
    out_.Line("}");
    return absl::OkStatus();
  }

  std::string Array(CScope& inner, const ir::WidePiece& piece) {
    const std::string name = inner.names.Unique(piece.piece->name);
    inner.buffers[piece.piece] = name;
    inner.owners[piece.piece->data] = piece.piece;
    out_.Line(CType(piece.piece->dtype), " ", name, "[", wide_.width, "];");
    return name;
  }

  CScope& scope_;
  const ir::WideStride& wide_;
  LineWriter& out_;
};

}  // namespace

absl::StatusOr<GridText> PrintWideStride(CScope& scope, const ir::WideStride& wide,
                                         LineWriter& out) {
  return WidePrinter(scope, wide, out).Print();
}

}  // namespace lathe::emit
