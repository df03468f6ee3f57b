#include "generator/transform/quantize/window_rows.h"

#include "generator/transform/quantize/copy_lines.h"

namespace lathe::transform {

using ir::BufferRef;
using ir::PrimRef;

namespace {

// True when all rows are consecutive; otherwise rows are the windows of one line at a time.
bool AreConsecutive(const IntegerProduct& p) {
  return !p.window || (p.window->is_dot() && !p.window->has_padding() && p.window->stride_h == 1 &&
                       p.window->stride_w == 1);
}

}  // namespace

bool HasPieces(const IntegerProduct& p) {
  return !p.window ||
         (p.window->groups == 1 && (p.window->dilation_w == 1 || p.window->kernel_w == 1));
}

int64_t PitchOfLines(const IntegerWindow& w) {
  return w.has_padding() ? PaddedLine(w) : w.dilation_h * w.width * w.channels;
}

WindowRows WindowRowsOf(const IntegerProduct& p) {
  if (AreConsecutive(p)) return {p.rows, p.depth, 1, 0, p.depth};
  const IntegerWindow& w = *p.window;
  return {w.out_w, w.stride_w * w.channels, w.kernel_h, PitchOfLines(w), w.kernel_w * w.channels};
}

void ForEachLine(KernelBuilder& k, const IntegerProduct& p, BufferRef x, LineCopies copies,
                 absl::FunctionRef<LineBody> body) {
  if (AreConsecutive(p)) return body(x, k.math().Int(0), k.math().Int(0));
  ForEachWindowLine(k, p, x, copies, body);
}

void ForEachWindowLine(KernelBuilder& k, const IntegerProduct& p, BufferRef x, LineCopies copies,
                       absl::FunctionRef<LineBody> body) {
  ops::ScalarMath& m = k.math();
  const IntegerWindow& w = *p.window;
  const BufferRef lines = w.has_padding() ? LinesOf(k, p) : nullptr;
  k.s().For("line", m.Int(w.batch * w.out_h), [&](PrimRef line) {
    const PrimRef n = w.batch == 1 ? m.Int(0) : m.FloorDiv(line, m.Int(w.out_h));
    const PrimRef y = w.batch == 1 ? line : m.FloorMod(line, m.Int(w.out_h));
    const PrimRef top = m.Sub(m.Mul(y, m.Int(w.stride_h)), m.Int(w.top));
    const PrimRef first = m.Mul(line, m.Int(w.out_w));
    if (lines != nullptr) {
      const PrimRef bound = k.s().Let("top", top);
      m.ir().MakeSigned(bound);
      if (copies == LineCopies::kCalls) {
        CallPaddedLines(k, p, x, lines, n, bound, line);
      } else {
        CopyLines(k, p, x, lines, n, bound);
      }
      return body(lines, m.Int(0), first);
    }
    const PrimRef from = m.Add(m.Mul(n, m.Int(w.height)), top);
    body(x, m.Mul(from, m.Int(w.width * w.channels)), first);
  });
}

}  // namespace lathe::transform
