#include "generator/emit/c/kernel/print_vector_functions.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "generator/emit/c/names/c_names.h"
#include "generator/emit/text/render_named.h"

namespace lathe::emit {
namespace {

// A helper of templates/kernels/vectors.c.tmpl, with the helpers it calls and the header it needs.
struct FunctionRow {
  const char* name;
  const char* calls[5];
  const char* header;
};
// A helper comes before the helpers that it calls.
constexpr FunctionRow kVectorFunctions[] = {
    {"erf", {"exp", "choose", "abs", "copysign", "all"}, nullptr},
    {"tanh", {"exp", "choose", "abs", "copysign"}, nullptr},
    {"sigmoid", {"exp"}, nullptr},
    {"exp", {"min", "max", "all"}, nullptr},
    {"copysign", {}, nullptr},
    {"rsqrt", {"sqrt"}, nullptr},
    {"sqrt", {}, "<math.h>"},
    {"min", {"choose"}, nullptr},
    {"max", {"choose"}, nullptr},
    {"choose", {}, nullptr},
    {"all", {}, nullptr},
    {"abs", {}, nullptr},
    {"load", {}, nullptr},
    {"widen", {}, nullptr},
    {"widen_nibbles", {}, nullptr},
    {"store", {}, nullptr},
    {"load_part", {"part_mask"}, nullptr},
    {"store_part", {"part_mask"}, nullptr},
    {"fma", {}, nullptr},
    {"fma_by", {}, nullptr},
    {"part_mask", {}, nullptr},
    {"fold_add", {}, nullptr},
    {"fold_mul", {}, nullptr},
    {"fold_min", {}, nullptr},
    {"fold_max", {}, nullptr},
};

// The intrinsics for operations that take one instruction of the target but several with gcc's
// vector types. A load or store of the first elements of a vector would otherwise pass through
// memory: a store of few bytes followed by a load of many takes dozens of cycles.
struct Intrinsics {
  absl::string_view macro;  // the target's macro for the instruction set
  absl::string_view name;   // the prefix of the intrinsics; empty if there are none
  absl::string_view register_type;
  absl::string_view part_mask;  // the type of a mask; empty: memcpy is used
  bool in_mask_registers;
  absl::string_view header;
};
constexpr absl::string_view kHelium = "__ARM_FEATURE_MVE";
constexpr Intrinsics kIntrinsics[] = {
    {"__AVX512F__", "_mm512", "__m512", "__mmask16", true, "<immintrin.h>"},
    {"__AVX2__", "_mm256", "__m256", "__m256i", false, "<immintrin.h>"},
    {"__SSE2__", "_mm", "__m128", "", false, "<immintrin.h>"},
    {kHelium, "v", "float32x4_t", "", false, "<arm_mve.h>"}};
constexpr Intrinsics kNone = {"", "", "", "", false, ""};

const Intrinsics& IntrinsicsOf(const Target& target) {
  for (const Intrinsics& row : kIntrinsics) {
    if (row.macro == target.vector_macro) return row;
  }
  return kNone;
}

std::string Places(int lanes) {
  std::string places = "0";
  for (int i = 1; i < lanes; ++i) absl::StrAppend(&places, ", ", i);
  return places;
}

}  // namespace

void AddVectorFunctions(const Target& target, CNeeds& needs) {
  const Intrinsics& has = IntrinsicsOf(target);
  const auto in_one = [&](absl::string_view name) {
    return (name == "min" || name == "max") && !has.name.empty();
  };
  for (const FunctionRow& row : kVectorFunctions) {
    if (!needs.vector_functions.contains(row.name)) continue;
    if (in_one(row.name)) {
      needs.headers.insert(std::string(has.header));
      continue;
    }
    if (has.macro == kHelium) needs.headers.insert(std::string(has.header));
    for (const char* called : row.calls) {
      if (called != nullptr) needs.vector_functions.insert(called);
    }
    if (row.header != nullptr) needs.headers.insert(row.header);
  }
  if (has.macro != kHelium && needs.vector_functions.contains("part_mask")) {
    needs.headers.insert(has.part_mask.empty() ? "<string.h>" : std::string(has.header));
  }
}

std::vector<std::string> VectorFunctionNames() {
  std::vector<std::string> names = {"vf", "vi", "vu"};
  for (const FunctionRow& row : kVectorFunctions) names.emplace_back(row.name);
  return names;
}

absl::StatusOr<std::string> PrintVectorFunctions(const Target& target, const CNeeds& needs) {
  // The compiler vectorizes the loops of integer products. The template sets its cost model.
  const bool has_sums = needs.headers.contains("\"lathe/dot.h\"") ||
                        needs.headers.contains("\"lathe/panels.h\"") ||
                        needs.headers.contains("\"lathe/requantize.h\"");
  const bool has_loops = !target.vector_macro.empty() && has_sums;
  if (needs.vector_functions.empty() && !has_loops && !needs.has_scalar_tiles) return std::string();
  TemplateValue::Dict v;
  v["has_loops"] = has_loops;
  v["has_scalar_tiles"] = needs.has_scalar_tiles;
  v["has_vectors"] = !needs.vector_functions.empty();
  v["name"] = needs.prefix;
  v["NAME"] = UpperCase(needs.prefix);
  v["file"] = absl::StrCat(needs.prefix, ".c");
  v["target"] = std::string(target.name);
  v["macro"] = std::string(target.vector_macro);
  v["flags"] = std::string(target.flags.empty() ? target.name : target.flags);
  v["bytes"] = absl::StrCat(target.vector_bytes);
  v["bits"] = absl::StrCat(target.vector_bytes * 8);
  for (const FunctionRow& row : kVectorFunctions) {
    v[absl::StrCat("has_", row.name)] = needs.vector_functions.contains(row.name);
  }
  const Intrinsics& has = IntrinsicsOf(target);
  const int lanes = target.vector_bytes / static_cast<int>(sizeof(float));
  v["lanes"] = absl::StrCat(lanes);
  v["half"] = absl::StrCat(lanes / 2);
  v["intrinsic"] = std::string(has.name);
  v["register"] = std::string(has.register_type);
  v["has_min_max"] = !has.name.empty();
  v["has_masks"] = !has.part_mask.empty();
  v["has_part_mask"] = !has.part_mask.empty() && needs.vector_functions.contains("part_mask");
  v["has_mask_registers"] = has.in_mask_registers;
  v["has_helium"] = has.macro == kHelium;
  v["part_mask"] = std::string(has.part_mask);
  v["full_mask"] = absl::StrCat((int64_t{1} << lanes) - 1, "u");
  v["places"] = Places(lanes);
  TemplateValue::List folds;
  struct Fold {
    absl::string_view name, two, last;
  };
  for (const Fold& fold :
       {Fold{"add", "x[i] + x[i + half]", "acc + x[0]"},
        Fold{"mul", "x[i] * x[i + half]", "acc * x[0]"},
        Fold{"min", "x[i] < x[i + half] ? x[i] : x[i + half]", "acc < x[0] ? acc : x[0]"},
        Fold{"max", "x[i] > x[i + half] ? x[i] : x[i + half]", "acc > x[0] ? acc : x[0]"}}) {
    if (!needs.vector_functions.contains(absl::StrCat("fold_", fold.name))) continue;
    folds.push_back(TemplateValue::Dict{{"name", std::string(fold.name)},
                                        {"two", std::string(fold.two)},
                                        {"last", std::string(fold.last)}});
  }
  v["folds"] = std::move(folds);
  return RenderNamed("kernels/vectors.c.tmpl", {{"v", std::move(v)}});
}

}  // namespace lathe::emit
