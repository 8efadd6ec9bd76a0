hiaton assembly 1
# A part of the result comes twice.
stage image
function 0 result () -> (int)
in result
  %k const.int 1 -> %m.0, %n.0
  %n add.int _, 1 -> %m.0
  %m merge.int _ -> %o.0
  %o output.int _, part 0
