// Compares scalars, structural information and attributes up to renaming: each variable, buffer and
// Relax variable of one side is paired with one of the other at its first occurrence, and later
// occurrences must match the pairing. The sides may belong to different Contexts.
#ifndef LATHE_IR_ALPHA_EQUAL_H_
#define LATHE_IR_ALPHA_EQUAL_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "generator/ir/attrs.h"
#include "generator/ir/prim_expr.h"
#include "generator/ir/struct_info.h"
#include "generator/ir/tir.h"

namespace lathe::ir {

// Deeper than any reader accepts; deeper expressions are reported as different.
inline constexpr int kMaxAlphaDepth = 1200;

class AlphaEqual {
 public:
  // Null equals only null.
  bool Equal(PrimRef a, PrimRef b);
  bool Equal(StructInfoRef a, StructInfoRef b);
  bool Equal(BufferRef a, BufferRef b);
  bool Equal(const AttrValue& a, const AttrValue& b);
  bool Equal(const AttrMap& a, const AttrMap& b);
  bool Equal(const AttrList& a, const AttrList& b);
  bool Equal(VDeviceRef a, VDeviceRef b);
  bool Equal(ValueId a, ValueId b);

  template <typename T>
  bool Equal(const std::vector<T>& a, const std::vector<T>& b) {
    if (a.size() != b.size()) return Differ(a.size(), " items against ", b.size());
    for (size_t i = 0; i < a.size(); ++i) {
      if (!Equal(a[i], b[i])) return Inside("item ", i);
    }
    return true;
  }
  // Compares by operator==.
  template <typename T>
  bool Same(const T& a, const T& b, absl::string_view what) {
    return a == b || Differ("another ", what);
  }

  // Records the difference and returns false. Callers add where it is with Inside.
  template <typename... Parts>
  bool Differ(const Parts&... parts) {
    why_ = absl::StrCat(parts...);
    return false;
  }
  template <typename... Parts>
  bool Inside(const Parts&... parts) {
    why_ = absl::StrCat(parts..., ": ", why_);
    return false;
  }
  const std::string& why() const { return why_; }

 private:
  bool Nodes(PrimRef a, PrimRef b);
  bool Maps(const IndexMap& a, const IndexMap& b);
  bool Symbols(PrimRef a, PrimRef b);
  bool Tensors(const TensorInfo& a, const TensorInfo& b);
  bool Functions(const FuncInfo& a, const FuncInfo& b);

  absl::flat_hash_map<int, int> symbols_, symbols_back_;  // by SymVar::id
  absl::flat_hash_map<int, int> values_, values_back_;    // by ValueId::index
  absl::flat_hash_map<BufferRef, BufferRef> buffers_, buffers_back_;
  // Pairs found equal: pairings only grow, so the pairs stay equal and shared subexpressions are
  // compared once.
  absl::flat_hash_set<std::pair<PrimRef, PrimRef>> equal_;
  absl::flat_hash_set<std::pair<StructInfoRef, StructInfoRef>> equal_infos_;
  int depth_ = 0;
  std::string why_;
};

// Formats `e` for a message, shortened.
std::string Shown(PrimRef e);

}  // namespace lathe::ir

#endif  // LATHE_IR_ALPHA_EQUAL_H_
