#include "generator/ir/device/lower_ptx_instructions.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/match.h"
#include "generator/ir/device/gpu_call.h"
#include "generator/ir/device/ptx_element.h"
#include "generator/ir/device/ptx_type.h"
#include "generator/ir/device/ptx_value.h"
#include "generator/ir/device/ptx_words.h"
#include "generator/ir/device_intrinsic.h"
#include "generator/ir/map_children.h"

namespace lathe::ir {
namespace {

using Words = std::vector<std::string>;

// Instructions without observable effect: hints, and launch dependencies that are implied anyway.
bool HasNoEffect(const Words& words) {
  return words[0] == "prefetch" || words[0] == "prefetchu" || words[0] == "griddepcontrol" ||
         words[0] == "applypriority";
}

class Plain {
 public:
  Plain(Context& context, const PrimFunc& func)
      : ir_(context), values_(context), elements_(context, func) {}

  StmtRef Visit(StmtRef stmt) {
    const auto* value = stmt->As<EvaluateStmt>();
    const auto* call = value == nullptr ? nullptr : value->value->As<Intrinsic>();
    if (call == nullptr) {
      return MapChildren(ir_, stmt, [&](StmtRef part) { return Visit(part); });
    }
    const Words words = PtxWords(call->name);
    if (words.empty()) return stmt;
    std::vector<PrimRef> args;
    PrimRef condition = nullptr;
    for (PrimRef arg : call->args) {
      const KeywordArgument keyword = KeywordOf(arg);
      if (keyword.value == nullptr) {
        args.push_back(arg);
      } else if (keyword.name == "pred") {
        condition = values_.Truth(keyword.value);
      } else if (keyword.name != "preserve_dst") {
        return stmt;
      }
    }
    from_ = stmt;
    std::optional<std::vector<StmtRef>> done = Done(words, args);
    if (done && ReadsItsResults(*done)) done = {ReadFirst(*done)};
    if (!done) {
      // A predicate becomes a condition, unless the call is a synchronization point.
      const auto known = GpuCallOf(Intrinsic{call->name, args});
      if (condition == nullptr || !known || InfoOf(known->op).sync > SyncScope::kPosition) {
        return stmt;
      }
      done = {Called(call->name, args)};
    }
    const StmtRef all = done->size() == 1 ? (*done)[0] : Made(SeqStmt{*std::move(done)});
    return condition == nullptr ? all : Made(IfStmt{condition, all, nullptr});
  }

 private:
  StmtRef Made(Stmt::Node node) { return ir_.Make(std::move(node), from_->loc()); }
  StmtRef Called(absl::string_view name, std::vector<PrimRef> args) {
    return Made(EvaluateStmt{ir_.MakeIntrinsic(DType::Void(), name, std::move(args))});
  }

  // An instruction reads all operands before it writes. A sequence of stores is equivalent as long
  // as none reads a location that an earlier one writes.
  static bool ReadsItsResults(const std::vector<StmtRef>& done) {
    absl::flat_hash_set<PrimRef> written;
    bool reads = false;
    const std::function<void(PrimRef)> look = [&](PrimRef e) {
      const auto* load = e->As<Load>();
      reads = reads || (load != nullptr && written.contains(load->buffer->data));
      ForEachOperand(e, look);
    };
    for (StmtRef stmt : done) {
      const auto* store = stmt->As<StoreStmt>();
      if (store == nullptr) continue;
      look(store->value);
      for (PrimRef index : store->indices) look(index);
      written.insert(store->buffer->data);
    }
    return reads;
  }

  // Evaluates all operands before the first store.
  StmtRef ReadFirst(const std::vector<StmtRef>& done) {
    std::vector<std::pair<PrimRef, PrimRef>> read;  // a variable and its value
    const auto name = [&](PrimRef e) {
      read.emplace_back(ir_.NewVar("read", e->dtype()), e);
      return read.back().first;
    };
    std::vector<StmtRef> written;
    for (StmtRef stmt : done) {
      StoreStmt store = *stmt->As<StoreStmt>();
      store.value = name(store.value);
      for (PrimRef& index : store.indices) index = name(index);
      written.push_back(Made(std::move(store)));
    }
    StmtRef all = Made(SeqStmt{std::move(written)});
    for (size_t i = read.size(); i-- > 0;) all = Made(LetStmt{read[i].first, read[i].second, all});
    return all;
  }

