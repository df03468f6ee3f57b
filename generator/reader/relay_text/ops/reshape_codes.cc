#include "generator/reader/relay_text/ops/reshape_codes.h"

#include "generator/reader/relay_text/ops/call_parts.h"
#include "generator/support/status.h"

namespace lathe::relay {
namespace {

class CodeReader {
 public:
  CodeReader(OpCall& c, const Dims& from, const std::vector<int64_t>& codes, bool allow_zero)
      : c_(c), from_(from), codes_(codes), allow_zero_(allow_zero), left_(from.size(), true) {}

  absl::StatusOr<Dims> Read() {
    for (at_ = 0; at_ < codes_.size(); ++at_) LATHE_RETURN_IF_ERROR(ReadCode(codes_[at_]));
    PrimRef rest = c_.ir().Int(1);
    for (size_t i = 0; i < from_.size(); ++i) {
      if (left_[i]) rest = c_.math().Mul(rest, from_[i]);
    }
    if (open_) {
      LATHE_RETURN_IF_ERROR(FillOpen(rest));
    }
    if (Differ(c_.Product(from_, 0, from_.size()), c_.Product(dims_, 0, dims_.size()))) {
      return c_.Error() << "a tensor of " << ir::ToString(c_.Product(from_, 0, from_.size()))
                        << " elements cannot have the shape " << ir::ToString(c_.ir().Shape(dims_));
    }
    return dims_;
  }

 private:
  absl::Status ReadCode(int64_t code) {
    if (code == -1) {
      if (open_) return c_.Error() << "two sizes of the new shape are -1";
      open_ = dims_.size();
      dims_.push_back(c_.ir().Int(1));
      ++source_;
      return absl::OkStatus();
    }
    if (code == -2) {
      while (source_ < from_.size()) {
        LATHE_ASSIGN_OR_RETURN(const PrimRef size, Next());
        dims_.push_back(size);
      }
      return absl::OkStatus();
    }
    if (code == -3) {
      LATHE_ASSIGN_OR_RETURN(const PrimRef first, Next());
      LATHE_ASSIGN_OR_RETURN(const PrimRef second, Next());
      dims_.push_back(c_.Simplify(c_.math().Mul(first, second)));
      return absl::OkStatus();
    }
    if (code == -4) return Split();
    if (code < -4) return c_.Error() << "a size of " << code << " in the new shape";
    if (code == 0 && !allow_zero_) {
      LATHE_ASSIGN_OR_RETURN(const PrimRef size, Next());
      dims_.push_back(size);
      return absl::OkStatus();
    }
    ++source_;
    written_ = c_.math().Mul(written_, c_.ir().Int(code));
    dims_.push_back(c_.ir().Int(code));
    return absl::OkStatus();
  }

  absl::Status Split() {
    if (at_ + 2 >= codes_.size()) return c_.Error() << "two sizes have to follow the code -4";
    int64_t first = codes_[++at_], second = codes_[++at_];
    LATHE_ASSIGN_OR_RETURN(const PrimRef size, Next());
    if ((first == -1 && second == -1) || first < -1 || second < -1 || first == 0 || second == 0) {
      return c_.Error() << "the code -4 splits into " << first << " and " << second;
    }
    ScalarMath& m = c_.math();
    const int64_t known = first == -1 ? second : first;
    const PrimRef other = c_.Simplify(m.FloorDiv(size, m.Int(known)));
    const PrimRef parts[] = {first == -1 ? other : m.Int(first),
                             second == -1 ? other : m.Int(second)};
    dims_.insert(dims_.end(), std::begin(parts), std::end(parts));
    return absl::OkStatus();
  }

  absl::StatusOr<PrimRef> Next() {
    if (source_ >= from_.size()) {
      return c_.Error() << "the new shape refers to dimension " << source_ << " of a tensor of "
                        << from_.size();
    }
    left_[source_] = false;
    return from_[source_++];
  }

  absl::Status FillOpen(PrimRef rest) {
    rest = c_.Simplify(rest);
    const PrimRef written = c_.Simplify(written_);
    if (OpCall::IntOf(written) == 0) {
      return c_.Error() << "-1 is ambiguous in a shape without elements";
    }
    const auto all = OpCall::IntOf(rest), some = OpCall::IntOf(written);
    if (all && some && *all % *some != 0) {
      return c_.Error() << "the sizes of the new shape do not divide the number of elements";
    }
    dims_[*open_] = c_.Simplify(c_.math().FloorDiv(rest, written));
    return absl::OkStatus();
  }

  OpCall& c_;
  const Dims& from_;
  const std::vector<int64_t>& codes_;
  const bool allow_zero_;
  Dims dims_;
  std::vector<bool> left_;            // dimensions of `from` that no code copied
  size_t at_ = 0, source_ = 0;        // the current code and the next dimension of `from`
  std::optional<size_t> open_;        // where -1 stands in `dims_`
  PrimRef written_ = c_.ir().Int(1);  // the product of the sizes that the codes give
};

}  // namespace

absl::StatusOr<Dims> ReshapedDims(OpCall& c, const Dims& from, const std::vector<int64_t>& codes,
                                  bool allow_zero) {
  return CodeReader(c, from, codes, allow_zero).Read();
}

}  // namespace lathe::relay
