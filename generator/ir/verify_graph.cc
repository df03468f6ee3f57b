#include "generator/ir/verify_graph.h"

#include <algorithm>
#include <limits>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "generator/ir/op.h"
#include "generator/ir/print_names.h"
#include "generator/support/check.h"
#include "generator/support/match.h"

namespace lathe::ir {
namespace {

// Blocks, and expressions or structural information inside them: each has its own limit.
constexpr int kMaxVerifiedDepth = 1200;

class Verifier {
 public:
  explicit Verifier(const Module& module)
      : module_(module), bound_(module.values.size()), visible_(module.values.size()) {}

  std::optional<std::string> Run() {
    Constants();
    Attrs(module_.attrs);
    absl::flat_hash_set<std::string> names;
    for (size_t i = 0; i < module_.globals.size() && !broken_; ++i) {
      const Global& g = module_.globals[GlobalId{static_cast<int32_t>(i)}];
      if (!names.insert(g.name).second) Break("there are two functions of that name");
      if (ToIdentifier(g.name) != g.name) Break("the name is not an identifier");
      Match(
          g.def, [&](const Function& f) { Visit(f); }, [&](const PrimFunc& f) { Visit(f); },
          [&](const ExternFunc& f) { Info(f.info, "extern", true); });
      if (broken_) broken_ = absl::StrCat("function '", g.name, "': ", *broken_);
    }
    return broken_;
  }

 private:
  // Only the first violation is reported.
  template <typename... Parts>
  void Break(const Parts&... parts) {
    if (!broken_) broken_ = absl::StrCat(parts...);
  }

  std::string Name(ValueId id) const {
    return absl::StrCat("'", module_.values[id].name, "' (", id.index, ")");
  }
  bool InRange(ValueId id, absl::string_view what) {
    if (id.index >= 0 && id.index < static_cast<int>(module_.values.size())) return true;
    Break(what, ": no variable has the id ", id.index);
    return false;
  }

  void Constants() {
    for (size_t i = 0; i < module_.constants.size(); ++i) {
      const Constant& c = module_.constants[ConstantId{static_cast<int32_t>(i)}];
      uint64_t count = 1;
      for (const int64_t dim : c.shape) {
        if (dim < 0) return Break("constant ", i, " has a negative dimension");
        if (dim != 0 && count > std::numeric_limits<uint64_t>::max() / 64 / dim) {
          return Break("constant ", i, " has no size");
        }
        count *= static_cast<uint64_t>(dim);
      }
      if (c.bytes == nullptr) return Break("constant ", i, " has no bytes");
      if (c.bytes->size() != StorageBytes(c.dtype, count)) {
        return Break("constant ", i, " has ", c.bytes->size(), " bytes, not ",
                     StorageBytes(c.dtype, count));
      }
    }
  }

  void Visit(const PrimFunc& f) {
    for (const PrimParam& p : f.params) {
      if (p.var == nullptr) Break("a parameter is null");
    }
    if (f.body == nullptr) Break("the body is null");
    Attrs(f.attrs);
  }

  void Define(ValueId id, bool in_dataflow_block) {
    if (!InRange(id, "a binding")) return;
    if (bound_[id.index]) Break(Name(id), " is bound twice");
    if (module_.values[id].dataflow && !in_dataflow_block) {
      Break(Name(id), " is a dataflow variable bound outside dataflow blocks");
    }
    bound_[id.index] = true;
    visible_[id.index] = true;
    defined_.push_back(id);
    Info(module_.values[id].annotation, module_.values[id].name, true);
    Info(module_.values[id].info, module_.values[id].name, true);
  }

  // Ends the scope of the variables defined since `mark`.
  void LeaveScope(size_t mark) {
    for (size_t i = mark; i < defined_.size(); ++i) visible_[defined_[i].index] = false;
    defined_.resize(mark);
  }

  void Use(ValueId id, absl::string_view what) {
    if (!InRange(id, what)) return;
    if (!visible_[id.index]) Break(what, ": ", Name(id), " is unbound here");
  }

  void Visit(const Function& f) {
    if (++depth_ > kMaxVerifiedDepth) return Break("nested too deeply");
    const size_t mark = defined_.size();
    for (const ValueId id : f.params) Define(id, false);
    Info(f.ret, "the return annotation", true);
    Info(f.info, "the function's info", true);
    Attrs(f.attrs);
    Visit(f.body);
    LeaveScope(mark);
    --depth_;
  }

  void Visit(const Body& body) {
    if (++depth_ > kMaxVerifiedDepth) return Break("nested too deeply");
    const size_t mark = defined_.size();
    const Block* previous = nullptr;
    for (const Block& block : body.blocks) {
      if (block.bindings.empty()) Break("a block is empty");
      if (previous != nullptr && previous->dataflow == block.dataflow) {
        Break("two ", block.dataflow ? "dataflow" : "ordinary", " blocks stand in a row");
      }
      previous = &block;
      const size_t block_start = defined_.size();
      for (const Binding& binding : block.bindings) Visit(binding, block.dataflow);
      HideDataflow(block_start);
      if (broken_) return;
    }
    Check(body.result, "the result");
    LeaveScope(mark);
    --depth_;
  }

  void HideDataflow(size_t block_start) {
    for (size_t i = block_start; i < defined_.size(); ++i) {
      if (module_.values[defined_[i]].dataflow) visible_[defined_[i].index] = false;
    }
  }

