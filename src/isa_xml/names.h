// Which of our names the vendor's stand for: data/isa_xml.ref.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/types.h"

namespace gfxisa::isa_xml {

/// `VOP3_VOP_DPP16`: the encodings VOP3 and VOP3_..., followed by DPP16.
struct EncodingName {
  std::string group;
  std::string suffix;                    ///< empty: the encoding alone
  std::string written_for, written_now;  ///< beginnings of mnemonics: the XML's `flat_` is our `global_`
};
EncodingName encoding_name(std::string_view official);

/// Whether our encoding belongs to a group: VOP3P_MFMA to VOP3P.
bool is_in_group(std::string_view encoding, std::string_view group);

/// A field's name without what is written in different ways (`_`, case), and with one word for what has several.
std::string official_field_key(std::string_view name);
std::string our_field_key(std::string_view name);
/// Where in our field that one begins, if it is only a part of ours; -1 for others.
int place_in_field(std::string_view name);

/// Our data formats that an official one may be; empty where it says nothing about the value.
std::vector<std::string> format_names(std::string_view official);

/// Our table of the parts of an immediate of that type: `waitcnt`, `depctr`; empty where we have none.
std::string immediate_table(std::string_view type);
/// A part's name as both sides can write it: VA_VDST and depctr_va_vdst, LGKM and lgkmcnt.
std::string immediate_part_key(std::string_view name);

/// The register that an operand without a field stands for (scc, vcc, exec, m0, pc); empty for others.
std::string implied_register(std::string_view type);

std::string lower_case(std::string_view text);

}  // namespace gfxisa::isa_xml
