#include "generator/ir/alpha_equal.h"

#include <bit>

#include "generator/support/match.h"

namespace lathe::ir {
namespace {

// Pairs `a` with `b` if neither has a partner; returns whether they are paired.
template <typename Map, typename Key>
bool Pair(Map& forth, Map& back, Key a, Key b) {
  const auto there = forth.find(a);
  const auto here = back.find(b);
  if (there == forth.end() && here == back.end()) {
    forth.emplace(a, b);
    back.emplace(b, a);
    return true;
  }
  return there != forth.end() && here != back.end() && there->second == b && here->second == a;
}

class Deeper {
 public:
  explicit Deeper(int& depth) : depth_(depth) { ++depth_; }
  ~Deeper() { --depth_; }
  Deeper(const Deeper&) = delete;
  Deeper& operator=(const Deeper&) = delete;
  bool too_deep() const { return depth_ > kMaxAlphaDepth; }

 private:
  int& depth_;
};

}  // namespace

std::string Shown(PrimRef e) { return e == nullptr ? "nothing" : ToString(e); }

bool AlphaEqual::Equal(ValueId a, ValueId b) {
  if (a.valid() != b.valid()) return Differ("a variable against none");
  if (!a.valid()) return true;
  return Pair(values_, values_back_, a.index, b.index) || Differ("another variable");
}

bool AlphaEqual::Equal(VDeviceRef a, VDeviceRef b) {
  if (a == b || (a != nullptr && b != nullptr && *a == *b)) return true;
  const auto shown = [](VDeviceRef d) { return d == nullptr ? "no device" : ToString(*d); };
  return Differ(shown(a), " against ", shown(b));
}

bool AlphaEqual::Symbols(PrimRef a, PrimRef b) {
  const auto* x = a->As<SymVar>();
  const auto* y = b->As<SymVar>();
  if (x->pointee != y->pointee || x->scope != y->scope) {
    return Differ("the pointer '", x->name, "' is of another type");
  }
  return Pair(symbols_, symbols_back_, x->id, y->id) ||
         Differ("the variable '", x->name, "' against '", y->name, "'");
}

bool AlphaEqual::Equal(PrimRef a, PrimRef b) {
  if (a == nullptr || b == nullptr) {
    return a == b || Differ(Shown(a), " against ", Shown(b));
  }
  if (a->dtype() != b->dtype() || a->node().index() != b->node().index()) {
    return Differ(Shown(a), " of ", ToString(a->dtype()), " against ", Shown(b), " of ",
                  ToString(b->dtype()));
  }
  if (equal_.contains({a, b})) return true;
  const Deeper deeper(depth_);
  if (deeper.too_deep()) return Differ("too deep to compare");
  if (!Nodes(a, b)) return false;
  equal_.insert({a, b});
  return true;
}

bool AlphaEqual::Nodes(PrimRef a, PrimRef b) {
  const auto differ = [&] { return Differ(Shown(a), " against ", Shown(b)); };
  // Equal(PrimRef, PrimRef) has checked that the kinds agree.
  const auto other = [&](const auto& n) -> decltype(auto) {
    return std::get<std::decay_t<decltype(n)>>(b->node());
  };
  return Match(
      a->node(), [&](const IntImm& n) { return n == other(n) || differ(); },
      [&](const FloatImm& n) { return n == other(n) || differ(); },
      [&](const StringImm& n) { return n == other(n) || differ(); },
      [&](const SymVar&) { return Symbols(a, b); },
      [&](const Unary& n) {
        return (n.op == other(n).op || differ()) && Equal(n.value, other(n).value);
      },
      [&](const Binary& n) {
        return (n.op == other(n).op || differ()) && Equal(n.lhs, other(n).lhs) &&
               Equal(n.rhs, other(n).rhs);
      },
      [&](const Select& n) {
        return Equal(n.cond, other(n).cond) && Equal(n.if_true, other(n).if_true) &&
               Equal(n.if_false, other(n).if_false);
      },
      [&](const Cast& n) { return Equal(n.value, other(n).value); },
      [&](const Load& n) {
        return (Equal(n.buffer, other(n).buffer) && Equal(n.indices, other(n).indices) &&
                Equal(n.predicate, other(n).predicate)) ||
               Inside(Shown(a));
      },
      [&](const Ramp& n) {
        return Equal(n.base, other(n).base) && Equal(n.stride, other(n).stride);
      },
      [&](const Broadcast& n) { return Equal(n.value, other(n).value); },
      [&](const Shuffle& n) {
        return Equal(n.vectors, other(n).vectors) && Equal(n.indices, other(n).indices);
      },
      [&](const Let& n) {
        return Equal(n.value, other(n).value) && Equal(n.var, other(n).var) &&
               Equal(n.body, other(n).body);
      },
      [&](const Intrinsic& n) {
        return (n.name == other(n).name || differ()) &&
               (Equal(n.args, other(n).args) || Inside(n.name));
      },
      [&](const CommReducer& n) {
        return Equal(n.lhs, other(n).lhs) && Equal(n.rhs, other(n).rhs) &&
               Equal(n.results, other(n).results) && Equal(n.identities, other(n).identities);
      },
      [&](const RegionArg& n) {
        return Equal(n.buffer, other(n).buffer) && Equal(n.mins, other(n).mins) &&
               Equal(n.extents, other(n).extents);
      });
}

bool AlphaEqual::Equal(BufferRef a, BufferRef b) {
  if (a == nullptr || b == nullptr) return a == b || Differ("a buffer against none");
  const bool seen = buffers_.contains(a);
  if (!Pair(buffers_, buffers_back_, a, b)) {
    return Differ("the buffer '", a->name, "' against '", b->name, "'");
  }
  if (seen) return true;
  return (Same(a->dtype, b->dtype, "dtype") && Same(a->scope, b->scope, "scope") &&
          Same(a->align, b->align, "alignment") &&
          Same(a->offset_factor, b->offset_factor, "offset factor") &&
          Same(a->axis_separators, b->axis_separators, "list of axis separators") &&
          Same(a->auto_broadcast, b->auto_broadcast, "buffer type") &&
          (Equal(a->data, b->data) || Inside("data")) &&
          (Equal(a->shape, b->shape) || Inside("shape")) &&
          (Equal(a->strides, b->strides) || Inside("strides")) &&
          (Equal(a->elem_offset, b->elem_offset) || Inside("elem_offset")) &&
          (Equal(a->layout, b->layout) || Inside("layout")) &&
          (Equal(a->allocated_addr, b->allocated_addr) || Inside("allocated_addr"))) ||
         Inside("the buffer '", a->name, "'");
}

bool AlphaEqual::Tensors(const TensorInfo& a, const TensorInfo& b) {
  if (a.ndim != b.ndim || a.dtype != b.dtype || a.shape.index() != b.shape.index()) {
    return Differ("a tensor of another rank, dtype or kind of shape");
  }
  if (a.sharding != b.sharding) return Differ("another sharding");
  if (!Equal(a.vdevice, b.vdevice)) return Inside("vdevice");
  return Match(
      a.shape, [](std::monostate) { return true; },
      [&](const std::vector<PrimRef>& dims) { return Equal(dims, *b.dims()) || Inside("shape"); },
      [&](ValueId var) { return Equal(var, *b.shape_var()) || Inside("shape"); });
}

bool AlphaEqual::Functions(const FuncInfo& a, const FuncInfo& b) {
  if (a.pure != b.pure || a.derive != b.derive || a.params.has_value() != b.params.has_value()) {
    return Differ("a function of another kind");
  }
  if (a.params && !Equal(*a.params, *b.params)) return Inside("parameters");
  return Equal(a.ret, b.ret) || Inside("result");
}

bool AlphaEqual::Equal(StructInfoRef a, StructInfoRef b) {
  const auto shown = [](StructInfoRef s) { return s == nullptr ? "no annotation" : ToString(s); };
  if (a == nullptr || b == nullptr || a->node().index() != b->node().index()) {
    return (a == nullptr && b == nullptr) || Differ(shown(a), " against ", shown(b));
  }
  if (equal_infos_.contains({a, b})) return true;
  const Deeper deeper(depth_);
  if (deeper.too_deep()) return Differ("too deep to compare");
  const auto other = [&](const auto& n) -> decltype(auto) {
    return std::get<std::decay_t<decltype(n)>>(b->node());
  };
  const bool equal = Match(
      a->node(), [](const ObjectInfo&) { return true; },
      [&](const PrimInfo& p) {
        return Same(p.dtype, other(p).dtype, "dtype") && Equal(p.value, other(p).value);
      },
      [&](const ShapeInfo& s) {
        if (s.ndim != other(s).ndim || s.values.has_value() != other(s).values.has_value()) {
          return Differ("another rank");
        }
        return !s.values || Equal(*s.values, *other(s).values);
      },
      [&](const TensorInfo& t) { return Tensors(t, other(t)); },
      [&](const TupleInfo& t) { return Equal(t.fields, other(t).fields); },
      [&](const FuncInfo& f) { return Functions(f, other(f)); });
  if (!equal) return Inside(shown(a), " against ", shown(b));
  equal_infos_.insert({a, b});
  return true;
}

// Inputs are local to a map: calls that share one map are read back with a map each.
bool AlphaEqual::Maps(const IndexMap& a, const IndexMap& b) {
  const auto symbols = symbols_, back = symbols_back_;
  const auto equal = equal_;
  const auto forget = [](const std::vector<PrimRef>& inputs, absl::flat_hash_map<int, int>& from) {
    for (PrimRef input : inputs) {
      if (const auto* var = input->As<SymVar>()) from.erase(var->id);
    }
  };
  forget(a.inputs, symbols_);
  forget(b.inputs, symbols_back_);
  const bool same = Equal(a.inputs, b.inputs) && Equal(a.outputs, b.outputs);
  symbols_ = symbols;
  symbols_back_ = back;
  equal_ = equal;
  if (!same) return Inside("index map");
  if (a.separators != b.separators) return Differ("another place for the axis separators");
  if (a.inverse == nullptr || b.inverse == nullptr) {
    return a.inverse == b.inverse || Differ("an inverse against none");
  }
  const Deeper deeper(depth_);
  if (deeper.too_deep()) return Differ("too deep to compare");
  return Maps(*a.inverse, *b.inverse);
}

bool AlphaEqual::Equal(const AttrMap& a, const AttrMap& b) {
  for (const auto& [key, value] : a) {
    const auto it = b.find(key);
    if (it == b.end()) return Differ("the attribute '", key, "' is missing in the second");
    if (!Equal(value, it->second)) return Inside("attribute '", key, "'");
  }
  for (const auto& [key, value] : b) {
    if (!a.contains(key)) return Differ("the attribute '", key, "' is missing in the first");
  }
  return true;
}

bool AlphaEqual::Equal(const AttrList& a, const AttrList& b) {
  if (a.size() != b.size()) return Differ(a.size(), " items against ", b.size());
  for (size_t i = 0; i < a.size(); ++i) {
    if (!Equal(a[i], b[i])) return Inside("item ", i);
  }
  return true;
}

bool AlphaEqual::Equal(const AttrValue& a, const AttrValue& b) {
  static constexpr absl::string_view kKinds[] = {
      "None",      "bool",   "int",  "float", "string", "dtype",    "expression",
      "structure", "device", "list", "dict",  "object", "index map"};
  static_assert(std::size(kKinds) == std::variant_size_v<AttrValue::Node>);
  if (a.node.index() != b.node.index()) {
    return Differ("a value of kind ", kKinds[a.node.index()], " against one of kind ",
                  kKinds[b.node.index()]);
  }
  const Deeper deeper(depth_);
  if (deeper.too_deep()) return Differ("too deep to compare");
  const auto other = [&](const auto& n) -> decltype(auto) {
    return std::get<std::decay_t<decltype(n)>>(b.node);
  };
  return Match(
      a.node, [](std::monostate) { return true; },
      [&](bool v) { return v == other(v) || Differ("another bool"); },
      [&](int64_t v) { return v == other(v) || Differ(v, " against ", other(v)); },
      [&](double v) {
        return std::bit_cast<uint64_t>(v) == std::bit_cast<uint64_t>(other(v)) ||
               Differ(v, " against ", other(v));
      },
      [&](const std::string& v) {
        return v == other(v) || Differ("'", v, "' against '", other(v), "'");
      },
      [&](DType v) {
        return v == other(v) || Differ(ToString(v), " against ", ToString(other(v)));
      },
      [&](PrimRef v) { return Equal(v, other(v)); },
      [&](StructInfoRef v) { return Equal(v, other(v)); },
      [&](VDeviceRef v) { return Equal(v, other(v)); },
      [&](const AttrList& v) { return Equal(v, other(v)); },
      [&](const AttrMap& v) { return Equal(v, other(v)); },
      [&](const AttrObject& v) {
        const AttrObject& w = other(v);
        if (v.kind != w.kind) return Differ("'", v.kind, "' against '", w.kind, "'");
        const AttrMap none;
        return Equal(v.fields ? *v.fields : none, w.fields ? *w.fields : none) || Inside(v.kind);
      },
      [&](const std::shared_ptr<const IndexMap>& v) {
        if (v == nullptr || other(v) == nullptr) return v == other(v) || Differ("no index map");
        return Maps(*v, *other(v));
      });
}

}  // namespace lathe::ir
