hiaton assembly 1
# Two values for one STORE, whose address may be far away.
stage image
function 0 result () -> (int)
in result
  %a alloc.int 4 -> %i.0
  %i index.int _, 3 -> %s.0
  %k const.int 1 -> %m.0, %n.0, %o.0
  %n add.int _, 1 -> %m.0
  %m merge.int _ -> %s.1
  %s store.int _, _
  %o output.int _, part 0
