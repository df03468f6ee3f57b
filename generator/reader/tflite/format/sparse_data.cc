#include "generator/reader/tflite/format/sparse_data.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <utility>

#include "absl/strings/str_cat.h"
#include "generator/support/status.h"

namespace lathe::tflite {
namespace {

// Walks the levels of a sparse tensor in their storage order. Level k is dimension
// traversal_order[k]; the dimensions after those of the shape are blocks of the mapped ones.
class SparseWalk {
 public:
  SparseWalk(const Tensor& tensor, absl::string_view data, uint64_t size)
      : tensor_(tensor), sparsity_(*tensor.sparsity), data_(data), size_(size) {}

  absl::StatusOr<std::vector<uint8_t>> Fill() {
    LATHE_RETURN_IF_ERROR(Check());
    uint64_t count = 1;
    for (const int64_t dim : tensor_.shape) count *= static_cast<uint64_t>(dim);
    constexpr uint64_t kMaxBytes = uint64_t{1} << 28;
    if (count > kMaxBytes / size_) {
      return absl::UnimplementedError("is sparse with more than 256 MiB of elements");
    }
    out_.resize(count * size_);
    at_.assign(sparsity_.traversal_order.size(), 0);
    LATHE_RETURN_IF_ERROR(Level(0, 0));
    return std::move(out_);
  }

 private:
  absl::Status Bad(absl::string_view what) {
    return absl::InvalidArgumentError(absl::StrCat("has a malformed sparse format: ", what));
  }

  absl::Status Check() {
    if (size_ == 0) return absl::UnimplementedError("is sparse with elements under a byte");
    const size_t rank = tensor_.shape.size(), levels = sparsity_.traversal_order.size();
    if (levels > 2 * rank) return Bad("a dimension has several blocks");
    std::vector<int32_t> sorted = sparsity_.traversal_order, expected(levels);
    std::sort(sorted.begin(), sorted.end());
    std::iota(expected.begin(), expected.end(), 0);
    if (levels != rank + sparsity_.block_map.size() || sparsity_.dimensions.size() != levels) {
      return Bad("the numbers of levels differ");
    }
    if (sorted != expected) return Bad("the traversal order is not a permutation");
    blocks_.assign(rank, 1);
    for (size_t b = 0; b < sparsity_.block_map.size(); ++b) {
      const int32_t mapped = sparsity_.block_map[b];
      if (mapped < 0 || static_cast<size_t>(mapped) >= rank)
        return Bad("a block maps no dimension");
      const auto level =
          std::find(sparsity_.traversal_order.begin(), sparsity_.traversal_order.end(),
                    static_cast<int32_t>(rank + b)) -
          sparsity_.traversal_order.begin();
      const int64_t block = sparsity_.dimensions[static_cast<size_t>(level)].dense_size;
      const auto dim = static_cast<size_t>(mapped);
      if (block <= 0 || blocks_[dim] != 1 || tensor_.shape[dim] % block != 0) {
        return Bad("a block does not divide its dimension");
      }
      blocks_[dim] = block;
    }
    for (size_t level = 0; level < levels; ++level) LATHE_RETURN_IF_ERROR(CheckLevel(level));
    return absl::OkStatus();
  }

  // The number of positions of a level.
  int64_t Extent(size_t level) const {
    const auto dim = static_cast<size_t>(sparsity_.traversal_order[level]);
    if (dim >= tensor_.shape.size()) {
      return blocks_[static_cast<size_t>(sparsity_.block_map[dim - tensor_.shape.size()])];
    }
    return tensor_.shape[dim] / blocks_[dim];
  }

  absl::Status CheckLevel(size_t level) {
    const SparseDimension& d = sparsity_.dimensions[level];
    if (!d.compressed) {
      return d.dense_size == Extent(level) ? absl::OkStatus()
                                           : Bad("a dense level has another size");
    }
    if (d.segments.empty() || d.segments[0] != 0 ||
        !std::is_sorted(d.segments.begin(), d.segments.end()) ||
        d.segments.back() != std::ssize(d.indices)) {
      return Bad("the segments of a compressed level do not divide its indices");
    }
    const int64_t extent = Extent(level);
    const bool inside = std::all_of(d.indices.begin(), d.indices.end(),
                                    [&](int64_t i) { return i >= 0 && i < extent; });
    return inside ? absl::OkStatus() : Bad("an index of a compressed level is out of range");
  }

  // Visits the positions of `level` inside position `parent` of the level before it.
  absl::Status Level(size_t level, uint64_t parent) {
    if (level == sparsity_.dimensions.size()) return Store(parent);
    const SparseDimension& d = sparsity_.dimensions[level];
    const auto dim = static_cast<size_t>(sparsity_.traversal_order[level]);
    if (!d.compressed) {
      for (int64_t i = 0; i < d.dense_size; ++i) {
        at_[dim] = i;
        LATHE_RETURN_IF_ERROR(Level(
            level + 1, parent * static_cast<uint64_t>(d.dense_size) + static_cast<uint64_t>(i)));
      }
      return absl::OkStatus();
    }
    if (parent + 1 >= d.segments.size()) return Bad("a compressed level has too few segments");
    for (int64_t i = d.segments[parent]; i < d.segments[parent + 1]; ++i) {
      at_[dim] = d.indices[static_cast<size_t>(i)];
      LATHE_RETURN_IF_ERROR(Level(level + 1, static_cast<uint64_t>(i)));
    }
    return absl::OkStatus();
  }

  absl::Status Store(uint64_t element) {
    if (element >= data_.size() / size_) return Bad("there are fewer data than positions");
    uint64_t place = 0;
    const size_t rank = tensor_.shape.size();
    for (size_t dim = 0; dim < rank; ++dim) {
      int64_t index = at_[dim];
      for (size_t b = 0; b < sparsity_.block_map.size(); ++b) {
        if (static_cast<size_t>(sparsity_.block_map[b]) == dim) {
          index = index * blocks_[dim] + at_[rank + b];
        }
      }
      place = place * static_cast<uint64_t>(tensor_.shape[dim]) + static_cast<uint64_t>(index);
    }
    std::memcpy(out_.data() + place * size_, data_.data() + element * size_, size_);
    return absl::OkStatus();
  }

  const Tensor& tensor_;
  const Sparsity& sparsity_;
  const absl::string_view data_;
  const uint64_t size_;
  std::vector<int64_t> blocks_;  // of each dimension; 1: none
  std::vector<int64_t> at_;      // the position in each level, by dimension
  std::vector<uint8_t> out_;
};

}  // namespace

absl::StatusOr<std::vector<uint8_t>> DenseData(const Tensor& tensor, absl::string_view data,
                                               int size) {
  return SparseWalk(tensor, data, static_cast<uint64_t>(size)).Fill();
}

}  // namespace lathe::tflite
