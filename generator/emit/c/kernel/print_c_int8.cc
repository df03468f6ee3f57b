#include "generator/emit/c/kernel/print_c_int8.h"

#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "generator/emit/c/kernel/print_c_element.h"
#include "generator/emit/c/kernel/print_c_expr.h"
#include "generator/ir/defined_operations.h"
#include "generator/ir/int8_dot.h"
#include "generator/ir/products.h"
#include "generator/ir/requantize.h"
#include "generator/support/status.h"

namespace lathe::emit {
namespace {

using ir::PrimRef;

// Returns true for operations with a factor, a constant or one for each channel, whose last
// argument is the result.
bool IsSmallAgain(absl::string_view name) {
  return ir::IsRequantizing(name) || name == ir::kProducts;
}

bool IsDots(absl::string_view name) { return name == ir::kInt8Dot || name == ir::kDotPanels; }

absl::StatusOr<std::string> PrintAddress(CScope& scope, PrimRef at) {
  const auto* load = at->As<ir::Load>();
  return PrintCAddress(scope, load->buffer, load->indices);
}

absl::StatusOr<std::string> Dots(CScope& scope, const ir::Intrinsic& call) {
  std::vector<std::string> args;
  for (size_t i = 4; i < call.args.size(); ++i) {
    LATHE_ASSIGN_OR_RETURN(args.emplace_back(), PrintAddress(scope, call.args[i]));
  }
  const size_t rows = args.size();
  const bool panels = call.name == ir::kDotPanels;
  if (panels) {
    args.resize(ir::kDotPanelRows, args.back());
    args.push_back(absl::StrCat(rows));
  }
  LATHE_ASSIGN_OR_RETURN(args.emplace_back(), PrintAddress(scope, call.args[3]));
  for (PrimRef number : {call.args[1], call.args[0]}) {
    LATHE_ASSIGN_OR_RETURN(args.emplace_back(), PrintCIndex(scope, number));
  }
  args.push_back(scope.buffers.at(call.args[2]->As<ir::Load>()->buffer));
  scope.needs.headers.insert(panels ? "\"lathe/panels.h\"" : "\"lathe/dot.h\"");
  const std::string name =
      panels ? ir::kDotPanels : absl::StrCat(ir::kInt8Dot, "_", rows, "x", ir::kDotColumns);
  return absl::StrCat(name, "(", absl::StrJoin(args, ", "), ");");
}

const char* HeaderOf(absl::string_view name) {
  if (name == ir::kProducts) return "\"lathe/products.h\"";
  return name == ir::kDepthwise ? "\"lathe/depthwise.h\"" : "\"lathe/requantize.h\"";
}

// Prints the call with the addresses first, then the numbers, both in the order of the arguments,
// and the address of the result last.
absl::StatusOr<std::string> Requantize(CScope& scope, const ir::Intrinsic& call) {
  std::vector<std::string> args, numbers;
  for (size_t i = 0; i + 1 < call.args.size(); ++i) {
    const bool factor = i + 2 == call.args.size();
    if (call.args[i]->As<ir::Load>() != nullptr) {
      LATHE_ASSIGN_OR_RETURN(args.emplace_back(), PrintAddress(scope, call.args[i]));
      if (factor) args.emplace_back("0");
      continue;
    }
    LATHE_ASSIGN_OR_RETURN(const CText number, PrintCValue(scope, call.args[i]));
    if (factor) args.emplace_back("NULL");
    (factor ? args : numbers).push_back(number.text);
  }
  args.insert(args.end(), numbers.begin(), numbers.end());
  LATHE_ASSIGN_OR_RETURN(args.emplace_back(), PrintAddress(scope, call.args.back()));
  scope.needs.headers.insert(HeaderOf(call.name));
  return absl::StrCat(call.name, "(", absl::StrJoin(args, ", "), ");");
}

const char* HeaderOfDefined(absl::string_view name) {
  if (name == ir::kPaddedLines) return "\"lathe/padded_lines.h\"";
  if (ir::IsOfPackedWeights(name)) return "\"lathe/unpack_weights.h\"";
  if (name == ir::kPairedOnce) return "\"lathe/paired_products_once.h\"";
  if (name == ir::kPairedRow) return "\"lathe/paired_row.h\"";
  if (name == ir::kPairedRowOnce) return "\"lathe/paired_row_once.h\"";
  if (ir::IsPairedDepthwise(name)) return "\"lathe/paired_depthwise.h\"";
  if (ir::IsHeliumDepthwise(name)) return "\"lathe/helium_depthwise.h\"";
  if (ir::IsQuadProducts(name)) return "\"lathe/quad_products.h\"";
  if (ir::IsQuadDepthwise(name)) return "\"lathe/quad_depthwise.h\"";
  return ir::IsHeliumProducts(name) ? "\"lathe/helium_products.h\"" : "\"lathe/paired_products.h\"";
}

// Prints the call with the addresses first, then the numbers, and the address of the result last.
absl::StatusOr<std::string> Defined(CScope& scope, const ir::Intrinsic& call) {
  std::vector<std::string> args, numbers;
  const std::vector<absl::string_view> names = ir::NumbersOfDefined(call.name);
  for (size_t i = 0; i + 1 < call.args.size(); ++i) {
    if (call.args[i]->As<ir::Load>() != nullptr) {
      LATHE_ASSIGN_OR_RETURN(args.emplace_back(), PrintAddress(scope, call.args[i]));
    } else {
      LATHE_ASSIGN_OR_RETURN(const CText number, PrintCValue(scope, call.args[i]));
      numbers.push_back(absl::StrCat("/* ", names[i], " */ ", number.text));
    }
  }
  args.insert(args.end(), numbers.begin(), numbers.end());
  LATHE_ASSIGN_OR_RETURN(args.emplace_back(), PrintAddress(scope, call.args.back()));
  scope.needs.headers.insert(HeaderOfDefined(call.name));
  return absl::StrCat(call.name, "(", absl::StrJoin(args, ", "), ");");
}

}  // namespace

bool IsInt8Operation(absl::string_view name) {
  return IsDots(name) || IsSmallAgain(name) || ir::HasDefinition(name);
}

absl::StatusOr<std::string> PrintCInt8Operation(CScope& scope, const ir::Intrinsic& call) {
  if (ir::HasDefinition(call.name)) return Defined(scope, call);
  return IsDots(call.name) ? Dots(scope, call) : Requantize(scope, call);
}

std::vector<ir::BufferRef> WrittenByInt8Operation(const ir::Intrinsic& call) {
  if (ir::HasDefinition(call.name)) return ir::WrittenByDefined(call);
  if (IsDots(call.name)) return {call.args[2]->As<ir::Load>()->buffer};
  if (IsSmallAgain(call.name)) return {call.args.back()->As<ir::Load>()->buffer};
  return {};
}

}  // namespace lathe::emit
