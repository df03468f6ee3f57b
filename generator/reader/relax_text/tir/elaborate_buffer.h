// Buffers as text describes them: T.Buffer((16, n), "float32", scope="shared").
#ifndef LATHE_READER_RELAX_TEXT_TIR_ELABORATE_BUFFER_H_
#define LATHE_READER_RELAX_TEXT_TIR_ELABORATE_BUFFER_H_

#include <string>

#include "absl/status/statusor.h"
#include "generator/reader/relax_text/elaboration/call_arguments.h"
#include "generator/reader/relax_text/tir/stmt_elaborator.h"

namespace lathe::relax_text {

// What follows the shape in every function that describes a buffer, for CallArguments.
inline constexpr char kBufferParameters[] =
    "dtype? data? strides? elem_offset? scope? align? offset_factor? buffer_type? axis_separators? "
    "layout? byte_offset? allocated_addr?";

// The buffer that `args` describe, named `name`; its parameters are "shape" and kBufferParameters.
// Without data= it reads through a new pointer. Without a shape, `default_shape` and
// `default_dtype` say what it is. `e` is the whole call.
struct BufferDefaults {
  std::vector<ir::PrimRef> shape;
  ir::DType dtype = ir::DType::Float(32);
  std::string scope = "global";
};
absl::StatusOr<ir::BufferRef> ElaborateBuffer(StmtElaborator& s, const ast::Expr& e,
                                              const CallArguments& args, absl::string_view name,
                                              const BufferDefaults& defaults = {});

// The dimensions at `e`: a list, or one scalar; strings in it are read as expressions.
absl::StatusOr<std::vector<ir::PrimRef>> ElaborateShape(StmtElaborator& s, const ast::Expr& e);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_TIR_ELABORATE_BUFFER_H_
