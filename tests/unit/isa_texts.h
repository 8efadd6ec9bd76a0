/* Shared by tests of isa/: assembly texts of small programs, reading with diagnostics. */
#ifndef TESTS_UNIT_ISA_TEXTS_H
#define TESTS_UNIT_ISA_TEXTS_H

#include "isa/check/check.h"
#include "isa/format/asm.h"
#include "isa/format/image.h"
#include "lib/memory.h"
#include "tests/unit/main.h"

#include <stdio.h>
#include <stdlib.h>

/* Paper 1, figure 2: result = fact(3) + 5
 *                    fact(n) = if n == 1 then n else n * fact(n - 1) */
static const char factorial_functions[] =
    "hiaton assembly 1\n"
    "stage functions\n"
    "source \"factorial.df\"\n"
    "function 0 result () -> (int)  @1:1+6\n"
    "function 1 fact (int) -> (int)  @2:1+4\n"
    "site 0 result -> fact  @1:10+4\n"
    "site 1 fact -> fact  @2:37+4\n"
    "\n"
    "in result\n"
    "  %0   apply 3, site 0       -> %1.0               @1:10+4\n"
    "  %1   add.int _, 5          -> %2.0               @1:18\n"
    "  %2   output.int _, part 0\n"
    "\n"
    "in fact\n"
    "  %3   param.int param 0     -> %4.0, %5.0         @2:6\n"
    "  %4   eq.int _, 1           -> %5.1               @2:16+2\n"
    "  %5   switch.int _, _       -> %9.0 | %6.0, %8.0  @2:11+2\n"
    "  %6   sub.int _, 1          -> %7.0               @2:44\n"
    "  %7   apply _, site 1       -> %8.1               @2:37+4\n"
    "  %8   mul.int _, _          -> %9.0               @2:35\n"
    "  %9   mergeif.int _         -> %10.0              @2:11+2\n"
    "  %10  result.int _, part 0\n";

/* Paper 1, figure 3: the static graph that section 3 makes of figure 2. */
static const char factorial_static[] =
    "hiaton assembly 1\n"
    "stage static\n"
    "function 0 result () -> (int)\n"
    "function 1 fact (int) -> (int)\n"
    "site 0 result -> fact\n"
    "site 1 fact -> fact\n"
    "\n"
    "in result\n"
    "  %0   call.int 3, site 0, param 0      -> %4.0 | %1.1\n"
    "  %1   return.int _, _, site 0, part 0  -> %2.0\n"
    "  %2   add.int _, 5                     -> %3.0\n"
    "  %3   output.int _, part 0\n"
    "\n"
    "in fact\n"
    "  %4   merge.int _                      -> %5.0, %6.0\n"
    "  %5   eq.int _, 1                      -> %6.1\n"
    "  %6   switch.int _, _                  -> %11.0 | %7.0, %10.0\n"
    "  %7   sub.int _, 1                     -> %8.0\n"
    "  %8   call.int _, site 1, param 0      -> %4.0 | %9.1\n"
    "  %9   return.int _, _, site 1, part 0  -> %10.1\n"
    "  %10  mul.int _, _                     -> %11.0\n"
    "  %11  mergeif.int _                    -> %1.0, %9.0\n";

