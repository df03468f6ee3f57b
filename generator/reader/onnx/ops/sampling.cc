// Imports operators that sample images at grid points or at offsets.
#include <cmath>

#include "generator/reader/onnx/node_call.h"
#include "generator/reader/onnx/run_time_values.h"
#include "generator/reader/onnx/windows.h"
#include "generator/support/status.h"

namespace lathe::onnx {
namespace {

// Reads the image at the index `place` of its last dimensions.
using Pixel = std::function<PrimRef(const Indices& place)>;

// Interpolates linearly between the adjacent pixels along each dimension.
PrimRef Linear(ScalarMath& m, const std::vector<PrimRef>& x, const Pixel& pixel) {
  PrimRef sum = nullptr;
  for (size_t corner = 0; corner < size_t{1} << x.size(); ++corner) {
    Indices place;
    PrimRef weight = nullptr;
    for (size_t i = 0; i < x.size(); ++i) {
      const PrimRef low = m.Call("floor", {x[i]}), share = m.Sub(x[i], low);
      const bool high = (corner >> i & 1) != 0;
      const PrimRef one = m.Const(1, share->dtype());
      const PrimRef part = high ? share : m.Sub(one, share);
      weight = weight == nullptr ? part : m.Mul(weight, part);
      place.push_back(m.Add(m.Cast(low, DType::Int(64)), m.Int(high ? 1 : 0)));
    }
    const PrimRef value = m.Mul(weight, pixel(place));
    sum = sum == nullptr ? value : m.Add(sum, value);
  }
  return sum;
}

// Interpolates with Keys' cubic kernel (-0.75) over four pixels per dimension.
PrimRef Cubic(ScalarMath& m, const std::vector<PrimRef>& x, const Pixel& pixel) {
  const DType real = x[0]->dtype();
  const auto c = [&](double v) { return m.Const(v, real); };
  const double a = -0.75;
  const auto poly = [&](PrimRef d, double c3, double c2, double c1, double c0) {
    return m.Add(m.Mul(m.Add(m.Mul(m.Add(m.Mul(c(c3), d), c(c2)), d), c(c1)), d), c(c0));
  };
  PrimRef sum = nullptr;
  size_t taps = 1;
  for (size_t i = 0; i < x.size(); ++i) taps *= 4;
  for (size_t tap = 0; tap < taps; ++tap) {
    Indices place;
    PrimRef weight = nullptr;
    size_t rest = tap;
    for (size_t i = 0; i < x.size(); ++i, rest /= 4) {
      const auto k = static_cast<int64_t>(rest % 4);
      const PrimRef low = m.Call("floor", {x[i]}), t = m.Sub(x[i], low);
      const PrimRef d = k == 0   ? m.Add(t, c(1))
                        : k == 1 ? t
                        : k == 2 ? m.Sub(c(1), t)
                                 : m.Sub(c(2), t);
      const PrimRef part =
          k == 1 || k == 2 ? poly(d, a + 2, -(a + 3), 0, 1) : poly(d, a, -5 * a, 8 * a, -4 * a);
      weight = weight == nullptr ? part : m.Mul(weight, part);
      place.push_back(m.Add(m.Cast(low, DType::Int(64)), m.Int(k - 1)));
    }
    const PrimRef value = m.Mul(weight, pixel(place));
    sum = sum == nullptr ? value : m.Add(sum, value);
  }
  return sum;
}

// Rejects empty images, from which no pixel can be read.
void NeedElements(Te& te, const Dims& space) {
  for (PrimRef size : space) te.Need(te.math().Lt(te.math().Int(0), size), "an image is empty");
}

PrimRef InImage(ScalarMath& m, const Indices& place, const Dims& space) {
  PrimRef inside = m.ir().Bool(true);
  for (size_t i = 0; i < place.size(); ++i) {
    inside = m.And(inside, m.InRange(place[i], m.Int(0), space[i]));
  }
  return inside;
}

// Reflects `p` at `low` and `high` until it is between them.
PrimRef Reflected(ScalarMath& m, PrimRef p, PrimRef low, PrimRef high) {
  const PrimRef twice = m.Mul(m.Sub(high, low), m.Const(2, p->dtype()));
  const PrimRef off = m.Call("abs", {m.Sub(p, low)});
  const PrimRef rest = m.Sub(off, m.Mul(m.Call("floor", {m.Div(off, twice)}), twice));
  return m.Add(low, m.Min(rest, m.Sub(twice, rest)));
}

}  // namespace

absl::StatusOr<Results> ImportGridSample(NodeCall& n) {
  const Operand x = n.In(0), grid = n.In(1);
  const Dims from = n.DimsOf(x), by = n.DimsOf(grid);
  const auto rank = static_cast<int64_t>(from.size()) - 2;
  const auto coordinates = by.empty() ? std::nullopt : NodeCall::IntOf(by.back());
  if (!coordinates)
    return n.Unsupported() << "a grid whose last dimension is not constant is not supported";
  if (rank < 1 || by.size() != from.size() || *coordinates != rank) {
    return n.Error() << "the grid must have the rank of the input, and a coordinate for each "
                        "spatial dimension";
  }
  if (rank > 3)
    return n.Unsupported() << "an input with more than 3 spatial dimensions is not supported";
  const std::string mode = n.String("mode", "linear"), padding = n.String("padding_mode", "zeros");
  const bool corners = n.Int("align_corners", 0) != 0;
  const Dims space(from.begin() + 2, from.end());
  Dims dims = {from[0], from[1]};
  dims.insert(dims.end(), by.begin() + 1, by.end() - 1);
  const DType dtype = n.TypeOf(x);
  const DType wide = DType::Float(64);
  const DType real = dtype == wide || n.TypeOf(grid) == wide ? wide : DType::Float(32);
  return n.Kernel("grid_sample", {x, grid}, [&](Te& te) {
    ScalarMath& m = te.math();
    NeedSame(n, te, by[0], from[0], "the batch of the grid");
    NeedElements(te, space);
    return te.Compute("out", dims, dtype, [&](const Indices& at) {
      const auto c = [&](double v) { return m.Const(v, real); };
      std::vector<PrimRef> places;
      std::vector<PrimRef> lows, highs;
      for (int64_t i = 0; i < rank; ++i) {
        Indices entry = {at[0]};
        entry.insert(entry.end(), at.begin() + 2, at.end());
        entry.push_back(m.Int(rank - 1 - i));  // the grid stores x first, the image last
        const PrimRef g = m.Cast(te.At(te.Input(1), entry), real);
        const PrimRef size = m.Cast(space[static_cast<size_t>(i)], real);
        const PrimRef half = m.Div(m.Add(g, c(1)), c(2));
        PrimRef place = corners ? m.Mul(half, m.Sub(size, c(1))) : m.Sub(m.Mul(half, size), c(0.5));
        const PrimRef low = corners ? c(0) : c(-0.5);
        const PrimRef high = corners ? m.Sub(size, c(1)) : m.Sub(size, c(0.5));
        lows.push_back(low);
        highs.push_back(high);
        if (mode == "nearest") place = m.Call("round", {place});
        if (mode != "cubic" && mode != "bicubic") {
          if (padding == "border") place = m.Max(c(0), m.Min(place, m.Sub(size, c(1))));
          if (padding == "reflection") place = Reflected(m, place, low, high);
        }
        places.push_back(place);
      }
      const Pixel pixel = [&](const Indices& place) {
        Indices source = {at[0], at[1]};
        for (size_t i = 0; i < place.size(); ++i) {
          PrimRef index = place[i];
          if (padding == "reflection") {
            const PrimRef back = Reflected(m, m.Cast(index, real), lows[i], highs[i]);
            index = m.Cast(m.Call("round", {back}), DType::Int(64));
          }
          source.push_back(m.Max(m.Int(0), m.Min(index, m.Sub(space[i], m.Int(1)))));
        }
        const PrimRef value = te.At(te.Input(0), source);
        if (padding != "zeros") return value;
        return m.Select(InImage(m, place, space), value, m.Const(0, value->dtype()));
      };
      if (mode == "nearest") {
        Indices place;
        for (PrimRef p : places) place.push_back(m.Cast(p, DType::Int(64)));
        return pixel(place);
      }
      const Pixel number = [&](const Indices& place) { return m.Cast(pixel(place), real); };
      const bool is_cubic = mode == "cubic" || mode == "bicubic";
      return m.Cast(is_cubic ? Cubic(m, places, number) : Linear(m, places, number), dtype);
    });
  });
}

absl::StatusOr<Results> ImportDeformConv(NodeCall& n) {
  const Operand x = n.In(0), w = n.In(1), offset = n.In(2);
  const Dims from = n.DimsOf(x), kernel = n.DimsOf(w);
  if (from.size() != 4 || kernel.size() != 4 || n.Rank(offset) != 4) {
    return n.Unsupported() << "only two spatial dimensions are supported";
  }
  const auto kh = NodeCall::IntOf(kernel[2]), kw = NodeCall::IntOf(kernel[3]);
  const auto channels = NodeCall::IntOf(from[1]), out_channels = NodeCall::IntOf(kernel[0]);
  if (!kh || !kw || !channels || !out_channels)
    return n.Unsupported()
           << "sizes of the kernel and channels that are not constant are not supported";
  const Dims space(from.begin() + 2, from.end());
  LATHE_ASSIGN_OR_RETURN(const Windows windows, WindowsOf(n, space, {*kh, *kw}));
  LATHE_ASSIGN_OR_RETURN(const Dims counts, CountWindows(n, windows, space));
  const int64_t groups = n.Int("group", 1), offset_groups = n.Int("offset_group", 1);
  if (groups < 1 || offset_groups < 1 || *channels % groups != 0 ||
      *channels % offset_groups != 0 || *out_channels % groups != 0) {
    return n.Error() << "'group' or 'offset_group' does not divide the channels";
  }
  const Dims dims = {from[0], kernel[0], counts[0], counts[1]};
  const DType dtype = n.TypeOf(x);
  const DType real = dtype == DType::Float(64) ? dtype : DType::Float(32);
  Operands args = {x, w, offset};
  const int bias = n.Has(3) ? static_cast<int>(args.size()) : -1;
  if (bias > 0) args.push_back(n.In(3));
  const int mask = n.Has(4) ? static_cast<int>(args.size()) : -1;
  if (mask > 0) args.push_back(n.In(4));
  if ((mask > 0 && n.Rank(n.In(4)) != 4) || (bias > 0 && n.Rank(n.In(3)) != 1)) {
    return n.Error() << "the mask must have rank 4 and the bias rank 1";
  }
  const PrimRef per_group = n.ir().Int(*channels / groups);
  return n.Kernel("deform_conv", args, [&](Te& te) {
    ScalarMath& m = te.math();
    NeedSame(n, te, kernel[1], per_group, "the channels of the kernel");
    NeedElements(te, space);
    const PrimRef taps = m.Int(offset_groups * *kh * *kw);
    NeedSameDims(n, te, n.DimsOf(offset), {from[0], m.Mul(taps, m.Int(2)), counts[0], counts[1]},
                 "the offsets");
    if (mask > 0) {
      NeedSameDims(n, te, n.DimsOf(n.In(4)), {from[0], taps, counts[0], counts[1]}, "the mask");
    }
    if (bias > 0) NeedSame(n, te, n.DimsOf(n.In(3))[0], kernel[0], "the length of the bias");
    ir::BufferRef sum = te.Reduce(
        "sum", dims, {per_group, kernel[2], kernel[3]}, te.Sum(real),
        [&](const Indices& at, const Indices& k) {
          const PrimRef group = m.FloorDiv(at[1], m.Int(*out_channels / groups));
          const PrimRef channel = m.Add(m.Mul(group, per_group), k[0]);
          const PrimRef share = m.FloorDiv(channel, m.Int(*channels / offset_groups));
          const PrimRef tap = m.Add(m.Mul(m.Add(m.Mul(share, kernel[2]), k[1]), kernel[3]), k[2]);
          std::vector<PrimRef> places;
          for (size_t i = 0; i < 2; ++i) {
            const PrimRef start =
                m.Sub(m.Mul(at[i + 2], m.Int(windows.strides[i])), m.Int(windows.before[i]));
            const PrimRef base = m.Add(start, m.Mul(k[i + 1], m.Int(windows.dilations[i])));
            const PrimRef entry = m.Add(m.Mul(tap, m.Int(2)), m.Int(static_cast<int64_t>(i)));
            const PrimRef off = m.Cast(te.At(te.Input(2), {at[0], entry, at[2], at[3]}), real);
            places.push_back(m.Add(m.Cast(base, real), off));
          }
          const PrimRef value = Linear(m, places, [&](const Indices& place) {
            const auto within = [&](size_t i) {
              return m.Max(m.Int(0), m.Min(place[i], m.Sub(space[i], m.Int(1))));
            };
            const PrimRef pixel = te.At(te.Input(0), {at[0], channel, within(0), within(1)});
            return m.Select(InImage(m, place, space), m.Cast(pixel, real), m.Const(0, real));
          });
          PrimRef weight = m.Cast(te.At(te.Input(1), {at[1], k[0], k[1], k[2]}), real);
          if (mask > 0) {
            const PrimRef share_of_tap = te.At(te.Input(mask), {at[0], tap, at[2], at[3]});
            weight = m.Mul(weight, m.Cast(share_of_tap, real));
          }
          return m.Mul(value, weight);
        });
    if (bias < 0 && real == dtype) return sum;
    return te.Compute("out", dims, dtype, [&](const Indices& at) {
      PrimRef all = te.At(sum, at);
      if (bias > 0) all = m.Add(all, m.Cast(te.At(te.Input(bias), {at[1]}), real));
      return m.Cast(all, dtype);
    });
  });
}

}  // namespace lathe::onnx
