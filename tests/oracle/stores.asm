hiaton assembly 1
# Two STOREs of one element, which FETCHes wait for.
stage image
function 0 result () -> (int)
in result
  %a alloc.int 3 -> %i.0, %j.0
  %i index.int _, 2 -> %f.0, %s.0
  %j index.int _, 2 -> %t.0
  %f fetch.int _ -> %o.0
  %s store.int _, 1
  %k const.int 2 -> %n.0
  %n mul.int _, 3 -> %t.1
  %t store.int _, _
  %o output.int _, part 0
