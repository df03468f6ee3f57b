// Elaborates descriptions of buffers: T.Buffer((16, n), "float32", scope="shared").
#ifndef LATHE_READER_RELAX_TEXT_TIR_ELABORATE_BUFFER_H_
#define LATHE_READER_RELAX_TEXT_TIR_ELABORATE_BUFFER_H_

#include <string>

#include "absl/status/statusor.h"
#include "generator/reader/relax_text/elaboration/call_arguments.h"
#include "generator/reader/relax_text/tir/stmt_elaborator.h"

namespace lathe::relax_text {

// The parameters after the shape of all functions that describe a buffer, in the syntax of
// CallArguments.
inline constexpr char kBufferParameters[] =
    "dtype? data? strides? elem_offset? scope? align? offset_factor? buffer_type? axis_separators? "
    "layout? byte_offset? allocated_addr?";

// The properties of a buffer that the call does not specify.
struct BufferDefaults {
  std::vector<ir::PrimRef> shape;
  ir::DType dtype = ir::DType::Float(32);
  std::string scope = "global";
};
// Returns a buffer named `name` with the properties in `args`, whose parameters are "shape" and
// kBufferParameters. Without data=, the buffer gets a new pointer. `e` is the whole call.
absl::StatusOr<ir::BufferRef> ElaborateBuffer(StmtElaborator& s, const ast::Expr& e,
                                              const CallArguments& args, absl::string_view name,
                                              const BufferDefaults& defaults = {});

// Returns the dimensions in `e`, a list or one scalar. Strings are parsed as expressions.
absl::StatusOr<std::vector<ir::PrimRef>> ElaborateShape(StmtElaborator& s, const ast::Expr& e);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_TIR_ELABORATE_BUFFER_H_
