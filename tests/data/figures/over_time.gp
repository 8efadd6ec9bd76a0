# time
# `gnuplot time.gp' draws time.pdf and time.svg from time.dat (gnuplot 5.4).

set encoding utf8
set linetype 1 lc rgb "#1A4AB7" lw 1.5 dt 1 pt 7 ps 0.5
set linetype 2 lc rgb "#D1812A" lw 1.5 dt (10,3) pt 5 ps 0.5
set linetype 3 lc rgb "#4E8352" lw 1.5 dt (4,2) pt 9 ps 0.5
set linetype 4 lc rgb "#000000" lw 1.5 dt (10,2,2,2) pt 13 ps 0.5
set linetype 5 lc rgb "#851401" lw 1.5 dt 1 pt 6 ps 0.5
set linetype 6 lc rgb "#3F8BC9" lw 1.5 dt (10,3) pt 4 ps 0.5
set linetype 7 lc rgb "#540161" lw 1.5 dt (4,2) pt 11 ps 0.5
set linetype 8 lc rgb "#875678" lw 1.5 dt (10,2,2,2) pt 8 ps 0.5
set linetype 9 lc rgb "#1A4AB7" lw 1.5 dt (10,3) pt 7 ps 0.5
set linetype 10 lc rgb "#D1812A" lw 1.5 dt (4,2) pt 5 ps 0.5
set linetype 11 lc rgb "#4E8352" lw 1.5 dt (10,2,2,2) pt 9 ps 0.5
set linetype 12 lc rgb "#000000" lw 1.5 dt 1 pt 13 ps 0.5
set linetype 13 lc rgb "#851401" lw 1.5 dt (10,3) pt 6 ps 0.5
set linetype 14 lc rgb "#3F8BC9" lw 1.5 dt (4,2) pt 4 ps 0.5
set linetype 15 lc rgb "#540161" lw 1.5 dt (10,2,2,2) pt 11 ps 0.5
set linetype 16 lc rgb "#875678" lw 1.5 dt 1 pt 8 ps 0.5
unset key
set tics nomirror out scale 0.5
set border 3 lw 0.7
set grid ytics back lt -1 lw 0.4 lc rgb "#d0d0d0" dt 1

do for [form in "pdf svg"] {
if (form eq "pdf") {
    set terminal pdfcairo enhanced font "Helvetica,8" fontscale 0.75 size 8.50cm,8.81cm
    up = 0.2
} else {
    set terminal svg enhanced background "#ffffff" font "Helvetica&#44;Arial&#44;sans-serif,10.67" linewidth 0.7 size 321,333
    up = 0.6
}
set output "time.".form
set xtics offset 0,up
set multiplot

unset label
unset arrow
unset object
set lmargin at screen 0.2402
set rmargin at screen 0.9647
set tmargin at screen 0.9432
set bmargin at screen 0.6027
set object rectangle from screen 0.7900, screen 0.8150 to screen 0.9588, screen 0.9376 back fc rgb "white" fs transparent solid 0.6 noborder
set label 'pe.count:' at screen 0.7959, screen 0.9171 left
set arrow from screen 0.7959, screen 0.8763 to screen 0.8782, screen 0.8763 nohead lt 1
set label '2' at screen 0.8900, screen 0.8763 left
set arrow from screen 0.7959, screen 0.8354 to screen 0.8782, screen 0.8354 nohead lt 2
set label '3' at screen 0.8900, screen 0.8354 left
set label 'n = 7' at screen 0.6024, screen 0.9682 center
set label 'cycle, in steps of 16 (means)' at screen 0.6024, screen 0.5255 center
set label 'operands [tokens],' at screen 0.0329, screen 0.7730 center rotate by 90
set label 'mean over stats.interval,' at screen 0.0753, screen 0.7730 center rotate by 90
set label 'repetition' at screen 0.1176, screen 0.7730 center rotate by 90
set xrange [0:384]
set xtics ('0' 0, '100' 100, '200' 200, '300' 300)
set yrange [0:40]
set ytics ('0' 0, '10' 10, '20' 20, '30' 30, '40' 40)
plot "time.dat" index 0 using 1:2 with steps lt 1, \
     "time.dat" index 1 using 1:2 with steps lt 2

unset label
unset arrow
unset object
set lmargin at screen 0.2402
set rmargin at screen 0.9647
set tmargin at screen 0.4461
set bmargin at screen 0.1056
set label 'n = 13' at screen 0.6024, screen 0.4711 center
set label 'cycle, in steps of 16 (means)' at screen 0.6024, screen 0.0284 center
set label 'operands [tokens],' at screen 0.0329, screen 0.2758 center rotate by 90
set label 'mean over stats.interval,' at screen 0.0753, screen 0.2758 center rotate by 90
set label 'repetition' at screen 0.1176, screen 0.2758 center rotate by 90
set xrange [0:4560]
set xtics ('0' 0, '1000' 1000, '2000' 2000, '3000' 3000, '4000' 4000)
set yrange [0:600]
set ytics ('0' 0, '100' 100, '200' 200, '300' 300, '400' 400, '500' 500, '600' 600)
plot "time.dat" index 2 using 1:2 with steps lt 1, \
     "time.dat" index 3 using 1:2 with steps lt 2
unset multiplot
unset output
}
