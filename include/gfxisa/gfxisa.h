/* gfxisa: decode, encode, assemble, format and query instructions of AMD GPUs.
 *
 * The instruction sets are CDNA 1 to 5 and RDNA 1, 2, 3, 3.5 and 4; a function takes the number of one
 * (gfxisa_find_isa).
 *
 * Threads   All functions may be called from any number of threads at once. There is nothing to set up or tear down.
 * Memory    The caller owns every structure and buffer it passes. `const char *` in results points to constant text of
 * the library, valid as long as it is loaded. gfxisa_decode, gfxisa_second and gfxisa_describe do not allocate. Errors
 * are values of gfxisa_status; functions that read text also fill in a gfxisa_error. Nothing is thrown or printed.
 * Numbers   Sizes and offsets are bytes unless a name says bits; bit 0 is the lowest bit of the first word. Words are
 * little-endian. Versions  Structures grow only with the major version. Form numbers hold within one build of the
 * library: do not store them.
 */
#ifndef GFXISA_GFXISA_H
#define GFXISA_GFXISA_H

#include <stddef.h>
#include <stdint.h>

#if defined(_WIN32)
#define GFXISA_API
#else
#define GFXISA_API __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef enum gfxisa_status {
  GFXISA_OK = 0,
  GFXISA_TRUNCATED = 1,        /* the bytes end before the instruction does */
  GFXISA_UNKNOWN_ENCODING = 2, /* no encoding of the set has these fixed bits */
  GFXISA_UNKNOWN_OPCODE = 3,   /* the encoding has no such opcode in this set */
  GFXISA_BAD_OPERAND = 4,      /* a field holds what the instruction does not take there */
  GFXISA_BAD_SUFFIX = 5,       /* the instruction does not take the word that follows (literal, DPP, SDWA) */
  GFXISA_BAD_ARGUMENT = 6,     /* a number out of range, or a null pointer, passed to a function */
  GFXISA_REFUSED = 7,          /* text or values that make no instruction: see gfxisa_error */
  GFXISA_NO_MEMORY = 8
} gfxisa_status;

/* A decoded, encoded or assembled instruction: plain data, copied freely. Read it with gfxisa_describe. */
typedef struct gfxisa_instruction {
  uint32_t words[6];   /* in memory order; those behind the instruction are 0 */
  uint32_t form;       /* number of the instruction in its encoding and set */
  uint16_t suffix;     /* library's number of the word that follows (literal, DPP, SDWA); 0xffff none */
  uint8_t suffix_word; /* where it starts, in words */
  uint8_t size;        /* bytes */
  uint8_t isa;
  uint8_t reserved[3];
} gfxisa_instruction;

typedef struct gfxisa_error {
  uint32_t column; /* of a line of text, from 1; 0 when it has no place */
  char message[256];
  char hint[256]; /* what would have been right; may be empty */
} gfxisa_error;

/* ---------------------------------------------------------------------------------------------------- instruction sets
 */

GFXISA_API const char* gfxisa_version(void);
GFXISA_API unsigned gfxisa_isa_count(void);
/* By name (`cdna3`, `rdna3.5`) or processor (`gfx942`); -1 when there is no such. */
GFXISA_API int gfxisa_find_isa(const char* name);
/* Null for a number out of range. */
GFXISA_API const char* gfxisa_isa_name(unsigned isa);
GFXISA_API const char* gfxisa_isa_title(unsigned isa);
/* Name of a status, and what it means, in words. */
GFXISA_API const char* gfxisa_status_text(gfxisa_status status);

/* ---------------------------------------------------------------------------------------------------- bytes */

/* Decodes the instruction at `bytes`, of which at most `size` are read. On failure `out->size` is how many bytes to
 * skip to try again (0 only for size 0), and for GFXISA_BAD_OPERAND and GFXISA_BAD_SUFFIX the rest says what was known.
 */
GFXISA_API gfxisa_status gfxisa_decode(unsigned isa, const void* bytes, size_t size, gfxisa_instruction* out);
/* What is wrong with the bytes, with the operand that is at fault. Returns the length of the whole text, as snprintf
 * does. */
