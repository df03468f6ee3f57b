#include "generator/transform/call_key.h"

#include <cstring>

#include "absl/strings/str_cat.h"
#include "generator/ir/op.h"

namespace lathe::transform {
namespace {

class Key {
 public:
  std::string text;

  // A kind letter, the parts and an end marker, so that different expressions have different keys.
  void Number(char kind, int64_t value) { absl::StrAppend(&text, AsView(kind), value, ";"); }
  void Address(char kind, const void* p) {
    absl::StrAppend(&text, AsView(kind), absl::Hex(reinterpret_cast<uintptr_t>(p)), ";");
  }
  void Text(char kind, absl::string_view value) {
    absl::StrAppend(&text, AsView(kind), value.size(), ":", value, ";");
  }

  void Add(const ir::Operand& operand) {
    Match(
        operand.node, [&](ir::ValueId id) { Number('v', id.index); },
        [&](ir::ConstantId id) { Number('c', id.index); },
        [&](const ir::ShapeExpr& s) {
          Number('s', std::ssize(s.values));
          for (ir::PrimRef e : s.values) Address('e', e);
        },
        [&](const ir::PrimValue& p) { Address('p', p.value); },
        [&](const ir::StringImm& s) { Text('t', s.value); },
        [&](const ir::DTypeImm& d) { Text('d', ir::ToString(d.dtype)); },
        [&](const ir::TupleExpr& t) {
          Number('(', std::ssize(t.fields));
          for (const ir::Operand& field : t.fields) Add(field);
        },
        [&](ir::GlobalId id) { Number('g', id.index); },
        [&](const ir::ExternFunc& f) {
          Text('x', f.name);
          Address('i', f.info);
        });
  }

  void Add(const ir::AttrMap& attrs) {
    Number('{', std::ssize(attrs));
    for (const auto& [name, value] : attrs) {
      Text('k', name);
      Add(value);
    }
  }

  void Add(const ir::AttrValue& value) {
    Match(
        value.node, [&](std::monostate) { Number('n', 0); }, [&](bool b) { Number('b', b); },
        [&](int64_t n) { Number('l', n); },
        [&](double d) {
          int64_t bits = 0;
          std::memcpy(&bits, &d, sizeof bits);
          Number('f', bits);
        },
        [&](const std::string& s) { Text('t', s); },
        [&](ir::DType d) { Text('d', ir::ToString(d)); }, [&](ir::PrimRef e) { Address('e', e); },
        [&](ir::StructInfoRef i) { Address('i', i); }, [&](ir::VDeviceRef d) { Address('o', d); },
        [&](const ir::AttrList& list) {
          Number('[', std::ssize(list));
          for (const ir::AttrValue& item : list) Add(item);
        },
        [&](const ir::AttrMap& map) { Add(map); },
        [&](const ir::AttrObject& object) {
          Text('j', object.kind);
          if (object.fields != nullptr) Add(*object.fields);
        },
        [&](const std::shared_ptr<const ir::IndexMap>& map) { Address('m', map.get()); });
  }

 private:
  static absl::string_view AsView(const char& c) { return absl::string_view(&c, 1); }
};

}  // namespace

std::string KeyOf(const ir::Operand& operand) {
  Key key;
  key.Add(operand);
  return std::move(key.text);
}

std::string KeyOf(const ir::AttrMap& attrs) {
  Key key;
  key.Add(attrs);
  return std::move(key.text);
}

std::string KeyOf(const ir::Call& call) {
  Key key;
  Match(
      call.callee, [&](const ir::Op* op) { key.Address('o', op); },
      [&](ir::ValueId id) { key.Number('v', id.index); },
      [&](ir::GlobalId id) { key.Number('g', id.index); },
      [&](const ir::ExternFunc& f) { key.Text('x', f.name); });
  key.Number('(', std::ssize(call.args));
  for (const ir::Operand& arg : call.args) key.Add(arg);
  key.Add(call.attrs);
  for (ir::StructInfoRef info : call.sinfo_args) key.Address('i', info);
  return std::move(key.text);
}

}  // namespace lathe::transform
