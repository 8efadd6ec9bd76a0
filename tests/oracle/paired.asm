hiaton assembly 1
# A gradient that is paired with its function: early RETURNs (grad.mode=paired). Made of:
#   result = (grad(f, 1.5, 3), grad(g, 0.5, 2))
#   f(x, n) = if n == 0 then x * x else (if x > 1.0 then x * f(x * 0.5, n - 1) else sin(f(x + 1.0, n - 1)) * x)
#   g(x, n) = loop i = 0, s = x while i < n do i + 1, s * f(s, 1) return s
stage image
source "pair.df"
function 0 result () -> (real, real)  @1:1+6
function 1 f.grad (real, int, real) -> (real)  @2:1
function 2 g.grad (real, int, real) -> (real)  @3:1
function 3 f.pair (real, int, real) -> (real, real)  @2:1
function 4 g.loop.pair (int, real, int, real) -> (real, real)  @3:11+4
site 0 result -> f.grad  @1:11+4
site 1 result -> g.grad  @1:28+4
site 2 f.grad -> f.pair  @2:58
site 3 f.grad -> f.pair  @2:85
site 4 g.grad -> g.loop.pair  @3:11+4
site 5 f.pair -> f.pair  @2:58
site 6 f.pair -> f.pair  @2:85
site 7 g.loop.pair -> f.pair  @3:55
site 8 g.loop.pair -> g.loop.pair  @3:11+4

in result
  %0    call.real 1.5, site 0, param 0    -> %14.0 | %3.0                     @1:11+4
  %1    call.int 3, site 0, param 1       -> %15.0 | %3.1                     @1:11+4
  %2    call.real 1.0, site 0, param 2    -> %16.0 | %4.1                     @1:11+4
  %3    join _, _, site 0                 -> %4.0                             @1:11+4
  %4    join _, _, site 0                 -> %5.1                             @1:11+4
  %5    return.real _, _, site 0, part 0  -> %12.0                            @1:11+4
  %6    call.real 0.5, site 1, param 0    -> %58.0 | %9.0                     @1:28+4
  %7    call.int 2, site 1, param 1       -> %59.0 | %9.1                     @1:28+4
  %8    call.real 1.0, site 1, param 2    -> %60.0 | %10.1                    @1:28+4
  %9    join _, _, site 1                 -> %10.0                            @1:28+4
  %10   join _, _, site 1                 -> %11.1                            @1:28+4
  %11   return.real _, _, site 1, part 0  -> %13.0                            @1:28+4
  %12   output.real _, part 0                                                 @1:1+6
  %13   output.real _, part 1                                                 @1:1+6

in f.grad
  %14   merge.real _                      -> %18.0                            @2:1
  %15   merge.int _                       -> %17.0, %22.0                     @2:1
  %16   merge.real _                      -> %42.0                            @2:1
  %17   eq.int _, 0                       -> %18.1, %22.1, %42.1              @2:16+2
  %18   switch.real _, _                  -> %43.1, %44.1 | %19.0, %20.0      @2:11+2
  %19   gt.real _, 1.0                    -> %20.1, %23.1, %46.1              @2:43
  %20   switch.real _, _                  -> %21.0, %48.1 | %32.0, %51.1      @2:38+2
  %21   mul.real _, 0.5                   -> %25.0                            @2:62
  %22   switch.int _, _                   -> - | %23.0                        @2:11+2
  %23   switch.int _, _                   -> %24.0 | %33.0                    @2:38+2
  %24   sub.int _, 1                      -> %26.0                            @2:71
  %25   call.real _, site 2, param 0      -> %71.0 | %28.0                    @2:58
  %26   call.int _, site 2, param 1       -> %72.0 | %28.1                    @2:58
  %27   call.real _, site 2, param 2      -> %73.0 | %29.1                    @2:58
  %28   join _, _, site 2                 -> %29.0, %30.1                     @2:58
  %29   join _, _, site 2                 -> %31.1                            @2:58
  %30   return.real _, _, site 2, part 0  -> %47.1                            @2:58
  %31   return.real _, _, site 2, part 1  -> %49.0                            @2:58
  %32   add.real _, 1.0                   -> %34.0                            @2:89
  %33   sub.int _, 1                      -> %35.0                            @2:98
  %34   call.real _, site 3, param 0      -> %71.0 | %37.0                    @2:85
  %35   call.int _, site 3, param 1       -> %72.0 | %37.1                    @2:85
  %36   call.real _, site 3, param 2      -> %73.0 | %38.1                    @2:85
  %37   join _, _, site 3                 -> %38.0, %39.1                     @2:85
  %38   join _, _, site 3                 -> %40.1                            @2:85
  %39   return.real _, _, site 3, part 0  -> %41.0, %53.0                     @2:85
  %40   return.real _, _, site 3, part 1  -> %55.1                            @2:85
  %41   sin.real _                        -> %52.1                            @2:81+3
  %42   switch.real _, _                  -> %43.0, %44.0 | %46.0             @2:11+2
  %43   mul.real _, _                     -> %45.0                            @2:28
  %44   mul.real _, _                     -> %45.1                            @2:28
  %45   add.real _, _                     -> %57.0                            @2:28
  %46   switch.real _, _                  -> %47.0, %48.0 | %51.0, %52.0      @2:38+2
  %47   mul.real _, _                     -> %50.0                            @2:56
  %48   mul.real _, _                     -> %27.0                            @2:56
  %49   mul.real _, 0.5                   -> %50.1                            @2:62
  %50   add.real _, _                     -> %56.0                            @2:62
  %51   mul.real _, _                     -> %54.0                            @2:104
  %52   mul.real _, _                     -> %55.0                            @2:104
  %53   cos.real _                        -> %54.1                            @2:81+3
  %54   mul.real _, _                     -> %36.0                            @2:81+3
  %55   add.real _, _                     -> %56.0                            @2:89
  %56   mergeif.real _                    -> %57.0                            @2:38+2
  %57   mergeif.real _                    -> return 0                         @2:11+2

