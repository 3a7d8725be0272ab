/* Assembles lines of standard input and prints their bytes; mistakes with a caret under the place.
 *
 *   echo 's_add_u32 s0, s1, s2' | assemble gfx1100
 */
#include <gfxisa/gfxisa.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
  const int isa = gfxisa_find_isa(argc > 1 ? argv[1] : "");
  if (isa < 0) {
    fprintf(stderr, "usage: assemble ISA, where ISA is one of:");
    for (unsigned i = 0; i < gfxisa_isa_count(); ++i) fprintf(stderr, " %s", gfxisa_isa_name(i));
    fprintf(stderr, "\n");
    return 2;
  }
  int result = 0;
  char line[1024];
  while (fgets(line, sizeof line, stdin) != NULL) {
    const size_t length = strcspn(line, "\n");
    if (length == 0) continue;
    line[length] = '\0';
    gfxisa_instruction instruction;
    gfxisa_error error;
    if (gfxisa_assemble((unsigned)isa, line, length, NULL, &instruction, &error) != GFXISA_OK) {
      printf("%s\n%*s %s\n", line, (int)error.column, "^", error.message);
      result = 1;
      continue;
    }
    for (unsigned word = 0; word < instruction.size / 4u; ++word) printf("%08x ", (unsigned)instruction.words[word]);
    char text[256];
    gfxisa_format(&instruction, NULL, text, sizeof text);
    printf(" %s\n", text);
  }
  return result;
}