GFXISA_API size_t gfxisa_explain(unsigned isa, const void* bytes, size_t size, char* buffer, size_t capacity);
/* The second of two operations in one instruction (VOPD): 1, and `out` is it over the same words; 0 when there is none.
 */
GFXISA_API int gfxisa_second(const gfxisa_instruction* instruction, gfxisa_instruction* out);

/* ---------------------------------------------------------------------------------------------------- text */

typedef struct gfxisa_options {
  unsigned wave_size; /* 32 or 64: width of masks; 0: 32 where the set has it */
} gfxisa_options;

/* LLVM's text of an instruction. Writes at most `capacity` bytes with the NUL and returns the length of the whole text,
 * as snprintf does; 0 for what is no instruction. `options` may be null, here and below. */
GFXISA_API size_t gfxisa_format(const gfxisa_instruction* instruction, const gfxisa_options* options, char* buffer,
                                size_t capacity);
/* One line of assembly without labels or directives. `error` may be null. */
GFXISA_API gfxisa_status gfxisa_assemble(unsigned isa, const char* text, size_t length, const gfxisa_options* options,
                                         gfxisa_instruction* out, gfxisa_error* error);

/* ---------------------------------------------------------------------------------------------------- query */

enum { GFXISA_READ = 1, GFXISA_WRITE = 2 };

typedef enum gfxisa_operand_kind {
  GFXISA_REGISTER = 0, /* registers, or a value that reads like one (src_shared_base) */
  GFXISA_CONSTANT = 1, /* an inline constant */
  GFXISA_LITERAL = 2,  /* a constant in a word of its own */
  GFXISA_IMMEDIATE = 3 /* a number in a field */
} gfxisa_operand_kind;

typedef enum gfxisa_register_class {
  GFXISA_NO_CLASS = 0,
  GFXISA_SGPR = 1,
  GFXISA_VGPR = 2,
  GFXISA_AGPR = 3,
  GFXISA_TTMP = 4,
  GFXISA_SPECIAL = 5 /* vcc, exec, m0, null, flat_scratch, src_scc, ...: see name */
} gfxisa_register_class;

typedef struct gfxisa_operand {
  const char* role;  /* d: result, sd: second, scalar result, a b c: sources, addr data base offset ...: as the pages
                        name them */
  const char* field; /* of the encoding or of the suffix; null when no field holds it (vcc of a carry) */
  const char* type;  /* data format (f32, b64, mask), or how an immediate is written (i16, label, hwreg) */
  const char* name;  /* of a special register (`vcc`), else "" */
  uint64_t value; /* constants: the bits that the instruction reads; immediates: the number, sign-extended when it has a
                     sign */
  uint32_t first; /* number of the first register; of a special pair 0 low or 1 high word */
  uint16_t count; /* registers of 32 bits */
  uint16_t bits;  /* width of the value in a lane; of a mask the size of the wave */
  uint16_t code;  /* register code, as fields of nine bits hold it; accumulation registers from 512 */
  uint8_t kind;   /* gfxisa_operand_kind */
  uint8_t access; /* GFXISA_READ | GFXISA_WRITE; 0 for immediates */
  uint8_t register_class;
  uint8_t is_implicit;                               /* no bits of the instruction choose it */
  uint8_t is_negated, is_absolute, is_sign_extended; /* modifiers of a source */
  uint8_t is_high_half;                              /* bits [31:16] of a vector register */
} gfxisa_operand;

typedef struct gfxisa_field {
  const char* name; /* "" for fixed and unassigned bits */
  uint64_t value;
  uint8_t low, width; /* bits [low + width - 1 : low] of the instruction, or of the suffix */
  uint8_t in_suffix;
  uint8_t role; /* gfxisa_field_role */
} gfxisa_field;

typedef enum gfxisa_field_role {
  GFXISA_FIELD_CONSTANT = 0,
  GFXISA_FIELD_OPCODE = 1,
  GFXISA_FIELD_UNUSED = 2,
  GFXISA_FIELD_OPERAND = 3,
  GFXISA_FIELD_MODIFIER = 4
} gfxisa_field_role;