in g.grad
  %58   merge.real _                      -> %70.1, %62.0                     @3:1
  %59   merge.int _                       -> %63.0                            @3:1
  %60   merge.real _                      -> %64.0                            @3:1
  %61   call.int _, site 4, param 0       -> %120.0 | %65.0                   @3:11+4
  %62   call.real _, site 4, param 1      -> %121.0 | %65.1                   @3:11+4
  %63   call.int _, site 4, param 2       -> %122.0 | %66.1                   @3:11+4
  %64   call.real _, site 4, param 3      -> %123.0 | %67.1                   @3:11+4
  %65   join _, _, site 4                 -> %66.0                            @3:11+4
  %66   join _, _, site 4                 -> %67.0, %68.1                     @3:11+4
  %67   join _, _, site 4                 -> %69.1                            @3:11+4
  %68   return.real _, _, site 4, part 0  -> -                                @3:11+4
  %69   return.real _, _, site 4, part 1  -> return 0                         @3:11+4
  %70   const.int 0, _                    -> %61.0                            @3:11+4

in f.pair
  %71   merge.real _                      -> %75.0                            @2:1
  %72   merge.int _                       -> %74.0, %80.0                     @2:1
  %73   merge.real _                      -> %104.0                           @2:1
  %74   eq.int _, 0                       -> %75.1, %80.1, %104.1             @2:16+2
  %75   switch.real _, _                  -> %76.0, %76.1, %105.1, %106.1 | %77.0, %78.0  @2:11+2
  %76   mul.real _, _                     -> %103.0                           @2:28
  %77   gt.real _, 1.0                    -> %78.1, %81.1, %108.1             @2:43
  %78   switch.real _, _                  -> %79.0, %90.0, %110.1 | %91.0, %101.1, %113.1  @2:38+2
  %79   mul.real _, 0.5                   -> %83.0                            @2:62
  %80   switch.int _, _                   -> - | %81.0                        @2:11+2
  %81   switch.int _, _                   -> %82.0 | %92.0                    @2:38+2
  %82   sub.int _, 1                      -> %84.0                            @2:71
  %83   call.real _, site 5, param 0      -> %71.0 | %86.0                    @2:58
  %84   call.int _, site 5, param 1       -> %72.0 | %86.1                    @2:58
  %85   call.real _, site 5, param 2      -> %73.0 | %87.1                    @2:58
  %86   join _, _, site 5                 -> %87.0, %88.1                     @2:58
  %87   join _, _, site 5                 -> %89.1                            @2:58
  %88   return.real _, _, site 5, part 0  -> %90.1, %109.1                    @2:58
  %89   return.real _, _, site 5, part 1  -> %111.0                           @2:58
  %90   mul.real _, _                     -> %102.0                           @2:56
  %91   add.real _, 1.0                   -> %93.0                            @2:89
  %92   sub.int _, 1                      -> %94.0                            @2:98
  %93   call.real _, site 6, param 0      -> %71.0 | %96.0                    @2:85
  %94   call.int _, site 6, param 1       -> %72.0 | %96.1                    @2:85
  %95   call.real _, site 6, param 2      -> %73.0 | %97.1                    @2:85
  %96   join _, _, site 6                 -> %97.0, %98.1                     @2:85
  %97   join _, _, site 6                 -> %99.1                            @2:85
  %98   return.real _, _, site 6, part 0  -> %100.0, %115.0                   @2:85
  %99   return.real _, _, site 6, part 1  -> %117.1                           @2:85
  %100  sin.real _                        -> %101.0, %114.1                   @2:81+3
  %101  mul.real _, _                     -> %102.0                           @2:104
  %102  mergeif.real _                    -> %103.0                           @2:38+2
  %103  mergeif.real _                    -> return 0                         @2:11+2
  %104  switch.real _, _                  -> %105.0, %106.0 | %108.0          @2:11+2
  %105  mul.real _, _                     -> %107.0                           @2:28
  %106  mul.real _, _                     -> %107.1                           @2:28
  %107  add.real _, _                     -> %119.0                           @2:28
  %108  switch.real _, _                  -> %109.0, %110.0 | %113.0, %114.0  @2:38+2
  %109  mul.real _, _                     -> %112.0                           @2:56
  %110  mul.real _, _                     -> %85.0                            @2:56
  %111  mul.real _, 0.5                   -> %112.1                           @2:62
  %112  add.real _, _                     -> %118.0                           @2:62
  %113  mul.real _, _                     -> %116.0                           @2:104
  %114  mul.real _, _                     -> %117.0                           @2:104
  %115  cos.real _                        -> %116.1                           @2:81+3
  %116  mul.real _, _                     -> %95.0                            @2:81+3
  %117  add.real _, _                     -> %118.0                           @2:89
  %118  mergeif.real _                    -> %119.0                           @2:38+2
  %119  mergeif.real _                    -> return 1                         @2:11+2

