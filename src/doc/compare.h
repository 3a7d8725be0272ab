// How one form is encoded against another: the words of "same in" and "differs in".
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "inst/tables.h"

namespace gfxisa {

/// The name of a field as manuals write it: SDST.
std::string upper(std::string_view text);

/// Index of a form of `instruction` on `chip`, preferably in the encoding named `encoding_name`; -1 when the chip has
/// none.
int form_on_chip(unsigned instruction, unsigned chip, std::string_view encoding_name);

/// Every difference of `there` from `here`, in plain words; empty when both are encoded the same.
std::vector<std::string> encoding_differences(const FormRow& here, const FormRow& there);

/// Fields of an encoding, from high to low.
std::vector<const FieldRow*> fields_high_to_low(const EncodingRow& encoding);

/// The encoding's fixed bits with the form's opcode, operands and modifiers all zero; one entry a 32-bit word.
std::vector<u32> identifier_words(const FormRow& form);

}  // namespace gfxisa