/* A static graph with inputs, cells, several parameters and results. */
static const char divmod_static[] =
    "hiaton assembly 1\n"
    "stage static\n"
    "source \"divmod.df\"\n"
    "input 0 n int = 17\n"
    "input 1 scale real = 2.5\n"
    "cell 0 limit int\n"
    "function 0 result () -> (int, real, bool)  @5:1+6\n"
    "function 1 divmod (int, int) -> (int, int) strand 4  @4:1+6\n"
    "site 0 result -> divmod  @5:23+6\n"
    "site 1 divmod -> divmod  @4:59+6\n"
    "\n"
    "in result\n"
    "  %0   const.int $n                     -> %1.0                 @3:11\n"
    "  %1   mul.int _, 2                     -> %2.0                 @3:11\n"
    "  %2   write.int _, cell limit                                  @3:1+5\n"
    "  %3   read.int cell limit              -> %4.0                 @5:30+5\n"
    "  %4   call.int _, site 0, param 0      -> %16.0 | %6.0         @5:23+6\n"
    "  %5   call.int 5, site 0, param 1      -> %17.0 | %6.1         @5:23+6\n"
    "  %6   join _, _, site 0                -> %7.1, %8.1           @5:23+6\n"
    "  %7   return.int _, _, site 0, part 0  -> %13.0                @5:23+6\n"
    "  %8   return.int _, _, site 0, part 1  -> %9.0                 @5:23+6\n"
    "  %9   real.int _                       -> %10.0                @5:47+4\n"
    "  %10  mul.real _, $scale               -> %14.0                @5:55\n"
    "  %11  read.int cell limit              -> %12.0                @5:64+5\n"
    "  %12  gt.int _, 3                      -> %15.0                @5:70\n"
    "  %13  output.int _, part 0                                     @5:1+6\n"
    "  %14  output.real _, part 1                                    @5:1+6\n"
    "  %15  output.bool _, part 2                                    @5:1+6\n"
    "\n"
    "in divmod\n"
    "  %16  merge.int _                      -> %18.0, %21.0         @4:8\n"
    "  %17  merge.int _                      -> %18.1, %22.0         @4:11\n"
    "  %18  lt.int _, _                      -> %19.1, %21.1, %22.1  @4:21\n"
    "  %19  switch.bool true, _              -> %20.0 | -            @4:31+5\n"
    "  %20  read.int _, cell limit           -> %30.0                @4:31+5\n"
    "  %21  switch.int _, _                  -> %31.0 | %23.0        @4:16+2\n"
    "  %22  switch.int _, _                  -> - | %23.1, %25.0     @4:16+2\n"
    "  %23  sub.int _, _                     -> %24.0                @4:68\n"
    "  %24  call.int _, site 1, param 0      -> %16.0 | %26.0        @4:59+6\n"
    "  %25  call.int _, site 1, param 1      -> %17.0 | %26.1        @4:59+6\n"
    "  %26  join _, _, site 1                -> %27.1, %28.1         @4:59+6\n"
    "  %27  return.int _, _, site 1, part 0  -> %29.0                @4:59+6\n"
    "  %28  return.int _, _, site 1, part 1  -> %31.0                @4:59+6\n"
    "  %29  add.int _, 1                     -> %30.0                @4:82\n"
    "  %30  mergeif.int _                    -> %7.0, %27.0          @4:16+2\n"
    "  %31  mergeif.int _                    -> %8.0, %28.0          @4:16+2\n";

/* result = loop i = 0, s = 0 while i < 10 do i + 1, s + i return s, with bound 3. A loop is the
 * same at both stages. */
#define SUM_AT(stage)                                                                    \
    "hiaton assembly 1\n"                                                                \
    "stage " stage "\n"                                                                  \
    "source \"sum.df\"\n"                                                                \
    "function 0 result () -> (int)  @1:1+6\n"                                            \
    "loop 1 result.loop (int, int) -> (int) bound 3  @1:10+4\n"                          \
    "site 0 result -> result.loop  @1:10+4\n"                                            \
    "\n"                                                                                 \
    "in result\n"                                                                        \
    "  %0   enter.int 0, site 0, param 0  -> %1.0            @1:15\n"                    \
    "\n"                                                                                 \
    "in result.loop\n"                                                                   \
    "  %1   merge.int _                   -> %4.0, %5.0      @1:15\n"                    \
    "\n"                                                                                 \
    "in result\n"                                                                        \
    "  %2   enter.int 0, site 0, param 1  -> %3.0            @1:22\n"                    \
    "\n"                                                                                 \
    "in result.loop\n"                                                                   \
    "  %3   merge.int _                   -> %8.0            @1:22\n"                    \
    "  %4   lt.int _, 10                  -> %5.1, %8.1      @2:10\n"                    \
    "  %5   switch.int _, _               -> %6.0, %9.1 | -  @1:10+4\n"                  \
    "  %6   add.int _, 1                  -> %7.0            @2:20\n"                    \
    "  %7   next.int _, site 0, param 0   -> %1.0            @2:20\n"                    \
    "  %8   switch.int _, _               -> %9.0 | %11.0    @1:10+4\n"                  \
    "  %9   add.int _, _                  -> %10.0           @2:27\n"                    \
    "  %10  next.int _, site 0, param 1   -> %3.0            @2:27\n"                    \
    "  %11  exit.int _, site 0, part 0    -> %12.0           @1:22\n"                    \
    "\n"                                                                                 \
    "in result\n"                                                                        \
    "  %12  output.int _, part 0                             @1:1+6\n"

