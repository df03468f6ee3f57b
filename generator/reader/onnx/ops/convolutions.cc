// Imports convolutions and transposed convolutions.
#include <algorithm>

#include "generator/reader/onnx/convolve.h"
#include "generator/reader/onnx/convolve_in_phases.h"
#include "generator/reader/onnx/node_call.h"
#include "generator/reader/onnx/windows.h"
#include "generator/support/status.h"

namespace lathe::onnx {
namespace {

ir::AttrList ListOf(const std::vector<int64_t>& values) {
  ir::AttrList list;
  for (int64_t v : values) list.emplace_back(v);
  return list;
}

struct Layers {
  const char* op;
  const char* data;
  const char* kernel;
};
constexpr Layers kLayers[] = {{"relax.nn.conv1d", "NCW", "OIW"},
                              {"relax.nn.conv2d", "NCHW", "OIHW"},
                              {"relax.nn.conv3d", "NCDHW", "OIDHW"}};

struct Kernel {
  Dims dims;
  std::vector<int64_t> space;
};

// Returns the dimensions of a kernel. Its spatial dimensions must be constant.
absl::StatusOr<Kernel> KernelOf(NodeCall& n, const Operand& x, const Operand& w) {
  LATHE_RETURN_IF_ERROR(n.NeedRank(x, 3));
  if (n.Rank(w) != n.Rank(x))
    return n.Error() << "the kernel and the input must have the same rank";
  Kernel kernel{n.DimsOf(w), {}};
  for (size_t i = 2; i < kernel.dims.size(); ++i) {
    const auto size = NodeCall::IntOf(kernel.dims[i]);
    if (!size) return n.Unsupported() << "a kernel whose size is not constant is not supported";
    kernel.space.push_back(*size);
  }
  return kernel;
}

Dims SpaceOf(const Dims& dims) { return Dims(dims.begin() + 2, dims.end()); }

// Returns the image with its padding that depends on sizes, cut to the part that windows read.
Operand Padded(NodeCall& n, const Operand& x, const Windows& w) {
  const Dims from = n.DimsOf(x), space = SpaceOf(from);
  Dims to = from;
  for (size_t i = 0; i < w.rank(); ++i) {
    if (!w.is_symbolic(i)) continue;
    ScalarMath& m = n.math();
    const PrimRef stride = m.Int(w.strides[i]);
    const PrimRef count = m.FloorDiv(m.Add(space[i], m.Int(w.strides[i] - 1)), stride);
    const PrimRef last = m.Mul(m.Sub(count, m.Int(1)), stride);
    to[i + 2] = n.Simplify(m.Add(last, m.Int(w.span(i))));
  }
  return n.Kernel("same_padding", {x}, [&](Te& te) {
    ScalarMath& m = te.math();
    return te.Compute("out", to, n.TypeOf(x), [&](const Indices& at) {
      Indices place = at;
      PrimRef inside = m.ir().Bool(true);
      for (size_t i = 0; i < w.rank(); ++i) {
        if (!w.is_symbolic(i)) continue;
        place[i + 2] = m.Sub(at[i + 2], w.symbolic_before[i]);
        inside = m.And(inside, m.InRange(place[i + 2], m.Int(0), from[i + 2]));
      }
      return m.IfThenElse(inside, te.At(te.Input(0), place), m.Const(0, n.TypeOf(x)));
    });
  });
}

}  // namespace

Operand PerChannel(NodeCall& n, const Operand& v, size_t rank) {
  Dims dims(rank, n.ir().Int(1));
  dims[1] = n.LengthOf(n.DimsOf(v));
  return n.Reshape(v, dims);
}

absl::StatusOr<Operand> Convolve(NodeCall& n, Operand x, Operand w) {
  LATHE_ASSIGN_OR_RETURN(const Kernel kernel, KernelOf(n, x, w));
  const size_t rank = kernel.dims.size();
  LATHE_ASSIGN_OR_RETURN(const Windows windows,
                         WindowsOf(n, SpaceOf(n.DimsOf(x)), kernel.space, true));
  LATHE_RETURN_IF_ERROR(CountWindows(n, windows, SpaceOf(n.DimsOf(x))).status());
  if (windows.kernel != kernel.space)
    return n.Error() << "'kernel_shape' does not match the kernel";
  if (rank > 5)
    return n.Unsupported() << "a convolution over more than 3 spatial dimensions is not supported";
  if (windows.has_symbolic()) x = Padded(n, x, windows);
  const Layers& layers = kLayers[rank - 3];
  std::vector<int64_t> pads = windows.before;
  pads.insert(pads.end(), windows.after.begin(), windows.after.end());
  return n.Op(layers.op, {x, w},
              {{"strides", ListOf(windows.strides)},
               {"padding", ListOf(pads)},
               {"dilation", ListOf(windows.dilations)},
               {"groups", n.Int("group", 1)},
               {"data_layout", layers.data},
               {"kernel_layout", layers.kernel}});
}

absl::StatusOr<Results> ImportConv(NodeCall& n) {
  const DType dtype = n.TypeOf(n.In(0));
  const DType wide = dtype.is_floating() && dtype.bits < 32 ? DType::Float(32) : dtype;
  // Accumulates small floats in float32.
  LATHE_ASSIGN_OR_RETURN(const Operand sums,
                         Convolve(n, n.Cast(n.In(0), wide), n.Cast(n.In(1), wide)));
  const Operand y = n.Cast(sums, dtype);
  if (!n.Has(2)) return y;
  return n.Op("relax.add", {y, PerChannel(n, n.In(2), n.DimsOf(y).size())});
}

// Gathers each element of the result from the windows that contribute to it.
absl::StatusOr<Results> ImportConvTranspose(NodeCall& n) {
  const Operand x = n.In(0), w = n.In(1);
  LATHE_ASSIGN_OR_RETURN(const Kernel kernel, KernelOf(n, x, w));
  const Dims dims = n.DimsOf(x), space = SpaceOf(dims);
  const size_t rank = space.size();
  LATHE_ASSIGN_OR_RETURN(Windows windows, WindowsOf(n, Dims(rank, n.ir().Int(1)), kernel.space));
  const int64_t groups = n.Int("group", 1);
  const std::vector<int64_t> more = n.Ints("output_padding", std::vector<int64_t>(rank, 0));
  const std::vector<int64_t> wanted = n.Ints("output_shape");
  const std::string automatic = n.String("auto_pad", "NOTSET");
  const auto channels = NodeCall::IntOf(dims[1]);
  constexpr int64_t kLimit = 1 << 24;
  const auto beyond = [&](int64_t size) { return size < 0 || size > kLimit; };
  if (std::any_of(more.begin(), more.end(), beyond) ||
      std::any_of(wanted.begin(), wanted.end(), beyond)) {
    return n.Error() << "'output_shape' or 'output_padding' is out of range";
  }
  if (!channels)
    return n.Unsupported() << "a number of channels that is not constant is not supported";
  if (groups < 1 || more.size() != rank || *channels % groups != 0) {
    return n.Error() << "'group' or 'output_padding' does not match the input";
  }
  const PrimRef per_group = kernel.dims[1];
  Dims out = {dims[0], n.Simplify(n.math().Mul(per_group, n.ir().Int(groups)))};
  for (size_t i = 0; i < rank; ++i) {
    const PrimRef last =
        n.math().Mul(n.math().Sub(space[i], n.ir().Int(1)), n.ir().Int(windows.strides[i]));
    const PrimRef full = n.Simplify(n.math().Add(last, n.ir().Int(windows.span(i) + more[i])));
    const bool same = automatic == "SAME_UPPER" || automatic == "SAME_LOWER";
    if (!wanted.empty() || same) {
      if (!wanted.empty() && wanted.size() < rank)
        return n.Error() << "'output_shape' has fewer entries than there are spatial dimensions";
      const PrimRef goal = !wanted.empty() ? n.ir().Int(wanted[wanted.size() - rank + i])
                                           : n.math().Mul(space[i], n.ir().Int(windows.strides[i]));
      const auto padding = NodeCall::IntOf(n.Simplify(n.math().Sub(full, goal)));
      if (!padding)
        return n.Unsupported()
               << "'output_shape' or 'auto_pad' with sizes that are not constant is not supported";
      // Puts odd padding at the start, unless auto_pad is SAME_UPPER.
      const int64_t total = std::max<int64_t>(0, *padding);
      windows.before[i] = automatic == "SAME_UPPER" ? total / 2 : total - total / 2;
      // A stride above the kernel's span needs no padding; 'output_shape' then adds zeros.
      windows.after[i] = (wanted.empty() ? total : *padding) - windows.before[i];
    }
    const int64_t pads = windows.before[i] + windows.after[i];
    out.push_back(n.Simplify(n.math().Sub(full, n.ir().Int(pads))));
  }
  const auto with_bias = [&](const Operand& y) {
    return n.Has(2) ? n.Op("relax.add", {y, PerChannel(n, n.In(2), rank + 2)}) : y;
  };
  if (const auto y = ConvolveInPhases(n, windows, out)) return with_bias(*y);
  Dims over = {n.ir().Int(*channels / groups)};
  for (int64_t size : kernel.space) over.push_back(n.ir().Int(size));
  const DType dtype = n.TypeOf(x);
  const Operand y = n.Kernel("conv_transpose", {x, w}, [&](Te& te) {
    ScalarMath& m = te.math();
    return te.Reduce("out", out, over, te.Sum(dtype), [&](const Indices& at, const Indices& k) {
      const PrimRef group = m.FloorDiv(at[1], per_group);
      const PrimRef channel = m.Add(m.Mul(group, over[0]), k[0]);
      Indices image = {at[0], channel}, tap = {channel, m.FloorMod(at[1], per_group)};
      PrimRef reached = m.ir().Bool(true);
      for (size_t i = 0; i < rank; ++i) {
        const PrimRef offset = m.Sub(m.Add(at[i + 2], m.Int(windows.before[i])),
                                     m.Mul(k[i + 1], m.Int(windows.dilations[i])));
        const PrimRef stride = m.Int(windows.strides[i]);
        const PrimRef index = m.FloorDiv(offset, stride);
        reached = m.And(reached, m.InRange(index, m.Int(0), space[i]));
        if (windows.strides[i] != 1) {
          reached = m.And(reached, m.Eq(m.FloorMod(offset, stride), m.Int(0)));
        }
        image.push_back(index);
        tap.push_back(k[i + 1]);
      }
      return m.IfThenElse(reached, m.Mul(te.At(te.Input(0), image), te.At(te.Input(1), tap)),
                          m.Const(0, dtype));
    });
  });
  return with_bias(y);
}

}  // namespace lathe::onnx
