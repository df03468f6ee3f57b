// Prints the parts of Relay text that contain no expressions: types, patterns, attributes, numbers.
#ifndef LATHE_READER_RELAY_TEXT_PRINT_PRINT_PARTS_H_
#define LATHE_READER_RELAY_TEXT_PRINT_PRINT_PARTS_H_

#include <optional>
#include <string>
#include <vector>

#include "generator/ir/attrs.h"
#include "generator/ir/module.h"
#include "generator/reader/relay_text/ops/op_rows.h"
#include "generator/reader/relay_text/syntax/tree.h"

namespace lathe::relay {

std::string PrintType(const TypeTree& type);
std::string PrintPattern(const ModuleTree& tree, const Pattern& pattern);
// Returns "%x" or "%x: Tensor[(2), float32]".
std::string PrintVar(const Var& var);

// Returns the literal of a scalar, or nullopt if it has none that TVM reads too.
std::optional<std::string> PrintScalar(const ir::Constant& value);

// Returns "axis=1" for each attribute, in the order of names; names with dots come last. Values
// without a text, such as references to the metadata, are hints and left out.
std::vector<std::string> PrintAttrs(const ir::AttrMap& attrs);
// Returns the written attributes of an operator call, in the order of `row`, then attrs_type_key.
// `resolved` holds their values.
std::vector<std::string> PrintAttrs(const OpRow& row, const ir::AttrMap& written,
                                    const ir::AttrMap& resolved);

}  // namespace lathe::relay

#endif  // LATHE_READER_RELAY_TEXT_PRINT_PRINT_PARTS_H_
