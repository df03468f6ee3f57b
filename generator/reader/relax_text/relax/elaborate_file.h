// What stands around the module in a file: imports, metadata, type variables, and Python that
// builds or runs the module, which is not read.
#ifndef LATHE_READER_RELAX_TEXT_RELAX_ELABORATE_FILE_H_
#define LATHE_READER_RELAX_TEXT_RELAX_ELABORATE_FILE_H_

#include <optional>
#include <vector>

#include "generator/reader/relax_text/elaboration/elaboration.h"

namespace lathe::relax_text {

struct FileContent {
  const ast::ClassDef* module = nullptr;  // the class under @I.ir_module
  std::vector<ast::StmtRef> functions;    // without one: the functions of the file
};

// Reads imports, metadata and type variables into `el`. Nothing when the file has no module, or
// more than one; that is diagnosed.
std::optional<FileContent> ReadFileContent(Elaboration& el, const ast::Module& file);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_RELAX_ELABORATE_FILE_H_
