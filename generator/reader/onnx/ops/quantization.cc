// Imports quantization, dequantization and casts.
#include <algorithm>
#include <cmath>
#include <memory>

#include "generator/interp/data/tensor.h"
#include "generator/ops/te/weight_blocks.h"
#include "generator/reader/onnx/format/tensor_data.h"
#include "generator/reader/onnx/node_call.h"
#include "generator/reader/onnx/run_time_values.h"
#include "generator/reader/onnx/small_formats.h"
#include "generator/reader/onnx/string_ops.h"
#include "generator/support/status.h"

namespace lathe::onnx {
namespace {

// Broadcasts a scale or zero point to the tensor: per tensor, per axis, or per block along the
// axis.
absl::StatusOr<Operand> Spread(NodeCall& n, const Operand& v, const Dims& dims) {
  const int rank = static_cast<int>(dims.size());
  if (n.Rank(v) == 0) return v;
  if (n.Rank(v) == 1 && NodeCall::IntOf(n.DimsOf(v)[0]) == 1) return n.Reshape(v, {});
  const int64_t written = n.Int("axis", 1);
  if (n.Rank(v) == 1 && (rank != 1 || n.Int("block_size", 0) < 1)) {
    LATHE_ASSIGN_OR_RETURN(const int axis, n.Axis(written, rank));
    Dims shape(dims.size(), n.ir().Int(1));
    shape[static_cast<size_t>(axis)] = n.DimsOf(v)[0];
    return n.Reshape(v, shape);
  }
  const int64_t block = n.Int("block_size", 0);
  if (n.Rank(v) != rank)
    return n.Error() << "the scale must have the rank of the input, got rank " << n.Rank(v);
  if (block < 1) return v;
  LATHE_ASSIGN_OR_RETURN(const int axis, n.Axis(written, rank));
  return n.Kernel("blocks", {v}, [&](Te& te) {
    Dims wanted = dims;
    PrimRef& count = wanted[static_cast<size_t>(axis)];
    const PrimRef last = te.math().Add(count, te.math().Int(block - 1));
    count = te.math().FloorDiv(last, te.math().Int(block));
    NeedSameDims(n, te, n.DimsOf(v), wanted, "the scale or zero point");
    return te.Compute("out", dims, n.TypeOf(v), [&](const Indices& at) {
      Indices source = at;
      PrimRef& along = source[static_cast<size_t>(axis)];
      along = te.math().FloorDiv(along, te.math().Int(block));
      return te.At(te.Input(0), source);
    });
  });
}

// Returns a constant of integers of fewer than 8 bits, which is read as bytes, with its elements
// packed, as they are in the model. Returns other operands as they are.
Operand Packed(NodeCall& n, const Term& term) {
  const Operand x = *term.operand;
  const auto* id = x.As<ir::ConstantId>();
  const bool small = term.format != 0 && n.TypeOf(x).is_integer() && HasIntegers(term.format);
  if (id == nullptr || !small) return x;
  const ir::Constant bytes = n.builder().ConstantAt(*id);
  const auto bits = static_cast<uint16_t>(SmallFormatBits(term.format));
  const DType dtype = bytes.dtype.is_int() ? DType::Int(bits) : DType::UInt(bits);
  const uint64_t count = bytes.bytes->size();
  auto packed = std::make_shared<std::vector<uint8_t>>(ir::StorageBytes(dtype, count));
  for (uint64_t i = 0; i < count; ++i) {
    interp::WriteElement(packed->data(), dtype, i,
                         interp::ReadElement(bytes.bytes->data(), bytes.dtype, i));
  }
  return n.builder().Constant({dtype, bytes.shape, std::move(packed)});
}

// A scale per tensor or per axis, which R.quantize and R.dequantize support and passes recognize.
struct PlainScale {
  Operand scale, zero;
  int64_t axis = 0;
};
std::optional<PlainScale> PlainScaleOf(NodeCall& n, DType integers) {
  const Operand scale = n.In(1);
  const int rank = n.Rank(n.In(0));
  const bool small = integers.is_integer() && integers.bits <= 16;
  if (!small && integers != DType::Int(32)) return std::nullopt;
  if (n.TypeOf(scale) != DType::Float(32) || n.Rank(scale) > 1 || n.Int("block_size", 0) != 0) {
    return std::nullopt;
  }
  const bool single = n.Rank(scale) == 0 || NodeCall::IntOf(n.DimsOf(scale)[0]) == 1;
  PlainScale plain;
  plain.axis = n.Int("axis", 1);
  if (plain.axis < -rank || plain.axis >= rank) {
    if (!single) return std::nullopt;
    plain.axis = 0;
  }
  if (n.Has(2)) {
    plain.zero = Packed(n, n.term(2));
    if (n.TypeOf(plain.zero) != integers || n.Rank(plain.zero) > 1) return std::nullopt;
    const bool one = n.Rank(plain.zero) == 0 || NodeCall::IntOf(n.DimsOf(plain.zero)[0]) == 1;
    if (one) plain.zero = n.Reshape(plain.zero, {});
  } else {
    plain.zero = n.Number(0, integers);
  }
  plain.scale = single ? n.Reshape(scale, {}) : scale;
  return plain;
}

// Dequantizes with scales per position along the axis or per block along it, in one loop nest.
absl::StatusOr<Results> DequantizeShared(NodeCall& n, const Operands& args, DType real) {
  const Dims dims = n.DimsOf(args[0]);
  const int rank = static_cast<int>(dims.size());
  LATHE_ASSIGN_OR_RETURN(const int axis, n.Axis(n.Int("axis", 1), rank));
  const auto along = static_cast<size_t>(axis);
  const int64_t block = std::max<int64_t>(n.Int("block_size", 0), 1);
  for (size_t i = 1; i < args.size(); ++i) {
    const int shared = n.Rank(args[i]);
    if (shared == 1 || shared == rank) continue;
    return n.Error() << "the scale must have the rank of the input, got rank " << shared;
  }
  return n.Kernel(ops::kDequantizeBlocks, args, [&](Te& te) {
    for (int i = 1; i < te.inputs(); ++i) {
      Dims wanted = dims;
      PrimRef& count = wanted[along];
      const PrimRef last = te.math().Add(count, te.math().Int(block - 1));
      count = te.math().FloorDiv(last, te.math().Int(block));
      if (n.Rank(args[static_cast<size_t>(i)]) != rank) wanted = {dims[along]};
      NeedSameDims(n, te, n.DimsOf(args[static_cast<size_t>(i)]), wanted,
                   "the scale or zero point");
    }
    return ops::DequantizeBlocks(te, dims, axis, block, real);
  });
}

// Returns input `i`, that of small floats as float32.
Operand Decoded(NodeCall& n, int i) {
  const int32_t format = n.term(i).format;
  return HasFloats(format) ? DecodeSmall(n, n.In(i), format) : n.In(i);
}

Term WithFormat(Operand x, int32_t type) {
  Term term(std::move(x));
  term.format = IsSmallFormat(type) ? type : 0;
  return term;
}

// Returns the number of an element type by its name in onnx.proto, in which casts named it before
// operator set 6; 0 for others.
int32_t TypeOfName(const std::string& name) {
  constexpr const char* kNames[] = {"FLOAT",  "UINT8",  "INT8",   "UINT16", "INT16",
                                    "INT32",  "INT64",  "STRING", "BOOL",   "FLOAT16",
                                    "DOUBLE", "UINT32", "UINT64"};
  const auto at = std::find(std::begin(kNames), std::end(kNames), name);
  return at == std::end(kNames) ? 0 : static_cast<int32_t>(at - std::begin(kNames)) + 1;
}

}  // namespace

absl::StatusOr<Results> ImportCast(NodeCall& n) {
  const bool has_strings = n.term(0).format == kStringType || n.term(0).strings != nullptr;
  const bool by_name = n.op() == "Cast" && n.opset() < 6;
  int32_t to = by_name ? TypeOfName(n.String("to", "")) : static_cast<int32_t>(n.Int("to", 0));
  DType dtype;
  if (n.op() == "CastLike") {
    const bool to_strings = n.term(1).strings != nullptr;
    if (!to_strings) dtype = n.TypeOf(n.In(1));
    to = to_strings ? kStringType : n.term(1).format;
  } else if (to == kStringType) {
    dtype = DType::UInt(8);
  } else if (const auto wanted = DTypeOf(to)) {
    dtype = *wanted;
  } else {
    return n.Unsupported() << "a cast to " << ElementTypeName(to) << "s";
  }
  if (has_strings) {
    if (to == kStringType) return n.term(0);
    if (IsSmallFormat(to))
      return n.Unsupported()
             << "a cast of strings to integers or floats of 8 bits or less is not supported";
    LATHE_ASSIGN_OR_RETURN(const Operand text, StringsIn(n, 0));
    return StringsToNumbers(n, text, dtype);
  }
  const int32_t from = n.term(0).format;
  // Integers of fewer than 8 bits are stored as their values, whose higher bits a cast keeps.
  Operand x = HasFloats(from) && from != to ? DecodeSmall(n, n.In(0), from) : n.In(0);
  if (to == kStringType) {
    LATHE_ASSIGN_OR_RETURN(x, NumbersToStrings(n, x));
    Term printed(x);
    printed.format = kStringType;
    return printed;
  }
  if (from == to && from != 0) return WithFormat(x, to);
  if (!IsSmallFormat(to)) return n.Cast(x, dtype);
  Rounding rounding;
  rounding.saturate = n.Int("saturate", 1) != 0;
  rounding.wrap = true;
  rounding.mode = n.String("round_mode", "up");
  return WithFormat(EncodeSmall(n, x, to, rounding), to);
}

absl::StatusOr<Results> ImportQuantize(NodeCall& n) {
  const Operand x = n.In(0), scale = Decoded(n, 1);
  int32_t type = static_cast<int32_t>(n.Int("output_dtype", 0));
  DType dtype = DType::UInt(8);
  if (n.Has(2)) {
    dtype = n.TypeOf(n.In(2));
    if (n.term(2).format != 0) type = n.term(2).format;
  } else if (const auto wanted = DTypeOf(type)) {
    dtype = *wanted;
  }
  const bool small = IsSmallFormat(type);
  const bool plain_types = !small && n.term(0).format == 0 && n.TypeOf(x) == DType::Float(32);
  if (plain_types && dtype.bits <= 16) {
    if (const auto plain = PlainScaleOf(n, dtype)) {
      return n.Op("relax.quantize", {x, plain->scale, plain->zero},
                  {{"axis", plain->axis}, {"out_dtype", dtype}});
    }
  }
  const DType real = n.TypeOf(x).is_floating() ? n.TypeOf(x) : DType::Float(32);
  const Dims dims = n.DimsOf(x);
  LATHE_ASSIGN_OR_RETURN(const Operand by, Spread(n, scale, dims));
  Operands args = {n.Cast(x, real), n.Cast(by, real)};
  const bool as_float = HasFloats(type);
  if (n.Has(2) && !as_float) {
    LATHE_ASSIGN_OR_RETURN(const Operand zero, Spread(n, n.In(2), dims));
    args.push_back(zero);
  }
  const DType wide = DType::Int(32);
  const Operand scaled = n.Elementwise(
      "quantize", args,
      [&](ScalarMath& m, const Scalars& v) {
        const PrimRef quotient = m.Div(v[0], v[1]);
        // Adding a zero point of 0 converts -0 to 0.
        if (as_float)
          return m.Add(m.Cast(quotient, DType::Float(32)), m.Const(0, DType::Float(32)));
        // float32 is exact up to 24 bits only; the clamp keeps the following cast in range.
        const PrimRef limit = m.Const(1 << 24, DType::Float(32));
        const PrimRef whole = m.Call("round", {m.Cast(quotient, DType::Float(32))});
        PrimRef q = m.Cast(m.Max(m.Min(whole, limit), m.Neg(limit)), wide);
        if (v.size() > 2) q = m.Add(q, m.Cast(v[2], wide));
        if (small) return q;
        return m.Max(m.Min(q, m.Cast(m.Highest(dtype), wide)), m.Cast(m.Lowest(dtype), wide));
      },
      as_float ? DType::Float(32) : wide);
  if (!small) return n.Cast(scaled, dtype);
  Rounding rounding;
  rounding.saturate = n.Int("saturate", 1) != 0;
  return WithFormat(EncodeSmall(n, scaled, type, rounding), type);
}

absl::StatusOr<Results> ImportDequantize(NodeCall& n) {
  Operand x = n.In(0);
  const Operand scale = Decoded(n, 1);
  const Dims dims = n.DimsOf(x);
  const DType real =
      DTypeOf(static_cast<int32_t>(n.Int("output_dtype", 0))).value_or(n.TypeOf(scale));
  if (HasIntegers(n.term(0).format)) x = Packed(n, n.term(0));
  const bool stored = n.term(0).format == 0 || n.TypeOf(x).bits < 8;
  if (real == DType::Float(32) && stored) {
    if (const auto plain = PlainScaleOf(n, n.TypeOf(x))) {
      return n.Op("relax.dequantize", {x, plain->scale, plain->zero}, {{"axis", plain->axis}});
    }
  }
  if (!HasIntegers(n.term(0).format)) x = Decoded(n, 0);
  Operands whole = {x, scale};
  if (n.Has(2)) whole.push_back(Decoded(n, 2));
  const bool single =
      n.Rank(scale) == 0 || (n.Rank(scale) == 1 && NodeCall::IntOf(n.DimsOf(scale)[0]) == 1);
  const bool equal_zeros = whole.size() < 3 || n.Rank(whole[2]) == n.Rank(scale);
  const bool blocks = n.Rank(scale) == 1 || n.Int("block_size", 0) > 0;
  if (!single && equal_zeros && blocks) return DequantizeShared(n, whole, real);
  LATHE_ASSIGN_OR_RETURN(const Operand by, Spread(n, scale, dims));
  Operands args = {x, by};
  if (n.Has(2)) {
    LATHE_ASSIGN_OR_RETURN(const Operand spread, Spread(n, whole[2], dims));
    args.push_back(spread);
  }
  return n.Elementwise(
      "dequantize", args,
      [&](ScalarMath& m, const Scalars& v) {
        const bool whole = v[0]->dtype().is_integer();
        PrimRef value = m.Cast(v[0], whole ? DType::Int(32) : DType::Float(32));
        if (v.size() > 2) value = m.Sub(value, m.Cast(v[2], value->dtype()));
        return m.Mul(m.Cast(value, real), m.Cast(v[1], real));
      },
      real);
}

// Derives scale and zero point from the range of the tensor.
absl::StatusOr<Results> ImportDynamicQuantize(NodeCall& n) {
  const Operand x = n.In(0);
  const DType real = DType::Float(32), byte = DType::UInt(8);
  const Operand low = n.Op("relax.min", {x}, {}), high = n.Op("relax.max", {x}, {});
  const Operand scale = n.Elementwise("scale", {low, high}, [&](ScalarMath& m, const Scalars& v) {
    const PrimRef zero = m.Const(0, real);
    const PrimRef range = m.Sub(m.Max(v[1], zero), m.Min(v[0], zero));
    // Zeros alone have any scale; ONNX Runtime's is 1.
    return m.Select(m.Eq(range, zero), m.Const(1, real), m.Div(range, m.Const(255, real)));
  });
  const auto clamped = [&](ScalarMath& m, PrimRef v) {
    return m.Cast(m.Max(m.Min(v, m.Const(255, real)), m.Const(0, real)), byte);
  };
  const Operand zero = n.Elementwise(
      "zero_point", {low, scale},
      [&](ScalarMath& m, const Scalars& v) {
        const PrimRef least = m.Min(v[0], m.Const(0, real));
        return clamped(m, m.Call("round", {m.Div(m.Neg(least), v[1])}));
      },
      byte);
  const Operand y = n.Elementwise(
      "quantize", {x, scale, zero},
      [&](ScalarMath& m, const Scalars& v) {
        const PrimRef q = m.Call("round", {m.Div(v[0], v[1])});
        return clamped(m, m.Add(q, m.Cast(v[2], real)));
      },
      byte);
  return Operands{y, scale, zero};
}

}  // namespace lathe::onnx