  // Returns nothing for other instructions.
  std::optional<std::vector<StmtRef>> Done(const Words& words, const std::vector<PrimRef>& args) {
    if (HasNoEffect(words)) return std::vector<StmtRef>{Made(SeqStmt{})};
    if (words[0] == "bar" || words[0] == "barrier") return Barrier(words, args);
    const PtxOrder order = OrderOf(words);
    if (words[0] == "ld")
      return order.order.empty() ? Loaded(words, args) : LoadedInOrder(order, args);
    if (words[0] == "st")
      return order.order.empty() ? Stored(words, args) : StoredInOrder(order, args);
    if (words[0] == "red" || words[0] == "atom") return Atomic(order, args);
    if (words[0] == "mbarrier") return Tested(words, args);
    if (words[0] == "mov" && words.size() == 2 && words[1] == "b64" && args.size() == 3) {
      return Packed(args);
    }
    if (words[0] == "setp" && words.size() >= 3) {
      const PrimRef value = values_.Compared(words, args);
      return Put(args, value, DType::UInt(32));
    }
    const auto value = values_.Of(words, args);
    if (!value) return std::nullopt;
    return Put(args, value->value, value->dtype);
  }

  // Barrier 0, for all threads of the block.
  std::optional<std::vector<StmtRef>> Barrier(const Words& words,
                                              const std::vector<PrimRef>& args) {
    const auto* number = args.size() == 1 ? args[0]->As<IntImm>() : nullptr;
    if (words.size() != 2 || words[1] != "sync" || number == nullptr || number->value != 0) {
      return std::nullopt;
    }
    return std::vector<StmtRef>{Called("tvm_storage_sync", {ir_.String("shared")})};
  }

  // Stores `value` of dtype `dtype` to the register given by the first argument.
  std::optional<std::vector<StmtRef>> Put(const std::vector<PrimRef>& args, PrimRef value,
                                          DType dtype) {
    const auto stored =
        value == nullptr || args.empty() ? std::nullopt : Into(args[0], value, dtype);
    if (!stored) return std::nullopt;
    return std::vector<StmtRef>{*stored};
  }

  std::optional<StmtRef> Into(PrimRef to, PrimRef value, DType dtype, bool widens = false) {
    const auto* element = to->As<Load>();
    if (element == nullptr || element->predicate != nullptr) return std::nullopt;
    const DType is = element->buffer->dtype;
    const bool wider = widens && is.is_integer() && dtype.is_integer() && is.bits > dtype.bits;
    if (!is.is_scalar() || (is.bits != dtype.bits && !wider)) return std::nullopt;
    const PrimRef put = wider ? ir_.MakeCast(is, value) : values_.As(value, is);
    if (put == nullptr) return std::nullopt;
    return Made(StoreStmt{element->buffer, element->indices, put, nullptr});
  }

  // mov.b64 of two 32-bit halves, low half first, in both directions.
  std::optional<std::vector<StmtRef>> Packed(const std::vector<PrimRef>& args) {
    const DType u64 = DType::UInt(64), u32 = DType::UInt(32);
    const auto is_wide = [](PrimRef e) { return e->dtype().is_scalar() && e->dtype().bits == 64; };
    const PrimRef shift = ir_.Int(32, u64);
    if (is_wide(args[0])) {
      const PrimRef low = values_.As(args[1], u32), high = values_.As(args[2], u32);
      if (low == nullptr || high == nullptr) return std::nullopt;
      const PrimRef above = ir_.Make(BinaryOp::kShl, ir_.MakeCast(u64, high), shift);
      return Put(args, ir_.Make(BinaryOp::kBitOr, above, ir_.MakeCast(u64, low)), u64);
    }
    if (!is_wide(args[2])) return std::nullopt;
    const PrimRef both = values_.As(args[2], u64);
    std::vector<StmtRef> parts;
    for (size_t n = 0; n < 2 && both != nullptr; ++n) {
      const auto* sink = args[n]->As<Intrinsic>();
      if (sink != nullptr && sink->name == "ptx.SINK") continue;
      const PrimRef half = n == 0 ? both : ir_.Make(BinaryOp::kShr, both, shift);
      const auto part = Into(args[n], ir_.MakeCast(u32, half), u32);
      if (!part) return std::nullopt;
      parts.push_back(*part);
    }
    if (parts.empty()) return std::nullopt;
    return parts;
  }

