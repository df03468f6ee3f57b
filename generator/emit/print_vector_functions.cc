#include "generator/emit/print_vector_functions.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "generator/emit/c_names.h"
#include "generator/emit/emit.h"

namespace lathe::emit {
namespace {

// All that templates/kernels/vectors.c.tmpl has; what needs which others and which header.
struct FunctionRow {
  const char* name;
  const char* calls[5];
  const char* header;
};
// What calls stands before what it calls.
constexpr FunctionRow kFunctions[] = {
    {"erf", {"exp", "choose", "abs", "copysign", "all"}, nullptr},
    {"tanh", {"exp", "choose", "abs", "copysign"}, nullptr},
    {"sigmoid", {"exp"}, nullptr},
    {"exp", {"choose", "abs", "copysign", "all"}, nullptr},
    {"copysign", {}, nullptr},
    {"rsqrt", {"sqrt"}, nullptr},
    {"sqrt", {}, "<math.h>"},
    {"min", {"choose"}, nullptr},
    {"max", {"choose"}, nullptr},
    {"choose", {}, nullptr},
    {"all", {}, nullptr},
    {"abs", {}, nullptr},
    {"load", {}, nullptr},
    {"store", {}, nullptr},
    {"load_part", {"part_mask"}, nullptr},
    {"store_part", {"part_mask"}, nullptr},
    {"part_mask", {}, nullptr},
    {"fold_add", {}, nullptr},
    {"fold_mul", {}, nullptr},
    {"fold_min", {}, nullptr},
    {"fold_max", {}, nullptr},
};

// How the first elements of a vector are told from the others. Through memory they would be read
// before they are written: a store of few bytes and a load of many take dozens of cycles.
struct PartMask {
  absl::string_view macro;  // of the target
  absl::string_view type;   // empty: memcpy
  bool in_registers;        // of masks
};
constexpr PartMask kPartMasks[] = {{"__AVX512F__", "__mmask16", true},
                                   {"__AVX2__", "__m256i", false}};
constexpr PartMask kNoPartMask = {"", "", false};

const PartMask& PartMaskOf(const Target& target) {
  for (const PartMask& mask : kPartMasks) {
    if (mask.macro == target.vector_macro) return mask;
  }
  return kNoPartMask;
}

std::string Places(int lanes) {
  std::string places = "0";
  for (int i = 1; i < lanes; ++i) absl::StrAppend(&places, ", ", i);
  return places;
}

}  // namespace

void AddVectorFunctions(const Target& target, CNeeds& needs) {
  for (const FunctionRow& row : kFunctions) {
    if (!needs.vector_functions.contains(row.name)) continue;
    for (const char* called : row.calls) {
      if (called != nullptr) needs.vector_functions.insert(called);
    }
    if (row.header != nullptr) needs.headers.insert(row.header);
  }
  if (needs.vector_functions.contains("part_mask")) {
    const bool masks = !PartMaskOf(target).type.empty();
    needs.headers.insert(masks ? "<immintrin.h>" : "<string.h>");
  }
}

std::vector<std::string> VectorFunctionNames() {
  std::vector<std::string> names = {"vf", "vi"};
  for (const FunctionRow& row : kFunctions) names.emplace_back(row.name);
  return names;
}

absl::StatusOr<std::string> PrintVectorFunctions(const Target& target, const CNeeds& needs) {
  // Sums of products of small integers have loops around them that are for the compiler to widen.
  const bool has_sums = needs.headers.contains("\"lathe/dot.h\"") ||
                        needs.headers.contains("\"lathe/panels.h\"") ||
                        needs.headers.contains("\"lathe/requantize.h\"");
  const bool has_loops = !target.vector_macro.empty() && has_sums;
  if (needs.vector_functions.empty() && !has_loops) return std::string();
  TemplateValue::Dict v;
  v["has_loops"] = has_loops;
  v["has_vectors"] = !needs.vector_functions.empty();
  v["name"] = needs.prefix;
  v["NAME"] = UpperCase(needs.prefix);
  v["file"] = absl::StrCat(needs.prefix, ".c");
  v["target"] = std::string(target.name);
  v["macro"] = std::string(target.vector_macro);
  v["flags"] = std::string(target.flags.empty() ? target.name : target.flags);
  v["bytes"] = absl::StrCat(target.vector_bytes);
  v["bits"] = absl::StrCat(target.vector_bytes * 8);
  for (const FunctionRow& row : kFunctions) {
    v[absl::StrCat("has_", row.name)] = needs.vector_functions.contains(row.name);
  }
  const PartMask& mask = PartMaskOf(target);
  const int lanes = target.vector_bytes / static_cast<int>(sizeof(float));
  v["lanes"] = absl::StrCat(lanes);
  v["has_masks"] = !mask.type.empty();
  v["has_part_mask"] = !mask.type.empty() && needs.vector_functions.contains("part_mask");
  v["has_mask_registers"] = mask.in_registers;
  v["part_mask"] = std::string(mask.type);
  v["full_mask"] = absl::StrCat((int64_t{1} << lanes) - 1, "u");
  v["places"] = Places(lanes);
  TemplateValue::List folds;
  for (const auto& [name, step] :
       {std::pair("add", "acc + x[i]"), std::pair("mul", "acc * x[i]"),
        std::pair("min", "acc < x[i] ? acc : x[i]"), std::pair("max", "acc > x[i] ? acc : x[i]")}) {
    if (!needs.vector_functions.contains(absl::StrCat("fold_", name))) continue;
    folds.push_back(TemplateValue::Dict{{"name", name}, {"step", step}});
  }
  v["folds"] = std::move(folds);
  return RenderNamed("kernels/vectors.c.tmpl", {{"v", std::move(v)}});
}

}  // namespace lathe::emit
