// Defines typed indices, and vectors indexed by them.
#ifndef LATHE_SUPPORT_IDS_H_
#define LATHE_SUPPORT_IDS_H_

#include <cstdint>
#include <utility>
#include <vector>

namespace lathe {

// An index that only vectors of the same tag accept.
template <typename Tag>
struct Id {
  int32_t index = -1;
  bool valid() const { return index >= 0; }
  auto operator<=>(const Id&) const = default;
  template <typename H>
  friend H AbslHashValue(H h, Id id) {
    return H::combine(std::move(h), id.index);
  }
};

// A vector indexed by `IdT`, used for the results of analyses.
template <typename IdT, typename T>
class IdVector {
 public:
  IdVector() = default;
  explicit IdVector(size_t size, T init = T()) : items_(size, init) {}

  IdT Add(T item) {
    items_.push_back(std::move(item));
    return IdT{static_cast<int32_t>(items_.size() - 1)};
  }
  auto&& operator[](IdT id) { return items_[id.index]; }
  auto&& operator[](IdT id) const { return items_[id.index]; }
  size_t size() const { return items_.size(); }

 private:
  std::vector<T> items_;
};

}  // namespace lathe

#endif  // LATHE_SUPPORT_IDS_H_
