#include "generator/transform/quantize/copy_lines.h"

#include "generator/ir/paired_products.h"

namespace lathe::transform {

using ir::BufferRef;
using ir::DType;
using ir::PrimRef;

int64_t PaddedLine(const IntegerWindow& w) { return (w.left + w.width + w.right) * w.channels; }

BufferRef LinesOf(KernelBuilder& k, const IntegerProduct& p) {
  return k.Scratch("lines", p.window->kernel_h * PaddedLine(*p.window), p.x.affine.dtype);
}

void CopyLines(KernelBuilder& k, const IntegerProduct& p, BufferRef x, BufferRef lines, PrimRef n,
               PrimRef top) {
  const IntegerWindow& w = *p.window;
  ops::ScalarMath& m = k.math();
  const int64_t length = w.width * w.channels, before = w.left * w.channels;
  const int64_t after = w.right * w.channels, whole = PaddedLine(w);
  const PrimRef zero = m.ir().Int(p.x.affine.zero, lines->dtype);
  k.s().For("ky", m.Int(w.kernel_h), [&](PrimRef ky) {
    const PrimRef y = k.s().Let("y", m.Add(top, m.Mul(ky, m.Int(w.dilation_h))));
    const PrimRef to = k.s().Let("to", m.Mul(ky, m.Int(whole)));
    const auto fill = [&](int64_t begin, int64_t count) {
      if (count == 0) return;
      k.s().For("i", m.Int(count),
                [&](PrimRef i) { k.s().Store(lines, {m.Add(m.Add(to, m.Int(begin)), i)}, zero); });
    };
    const PrimRef inside = k.s().Let("inside", m.InRange(y, m.Int(0), m.Int(w.height)));
    k.s().If(inside, [&] {
      const PrimRef line = m.Add(m.Mul(n, m.Int(w.height)), y);
      const PrimRef from = k.s().Let("from", m.Mul(line, m.Int(length)));
      fill(0, before);
      k.s().For("i", m.Int(length), [&](PrimRef i) {
        k.s().Store(lines, {m.Add(m.Add(to, m.Int(before)), i)}, k.At(x, m.Add(from, i)));
      });
      fill(before + length, after);
    });
    if (w.top + w.bottom > 0) k.s().If(m.Not(inside), [&] { fill(0, whole); });
  });
}

void CallPaddedLines(KernelBuilder& k, const IntegerProduct& p, BufferRef x, BufferRef lines,
                     PrimRef n, PrimRef top, PrimRef line) {
  const IntegerWindow& w = *p.window;
  ops::ScalarMath& m = k.math();
  const int64_t length = w.width * w.channels;
  const auto number = [&](int64_t value) { return m.ir().Int(value, DType::Int(32)); };
  // The padding at the ends of lines stays as it is from the first output line on. Of the lines of
  // an image, those that the window above has, too, are not read again.
  const PrimRef edges = m.Cast(m.Eq(line, m.Int(0)), DType::Int(32));
  const bool keeps = w.dilation_h == 1 && w.stride_h < w.kernel_h;
  const PrimRef is_top = m.Eq(top, m.Int(-w.top));
  const PrimRef fresh =
      keeps ? m.Select(is_top, number(w.kernel_h), number(w.stride_h)) : number(w.kernel_h);
  k.s().Call(ir::kPaddedLines,
             {m.Cast(top, DType::Int(32)), number(w.height), number(length),
              number(w.left * w.channels), number(w.right * w.channels), number(w.kernel_h),
              number(w.dilation_h), fresh, number(p.x.affine.zero), edges,
              k.At(x, m.Mul(n, m.Int(w.height * length))), k.At(lines, m.Int(0))});
}

}  // namespace lathe::transform
