// Lists the operations that have a definition in TIR (ops/definitions/operation_definitions.h), and
// what they write.
#ifndef LATHE_IR_DEFINED_OPERATIONS_H_
#define LATHE_IR_DEFINED_OPERATIONS_H_

#include <vector>

#include "generator/ir/helium_products.h"
#include "generator/ir/paired_products.h"
#include "generator/ir/prim_expr.h"
#include "generator/ir/quad_products.h"
#include "generator/ir/tir.h"

namespace lathe::ir {

// Products of rows, with scratch memory.
inline bool IsRowProducts(absl::string_view name) {
  return IsPairedProducts(name) || name == kHeliumProducts || name == kQuadProducts;
}
inline bool IsChannelProducts(absl::string_view name) {
  return name == kPairedDepthwise || name == kHeliumDepthwise || name == kQuadDepthwise;
}
inline bool HasDefinition(absl::string_view name) {
  return IsRowProducts(name) || IsChannelProducts(name) || name == kPaddedLines;
}

// Returns the names of the numbers among the arguments, which come first.
inline std::vector<absl::string_view> NumbersOfDefined(absl::string_view name) {
  std::vector<absl::string_view> names;
  if (name == kPaddedLines) {
    return {"top",   "height",   "length", "before", "after",
            "lines", "dilation", "fresh",  "zero",   "edges"};
  }
  if (IsChannelProducts(name)) {
    return {"columns", "channels", "step", "height", "line", "width", "tap", "zero", "lo", "hi"};
  }
  names = {"rows", "step", "pieces", "pitch", "count", "columns"};
  if (name == kQuadProducts) names.push_back("together");
  names.push_back("each");
  if (name == kQuadProducts) names.push_back("offset");
  if (name == kQuadProducts || name == kHeliumProducts) names.push_back("gathered");
  names.push_back(name == kPairedOnce ? "start" : "zero");
  if (name == kPairedOnce) names.push_back("shift");
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
