#include "generator/reader/relay_text/ops/call_parts.h"

#include <algorithm>

#include "absl/strings/str_join.h"

namespace lathe::relay {

absl::Status RequireOneDType(OpCall& c, const Operands& operands) {
  for (const Operand& operand : operands) {
    const DType first = c.TypeOf(operands[0]), other = c.TypeOf(operand);
    if (first != other) {
      return c.Error() << "operands of dtypes " << ir::ToString(first) << " and "
                       << ir::ToString(other) << "; Relay does not convert dtypes, 'cast' does";
    }
  }
  return absl::OkStatus();
}

absl::Status RequireRank(OpCall& c, const Operand& x, int rank, absl::string_view what) {
  if (c.Rank(x) == rank || !c.status().ok()) return c.status();
  return c.Error() << what << " has to have " << rank << " dimensions, and has " << c.Rank(x);
}

absl::Status RequireSize(OpCall& c, PrimRef size, PrimRef wanted, absl::string_view what) {
  if (!Differ(size, wanted) || !c.status().ok()) return c.status();
  return c.Error() << what << " has to have " << ir::ToString(wanted) << " elements, and has "
                   << ir::ToString(size);
}

absl::Status RequireOneOf(OpCall& c, const std::string& attribute,
                          const std::vector<std::string>& allowed) {
  const std::string& value = c.Str(attribute);
  if (std::find(allowed.begin(), allowed.end(), value) != allowed.end()) return absl::OkStatus();
  return c.Error() << attribute << " is '" << value << "'; supported: '"
                   << absl::StrJoin(allowed, "', '") << "'";
}

bool Differ(PrimRef a, PrimRef b) {
  const auto x = ImportBuilder::IntOf(a), y = ImportBuilder::IntOf(b);
  return x && y && *x != *y;
}

namespace {

Operand SpreadByKernel(OpCall& c, const Operand& x, const Dims& dims) {
  return c.Kernel("broadcast", {x}, [&](Te& te) {
    RequireBroadcast(c.op(), te, c.DimsOf(x), dims, "an operand");
    return te.Compute("out", dims, c.TypeOf(x),
                      [&](const Indices& at) { return te.AtBroadcast(te.Input(0), at, dims); });
  });
}

}  // namespace

Operands BroadcastTogether(OpCall& c, const Operands& operands) {
  bool open = false;
  for (const Operand& a : operands) {
    for (const Operand& b : operands) {
      const Dims x = c.DimsOf(a), y = c.DimsOf(b);
      for (size_t i = 1; i <= std::min(x.size(), y.size()); ++i) {
        const PrimRef p = x[x.size() - i], q = y[y.size() - i];
        const auto m = OpCall::IntOf(p), n = OpCall::IntOf(q);
        open |= p != q && m != 1 && n != 1 && !(m && n);
      }
    }
  }
  const Dims dims = c.BroadcastDims(operands);
  if (!open || !c.status().ok()) return operands;
  Operands spread;
  for (const Operand& x : operands) {
    if (c.DimsOf(x) == dims) {
      spread.push_back(x);
      continue;
    }
    spread.push_back(SpreadByKernel(c, x, dims));
  }
  return spread;
}

absl::StatusOr<Operand> SpreadTo(OpCall& c, const Operand& x, const Dims& dims) {
  const Dims from = c.DimsOf(x);
  if (from.size() > dims.size()) {
    return c.Error() << "a tensor of " << from.size() << " dimensions does not broadcast to "
                     << dims.size();
  }
  bool plain = true;
  for (size_t i = 0; i < from.size(); ++i) {
    const PrimRef wanted = dims[dims.size() - from.size() + i];
    if (from[i] == wanted || OpCall::IntOf(from[i]) == 1) continue;
    if (Differ(from[i], wanted)) {
      return c.Error() << "size " << ir::ToString(from[i]) << " does not broadcast to "
                       << ir::ToString(wanted);
    }
    plain = false;
  }
  return plain ? c.BroadcastTo(x, dims) : SpreadByKernel(c, x, dims);
}

ir::AttrList ListOf(const std::vector<int64_t>& values) {
  ir::AttrList list;
  for (int64_t value : values) list.emplace_back(value);
  return list;
}

ir::AttrList ListOf(const std::vector<int>& values) {
  return ListOf(std::vector<int64_t>(values.begin(), values.end()));
}

Operand OfTuple(OpCall& c, absl::string_view op, Operands fields, ir::AttrMap attrs) {
  return c.Op(op, {TupleOf(std::move(fields))}, std::move(attrs));
}

Operand Filled(OpCall& c, const Dims& dims, double value, DType dtype) {
  return c.Op("relax.full", {OpCall::Shape(dims), c.Number(value, dtype)}, {{"dtype", dtype}});
}

Operand AlongAxis(OpCall& c, const Operand& v, int axis, int rank) {
  Dims dims(static_cast<size_t>(rank), c.ir().Int(1));
  dims[static_cast<size_t>(axis)] = c.Product(c.DimsOf(v), 0, c.DimsOf(v).size());
  return c.Reshape(v, dims);
}

}  // namespace lathe::relay
