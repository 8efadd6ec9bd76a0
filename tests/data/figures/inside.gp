# inside
# `gnuplot inside.gp' draws inside.pdf and inside.svg from inside.dat (gnuplot 5.4).

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
    set terminal pdfcairo enhanced font "Helvetica,8" fontscale 0.75 size 8.50cm,5.33cm
    up = 0.2
} else {
    set terminal svg enhanced background "#ffffff" font "Helvetica&#44;Arial&#44;sans-serif,10.67" linewidth 0.7 size 321,201
    up = 0.6
}
set output "inside.".form
set xtics offset 0,up

unset label
unset arrow
unset object
set lmargin at screen 0.1130
set rmargin at screen 0.9647
set tmargin at screen 0.9625
set bmargin at screen 0.1745
set object rectangle from screen 0.1189, screen 0.7505 to screen 0.2460, screen 0.9531 back fc rgb "white" fs transparent solid 0.6 noborder
set label 'n:' at screen 0.1248, screen 0.9193 left
set arrow from screen 0.1248, screen 0.8518 to screen 0.2071, screen 0.8518 nohead lt 1
set label "" at screen 0.1659, screen 0.8518 point pt 7 ps 0.5 lc rgb "#1A4AB7"
set label '6' at screen 0.2189, screen 0.8518 left
set arrow from screen 0.1248, screen 0.7842 to screen 0.2071, screen 0.7842 nohead lt 2
set label "" at screen 0.1659, screen 0.7842 point pt 5 ps 0.5 lc rgb "#D1812A"
set label '8' at screen 0.2189, screen 0.7842 left
set label 'processors' at screen 0.5389, screen 0.0469 center
set label 'speedup' at screen 0.0329, screen 0.5685 center rotate by 90
set xrange [0.79:8.21]
set xtics ('1' 1, '2' 2, '4' 4, '8' 8)
set yrange [0:8]
set ytics ('0' 0, '1' 1, '2' 2, '3' 3, '4' 4, '5' 5, '6' 6, '7' 7, '8' 8)
set arrow from graph 0, first 2 to graph 1, first 2 nohead back lc rgb "#606060" dt (4,4) lw 0.8
set arrow from first 4, graph 0 to first 4, graph 1 nohead back lc rgb "#606060" dt (4,4) lw 0.8
set label 'linear' at screen 0.6881, screen 0.8670 left front tc rgb "#404040"
set label 'twice' at screen 0.1248, screen 0.4184 left tc rgb "#404040"
plot x*1/1 with lines lc rgb "#606060" dt (4,4) lw 0.8, \
     "inside.dat" index 0 using 1:2 with linespoints lt 1, \
     "inside.dat" index 1 using 1:2 with linespoints lt 2
unset output
}
