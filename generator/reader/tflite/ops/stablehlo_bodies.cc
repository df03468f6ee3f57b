// Imports the StableHLO operators that combine elements by a subgraph of one operator.
#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

#include "generator/reader/tflite/format/tensor_types.h"
#include "generator/reader/tflite/ops/graph_import.h"
#include "generator/reader/tflite/ops/quantized.h"
#include "generator/support/status.h"

namespace lathe::tflite {
namespace {

// What a subgraph does to its two inputs. Nothing in `op` if it returns the second.
struct Combination {
  std::optional<ir::BinaryOp> op;
};

std::optional<ir::BinaryOp> CombinationOf(int code) {
  switch (code) {
    case 0:
    case 163:
      return ir::BinaryOp::kAdd;
    case 18:
    case 165:
      return ir::BinaryOp::kMul;
    case 55:
    case 166:
      return ir::BinaryOp::kMax;
    case 57:
    case 181:
      return ir::BinaryOp::kMin;
    case 86:
    case 176:
      return ir::BinaryOp::kAnd;
    default:
      return std::nullopt;
  }
}

absl::StatusOr<Combination> BodyOf(OpCall& c) {
  const int64_t number = c.Int("body");
  const std::vector<Subgraph>& graphs = c.graph().model().model.subgraphs;
  if (number < 0 || number >= std::ssize(graphs)) {
    return c.Error() << "it names subgraph " << number << " of " << graphs.size();
  }
  const Subgraph& body = graphs[static_cast<size_t>(number)];
  if (body.inputs.size() == 2 && body.outputs.size() == 1) {
    if (body.operators.empty() && body.outputs[0] == body.inputs[1]) return Combination{};
    if (body.operators.size() == 1) {
      const Operator& op = body.operators[0];
      const std::optional<ir::BinaryOp> combined = CombinationOf(op.code);
      std::vector<int32_t> used = op.inputs, given = body.inputs;
      std::sort(used.begin(), used.end());
      std::sort(given.begin(), given.end());
      const auto* activation = ir::FindAttr<int64_t>(op.options, "activation");
      const Tensor& result = body.tensors[static_cast<size_t>(body.outputs[0])];
      const bool plain = (activation == nullptr || *activation == 0) &&
                         !result.quantization.is_quantized() &&
                         (combined != ir::BinaryOp::kAnd || result.type == kBool);
      if (combined && plain && used == given && op.outputs == body.outputs) {
        return Combination{combined};
      }
    }
  }
  return c.Unsupported() << c.op()
                         << " with a body other than one addition, product, maximum, minimum or "
                            "conjunction of its two inputs";
}

// One axis of windows.
struct HloWindow {
  int64_t size = 1, stride = 1, spread = 1, dilation = 1, before = 0, out = 0;
};

// The numbers of all axes: one of each list per axis, of the padding two.
struct WindowLists {
  std::vector<int64_t> sizes, strides, spreads, dilations, padding;
};

WindowLists HloWindowLists(OpCall& c) {
  const size_t rank = c.In(0).shape.size();
  const auto listed = [&](const char* name, size_t count) {
    std::vector<int64_t> values = c.Ints(name);
    if (values.empty()) values.assign(count, name[0] == 'p' ? 0 : 1);
    return values;
  };
  return {c.Ints("window_dimensions"), listed("window_strides", rank),
          listed("base_dilations", rank), listed("window_dilations", rank),
          listed("padding", 2 * rank)};
}

absl::StatusOr<std::vector<HloWindow>> WindowsOf(OpCall& c, const WindowLists& lists) {
  const std::vector<int64_t>& shape = c.In(0).shape;
  const auto& [sizes, strides, spreads, dilations, padding] = lists;
  const size_t rank = shape.size();
  if (sizes.size() != rank || strides.size() != rank || spreads.size() != rank ||
      dilations.size() != rank || padding.size() != 2 * rank) {
    return c.Error() << "it needs a window for each of the " << rank << " axes";
  }
  std::vector<HloWindow> windows;
  constexpr int64_t kLimit = int64_t{1} << 24;
  for (size_t i = 0; i < rank; ++i) {
    HloWindow w = {sizes[i], strides[i], spreads[i], dilations[i], padding[2 * i]};
    for (const int64_t value : {w.size, w.stride, w.spread, w.dilation}) {
      if (value < 1 || value > kLimit) return c.Error() << "a size of a window is " << value;
    }
    const int64_t after = padding[2 * i + 1];
    if (w.before < -kLimit || w.before > kLimit || after < -kLimit || after > kLimit) {
      return c.Error() << "a padding is " << w.before << " or " << after;
    }
    const int64_t all = (shape[i] == 0 ? 0 : (shape[i] - 1) * w.spread + 1) + w.before + after;
    const int64_t reach = (w.size - 1) * w.dilation + 1;
    w.out = all < reach ? 0 : (all - reach) / w.stride + 1;
    windows.push_back(w);
  }
  return windows;
}

}  // namespace

namespace {

Operand ReducedWindows(OpCall& c, ir::BinaryOp op, const std::vector<HloWindow>& windows) {
  const Operands args = {c.Arg(0), c.Reshape(c.Arg(1), {})};
  Dims dims, over;
  for (const HloWindow& w : windows) {
    dims.push_back(c.ir().Int(w.out));
    over.push_back(c.ir().Int(w.size));
  }
  const Dims in = c.DimsOf(args[0]);
  return c.Kernel("reduce_window", args, [&](Te& te) {
    ScalarMath& m = te.math();
    const PrimRef start = te.At(te.Input(1), {});
    const ops::Reducer reducer = {{start},
                                  [&](const Indices& acc, const Indices& value) -> Indices {
                                    return {m.Binary(op, acc[0], value[0])};
                                  }};
    return te.Reduce("out", dims, over, reducer, [&](const Indices& at, const Indices& r) {
      PrimRef inside = m.ir().Bool(true);
      Indices from;
      for (size_t i = 0; i < windows.size(); ++i) {
        const HloWindow& w = windows[i];
        const PrimRef tap = m.Add(m.Mul(at[i], m.Int(w.stride)), m.Mul(r[i], m.Int(w.dilation)));
        const PrimRef place = m.Sub(tap, m.Int(w.before));
        if (w.spread > 1) {
          inside = m.And(inside, m.Eq(m.FloorMod(place, m.Int(w.spread)), m.Int(0)));
        }
        from.push_back(m.FloorDiv(place, m.Int(w.spread)));
        inside = m.And(inside, m.InRange(from.back(), m.Int(0), in[i]));
      }
      // Positions outside hold the initial value.
      return m.IfThenElse(inside, te.At(te.Input(0), from), start);
    });
  });
}

}  // namespace

absl::StatusOr<Results> ImportHloReduceWindow(OpCall& c) {
  LATHE_ASSIGN_OR_RETURN(const Combination body, BodyOf(c));
  LATHE_ASSIGN_OR_RETURN(const std::vector<HloWindow> windows, WindowsOf(c, HloWindowLists(c)));
  if (!body.op) return c.Unsupported() << c.op() << " whose body returns an input";
  if (c.inputs() != 2 || c.In(0).type != c.In(1).type) {
    return c.Unsupported() << c.op() << " of several tensors";
  }
  return ReducedWindows(c, *body.op, windows);
}

// Its windows are inputs, and a number names the operation.
absl::StatusOr<Results> ImportReduceWindow(OpCall& c) {
  constexpr ir::BinaryOp kFunctions[] = {ir::BinaryOp::kAdd, ir::BinaryOp::kMul, ir::BinaryOp::kMin,
                                         ir::BinaryOp::kMax, ir::BinaryOp::kAnd, ir::BinaryOp::kOr};
  const int64_t function = c.Int("function");
  if (function < 1 || function > std::ssize(kFunctions)) {
    return c.Error() << "its function has the number " << function;
  }
  if (c.In(0).type != c.In(1).type || ElementCount(c.In(1).shape) != 1) {
    return c.Error() << "its initial value is not one element of the type of its data";
  }
  const ir::BinaryOp op = kFunctions[function - 1];
  if ((op == ir::BinaryOp::kAnd || op == ir::BinaryOp::kOr) && c.In(0).type != kBool) {
    return c.Unsupported() << "REDUCE_WINDOW by a logical operation of " << TypeName(c.In(0).type)
                           << "; bool is supported";
  }
  const size_t rank = c.In(0).shape.size();
  WindowLists lists;
  LATHE_ASSIGN_OR_RETURN(lists.sizes, c.NeedInts(2, "the sizes of windows"));
  LATHE_ASSIGN_OR_RETURN(lists.strides, c.NeedInts(3, "the strides of windows"));
  LATHE_ASSIGN_OR_RETURN(lists.dilations, c.NeedInts(4, "the dilations of windows"));
  lists.spreads.assign(rank, 1);
  lists.padding.assign(2 * rank, 0);
  LATHE_ASSIGN_OR_RETURN(const std::vector<HloWindow> windows, WindowsOf(c, lists));
  return ReducedWindows(c, op, windows);
}

namespace {

struct HloScatter {
  std::vector<int64_t> window_axes, inserted, starts;
  int64_t index_axis = 0;
};

absl::Status CheckHloScatter(OpCall& c, const HloScatter& form) {
  const std::vector<int64_t>&data = c.In(0).shape, &places = c.In(1).shape;
  const std::vector<int64_t>& updates = c.In(2).shape;
  const auto is_axis = [](const std::vector<int64_t>& axes, size_t count) {
    return std::all_of(axes.begin(), axes.end(), [&](int64_t axis) {
      return axis >= 0 && axis < static_cast<int64_t>(count);
    });
  };
  const auto ascends = [](const std::vector<int64_t>& axes) {
    return std::adjacent_find(axes.begin(), axes.end(), std::greater_equal<>()) == axes.end();
  };
  const bool implicit = form.index_axis == std::ssize(places);
  if (form.index_axis < 0 || form.index_axis > std::ssize(places) ||
      !is_axis(form.window_axes, updates.size()) || !is_axis(form.inserted, data.size()) ||
      !is_axis(form.starts, data.size()) ||
      std::ssize(form.starts) != (implicit ? 1 : places[static_cast<size_t>(form.index_axis)]) ||
      !ascends(form.window_axes) || !ascends(form.inserted) ||
      form.window_axes.size() + form.inserted.size() != data.size() ||
      updates.size() != form.window_axes.size() + places.size() - (implicit ? 0 : 1)) {
    return c.Error() << "axes of the data, the positions and the updates do not fit";
  }
  if (c.In(0).type != c.In(2).type) return c.Error() << "data and updates have different types";
  return absl::OkStatus();
}

bool Contains(const std::vector<int64_t>& axes, int64_t axis) {
  return std::find(axes.begin(), axes.end(), axis) != axes.end();
}

}  // namespace

// Updates whose position is outside of the data are left out.
absl::StatusOr<Results> ImportHloScatter(OpCall& c) {
  LATHE_ASSIGN_OR_RETURN(const Combination body, BodyOf(c));
  const HloScatter form = {c.Ints("update_window_dims"), c.Ints("inserted_window_dims"),
                           c.Ints("scatter_dims"), c.Int("index_vector_dim")};
  LATHE_RETURN_IF_ERROR(CheckHloScatter(c, form));
  const Operands args = {c.Arg(0), c.Arg(1), c.Arg(2)};
  const DType dtype = c.TypeOf(args[0]);
  const Dims dims = c.DimsOf(args[0]), over = c.DimsOf(args[2]);
  return c.Kernel("scatter", args, [&](Te& te) {
    ScalarMath& m = te.math();
    const BufferRef out =
        te.Compute("out", dims, dtype, [&](const Indices& at) { return te.At(te.Input(0), at); });
    te.Run("scatter", {}, [&](ops::Statements& s, const Indices&) {
      Indices at;
      const std::function<void(size_t)> nest = [&](size_t axis) {
        if (axis < over.size()) {
          s.For("u", over[axis], [&](PrimRef i) {
            at.push_back(i);
            nest(axis + 1);
            at.pop_back();
          });
          return;
        }
        Indices batch;
        for (size_t i = 0; i < at.size(); ++i) {
          if (!Contains(form.window_axes, static_cast<int64_t>(i))) batch.push_back(at[i]);
        }
        Indices to;
        PrimRef inside = m.ir().Bool(true);
        size_t window = 0;
        for (size_t i = 0; i < dims.size(); ++i) {
          const auto number = static_cast<int64_t>(i);
          PrimRef place = m.Int(0);
          const auto mapped = std::find(form.starts.begin(), form.starts.end(), number);
          if (mapped != form.starts.end()) {
            Indices index = batch;
            if (form.index_axis < std::ssize(c.In(1).shape)) {
              index.insert(index.begin() + form.index_axis, m.Int(mapped - form.starts.begin()));
            }
            place = m.Cast(te.At(te.Input(1), index), kWide);
          }
          if (!Contains(form.inserted, number)) {
            place = m.Add(place, at[static_cast<size_t>(form.window_axes[window++])]);
          }
          to.push_back(s.Let("place", place));
          inside = m.And(inside, m.InRange(to.back(), m.Int(0), dims[i]));
        }
        s.If(inside, [&] {
          const PrimRef value = te.At(te.Input(2), at);
          s.Store(out, to, body.op ? m.Binary(*body.op, te.At(out, to), value) : value);
        });
      };
      nest(0);
    });
    return out;
  });
}

}  // namespace lathe::tflite
