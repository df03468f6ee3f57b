// Imports TFLM's operators that cut samples into frames, stack them, delay them and add them up
// again. What a result shows while it is not valid TFLM leaves unwritten; here it is the history.
#include "generator/reader/tflite/format/tensor_types.h"
#include "generator/reader/tflite/ops/graph_import.h"
#include "generator/reader/tflite/ops/operator_states.h"
#include "generator/reader/tflite/ops/quantized.h"
#include "generator/support/status.h"

namespace lathe::tflite {
namespace {

const DType kFrameSample = DType::Int(16);

absl::Status RequireSamples(OpCall& c, bool or_real) {
  const DType dtype = c.TypeOf(c.Arg(0));
  if (dtype == kFrameSample || (or_real && dtype == kReal)) return absl::OkStatus();
  return c.Unsupported() << c.op() << " of " << TypeName(c.In(0).type) << "; "
                         << (or_real ? "int16 and float32 are" : "int16 is") << " supported";
}

// A part of the state of the operator.
Operand& PartOf(OpCall& c, const char* part) {
  return c.graph().model().variables[c.graph().OperatorKey(c.node(), part)];
}

Operand Valid(OpCall& c) { return c.builder().Constant(DType::Bool(), {}, {1}); }

// The frames of each row, and what is kept of it.
Operand FramesOf(OpCall& c, const FrameForm& f) {
  const Operand x = c.Reshape(c.Arg(0), c.DimsFrom({f.rows, f.width}));
  const Dims frames = c.DimsFrom({f.rows, f.frames, f.size});
  if (f.kept == 0) {
    return c.Kernel("frames", {x}, [&](Te& te) {
      ScalarMath& m = te.math();
      return te.Compute("out", frames, kFrameSample, [&](const Indices& at) {
        return te.At(te.Input(0), {at[0], m.Add(m.Mul(at[1], m.Int(f.step)), at[2])});
      });
    });
  }
  Operand& history = PartOf(c, kHistoryPart);
  const Operands made = c.Kernels("frames", {history, x}, [&](Te& te) {
    ScalarMath& m = te.math();
    const auto sample = [&](PrimRef row, PrimRef i) {
      return m.IfThenElse(m.Lt(i, m.Int(f.kept)), te.At(te.Input(0), {row, i}),
                          te.At(te.Input(1), {row, m.Sub(i, m.Int(f.kept))}));
    };
    const BufferRef out = te.Compute("out", frames, kFrameSample, [&](const Indices& at) {
      return sample(at[0], m.Add(m.Mul(at[1], m.Int(f.step)), at[2]));
    });
    const BufferRef next =
        te.Compute("history", c.DimsFrom({f.rows, f.kept}), kFrameSample,
                   [&](const Indices& at) { return sample(at[0], m.Add(at[1], m.Int(f.width))); });
    return std::vector<BufferRef>{out, next};
  });
  history = made[1];
  return made[0];
}

}  // namespace

absl::StatusOr<Results> ImportSignalFramer(OpCall& c) {
  LATHE_RETURN_IF_ERROR(RequireSamples(c, false));
  const absl::StatusOr<FrameForm> f = FrameFormOf(c.graph().subgraph(), c.node());
  if (!f.ok()) return c.Error() << f.status().message();
  const Operand frames = c.Reshape(FramesOf(c, *f), c.OutDims());
  if (f->first == 0) return Operands{frames, Valid(c)};
  Operand& count = PartOf(c, kCountPart);
  const auto first = [&](ScalarMath& m) { return m.ir().Int(f->first, kWhole); };
  const Operand valid = c.Elementwise(
      "is_valid", {count}, [&](ScalarMath& m, const Scalars& v) { return m.Le(first(m), v[0]); },
      DType::Bool());
  count = c.Elementwise("count", {count}, [&](ScalarMath& m, const Scalars& v) {
    return m.Min(m.Add(v[0], m.ir().Int(std::min(f->frames, f->first), kWhole)), first(m));
  });
  return Operands{frames, valid};
}

absl::StatusOr<Results> ImportSignalDelay(OpCall& c) {
  LATHE_RETURN_IF_ERROR(RequireSamples(c, false));
  const absl::StatusOr<FrameForm> f = FrameFormOf(c.graph().subgraph(), c.node());
  if (!f.ok()) return c.Error() << f.status().message();
  return c.Reshape(FramesOf(c, *f), c.OutDims());
}

absl::StatusOr<Results> ImportSignalStacker(OpCall& c) {
  LATHE_RETURN_IF_ERROR(RequireSamples(c, false));
  const absl::StatusOr<StackForm> f = StackFormOf(c.graph().subgraph(), c.node());
  if (!f.ok()) return c.Error() << f.status().message();
  if (f->slots == 1) return Operands{c.Reshape(c.Arg(0), c.OutDims()), Valid(c)};
  Operand& history = PartOf(c, kHistoryPart);
  Operand& count = PartOf(c, kCountPart);
  const Operand x = c.Reshape(c.Arg(0), c.DimsFrom({f->channels}));
  const int64_t kept = f->slots - 1;
  const Operands made = c.Kernels("stack", {history, count, x}, [&](Te& te) {
    ScalarMath& m = te.math();
    // The first input stands for all before it.
    const auto sample = [&](PrimRef slot, PrimRef channel) {
      const PrimRef old =
          m.And(m.Lt(slot, m.Int(kept)), m.Lt(m.Const(0, kWhole), te.At(te.Input(1), {})));
      return m.IfThenElse(old, te.At(te.Input(0), {m.Min(slot, m.Int(kept - 1)), channel}),
                          te.At(te.Input(2), {channel}));
    };
    const BufferRef out = te.Compute("out", c.DimsFrom({f->slots, f->channels}), kFrameSample,
                                     [&](const Indices& at) { return sample(at[0], at[1]); });
    const BufferRef next =
        te.Compute("history", c.DimsFrom({kept, f->channels}), kFrameSample,
                   [&](const Indices& at) { return sample(m.Add(at[0], m.Int(1)), at[1]); });
    return std::vector<BufferRef>{out, next};
  });
  history = made[1];
  // Counts to run `first`, and then from `first + 1` to `first + step`, which is valid again.
  const auto number = [](ScalarMath& m, int64_t v) { return m.ir().Int(v, kWhole); };
  const int64_t last = f->first + f->step;
  const Operand valid = c.Elementwise(
      "is_valid", {count},
      [&](ScalarMath& m, const Scalars& v) {
        return m.Or(m.Eq(v[0], number(m, f->first)), m.Eq(v[0], number(m, last)));
      },
      DType::Bool());
  count = c.Elementwise("count", {count}, [&](ScalarMath& m, const Scalars& v) {
    return m.Add(m.Select(m.Eq(v[0], number(m, last)), number(m, f->first), v[0]), number(m, 1));
  });
  return Operands{c.Reshape(made[0], c.OutDims()), valid};
}

namespace {

// `count` samples from sample `from` of the sums of each row. Sums of int16 are clipped after each
// frame, in the order of the frames.
BufferRef Overlapped(OpCall& c, Te& te, const OverlapForm& f, int64_t from, int64_t count) {
  ScalarMath& m = te.math();
  const DType dtype = c.TypeOf(c.Arg(0)), sums = dtype == kReal ? kReal : kWhole;
  const int64_t kept = f.size - f.step, covering = (f.size + f.step - 1) / f.step;
  ops::Reducer add = te.Sum(sums);
  if (sums == kWhole) {
    add.combine = [&m](const Indices& acc, const Indices& value) {
      return Indices{ops::ClippedTo(m, m.Add(acc[0], value[0]), -32768, 32767, kWhole)};
    };
  }
  const PrimRef zero = m.Const(0, sums);
  const BufferRef made = te.Reduce(
      "sums", c.DimsFrom({f.rows, count}), c.DimsFrom({covering + 1}), add,
      [&](const Indices& at, const Indices& r) {
        const PrimRef place = m.Add(at[1], m.Int(from));
        // First what is kept, then the frames that cover the sample.
        const PrimRef frame = m.Add(m.FloorDiv(place, m.Int(f.step)), m.Sub(r[0], m.Int(covering)));
        const PrimRef sample = m.Sub(place, m.Mul(frame, m.Int(f.step)));
        const auto clamp = [&](PrimRef i, int64_t size) {
          return m.Max(m.Min(i, m.Int(size - 1)), m.Int(0));
        };
        const PrimRef inside =
            m.And(m.InRange(frame, m.Int(0), m.Int(f.frames)), m.Lt(sample, m.Int(f.size)));
        const PrimRef value = m.IfThenElse(
            inside,
            m.Cast(te.At(te.Input(0), {at[0], clamp(frame, f.frames), clamp(sample, f.size)}),
                   sums),
            zero);
        PrimRef before = zero;
        if (kept > 0) {
          before =
              m.IfThenElse(m.Lt(place, m.Int(kept)),
                           m.Cast(te.At(te.Input(1), {at[0], clamp(place, kept)}), sums), zero);
        }
        return m.IfThenElse(m.Eq(r[0], m.Int(0)), before, value);
      });
  if (sums == dtype) return made;
  return te.Compute("out", c.DimsFrom({f.rows, count}), dtype,
                    [&](const Indices& at) { return m.Cast(te.At(made, at), dtype); });
}

}  // namespace

absl::StatusOr<Results> ImportSignalOverlapAdd(OpCall& c) {
  LATHE_RETURN_IF_ERROR(RequireSamples(c, true));
  const absl::StatusOr<OverlapForm> f = OverlapFormOf(c.graph().subgraph(), c.node());
  if (!f.ok()) return c.Error() << f.status().message();
  const int64_t done = f->frames * f->step, kept = f->size - f->step;
  Operands args = {c.Reshape(c.Arg(0), c.DimsFrom({f->rows, f->frames, f->size}))};
  if (kept == 0) {
    const Operand out =
        c.Kernel("overlap_add", args, [&](Te& te) { return Overlapped(c, te, *f, 0, done); });
    return c.Reshape(out, c.OutDims());
  }
  Operand& history = PartOf(c, kHistoryPart);
  args.push_back(history);
  const Operands made = c.Kernels("overlap_add", args, [&](Te& te) {
    return std::vector<BufferRef>{Overlapped(c, te, *f, 0, done),
                                  Overlapped(c, te, *f, done, kept)};
  });
  history = made[1];
  return c.Reshape(made[0], c.OutDims());
}

}  // namespace lathe::tflite