/* What is read or written although no operand says so: scc, vcc, exec, m0, mode, flat_scratch, pc. */
typedef struct gfxisa_implicit {
  const char* name;
  uint8_t access;
} gfxisa_implicit;

typedef enum gfxisa_fidelity { GFXISA_EXACT = 0, GFXISA_APPROXIMATE = 1, GFXISA_NOT_EXECUTABLE = 2 } gfxisa_fidelity;

enum { GFXISA_MAX_OPERANDS = 32, GFXISA_MAX_FIELDS = 64, GFXISA_MAX_IMPLICIT = 16 };

typedef struct gfxisa_details {
  const char* mnemonic; /* in this set, without the suffix of an encoding */
  const char* name;     /* the same instruction in all sets */
  const char *encoding, *encoding_title;
  const char* suffix;   /* name of the word that follows (LITERAL, DPP16, SDWA), or null */
  const char* category; /* `Scalar arithmetic` */
  const char* summary;  /* a sentence */
  const char* fidelity_reason;
  uint8_t fidelity; /* gfxisa_fidelity: how exactly gfxisa executes it */
  uint8_t is_branch;
  uint16_t opcode;
  int64_t branch_distance; /* is_branch: from the instruction's own address to where it goes */
  uint32_t operand_count, field_count, implicit_count;
  gfxisa_operand operands[GFXISA_MAX_OPERANDS]; /* in the order of the text */
  gfxisa_field fields[GFXISA_MAX_FIELDS];       /* from high to low bits; then those of the suffix */
  gfxisa_implicit implicit[GFXISA_MAX_IMPLICIT];
} gfxisa_details;

GFXISA_API gfxisa_status gfxisa_describe(const gfxisa_instruction* instruction, const gfxisa_options* options,
                                         gfxisa_details* out);

/* ---------------------------------------------------------------------------------------------------- encode */

/* The forms of a mnemonic (`v_add_f32`, also with `_e32`, `_e64`) in a set, the shortest first. Returns how many there
 * are and writes at most `capacity` of them. */
GFXISA_API size_t gfxisa_find_forms(unsigned isa, const char* mnemonic, uint32_t* forms, size_t capacity);
/* A form with all operands 0, to look at with gfxisa_describe: what roles and fields there are. */
GFXISA_API gfxisa_status gfxisa_form(uint32_t form, gfxisa_instruction* out);
/* Register code of `s5`, `v[2:3]`, `vcc`, `a0`; -1 when the set has no such register. */
GFXISA_API int gfxisa_register_code(unsigned isa, const char* name);

typedef enum gfxisa_value_kind {
  GFXISA_VALUE_CODE = 0,     /* a register code, inline constants included */
  GFXISA_VALUE_CONSTANT = 1, /* bits in the operand's own format: inline when there is one, else a literal */
  GFXISA_VALUE_LITERAL = 2,  /* a literal even where an inline constant would do */
  GFXISA_VALUE_IMMEDIATE = 3 /* a number for an immediate field, negative ones sign-extended */
} gfxisa_value_kind;

typedef struct gfxisa_operand_value {
  const char* role;
  gfxisa_value_kind kind;
  uint64_t value;
} gfxisa_operand_value;

typedef struct gfxisa_field_value {
  const char* name; /* a modifier field of the encoding or suffix: `clamp`, `dpp_ctrl` */
  uint64_t value;
} gfxisa_field_value;

/* Builds an instruction. `suffix` is null, or the name of the word that follows (`DPP16`, `SDWA`); a literal comes by
 * itself. Operands not given are 0, fields not given have their defaults. `error` may be null. */
GFXISA_API gfxisa_status gfxisa_encode(uint32_t form, const char* suffix, const gfxisa_operand_value* operands,
                                       size_t operand_count, const gfxisa_field_value* fields, size_t field_count,
                                       gfxisa_instruction* out, gfxisa_error* error);

#ifdef __cplusplus
}
#endif

#endif
