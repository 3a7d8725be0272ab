.amdgcn_target "amdgcn-amd-amdhsa--gfx1100"
 .data
 .quad 1 + 2 * 3 << 1 | 0x100, -8>>1, 3==3, 3!=3, 1<2, 2&&4, 1||0, !5, !0, ~1, 7 % 4, -7/2, -7%3, 2<>3, 6 ! 1, 1+2&3, 10-2-3
 .quad 'a', 'a'+1, 0b101, 0x10, 017, 0xFFFFFFFFFFFFFFFF, 18446744073709551615
 .if 1 == 1
 .byte 0x55
 .endif
1: .byte 1
 .quad 1b, 1f-1b, . - 1b
1:
 .float 1.5, -0x1p3
 .double 1e3
 .fill 3, 8, 0x123456789a
 .fill 2, 2, 0x12345
 .fill 4
 .short 0x12345&0xffff
 .ascii "a\tb\n\101\x41\\\"", "c"
 .asciz "x"
 .string "y"
 .zero 3
 .zero 2, 7
 .space 2, 0xff
 .skip 1
 .octa 0x112233445566778899aabbccddeeff00
 .uleb128 624485
 .sleb128 -123456
 .balign 8, 0xaa
 .align 4
 .p2align 3,,2
 .org 0x300
 .byte 9