static const char sum_functions[] = SUM_AT("functions");
static const char sum_static[] = SUM_AT("static");

/* input k = 3 a = tensor([true, false, true]) result = (select(a, tensor([7, -1,
 * 9223372036854775807], int), k), array(tensor(true)), real(tensor([1, 2], int)),
 *     reduce_sum(tensor([1, 2], int))); and what no program of the language leaves without use */
static const char elements_static[] =
    "hiaton assembly 1\n"
    "stage static\n"
    "source \"elements.df\"\n"
    "input 0 k int = 3\n"
    "tensor 0 a bool[3] = true, false, true\n"
    "tensor 1 literal int[3] = 7, -1, 9223372036854775807\n"
    "tensor 2 literal int[2] = 1, 2\n"
    "tensor 3 literal int[0] =\n"
    "function 0 result () -> (tensor, bool, tensor, int)\n"
    "\n"
    "in result\n"
    "  %0   load constant 0              -> %2.0, %4.0\n"
    "  %1   load constant 1              -> %2.1\n"
    "  %2   combine _, _, kernel when    -> %5.0\n"
    "  %3   scalar.int $k                -> %4.1\n"
    "  %4   combine _, _, kernel unless  -> %5.1\n"
    "  %5   combine _, _, kernel add     -> %12.0\n"
    "  %6   scalar.bool true             -> %7.0\n"
    "  %7   item.bool _, 0               -> %13.0\n"
    "  %8   load constant 2              -> %9.0, %10.0\n"
    "  %9   map _, kernel to_real        -> %14.0\n"
    "  %10  map _, kernel reduce_sum     -> %11.0\n"
    "  %11  item.int _, 0                -> %15.0\n"
    "  %12  output.tensor _, part 0\n"
    "  %13  output.bool _, part 1\n"
    "  %14  output.tensor _, part 2\n"
    "  %15  output.int _, part 3\n"
    "  %16  scalar.real32 0.5            -> %17.0, %17.1\n"
    "  %17  vector _, _                  -> %18.0, %18.1\n"
    "  %18  pair _, _                    -> -\n"
    "  %19  scalar.int 3                 -> %20.0\n"
    "  %20  shape _                      -> %21.0\n"
    "  %21  shape _                      -> -\n";

