hiaton assembly 1
# An APPLY one of whose arguments is dead, and the other one alive: it waits for both.
stage expanding
function 0 result () -> (int)
function 1 f (int, int) -> (int)
site 0 result -> f
in result
  %a const.int 1 -> %s.0
  %b const.bool true -> %s.1
  %s switch.int _, _ -> %m.0 | %c.0
  %k const.int 7 -> %c.1
  %c apply _, _, site 0 -> %m.0
  %m mergeif.int _ -> %o.0
  %o output.int _, part 0
in f
  %x param.int param 0 -> %y.0
  %z param.int param 1 -> %y.1
  %y add.int _, _ -> %r.0
  %r result.int _, part 0
