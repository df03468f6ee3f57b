#include "generator/ir/device/matrix_moves_call.h"

#include <algorithm>
#include <string>

#include "absl/strings/strip.h"
#include "generator/ir/device/ptx_words.h"
#include "generator/ir/device/typed_arguments.h"
#include "generator/ir/device_intrinsic.h"
#include "generator/ir/literal_value.h"

namespace lathe::ir {
namespace {

struct Moved {
  int count = 0;
  bool transposed = false;
  MemoryAddress row;
  Fragment registers;
};

// ldmatrix.sync.aligned.m8n8.x4{.trans}.shared.b16(registers..., row); for stmatrix the row comes
// first.
std::optional<Moved> MovedBySyllables(const Intrinsic& call, absl::string_view name,
                                      bool row_first) {
  std::vector<std::string> words = PtxWords(call.name);
  if (words.size() < 7 || words[0] != name || words[1] != "sync") return std::nullopt;
  Moved out;
  out.transposed = words[5] == "trans";
  if (out.transposed) words.erase(words.begin() + 5);
  const bool known = words.size() == 7 && words[2] == "aligned" && words[3] == "m8n8" &&
                     (words[5] == "shared" || words[5] == "shared::cta") && words[6] == "b16";
  for (int count : {1, 2, 4}) {
    if (words[4] == "x" + std::to_string(count)) out.count = count;
  }
  const auto registers = static_cast<size_t>(out.count);
  if (!known || out.count == 0 || call.args.size() != registers + 1) return std::nullopt;
  if (!std::all_of(call.args.begin(), call.args.end(), IsPointer)) return std::nullopt;
  const size_t row = row_first ? 0 : registers, first = row_first ? 1 : 0;
  out.row = AddressAtOffset(call.args[row], nullptr, DType::UInt(32));
  for (size_t i = 0; i < registers; ++i) {
    out.registers.registers.push_back(
        AddressAtOffset(call.args[first + i], nullptr, DType::UInt(32)));
  }
  return out;
}

}  // namespace

std::optional<LoadMatrices> LoadMatricesOf(const Intrinsic& call, DType gives) {
  const auto [dtype, args] = SplitTypedArguments(call, gives);
  if (const auto said = MovedBySyllables(call, "ldmatrix", false)) {
    return LoadMatrices{said->count, said->transposed, said->row, said->registers};
  }
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
    // ldmatrix cannot transpose bytes: it moves pairs of them.
    const bool bytes = dtype.bits == 8 && *transposed;
    if (args.size() != 7 || !IsPointer(args[3]) || !IsPointer(args[5]) || bytes) {
      return std::nullopt;
    }
    out.to = SingleRegister(args[3], args[4], dtype);
    out.row = AddressAtOffset(args[5], args[6], dtype);
    return out;
  }
  if (args.size() != 4 + static_cast<size_t>(out.count)) return std::nullopt;
  for (size_t i = 3; i < args.size(); ++i) {
    if (!IsPointer(args[i])) return std::nullopt;
    const MemoryAddress place = AddressAtOffset(args[i], nullptr, DType::UInt(32));
    if (i == 3) {
      out.row = place;
    } else {
      out.to.registers.push_back(place);
    }
  }
  return out;
}

// (trans, count, ".b16", row, registers..., shape=, space=), or with shape and space before the
// row; or (count, trans, row, all registers).
std::optional<StoreMatrices> StoreMatricesOf(const Intrinsic& call) {
  if (const auto said = MovedBySyllables(call, "stmatrix", true)) {
    return StoreMatrices{said->count, said->transposed, said->row, said->registers};
  }
  if (call.name != "ptx.stmatrix") return std::nullopt;
  std::vector<PrimRef> args;
  for (PrimRef arg : call.args) {
    const KeywordArgument keyword = KeywordOf(arg);
    const PrimRef value = keyword.value != nullptr ? keyword.value : arg;
    const absl::string_view text = TextOf(value);
    if (text == "m8n8" || text == "shared" || text == "shared::cta" || text == ".b16") continue;
    if (keyword.value != nullptr || !text.empty()) return std::nullopt;
    args.push_back(arg);
  }
  const bool typed = call.args.size() > 2 && TextOf(call.args[2]) == ".b16";
  if (args.size() < 4) return std::nullopt;
  const auto* count = args[typed ? 1 : 0]->As<IntImm>();
  const std::optional<bool> transposed = TruthOf(args[typed ? 0 : 1]);
  const bool counts =
      count != nullptr && (count->value == 1 || count->value == 2 || count->value == 4);
  if (!counts || !transposed || !std::all_of(args.begin() + 2, args.end(), IsPointer)) {
    return std::nullopt;
  }
  StoreMatrices out{static_cast<int>(count->value),
                    *transposed,
                    AddressAtOffset(args[2], nullptr, DType::UInt(32)),
                    {}};
  for (size_t i = 3; i < args.size(); ++i) {
    out.from.registers.push_back(AddressAtOffset(args[i], nullptr, DType::UInt(32)));
  }
  const size_t registers = out.from.registers.size();
  if (registers != 1 && registers != static_cast<size_t>(out.count)) return std::nullopt;
  return out;
}

std::optional<FillFragment> FillFragmentOf(const Intrinsic& call, DType gives) {
  const auto [dtype, args] = SplitTypedArguments(call, gives);
  const bool is = call.name == "mma_fill" || call.name == "cuda.mma_fill" ||
                  call.name == "cuda.mma_fill_legacy";
  if (!is || args.size() != 3 || !IsPointer(args[1])) return std::nullopt;
  const auto* count = args[0]->As<IntImm>();
  if (count == nullptr || count->value < 1 || count->value > 1024) return std::nullopt;
  return FillFragment{static_cast<int>(count->value), AddressAtOffset(args[1], args[2], dtype)};
}

std::optional<StoreFragment> StoreFragmentOf(const Intrinsic& call, DType gives) {
  const auto [dtype, args] = SplitTypedArguments(call, gives);
  const bool is = call.name == "mma_store" || call.name == "cuda.mma_store" ||
                  call.name == "cuda.mma_store_legacy";
  if (!is || args.size() != 6) return std::nullopt;
  for (size_t i = 0; i < 2; ++i) {
    const auto* size = args[i]->As<IntImm>();
    if (size == nullptr || size->value != 16) return std::nullopt;
  }
  if (!IsPointer(args[2]) || !IsPointer(args[3])) return std::nullopt;
  return StoreFragment{AddressAtOffset(args[3], args[4], dtype),
                       AddressAtOffset(args[2], nullptr, dtype), args[5]};
}

}  // namespace lathe::ir
