// Elaborates attributes of calls and functions: Python literals, and the constructors of R and I.
//
//   {"num_input": 1, "shape": R.shape([1, 2])}   strides=[1, 1]   dst_vdevice="cuda:0"
#ifndef LATHE_READER_RELAX_TEXT_RELAX_ELABORATE_ATTRIBUTE_H_
#define LATHE_READER_RELAX_TEXT_RELAX_ELABORATE_ATTRIBUTE_H_

#include <vector>

#include "absl/status/statusor.h"
#include "generator/ir/attrs.h"
#include "generator/ir/op.h"
#include "generator/reader/relax_text/elaboration/frame.h"

namespace lathe::relax_text {

// Returns the attribute value that `e` denotes, of any kind.
absl::StatusOr<ir::AttrValue> ElaborateAttribute(Frame& frame, const ast::Expr& e);

// Returns the attributes in the dictionary `e`, whose keys must be strings.
absl::StatusOr<ir::AttrMap> ElaborateAttributeMap(Frame& frame, const ast::Expr& e);

// Returns the value `e` for the operator attribute `param`, converted to the kind of `param`.
// Reports an error if `e` has another kind.
absl::StatusOr<ir::AttrValue> ElaborateOpAttribute(Frame& frame, const ast::Expr& e,
                                                   const ir::OpParam& param);

// Returns the StructInfos of sinfo_args=: `e` is one StructInfo or a list.
absl::StatusOr<std::vector<ir::StructInfoRef>> ElaborateInfoList(Frame& frame, const ast::Expr& e);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_RELAX_ELABORATE_ATTRIBUTE_H_
