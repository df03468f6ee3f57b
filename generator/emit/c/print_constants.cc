#include "generator/emit/c/print_constants.h"

#include <algorithm>
#include <map>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "generator/emit/c/constant_users.h"
#include "generator/emit/c/kernel/print_c_expr.h"
#include "generator/emit/c/names/c_address.h"
#include "generator/emit/c/names/c_types.h"
#include "generator/emit/c/print_numbers.h"
#include "generator/emit/c/shared_constants.h"
#include "generator/emit/text/comment_text.h"

namespace lathe::emit {
namespace {

uint64_t WordAt(absl::string_view bytes, size_t at, size_t size) {
  uint64_t word = 0;
  for (size_t k = 0; k < size && at + k < bytes.size(); ++k) {
    word |= uint64_t{static_cast<unsigned char>(bytes[at + k])} << (8 * k);
  }
  return word;
}

bool HasForms(const ir::Program& program) {
  for (int32_t i = 0; i < std::ssize(program.kernels); ++i) {
    if (program.kernels[ir::KernelId{i}].form) return true;
  }
  return false;
}

size_t ConstantAlign(const Target& target) {
  return static_cast<size_t>(std::max<int64_t>(target.ram_align, 16));
}

std::string Sizes(const std::vector<ir::PrimRef>& shape) {
  return absl::StrJoin(shape, ", ", [](std::string* out, ir::PrimRef dim) {
    absl::StrAppend(out, CommentText(ir::ToString(dim)));
  });
}

// Returns " of conv1", the result that is computed from the constant, or "" if there is none.
std::string ReadBy(const std::map<int32_t, std::vector<std::string>>& users, const ir::Tensor& t) {
  const auto found = users.find(t.constant.index);
  if (found == users.end()) return "";
  const std::vector<std::string>& names = found->second;
  return absl::StrCat(" of ", CommentText(names[0]),
                      names.size() > 1 ? absl::StrCat(" and ", names.size() - 1, " more") : "");
}

}  // namespace

std::string DescribeConstant(const ir::Tensor& tensor) {
  return absl::StrCat(ToString(tensor.dtype), "[", Sizes(tensor.shape), "]");
}

std::string ConstantAttribute(const ir::Program& program, const Target& target) {
  if (!HasForms(program)) return "";
  return absl::StrCat(" __attribute__((aligned(", ConstantAlign(target), ")))");
}

std::string WordsText(absl::string_view bytes) {
  std::string words;
  for (size_t at = 0; at < std::max<size_t>(bytes.size(), 1); at += 8) {
    absl::StrAppend(&words, at % 24 == 0 ? (at == 0 ? "" : "\n") : " ",
                    absl::StrFormat("UINT64_C(0x%016x),", WordAt(bytes, at, 8)));
  }
  return words;
}

size_t WordCount(absl::string_view bytes) { return std::max<size_t>((bytes.size() + 7) / 8, 1); }

absl::StatusOr<TemplateValue::List> PrintConstants(Model& model, std::string& blob,
                                                   std::vector<std::string>& names) {
  TemplateValue::List constants;
  std::map<std::string, std::string> pointers;  // to shared constants, by their names
  const std::map<int32_t, std::vector<std::string>> users = ConstantUsers(model.program);
  const size_t align = ConstantAlign(model.target);
  const std::string aligned = ConstantAttribute(model.program, model.target);
  for (ir::TensorId id : model.program.ConstantsInUse()) {
    const ir::Tensor& t = model.program.tensors[id];
    if (model.constants.contains({t.constant, 0})) continue;
    const std::string type(CType(t.dtype));
    if (type.empty()) return CannotPrint(absl::StrCat("a constant of ", ToString(t.dtype)));
    const std::vector<uint8_t>& raw = *model.program.constants[t.constant].bytes;
    const absl::string_view bytes(reinterpret_cast<const char*>(raw.data()), raw.size());
    if (model.weights != Weights::kWords) {
      const std::string base =
          model.weights == Weights::kIncbin ? absl::StrCat(model.name, "_weights") : "weights";
      model.constants[{t.constant, 0}] = absl::StrCat("(const ", type, " *)(const void *)",
                                                      AddressOf(base, absl::StrCat(blob.size())));
      blob.append(bytes.data(), bytes.size());
      // A blob has at least a byte, so that its symbol exists if constants have no elements.
      blob.resize((std::max<size_t>(blob.size(), 1) + align - 1) / align * align);
      continue;
    }
    const std::string shared =
        model.shared_constants == nullptr ? "" : model.shared_constants->Find(model.program, t);
    if (const auto declared = pointers.find(shared); declared != pointers.end()) {
      model.constants[{t.constant, 0}] = declared->second;
      continue;
    }
    const std::string name = model.file_names.Unique(absl::StrCat(model.name, "_", t.name));
    model.constants[{t.constant, 0}] = shared.empty() ? absl::StrCat(name, ".values") : name;
    if (!shared.empty()) pointers[shared] = name;
    if (shared.empty()) names.push_back(name);
    const std::string numbers = shared.empty() ? NumbersText(t.dtype, bytes) : "";
    constants.push_back(
        TemplateValue::Dict{{"name", name},
                            {"is_shared", !shared.empty()},
                            {"shared", shared},
                            {"tensor", absl::StrCat(DescribeConstant(t), ReadBy(users, t))},
                            {"has_numbers", !numbers.empty()},
                            {"numbers", numbers},
                            {"aligned", aligned},
                            {"type", type},
                            {"word_count", absl::StrCat(WordCount(bytes))},
                            {"length", absl::StrCat(CLength(t.dtype, t.elements().value_or(1)))},
                            {"words", shared.empty() && numbers.empty() ? WordsText(bytes) : ""}});
  }
  return constants;
}

bool HaveWords(const TemplateValue::List& constants) {
  return absl::c_any_of(constants, [](const TemplateValue& constant) {
    return !*constant.As<TemplateValue::Dict>()->at("has_numbers").As<bool>();
  });
}

uint32_t BlobChecksum(absl::string_view blob) {
  uint32_t hash = 0x811c9dc5u;  // FNV-1a, of words, folded
  for (size_t at = 0; at < blob.size(); at += 4) {
    hash = (hash ^ static_cast<uint32_t>(WordAt(blob, at, 4))) * 0x01000193u;
    // Two changes of highest bits, signs of float32, would cancel each other.
    hash ^= hash >> 15;
  }
  return hash;
}

}  // namespace lathe::emit