  void Visit(const Binding& b, bool in_dataflow_block) {
    if (broken_ || !InRange(b.var, "a binding")) return;
    const std::string where = Name(b.var);
    // A function literal may be recursive.
    const bool is_function = std::holds_alternative<Function>(b.rhs);
    if (is_function) Define(b.var, in_dataflow_block);
    ForEachOperand(b.rhs, [&](const Operand& o) { Check(o, where); });
    Match(
        b.rhs, [](const Operand&) {}, [&](const Call& c) { Visit(c, where); },
        [](const GetField&) {}, [&](const MatchCast& m) { Info(m.info, where, false); },
        [&](const If& i) {
          Visit(i.then_body);
          Visit(i.else_body);
        },
        [&](const Function& f) { Visit(f); });
    if (!is_function) Define(b.var, in_dataflow_block);
  }

  void Visit(const Call& c, absl::string_view where) {
    Match(
        c.callee,
        [&](const Op* op) {
          if (op == nullptr) Break(where, ": the operator is null");
        },
        [&](ValueId id) { Use(id, where); }, [&](GlobalId id) { Check(id, where); },
        [&](const ExternFunc& f) { Info(f.info, where, true); });
    for (const StructInfoRef info : c.sinfo_args) Info(info, where, false);
    Attrs(c.attrs);
  }

  void Check(GlobalId id, absl::string_view where) {
    if (id.index < 0 || id.index >= static_cast<int>(module_.globals.size())) {
      Break(where, ": no function has the id ", id.index);
    }
  }

  void Check(const Operand& operand, absl::string_view where) {
    if (++depth_ > kMaxVerifiedDepth) return Break("nested too deeply");
    Match(
        operand.node, [&](ValueId id) { Use(id, where); },
        [&](ConstantId id) {
          if (id.index < 0 || id.index >= static_cast<int>(module_.constants.size())) {
            Break(where, ": no constant has the id ", id.index);
          }
        },
        [&](const ShapeExpr& s) { Scalars(s.values, where); },
        [&](const PrimValue& p) { Scalars({p.value}, where); }, [](const StringImm&) {},
        [](const DTypeImm&) {},
        [&](const TupleExpr& t) {
          for (const Operand& field : t.fields) Check(field, where);
        },
        [&](GlobalId id) { Check(id, where); },
        [&](const ExternFunc& f) { Info(f.info, where, true); });
    --depth_;
  }

  void Scalars(const std::vector<PrimRef>& values, absl::string_view where) {
    const auto null = [](PrimRef e) { return e == nullptr; };
    if (std::any_of(values.begin(), values.end(), null)) Break(where, ": a scalar is null");
  }

  void Info(StructInfoRef info, absl::string_view where, bool may_be_null) {
    if (info == nullptr) {
      if (!may_be_null) Break(where, ": structural information is null");
      return;
    }
    // Infos are interned and immutable, so each is verified once.
    if (!seen_infos_.insert(info).second) return;
    if (++depth_ > kMaxVerifiedDepth) return Break("nested too deeply");
    Match(
        info->node(), [](const ObjectInfo&) {}, [](const PrimInfo&) {},
        [&](const ShapeInfo& s) {
          // Agreement of the rank is a rule for users:
          // analysis/well_formed/well_formed_annotations.
          if (s.values) Scalars(*s.values, where);
        },
        [&](const TensorInfo& t) {
          if (const ValueId* var = t.shape_var()) InRange(*var, where);
          if (const auto* dims = t.dims()) Scalars(*dims, where);
        },
        [&](const TupleInfo& t) {
          for (const StructInfoRef field : t.fields) Info(field, where, false);
        },
        [&](const FuncInfo& f) {
          if (f.params) {
            for (const StructInfoRef param : *f.params) Info(param, where, false);
          }
          Info(f.ret, where, false);
        });
    --depth_;
  }

  void Attrs(const AttrMap& attrs) {
    for (const auto& [key, value] : attrs) Attr(key, value);
  }

  void Attr(absl::string_view key, const AttrValue& value) {
    if (++depth_ > kMaxVerifiedDepth) return Break("nested too deeply");
    Match(
        value.node, [](std::monostate) {}, [](bool) {}, [](int64_t) {}, [](double) {},
        [](const std::string&) {}, [](DType) {}, [&](PrimRef e) { Scalars({e}, key); },
        [&](StructInfoRef info) { Info(info, key, false); },
        [&](VDeviceRef device) {
          if (device == nullptr) Break(key, ": a device is null");
        },
        [&](const AttrList& list) {
          for (const AttrValue& item : list) Attr(key, item);
        },
        [&](const AttrMap& map) { Attrs(map); },
        [&](const AttrObject& object) {
          if (object.fields != nullptr) Attrs(*object.fields);
        },
        [&](const std::shared_ptr<const IndexMap>& map) {
          if (map == nullptr) Break(key, ": an index map is null");
        });
    --depth_;
  }

  const Module& module_;
  std::vector<bool> bound_;
  std::vector<bool> visible_;
  std::vector<ValueId>
      defined_;  // in order of definition: visible variables and dataflow variables out of scope
  absl::flat_hash_set<StructInfoRef> seen_infos_;
  int depth_ = 0;
  std::optional<std::string> broken_;
};

}  // namespace

std::optional<std::string> BrokenInvariant(const Module& module) { return Verifier(module).Run(); }

void VerifyGraph(const Module& module, absl::string_view pass) {
  const std::optional<std::string> broken = BrokenInvariant(module);
  if (broken) LATHE_UNREACHABLE(absl::StrCat("after ", pass, ": ", *broken));
}

}  // namespace lathe::ir
