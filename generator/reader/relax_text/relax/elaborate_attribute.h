// Attributes of calls and functions: literals of every kind, and what R and I add to them.
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

// Whatever is written.
absl::StatusOr<ir::AttrValue> ElaborateAttribute(Frame& frame, const ast::Expr& e);

// A dictionary with names as keys.
absl::StatusOr<ir::AttrMap> ElaborateAttributeMap(Frame& frame, const ast::Expr& e);

// The value of the operator's attribute `param`, of the kind that it has.
absl::StatusOr<ir::AttrValue> ElaborateOpAttribute(Frame& frame, const ast::Expr& e,
                                                   const ir::OpParam& param);

// The StructInfos after sinfo_args=: one, or a list.
absl::StatusOr<std::vector<ir::StructInfoRef>> ElaborateInfoList(Frame& frame, const ast::Expr& e);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_RELAX_ELABORATE_ATTRIBUTE_H_