/* All opcodes on tensors, tensors in the graph, kernels with and without an axis. */
static const char tensors_static[] =
    "hiaton assembly 1\n"
    "stage static\n"
    "source \"tensors.df\"\n"
    "input 0 n int = 2\n"
    "cell 0 w tensor\n"
    "cell 1 a tensor\n"
    "tensor 0 literal real[2, 2] = 1.0, -0.0, 0.1, 2.5\n"
    "function 0 result () -> (tensor, [tensor], tensor, int, real, [int])  @4:1+6\n"
    "\n"
    "in result\n"
    "  %0   number $n                       -> %2.0                 @2:7\n"
    "  %1   number 2                        -> %2.1                 @2:7\n"
    "  %2   combine _, _, kernel concat.0   -> %8.0                 @2:7\n"
    "  %3   scalar -1.0                     -> %4.0                 @2:28+4\n"
    "  %4   map _, kernel lift.0            -> %7.0                 @2:28+4\n"
    "  %5   scalar 1.0                      -> %6.0                 @2:34+3\n"
    "  %6   map _, kernel lift.0            -> %7.1                 @2:34+3\n"
    "  %7   combine _, _, kernel concat.0   -> %8.1                 @2:34+3\n"
    "  %8   combine _, _, kernel uniform.1  -> %9.0                 @2:7\n"
    "  %9   write.tensor _, cell w                                  @2:7\n"
    "  %10  load constant 0                 -> %11.0                @3:12\n"
    "  %11  write.tensor _, cell a                                  @3:1\n"
    "  %12  read.tensor cell w              -> %14.0                @4:22\n"
    "  %13  read.tensor cell a              -> %14.1                @4:26\n"
    "  %14  combine _, _, kernel add        -> %15.0                @4:24\n"
    "  %15  map _, kernel reduce_sum.1      -> %36.0                @4:11+10\n"
    "  %16  alloc.tensor 1                  -> %19.0, %37.0         @4:33\n"
    "  %17  read.tensor cell a              -> %18.0                @4:39\n"
    "  %18  map _, kernel relu              -> %20.1                @4:34+4\n"
    "  %19  index.tensor _, 0               -> %20.0                @4:34+4\n"
    "  %20  store.tensor _, _                                       @4:34+4\n"
    "  %21  read.tensor cell a              -> %22.0                @4:51\n"
    "  %22  map _, kernel to_real32         -> %38.0                @4:44+6\n"
    "  %23  read.tensor cell w              -> %25.0, %28.0         @4:61\n"
    "  %24  alloc.int 2                     -> %26.0, %29.0, %31.0  @4:55+5\n"
    "  %25  dim _, 0                        -> %27.1                @4:55+5\n"
    "  %26  index.int _, 0                  -> %27.0                @4:55+5\n"
    "  %27  store.int _, _                                          @4:55+5\n"
    "  %28  dim _, 1                        -> %30.1                @4:55+5\n"
    "  %29  index.int _, 1                  -> %30.0                @4:55+5\n"
    "  %30  store.int _, _                                          @4:55+5\n"
    "  %31  index.int _, 0                  -> %32.0                @4:63\n"
    "  %32  fetch.int _                     -> %39.0                @4:63\n"
    "  %33  read.tensor cell a              -> %34.0                @4:79\n"
    "  %34  map _, kernel reduce_max        -> %35.0                @4:68+10\n"
    "  %35  item _, 0                       -> %40.0                @4:68+10\n"
    "  %36  output.tensor _, part 0                                 @4:1+6\n"
    "  %37  output.[tensor] _, part 1                               @4:1+6\n"
    "  %38  output.tensor _, part 2                                 @4:1+6\n"
    "  %39  output.int _, part 3                                    @4:1+6\n"
    "  %40  output.real _, part 4                                   @4:1+6\n"
    "  %41  load constant 0                 -> %42.0                @4:84\n"
    "  %42  row.int _, 1                    -> %43.0                @4:84+5\n"
    "  %43  output.[int] _, part 5                                  @4:1+6\n";

/* A loop with two constants: s becomes k - s, n times. */
static const char held_static[] =
    "hiaton assembly 1\n"
    "stage static\n"
    "source \"held.df\"\n"
    "input 0 n int = 5\n"
    "function 0 result () -> (int)  @1:1+6\n"
    "loop 1 result.loop (int, int) -> (int) held (int, int) bound 3  @1:10+4\n"
    "site 0 result -> result.loop  @1:10+4\n"
    "\n"
    "in result\n"
    "  %0   enter.int 0, site 0, param 0  -> %4.0\n"
    "  %1   enter.int 0, site 0, param 1  -> %6.0\n"
    "  %2   hold.int $n, site 0, part 0\n"
    "  %3   hold.int 7, site 0, part 1\n"
    "\n"
    "in result.loop\n"
    "  %4   merge.int _                   -> %5.0, %7.0\n"
    "  %5   lt.int _, held 0              -> %7.1, %10.1\n"
    "  %6   merge.int _                   -> %10.0\n"
    "  %7   switch.int _, _               -> %8.0 | -\n"
    "  %8   add.int _, 1                  -> %9.0\n"
    "  %9   next.int _, site 0, param 0   -> %4.0\n"
    "  %10  switch.int _, _               -> %11.1 | %13.0\n"
    "  %11  sub.int held 1, _             -> %12.0          @2:5\n"
    "  %12  next.int _, site 0, param 1   -> %6.0\n"
    "  %13  exit.int _, site 0, part 0    -> %14.0\n"
    "\n"
    "in result\n"
    "  %14  output.int _, part 0\n";

