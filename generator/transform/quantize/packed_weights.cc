#include "generator/transform/quantize/packed_weights.h"

#include <algorithm>
#include <utility>

#include "absl/functional/function_ref.h"
#include "absl/strings/str_cat.h"
#include "generator/support/align_up.h"
#include "generator/transform/quantize/window_rows.h"

namespace lathe::transform {

using ir::BufferRef;
using ir::DType;
using ir::PrimRef;

namespace {

constexpr int64_t kMinWeights = 256;    // that are packed
constexpr int64_t kColumnBytes = 1024;  // of columns that are unpacked together
constexpr int64_t kMinOfArena = 264;    // above kMaxLocalBytes of lower/make_kernel.h
constexpr int64_t kRowsAtOnce = 24;     // of a matrix: a multiple of those of each operation

// Emits one kernel.
class PackedProducts {
 public:
  PackedProducts(IntegerGraph& graph, const IntegerProduct& p, const RowProducts& call,
                 const PackedColumns& columns, KernelBuilder& k, BufferRef out)
      : graph_(graph),
        p_(p),
        call_(call),
        columns_(columns),
        rows_(WindowRowsOf(p)),
        k_(k),
        m_(k.math()),
        out_(out) {
    const int64_t fit = kColumnBytes / columns.per_column / columns.together * columns.together;
    const int64_t all = AlignUp(p.columns, columns.together);
    at_once_ = std::clamp(fit, columns.together, all);
    is_whole_ = at_once_ == all;
    most_rows_ = p.window ? p.window->out_w : std::min(kRowsAtOnce, p.rows);
  }

  void Write(BufferRef x, const std::vector<BufferRef>& stored) {
    stored_ = stored;
    const DType small = columns_.kind == ir::kUnpackUnsigned ? DType::UInt(8) : DType::Int(8);
    // Pairs are loaded as words. C aligns an array of int8 on the stack by 1, the arena by 8.
    const int64_t least = columns_.kind == ir::kUnpackPairs ? kMinOfArena : 0;
    unpacked_ = k_.Scratch("unpacked", std::max(least, at_once_ * columns_.per_column), small);
    scratch_ = k_.Scratch(call_.scratch, call_.elements, call_.dtype);
    if (!is_whole_ && most_rows_ > 1) {
      results_ = k_.Scratch("results", most_rows_ * p_.columns, DType::Int(8));
    }
    if (p_.window && rows_.rows != p_.window->out_w) {
      const int64_t lines = rows_.rows / most_rows_;
      k_.s().For("line", m_.Int(lines), [&](PrimRef line) {
        const PrimRef first = m_.Mul(line, m_.Int(most_rows_));
        Rows(x, m_.Mul(line, m_.Int(most_rows_ * rows_.step)), first, most_rows_);
      });
    } else if (p_.window) {
      ForEachLine(k_, p_, x, LineCopies::kCalls,
                  [&](BufferRef source, PrimRef from, PrimRef first) {
                    Rows(source, from, first, most_rows_);
                  });
    } else {
      ForEachBlock("row", p_.rows, most_rows_, [&](const Block& rows) {
        Rows(x, m_.Mul(rows.start, m_.Int(rows_.step)), rows.start, rows.size);
      });
    }
  }

 private:
  struct Block {
    PrimRef index, start;
    int64_t size;
  };

  // Calls `body` with each block of `count`. The last one may be smaller.
  void ForEachBlock(absl::string_view name, int64_t count, int64_t size,
                    absl::FunctionRef<void(const Block&)> body) {
    const int64_t whole = count / size, rest = count % size;
    if (whole == 1) body({m_.Int(0), m_.Int(0), size});
    if (whole > 1) {
      k_.s().For(absl::StrCat(name, "_block"), m_.Int(whole), [&](PrimRef i) {
        body({i, m_.Mul(i, m_.Int(size)), size});
      });
    }
    if (rest > 0) body({m_.Int(whole), m_.Int(whole * size), rest});
  }

