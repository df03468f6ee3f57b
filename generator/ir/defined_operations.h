// Lists the operations that have a definition in TIR (ops/definitions/operation_definitions.h), and
// what they write.
#ifndef LATHE_IR_DEFINED_OPERATIONS_H_
#define LATHE_IR_DEFINED_OPERATIONS_H_

#include <vector>

#include "generator/ir/helium_products.h"
#include "generator/ir/once_result.h"
#include "generator/ir/paired_products.h"
#include "generator/ir/prim_expr.h"
#include "generator/ir/quad_products.h"
#include "generator/ir/tir.h"
#include "generator/ir/unpack_weights.h"

namespace lathe::ir {

// Products of rows, with scratch memory.
inline bool IsRowProducts(absl::string_view name) {
  return IsPairedProducts(name) || IsPairedRow(name) || IsHeliumProducts(name) ||
         IsQuadProducts(name);
}
inline bool IsChannelProducts(absl::string_view name) {
  return IsPairedDepthwise(name) || IsHeliumDepthwise(name) || IsQuadDepthwise(name);
}
inline bool HasDefinition(absl::string_view name) {
  return IsRowProducts(name) || IsChannelProducts(name) || name == kPaddedLines ||
         IsOfPackedWeights(name);
}

inline bool RoundsOnce(absl::string_view name) {
  return name == kPairedOnce || name == kPairedRowOnce || name == kPairedDepthwiseOnce ||
         name == kHeliumProductsOnce || name == kHeliumDepthwiseOnce || name == kQuadProductsOnce ||
         name == kQuadDepthwiseOnce;
}

// The number of elements from the first that an operation reads of its data to the last: products
// of rows, and of the windows of channels.
inline int64_t SpanOfRows(int64_t rows, int64_t step, int64_t pieces, int64_t pitch,
                          int64_t count) {
  return (rows - 1) * step + (pieces - 1) * pitch + count;
}
inline int64_t SpanOfWindows(int64_t columns, int64_t channels, int64_t step, int64_t height,
                             int64_t line, int64_t width, int64_t tap) {
  return (columns - 1) * step + (height - 1) * line + (width - 1) * tap + channels;
}

// Returns the names of the numbers among the arguments, which come first.
inline std::vector<absl::string_view> NumbersOfDefined(absl::string_view name) {
  std::vector<absl::string_view> names;
  if (name == kPaddedLines) {
    return {"top",   "height",   "length", "before", "after",
            "lines", "dilation", "fresh",  "zero",   "edges"};
  }
  if (name == kUnpackWeights) return {"words", "kind"};
  if (name == kJoinColumns) return {"rows", "columns", "block"};
  if (IsChannelProducts(name)) {
    names = {"columns", "channels", "step", "height", "line", "width", "tap"};
  } else {
    names = {"rows", "step", "pieces", "pitch", "count", "columns"};
    if (IsQuadProducts(name)) names.push_back("together");
    names.push_back("each");
    if (IsQuadProducts(name)) names.push_back("offset");
    names.push_back(IsPairedProducts(name) ? "alone" : "gathered");
  }
  names.push_back(RoundsOnce(name) ? "start" : "zero");
  if (RoundsOnce(name)) names.push_back("shift");
  names.push_back("lo");
  names.push_back("hi");
  return names;
}

// Returns the buffers that the operation writes: the result, and the scratch memory of products.
inline std::vector<BufferRef> WrittenByDefined(const Intrinsic& call) {
  if (!HasDefinition(call.name)) return {};
  std::vector<BufferRef> written = {call.args.back()->As<Load>()->buffer};
  if (IsRowProducts(call.name)) {
    written.push_back(call.args[call.args.size() - 2]->As<Load>()->buffer);
  }
  return written;
}

}  // namespace lathe::ir

#endif  // LATHE_IR_DEFINED_OPERATIONS_H_