  std::optional<std::vector<StmtRef>> Loaded(const Words& words, const std::vector<PrimRef>& args) {
    const auto access = PlainAccess(words);
    const size_t lanes = access ? static_cast<size_t>(access->lanes) : 0;
    if (!access || args.size() < lanes + 1) return std::nullopt;
    if (args.size() != lanes + 1 + (access->hinted ? 1 : 0)) return std::nullopt;
    std::vector<StmtRef> loads;
    for (size_t n = 0; n < lanes; ++n) {
      const PrimRef element =
          elements_.At(args[lanes], access->dtype, static_cast<int64_t>(n), access->lanes);
      const PrimRef value = element == nullptr ? nullptr : values_.As(element, access->dtype);
      const auto load = value == nullptr ? std::nullopt : Into(args[n], value, access->dtype, true);
      if (!load) return std::nullopt;
      loads.push_back(*load);
    }
    return loads;
  }

  std::optional<std::vector<StmtRef>> Stored(const Words& words, const std::vector<PrimRef>& args) {
    const auto access = PlainAccess(words);
    const size_t lanes = access ? static_cast<size_t>(access->lanes) : 0;
    if (!access || args.size() != lanes + 1 + (access->hinted ? 1 : 0)) return std::nullopt;
    std::vector<StmtRef> stores;
    for (size_t n = 0; n < lanes; ++n) {
      const PrimRef element =
          elements_.At(args[0], access->dtype, static_cast<int64_t>(n), access->lanes);
      const PrimRef value = values_.As(args[n + 1], access->dtype);
      if (element == nullptr || value == nullptr) return std::nullopt;
      const auto store = Into(element, value, access->dtype);
      if (!store) return std::nullopt;
      stores.push_back(*store);
    }
    return stores;
  }

  PrimRef AddressOf(PrimRef element) {
    return ir_.MakeIntrinsic(DType::Handle(), "address_of", {element});
  }

  // ld.acquire.gpu.global.s32, of one element with the dtype of the buffer.
  std::optional<std::vector<StmtRef>> LoadedInOrder(const PtxOrder& order,
                                                    const std::vector<PrimRef>& args) {
    const auto access = PlainAccess(order.words);
    const bool fits = access && access->lanes == 1 && access->dtype.bits >= 32;
    if (!fits || args.size() != (access->hinted ? 3 : 2)) return std::nullopt;
    if (order.order == "release" || order.order == "acq_rel") return std::nullopt;
    if (order.scope.empty() != (order.order == "volatile")) return std::nullopt;
    const PrimRef element = elements_.At(args[1], access->dtype, 0, 1);
    if (element == nullptr) return std::nullopt;
    std::vector<PrimRef> given = {AddressOf(element), ir_.String(ToString(element->dtype()))};
    if (!order.scope.empty()) {
      given.push_back(ir_.String(order.words.back()));
      given.push_back(ir_.String(order.scope));
    }
    const PrimRef loaded =
        ir_.MakeIntrinsic(element->dtype(), "ptx.ld_" + order.order, std::move(given));
    const PrimRef value = values_.As(loaded, access->dtype);
    const auto load = value == nullptr ? std::nullopt : Into(args[0], value, access->dtype, true);
    if (!load) return std::nullopt;
    return std::vector<StmtRef>{*load};
  }

