// Pieces of HTML that all pages share.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "doc/page.h"

namespace gfxisa::site {

/// `text` with the characters that mean something in HTML written out.
std::string escape(std::string_view text);
/// A mnemonic that may break behind its underscores, where it is too long for its column.
std::string breakable(std::string_view mnemonic);
/// The file name of an instruction's folder: its mnemonic.
std::string instruction_link(std::string_view root, std::string_view mnemonic, std::string_view chip = {});
std::string pluralised(std::size_t count, std::string_view noun);

/// The bit layout as SVG, a row a word. Fields in `operands` are drawn as operands, others as modifiers.
std::string layout_svg(std::span<const PageField> fields, unsigned bits, const std::vector<std::string>& operands,
                       std::string_view label);

/// The page around `main`; `root` leads from the page to the site's folder (`../../`), `here` is the entry of the menu.
struct PageFrame {
  std::string root, title, description, here, main, scripts;
};
std::string framed(const PageFrame& frame);

/// Contents that several generations share, each shown once.
class Panels {
 public:
  void add(unsigned chip, std::string html);
  /// A tab a generation, those without content switched off; then the contents.
  std::string html(std::string_view label) const;

 private:
  struct Panel {
    std::vector<unsigned> chips;
    std::string html;
  };
  std::vector<Panel> panels_;
};

}  // namespace gfxisa::site