  // The products of `rows` rows from `from` on, with all columns. Results are whole rows, from row
  // `first` on, so that kernels can be joined over lines.
  void Rows(BufferRef source, PrimRef from, PrimRef first, int64_t rows) {
    const PrimRef to = m_.Mul(first, m_.Int(p_.columns));
    ForEachBlock("column", p_.columns, is_whole_ ? p_.columns : at_once_, [&](const Block& c) {
      const int64_t elements = at_once_ * columns_.per_column;
      const int64_t unpacked = AlignUp(c.size, columns_.together) * columns_.per_column;
      UnpackWeights(k_, stored_[0], m_.Mul(c.index, m_.Int(elements / ir::kUnpackElements)),
                    unpacked / ir::kUnpackElements, columns_.kind, unpacked_);
      if (results_ == nullptr) return Call(source, from, rows, c, out_, m_.Add(to, c.start));
      Call(source, from, rows, c, results_, m_.Mul(c.start, m_.Int(rows)));
    });
    if (results_ == nullptr) return;
    std::vector<PrimRef> args = Numbers(graph_.ir(), {rows, p_.columns, at_once_});
    args.push_back(k_.At(results_, m_.Int(0)));
    args.push_back(k_.At(out_, to));
    k_.s().Call(ir::kJoinColumns, std::move(args));
  }

  // Multiplies by columns that were unpacked.
  void Call(BufferRef source, PrimRef from, int64_t rows, const Block& c, BufferRef to,
            PrimRef place) {
    std::vector<PrimRef> args = NumbersOfCall(graph_, call_, rows_, rows, c.size);
    args.push_back(k_.At(source, from));
    args.push_back(k_.At(unpacked_, m_.Int(0)));
    args.push_back(k_.At(stored_[1], c.start));
    const int64_t scales = at_once_ / columns_.together * columns_.scale_numbers;
    args.push_back(k_.At(stored_[2], m_.Mul(c.index, m_.Int(scales))));
    args.push_back(k_.At(scratch_, m_.Int(0)));
    args.push_back(k_.At(to, place));
    k_.s().Call(call_.operation, std::move(args));
  }

  IntegerGraph& graph_;
  const IntegerProduct& p_;
  const RowProducts& call_;
  const PackedColumns& columns_;
  const WindowRows rows_;
  KernelBuilder& k_;
  ops::ScalarMath& m_;
  const BufferRef out_;
  int64_t at_once_ = 0;    // columns
  int64_t most_rows_ = 0;  // that are computed with them
  bool is_whole_ = false;  // all columns are unpacked at once
  std::vector<BufferRef> stored_;
  BufferRef unpacked_ = nullptr, scratch_ = nullptr, results_ = nullptr;
};

}  // namespace

bool HasPackedWeights(const IntegerProduct& p) {
  constexpr int32_t kLowest = -8, kHighest = 7;
  return std::ssize(p.weights) >= kMinWeights &&
         std::all_of(p.weights.begin(), p.weights.end(),
                     [](int32_t w) { return w >= kLowest && w <= kHighest; });
}

StoredConstant PackedConstant(const std::vector<int64_t>& values) {
  StoredConstant packed = {"packed", DType::Int(32), {}};
  for (size_t i = 0; i < values.size(); i += ir::kUnpackElements) {
    uint32_t word = 0;
    for (int64_t j = 0; j < ir::kUnpackElements; ++j) {
      const size_t at = i + static_cast<size_t>(j);
      const int64_t weight = at < values.size() ? values[at] : 0;
      word |= static_cast<uint32_t>(weight + ir::kUnpackExcess) << ir::UnpackShift(j);
    }
    packed.values.push_back(static_cast<int32_t>(word));
  }
  return packed;
}

void UnpackWeights(KernelBuilder& k, BufferRef packed, PrimRef first, int64_t words,
                   ir::UnpackKind kind, BufferRef to) {
  std::vector<PrimRef> args = Numbers(k.math().ir(), {words, kind});
  args.push_back(k.At(packed, first));
  args.push_back(k.At(to, k.math().Int(0)));
  k.s().Call(ir::kUnpackWeights, std::move(args));
}

MaybeOperand EmitPackedProducts(IntegerGraph& graph, const IntegerProduct& p,
                                const RequiredResult& wanted,
                                const std::vector<StoredConstant>& constants,
                                const RowProducts& call, const PackedColumns& columns) {
  return EmitOperation(
      graph, p, wanted, constants,
      [&](KernelBuilder& k, BufferRef x, const std::vector<BufferRef>& stored, BufferRef out) {
        PackedProducts(graph, p, call, columns, k, out).Write(x, stored);
      });
}

}  // namespace lathe::transform
