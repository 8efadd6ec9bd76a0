/* What gcc leaves out of an engine: a long function, or many, with jumps between many pieces of
 * code. It is included first.
 *
 * Eliminating common expressions and stores across those jumps, loading before a branch what both
 * ways load, making vectors of the fields of a token, and choosing registers for parts of a
 * function alone, costs an engine registers that it needs more: a sixth of the interpreter's
 * speed. What pointers may point to, and where a debugger finds variables, is half of the time it
 * takes to compile, and changes nothing. */
#ifndef ISA_FIRE_GCC_H
#define ISA_FIRE_GCC_H

#if defined __GNUC__ && !defined __clang__
#pragma GCC optimize("no-gcse", "no-tree-pre", "no-code-hoisting", "no-tree-dse")
#pragma GCC optimize("no-tree-slp-vectorize", "no-tree-pta", "ira-region=one")
#pragma GCC optimize("no-var-tracking", "no-var-tracking-assignments")
#endif

#endif
