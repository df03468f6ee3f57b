// Holds the state shared by the printers of a PrimFunc: names, options, and short texts that
// several of them print.
#ifndef LATHE_IR_PRINT_TIR_TEXT_H_
#define LATHE_IR_PRINT_TIR_TEXT_H_

#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "generator/ir/print/print_scalar.h"
#include "generator/ir/print_names.h"
#include "generator/ir/print_options.h"
#include "generator/ir/tir.h"
#include "generator/ir/tir_mentions.h"
#include "generator/support/line_writer.h"

namespace lathe::ir {

class TirText {
 public:
  TirText(const PrimFunc& func, const PrintOptions& options, std::string module, PrintNames& names,
          LineWriter& out);

  const PrimFunc& func() const { return func_; }
  Dialect dialect() const { return dialect_; }
  PrintNames& names() const { return names_; }
  LineWriter& out() const { return out_; }
  const TirMentions& mentions() const { return mentions_; }

  std::string Scalar(PrimRef e) const { return PrintScalar(e, names_, style_); }
  std::string Argument(PrimRef e) const { return PrintArgument(e, names_, style_); }
  std::string End(PrimRef min, PrimRef extent) const {
    return PrintEnd(min, extent, names_, style_);
  }
  std::string List(const std::vector<PrimRef>& items) const;
  // Attributes with the keys of the dialect: "tir.noalias" until 0.23, "tirx.noalias" since.
  std::string Attrs(const AttrMap& attrs) const;
  std::string Attr(const AttrValue& value) const;
  std::string Key(absl::string_view key) const;

  // T.int32, T.handle("float32", "global")
  std::string Type(PrimRef var) const;

  // Returns the description of a buffer: (16, n), "float32", scope="shared". With `data`, its data
  // pointer is included.
  std::string Description(BufferRef buffer, bool data) const;
  // Returns the description with the dimensions given as text.
  std::string Description(BufferRef buffer, const std::vector<std::string>& shape, bool data) const;
  // Assigns the buffer's name; the memory it carries is <name>.data.
  std::string NameWithData(BufferRef buffer) const;
  // A[0:16, i]
  std::string Region(const BufferRegion& region) const;

  // Returns the enclosing loops, by SymVar::id.
  absl::flat_hash_map<int, const ForStmt*>& loops() { return loops_; }

 private:
  const PrimFunc& func_;
  const Dialect dialect_;
  const std::string module_;
  const ScalarStyle style_;
  PrintNames& names_;
  LineWriter& out_;
  const TirMentions mentions_;
  absl::flat_hash_map<int, const ForStmt*> loops_;
};

}  // namespace lathe::ir

#endif  // LATHE_IR_PRINT_TIR_TEXT_H_