  std::optional<std::vector<StmtRef>> StoredInOrder(const PtxOrder& order,
                                                    const std::vector<PrimRef>& args) {
    const auto access = PlainAccess(order.words);
    const bool fits = access && access->lanes == 1 && access->dtype.bits >= 32;
    if (!fits || args.size() != (access->hinted ? 3 : 2)) return std::nullopt;
    if (order.order == "acquire" || order.order == "acq_rel") return std::nullopt;
    if (order.scope.empty() != (order.order == "volatile")) return std::nullopt;
    const PrimRef element = elements_.At(args[0], access->dtype, 0, 1);
    const PrimRef bits = values_.As(args[1], access->dtype);
    if (element == nullptr || bits == nullptr) return std::nullopt;
    const PrimRef value = values_.As(bits, element->dtype());
    if (value == nullptr) return std::nullopt;
    std::vector<PrimRef> given = {AddressOf(element), value};
    if (!order.scope.empty()) given.push_back(ir_.String(order.scope));
    return std::vector<StmtRef>{Called("ptx.st." + order.order, std::move(given))};
  }

  // atom.add returns the previous value, red.add does not; a memory order is expressed by fences
  // before or after.
  std::optional<std::vector<StmtRef>> Atomic(const PtxOrder& order,
                                             const std::vector<PrimRef>& args) {
    Words words = order.words;
    words.erase(std::remove_if(words.begin() + 1, words.end(),
                               [](const std::string& word) {
                                 return word == "global" || word == "shared" ||
                                        word == "shared::cta";
                               }),
                words.end());
    const bool gives = words[0] == "atom", swaps = gives && words.size() == 3 && words[1] == "cas";
    if (words.size() != 3 || (words[1] != "add" && !swaps) || order.scope == "sys") {
      return std::nullopt;
    }
    const size_t first = gives ? 1 : 0;
    if (args.size() != first + (swaps ? 3 : 2) || order.order == "volatile") return std::nullopt;
    const DType dtype = PtxType(words[2]);
    const PrimRef element = dtype.is_void() ? nullptr : elements_.At(args[first], dtype, 0, 1);
    const bool of_floats = element != nullptr && element->dtype().is_floating();
    if (element == nullptr || of_floats != dtype.is_floating()) return std::nullopt;
    if (!of_floats && dtype.bits != 32) return std::nullopt;
    std::vector<PrimRef> given = {AddressOf(element)};
    for (size_t n = first + 1; n < args.size(); ++n) {
      given.push_back(values_.As(args[n], element->dtype()));
      if (given.back() == nullptr) return std::nullopt;
    }
    const PrimRef call = ir_.MakeIntrinsic(
        element->dtype(), swaps ? "cuda.atomic_cas" : "cuda.atomic_add", std::move(given));
    const auto done = gives ? Into(args[0], call, dtype) : Made(EvaluateStmt{call});
    if (!done) return std::nullopt;
    const StmtRef fence =
        Called(order.scope == "cta" ? "ptx.fence.acq_rel.cta" : "cuda.thread_fence", {});
    std::vector<StmtRef> all;
    if (order.order == "release" || order.order == "acq_rel") all.push_back(fence);
    all.push_back(*done);
    if (order.order == "acquire" || order.order == "acq_rel") all.push_back(fence);
    return all;
  }

  // Tests whether a phase of an mbarrier has ended, without waiting.
  std::optional<std::vector<StmtRef>> Tested(const Words& words, const std::vector<PrimRef>& args) {
    const bool tests = words.size() > 1 && (words[1] == "test_wait" || words[1] == "try_wait");
    if (!tests || args.size() != 3 || args[0]->As<Load>() == nullptr) return std::nullopt;
    const PrimRef ended =
        ir_.MakeIntrinsic(DType::UInt(32), "ptx.mbarrier_test_wait_parity", {args[1], args[2]});
    return Put(args, ended, DType::UInt(32));
  }

  Context& ir_;
  PtxValues values_;
  PtxElements elements_;
  StmtRef from_ = nullptr;
};

}  // namespace

PrimFunc LowerPtxInstructions(Context& context, const PrimFunc& func) {
  PrimFunc plain = func;
  if (func.body != nullptr) plain.body = Plain(context, func).Visit(func.body);
  return plain;
}

}  // namespace lathe::ir