in g.loop.pair
  %120  merge.int _                       -> %124.0, %125.0                   @3:11+4
  %121  merge.real _                      -> %134.0                           @3:11+4
  %122  merge.int _                       -> %124.1, %146.0                   @3:11+4
  %123  merge.real _                      -> %148.0                           @3:11+4
  %124  lt.int _, _                       -> %125.1, %134.1, %135.1, %146.1, %148.1  @3:37
  %125  switch.int _, _                   -> %126.0 | -                       @3:11+4
  %126  add.int _, 1                      -> %137.0                           @3:46
  %127  call.real _, site 7, param 0      -> %71.0 | %130.0                   @3:55
  %128  call.int _, site 7, param 1       -> %72.0 | %130.1                   @3:55
  %129  call.real _, site 7, param 2      -> %73.0 | %131.1                   @3:55
  %130  join _, _, site 7                 -> %131.0, %132.1                   @3:55
  %131  join _, _, site 7                 -> %133.1                           @3:55
  %132  return.real _, _, site 7, part 0  -> %136.1, %149.1                   @3:55
  %133  return.real _, _, site 7, part 1  -> %151.1                           @3:55
  %134  switch.real _, _                  -> %127.0, %136.0, %150.1 | %147.0  @3:11+4
  %135  switch.int 1, _                   -> %128.0 | -                       @3:55
  %136  mul.real _, _                     -> %138.0                           @3:53
  %137  call.int _, site 8, param 0       -> %120.0 | %141.0                  @3:11+4
  %138  call.real _, site 8, param 1      -> %121.0 | %141.1                  @3:11+4
  %139  call.int _, site 8, param 2       -> %122.0 | %142.1                  @3:11+4
  %140  call.real _, site 8, param 3      -> %123.0 | %143.1                  @3:11+4
  %141  join _, _, site 8                 -> %142.0                           @3:11+4
  %142  join _, _, site 8                 -> %143.0, %144.1                   @3:11+4
  %143  join _, _, site 8                 -> %145.1                           @3:11+4
  %144  return.real _, _, site 8, part 0  -> %147.0                           @3:11+4
  %145  return.real _, _, site 8, part 1  -> %149.0, %150.0                   @3:11+4
  %146  switch.int _, _                   -> %139.0 | -                       @3:11+4
  %147  mergeif.real _                    -> return 0                         @3:11+4
  %148  switch.real _, _                  -> %140.0 | %152.0                  @3:11+4
  %149  mul.real _, _                     -> %151.0                           @3:53
  %150  mul.real _, _                     -> %129.0                           @3:53
  %151  add.real _, _                     -> %152.0                           @3:55
  %152  mergeif.real _                    -> return 1                         @3:11+4