/* Arrays of each kind of type; one is in brackets in the result. */
static const char arrays_image[] =
    "hiaton assembly 1\n"
    "stage image\n"
    "cell 0 xs [[bool]]\n"
    "function 0 result () -> ([int], [[real]], int)\n"
    "shape \"([_], ([[_]]), _)\"\n"
    "\n"
    "in result\n"
    "  %0   alloc.int 3                -> %6.0, %1.0, %4.0\n"
    "  %1   index.int _, 2             -> %2.0, %3.0\n"
    "  %2   store.int _, 7\n"
    "  %3   fetch.int _                -> %10.0\n"
    "  %4   length.int _               -> %5.1\n"
    "  %5   extent.int 1, _            -> -\n"
    "  %6   switch.[int] _, true       -> %7.0 | -\n"
    "  %7   output.[int] _, part 0\n"
    "  %8   alloc.[real] 2             -> %9.0\n"
    "  %9   output.[[real]] _, part 1\n"
    "  %10  output.int _, part 2\n"
    "  %11  alloc.[bool] 0             -> %12.0\n"
    "  %12  write.[[bool]] _, cell xs\n";

static const char ports_image[] =
    "hiaton assembly 1\n"
    "stage image\n"
    "function 0 result () -> (int, [real], [bool])\n"
    "port 0 in xs (int, tensor real 2)\n"
    "port 1 out ys (real)\n"
    "port 2 in zs (bool)\n"
    "port 3 out \"the last\" (bool)  @3:9+2\n"
    "\n"
    "in result\n"
    "  %0   port.int array 0           -> %1.0, %3.0, %8.0\n"
    "  %1   more.int _, 1              -> -\n"
    "  %2   port.bool array 2          -> %7.0\n"
    "  %3   index.int _, 1             -> %4.0\n"
    "  %4   fetch.int _                -> %6.0\n"
    "  %5   open.real array 1          -> %9.0\n"
    "  %6   output.int _, part 0\n"
    "  %7   output.[bool] _, part 2\n"
    "  %8   open.bool _, array 2       -> -\n"
    "  %9   output.[real] _, part 1\n";

static inline struct lib_source test_source(const char *bytes, size_t length)
{
    return (struct lib_source){"test.asm", bytes, length};
}

/* Reads an assembly text, which must be legal. */
static inline struct isa_graph *test_read(const char *text)
{
    struct lib_source source = test_source(text, strlen(text));
    struct lib_diags diags = {0};
    struct lib_text messages = {0};
    struct isa_graph *graph = isa_asm_read(&source, &diags);
    lib_diags_write(&diags, &messages);
    ck_assert_msg(graph != NULL, "%s%s", text, lib_text_get(&messages));
    ck_assert_uint_eq(diags.errors, 0);
    lib_text_free(&messages);
    lib_diags_free(&diags);
    return graph;
}

/* Returns a copy of the text in which the first `from` is replaced by `to`. The caller frees it. */
static inline char *test_replace(const char *text, const char *from, const char *to)
{
    const char *at = strstr(text, from);
    ck_assert_msg(at != NULL, "no '%s' in the text", from);
    char *result = lib_mem_new(strlen(text) + strlen(to) + 1);
    sprintf(result, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
    return result;
}

#endif
