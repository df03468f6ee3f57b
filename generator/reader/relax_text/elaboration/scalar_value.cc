#include "generator/reader/relax_text/elaboration/scalar_value.h"

#include "absl/strings/str_cat.h"
#include "generator/support/match.h"

namespace lathe::relax_text {

std::string Describe(const ScalarValue& value) {
  using std::string;
  return Match(
      value.node, [](const NoneValue&) { return string("None"); },
      [](bool) { return string("a truth value"); },
      [](const absl::int128&) { return string("a number"); },
      [](double) { return string("a number"); }, [](const string&) { return string("a string"); },
      [](ir::PrimRef e) { return absl::StrCat("a scalar of type ", ir::ToString(e->dtype())); },
      [](ir::BufferRef b) { return absl::StrCat("the buffer '", b->name, "'"); },
      [](const BufferSlice& s) { return absl::StrCat("a slice of '", s.buffer->name, "'"); },
      [](const TypeName& t) { return absl::StrCat("the type ", ir::ToString(t.dtype)); },
      [](const ir::AttrObject& o) { return absl::StrCat("an object (", o.kind, ")"); },
      [](const std::shared_ptr<const ScalarList>&) { return string("a tuple or list"); },
      [](const std::shared_ptr<const ir::AttrMap>&) { return string("a dictionary"); },
      [](const std::shared_ptr<const ir::IndexMap>&) { return string("an index map"); });
}

}  // namespace lathe::relax_text
