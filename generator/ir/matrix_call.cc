#include "generator/ir/matrix_call.h"

#include <algorithm>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "generator/ir/device_intrinsic.h"
#include "generator/ir/given_dtype.h"

namespace lathe::ir {
namespace {

constexpr MmaForm kForms[] = {
    {16, 8, 8, "f32", "f16", "f16"},   {16, 8, 16, "f32", "f16", "f16"},
    {16, 8, 8, "f16", "f16", "f16"},   {16, 8, 16, "f16", "f16", "f16"},
    {16, 8, 8, "f32", "bf16", "bf16"}, {16, 8, 16, "f32", "bf16", "bf16"},
    {16, 8, 4, "f32", "tf32", "tf32"}, {16, 8, 8, "f32", "tf32", "tf32"},
    {8, 8, 4, "f64", "f64", "f64"},    {8, 8, 16, "s32", "s8", "s8"},
    {8, 8, 16, "s32", "s8", "u8"},     {8, 8, 16, "s32", "u8", "s8"},
    {8, 8, 16, "s32", "u8", "u8"},     {16, 8, 16, "s32", "s8", "s8"},
    {16, 8, 16, "s32", "s8", "u8"},    {16, 8, 16, "s32", "u8", "s8"},
    {16, 8, 16, "s32", "u8", "u8"},    {16, 8, 32, "s32", "s8", "s8"},
    {16, 8, 32, "s32", "s8", "u8"},    {16, 8, 32, "s32", "u8", "s8"},
    {16, 8, 32, "s32", "u8", "u8"},
};

// As programs spell dtypes, and as PTX does.
struct Spelling {
  absl::string_view program;
  absl::string_view ptx;
};
constexpr Spelling kSpellings[] = {
    {"fp16", "f16"},
    {"float16", "f16"},
    {"f16", "f16"},
    {"bf16", "bf16"},
    {"bfloat16", "bf16"},
    {"tf32", "tf32"},
    {"tensor_float32", "tf32"},
    {"fp32", "f32"},
    {"float32", "f32"},
    {"fp64", "f64"},
    {"float64", "f64"},
    {"int8", "s8"},
    {"s8", "s8"},
    {"uint8", "u8"},
    {"u8", "u8"},
    {"int32", "s32"},
    {"s32", "s32"},
};

absl::string_view TextOf(PrimRef e) {
  const auto* text = e->As<StringImm>();
  return text == nullptr ? absl::string_view() : absl::string_view(text->value);
}

absl::string_view PtxOf(PrimRef e) {
  const absl::string_view text = TextOf(e);
  for (const Spelling& row : kSpellings) {
    if (row.program == text) return row.ptx;
  }
  return {};
}

std::optional<bool> TruthOf(PrimRef e) {
  const auto* number = e->As<IntImm>();
  if (number == nullptr) return std::nullopt;
  return number->value != 0;
}

const MmaForm* FormOf(absl::string_view shape, absl::string_view c, absl::string_view a,
                      absl::string_view b) {
  for (const MmaForm& form : kForms) {
    const bool same = absl::StrCat("m", form.m, "n", form.n, "k", form.k) == shape;
    if (same && form.c == c && form.a == a && form.b == b) return &form;
  }
  return nullptr;
}

bool IsPointer(PrimRef e) { return e->dtype().is_handle() || e->As<Load>() != nullptr; }

Fragment OneAt(PrimRef pointer, PrimRef offset, DType unsaid) {
  return Fragment{{PlaceBehind(pointer, offset, unsaid)}};
}

// (shape, "row", "col", a, b, c, a's pointer, offset, b's, offset, sums, offset, saturate,
// operator?)
std::optional<MmaCall> ByOffsets(const std::vector<PrimRef>& args) {
  if (args.size() != 13 || TextOf(args[1]) != "row" || TextOf(args[2]) != "col") {
    return std::nullopt;
  }
  MmaCall call;
  call.form = FormOf(TextOf(args[0]), PtxOf(args[5]), PtxOf(args[3]), PtxOf(args[4]));
  const std::optional<bool> saturates = TruthOf(args[12]);
  const bool pointers = IsPointer(args[6]) && IsPointer(args[8]) && IsPointer(args[10]);
  if (call.form == nullptr || !saturates || *saturates || !pointers) return std::nullopt;
  call.a = OneAt(args[6], args[7], ElementOf(call.form->a));
  call.b = OneAt(args[8], args[9], ElementOf(call.form->b));
  call.d = call.c = OneAt(args[10], args[11], ElementOf(call.form->c));
  return call;
}

// A list of pointers, a register each.
std::optional<Fragment> Registers(PrimRef e, DType unsaid) {
  const auto* list = e->As<Intrinsic>();
  if (list == nullptr || list->name != kListArgument || list->args.empty()) return std::nullopt;
  Fragment fragment;
  for (PrimRef pointer : list->args) {
    if (!IsPointer(pointer)) return std::nullopt;
    fragment.registers.push_back(PlaceBehind(pointer, nullptr, unsaid));
  }
  return fragment;
}

// (shape, "row", "col", d, a, b, c, d's registers, a's, b's, c's, saturate?)
std::optional<MmaCall> ByRegisters(std::vector<PrimRef> args) {
  for (PrimRef& arg : args) {
    const KeywordArgument keyword = KeywordOf(arg);
    if (keyword.value == nullptr) continue;
    if (keyword.name != "c_ptrs" && keyword.name != "saturate") return std::nullopt;
    arg = keyword.value;
  }
  const std::optional<bool> saturates = args.size() == 12 ? TruthOf(args[11]) : false;
  if ((args.size() != 11 && args.size() != 12) || !saturates || *saturates) return std::nullopt;
  if (TextOf(args[1]) != "row" || TextOf(args[2]) != "col") return std::nullopt;
  if (PtxOf(args[3]) != PtxOf(args[6])) return std::nullopt;
  MmaCall call;
  call.form = FormOf(TextOf(args[0]), PtxOf(args[3]), PtxOf(args[4]), PtxOf(args[5]));
  if (call.form == nullptr) return std::nullopt;
  const auto d = Registers(args[7], ElementOf(call.form->c));
  const auto a = Registers(args[8], ElementOf(call.form->a));
  const auto b = Registers(args[9], ElementOf(call.form->b));
  const auto c = Registers(args[10], ElementOf(call.form->c));
  if (!d || !a || !b || !c) return std::nullopt;
  call.d = *d;
  call.a = *a;
  call.b = *b;
  call.c = *c;
  return call;
}

}  // namespace

absl::Span<const MmaForm> MmaForms() { return kForms; }

std::string FormName(const MmaForm& form) {
  return absl::StrCat("m", form.m, "n", form.n, "k", form.k, "_", form.c, "_", form.a, "_", form.b);
}

DType ElementOf(absl::string_view ptx) {
  if (ptx == "f16") return DType::Float(16);
  if (ptx == "bf16") return DType::Make(TypeCode::kBFloat, 16, 1);
  if (ptx == "f64") return DType::Float(64);
  if (ptx == "s8") return DType::Int(8);
  if (ptx == "u8") return DType::UInt(8);
  return ptx == "s32" ? DType::Int(32) : DType::Float(32);
}

std::optional<MmaCall> MmaCallOf(const Intrinsic& call) {
  if (call.name == "ptx_mma" || call.name == "ptx.mma.legacy" || call.name == "ptx_legacy.mma") {
    return ByOffsets(WithGivenDType(call, DType::Void()).args);
  }
  return call.name == "ptx.mma" ? ByRegisters(call.args) : std::nullopt;
}

std::optional<LoadMatrices> LoadMatricesOf(const Intrinsic& call, DType gives) {
  const auto [dtype, args] = WithGivenDType(call, gives);
  const bool by_offsets = call.name == "ptx_ldmatrix" || call.name == "ptx_legacy.ldmatrix" ||
                          call.name == "ptx.ldmatrix_legacy";
  if ((!by_offsets && call.name != "ptx.ldmatrix") || args.size() < 5) return std::nullopt;
  const std::optional<bool> transposed = TruthOf(args[0]);
  const auto* count = args[1]->As<IntImm>();
  const bool counts =
      count != nullptr && (count->value == 1 || count->value == 2 || count->value == 4);
  absl::string_view type = TextOf(args[2]);
  (void)absl::ConsumePrefix(&type, ".");
  if (!transposed || !counts || type != "b16") return std::nullopt;
  LoadMatrices out{static_cast<int>(count->value), *transposed, {}, {}};
  if (by_offsets) {
    // Transposed bytes are no ldmatrix: it moves two at a time.
    const bool bytes = dtype.bits == 8 && *transposed;
    if (args.size() != 7 || !IsPointer(args[3]) || !IsPointer(args[5]) || bytes) {
      return std::nullopt;
    }
    out.to = OneAt(args[3], args[4], dtype);
    out.row = PlaceBehind(args[5], args[6], dtype);
    return out;
  }
  if (args.size() != 4 + static_cast<size_t>(out.count)) return std::nullopt;
  for (size_t i = 3; i < args.size(); ++i) {
    if (!IsPointer(args[i])) return std::nullopt;
    const MemoryPlace place = PlaceBehind(args[i], nullptr, DType::UInt(32));
    if (i == 3) {
      out.row = place;
    } else {
      out.to.registers.push_back(place);
    }
  }
  return out;
}

std::optional<FillFragment> FillFragmentOf(const Intrinsic& call, DType gives) {
  const auto [dtype, args] = WithGivenDType(call, gives);
  const bool is = call.name == "mma_fill" || call.name == "cuda.mma_fill" ||
                  call.name == "cuda.mma_fill_legacy";
  if (!is || args.size() != 3 || !IsPointer(args[1])) return std::nullopt;
  const auto* count = args[0]->As<IntImm>();
  if (count == nullptr || count->value < 1 || count->value > 1024) return std::nullopt;
  return FillFragment{static_cast<int>(count->value), PlaceBehind(args[1], args[2], dtype)};
}

std::optional<StoreFragment> StoreFragmentOf(const Intrinsic& call, DType gives) {
  const auto [dtype, args] = WithGivenDType(call, gives);
  const bool is = call.name == "mma_store" || call.name == "cuda.mma_store" ||
                  call.name == "cuda.mma_store_legacy";
  if (!is || args.size() != 6) return std::nullopt;
  for (size_t i = 0; i < 2; ++i) {
    const auto* size = args[i]->As<IntImm>();
    if (size == nullptr || size->value != 16) return std::nullopt;
  }
  if (!IsPointer(args[2]) || !IsPointer(args[3])) return std::nullopt;
  return StoreFragment{PlaceBehind(args[3], args[4], dtype), PlaceBehind(args[2], nullptr, dtype),
                       args[5]};
}

}  // namespace lathe::ir
