// How many registers a slot is, where fields of the encoding say so.
#include <algorithm>

#include "base/suggest.h"
#include "core/evaluate.h"
#include "model/builder.h"

namespace gfxisa::model {

namespace {

constexpr u32 no_count = 64;  // this many and more: the fields do not go together
constexpr u32 most_count_bits = 12;
constexpr core::Type u32_type{core::TypeKind::unsigned_, 32};

bool is_on(ChipSet chips, u32 chip) { return (chips >> chip & 1) != 0; }

/// The names in an expression that stand for fields: all but functions and lists.
void collect_names(const lang::Expression& value, const Lists& lists, std::vector<const lang::Expression*>& names) {
  if (value.kind == lang::Expression::Kind::name) {
    const auto is_list = [&](const auto& list) {
      return list.first == value.text || '{' + list.first + '}' == value.text;
    };
    if (std::none_of(lists.begin(), lists.end(), is_list)) names.push_back(&value);
  }
  for (const lang::ExpressionPtr& argument : value.args) {
    if (argument) collect_names(*argument, lists, names);
  }
}

const Field* field_named(const Encoding& encoding, const std::string& name, FieldRole role, u32 chip) {
  for (const Field& field : encoding.fields) {
    if (field.name == name && field.role == role && is_on(field.chips, chip)) return &field;
  }
  return nullptr;
}

const Field* modifier_named(const Encoding& encoding, const std::string& name, u32 chip) {
  return field_named(encoding, name, FieldRole::modifier, chip);
}

bool has_operand_field(const Encoding& encoding, const std::string& name, u32 chip) {
  return field_named(encoding, name, FieldRole::operand, chip) != nullptr;
}

u8 count_for(const core::Body& body, const std::vector<u64>& values) {
  core::Environment environment;
  environment.slots.resize(body.slots.size());
  for (std::size_t i = 0; i < values.size(); ++i) environment.slots[i + 1] = core::wide_value(values[i]);
  const bool is_good = static_cast<bool>(core::run(body, environment));
  const u64 count = is_good && !environment.slots.empty() ? environment.slots[0][0] : 0;
  return static_cast<u8>(std::min<u64>(count, no_count));
}

}  // namespace

CountTable count_table(const Count& count, const Encoding& encoding, u32 chip) {
  CountTable table;
  table.otherwise = count.otherwise;
  u32 width = 0;
  std::vector<const Field*> sources;
  std::vector<u64> otherwise;  // the value of what is no modifier here
  for (const std::string& name : count.fields) {
    const Field* field = modifier_named(encoding, name, chip);
    sources.push_back(field);
    otherwise.push_back(has_operand_field(encoding, name, chip) ? 1 : 0);
    if (field == nullptr || width + field->width > most_count_bits) continue;
    table.fields.push_back(field);
    width += field->width;
  }
  for (const core::Body& body : count.groups) {
    std::vector<u8>& counts = table.groups.emplace_back();
    for (u32 index = 0; index < u32{1} << width; ++index) {
      std::vector<u64> values;
      u32 low = 0;
      for (std::size_t i = 0; i < sources.size(); ++i) {
        const Field* field = sources[i];
        const bool is_there = std::find(table.fields.begin(), table.fields.end(), field) != table.fields.end();
        values.push_back(is_there ? index >> low & low_ones(field->width) : otherwise[i]);
        if (is_there) low += field->width;
      }
      counts.push_back(count_for(body, values));
    }
  }
  return table;
}

u32 most_fields(const CountTable& table) {
  const auto is_used = [](const std::vector<u8>& counts) {
    return std::any_of(counts.begin(), counts.end(), [](u8 count) { return count != 0 && count < no_count; });
  };
  if (table.groups.size() != 1) {
    const auto last = std::find_if(table.groups.rbegin(), table.groups.rend(), is_used);
    return static_cast<u32>(table.groups.rend() - last);
  }
  u32 most = table.otherwise;
  for (const u8 count : table.groups.front()) most = count < no_count ? std::max<u32>(most, count) : most;
  return most;
}

const Count* count_of(const Instruction& instruction, const std::string& slot, u32 chip) {
  for (const Count& count : instruction.counts) {
    if (count.slot == slot && is_on(count.chips, chip)) return &count;
  }
  return nullptr;
}

FurtherFields further_fields(const Encoding& encoding, const std::string& slot, u32 chip) {
  FurtherFields further;
  for (u32 number = 1;; ++number) {
    const std::string alone = slot + '[' + std::to_string(number);
    const Field* next = nullptr;
    for (const Field& field : encoding.fields) {
      if (!is_on(field.chips, chip)) continue;
      for (const std::string& held : field.slots) {
        if (held != alone + ']' && held != alone + "..]") continue;
        next = &field;
        further.takes_rest = held != alone + ']';
      }
    }
    if (next == nullptr) return further;
    further.fields.push_back(next);
  }
}

void Builder::add_counts(Instruction& instruction, const Member& member) {
  for (const lang::Count& line : member.family->counts) add_count(instruction, line, member);
}

void Builder::add_count(Instruction& instruction, const lang::Count& line, const Member& member) {
  const auto is_slot = [&](const Slot& slot) { return slot.name == line.slot.text && slot.access != Access::imm; };
  if (std::none_of(instruction.slots.begin(), instruction.slots.end(), is_slot)) {
    std::vector<std::string_view> names;
    for (const Slot& slot : instruction.slots) names.push_back(slot.name);
    return fail(line.slot.at, "'" + line.slot.text + "' is no register slot of the family",
                suggestion(line.slot.text, names));
  }
  Count count;
  count.slot = line.slot.text;
  count.is_least = line.is_least;
  count.otherwise = line.otherwise;
  count.chips = resolve(line.on);
  for (const Count& other : instruction.counts) {
    if (other.slot == count.slot && (other.chips & count.chips) != 0)
      fail(line.at, "two counts of '" + count.slot + "' on " + chip_names(other.chips & count.chips));
  }
  std::vector<const lang::Expression*> names;
  for (const lang::ExpressionPtr& group : line.groups) collect_names(*group, member.lists, names);
  for (const lang::Expression* name : names) {
    if (std::find(count.fields.begin(), count.fields.end(), name->text) == count.fields.end())
      count.fields.push_back(name->text);
  }
  for (const lang::ExpressionPtr& group : line.groups) {
    const Location& at = group->at;
    count.source += count.source.empty() ? "" : ", ";
    count.source +=
        core::fill(std::string(sources_.line(at.source, at.line).substr(at.column - 1, at.length)), member.lists);
    count.groups.push_back(count_body(*group, count, member));
  }
  instruction.counts.push_back(std::move(count));
}

core::Body Builder::count_body(const lang::Expression& value, const Count& count, const Member& member) {
  const auto slot = [](std::string name, bool is_output) {
    core::SlotInfo info;
    info.name = std::move(name);
    info.type = u32_type;
    info.is_written = is_output;
    info.is_read = !is_output;
    return info;
  };
  lang::Function function;
  function.name = {"count", value.at};
  std::vector<core::SlotInfo> parameters{slot("d", true)};
  for (const std::string& field : count.fields) {
    function.parameters.push_back({field, value.at});
    parameters.push_back(slot(field, false));
  }
  lang::Statement result{};
  result.kind = lang::Statement::Kind::result;
  result.at = value.at;
  result.value = copy_of(value);
  function.block.push_back(std::move(result));
  core::Scope scope;
  scope.functions = &functions_;
  scope.lists = member.lists;
  return core::check_function(function, parameters, scope, diagnostics_);
}

// A name that no encoding of the instruction has as a field is a mistake.
void Builder::check_count_fields(const lang::Family& family, const Instruction& instruction,
                                 const std::vector<Form>& forms) {
  for (const Count& count : instruction.counts) {
    for (const std::string& name : count.fields) {
      const auto has_field = [&](const Form& form) {
        const Encoding& encoding = isa_.encodings[form.encoding];
        return modifier_named(encoding, name, form.chip) != nullptr || has_operand_field(encoding, name, form.chip);
      };
      if (std::any_of(forms.begin(), forms.end(), has_field)) continue;
      std::vector<std::string_view> names;
      for (const Form& form : forms) {
        for (const Field& field : isa_.encodings[form.encoding].fields) {
          if (field.role == FieldRole::modifier) names.push_back(field.name);
        }
      }
      for (const lang::Count& line : family.counts) {
        if (line.slot.text != count.slot || resolve(line.on) != count.chips) continue;
        fail(line.at, "no encoding of the instruction has a field '" + name + "'", suggestion(name, names));
      }
    }
  }
}

// An encoding with more fields for the registers of a slot is no use to an instruction that never fills them.
bool Builder::is_worthwhile(const Instruction& instruction, const Encoding& from, const Encoding& to, u32 chip) const {
  for (const Slot& slot : instruction.slots) {
    const std::size_t before = further_fields(from, slot.name, chip).fields.size();
    const std::size_t after = further_fields(to, slot.name, chip).fields.size();
    if (after <= before) continue;
    const Count* count = count_of(instruction, slot.name, chip);
    if (count == nullptr || most_fields(count_table(*count, to, chip)) <= before + 1) return false;
  }
  return true;
}

}  // namespace gfxisa::model
