# below
# `gnuplot below.gp' draws below.pdf and below.svg from below.dat (gnuplot 5.4).

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
    set terminal pdfcairo enhanced font "Helvetica,8" fontscale 0.75 size 8.50cm,6.51cm
    up = 0.2
} else {
    set terminal svg enhanced background "#ffffff" font "Helvetica&#44;Arial&#44;sans-serif,10.67" linewidth 0.7 size 321,246
    up = 0.6
}
set output "below.".form
set xtics offset 0,up

unset label
unset arrow
unset object
set lmargin at screen 0.1555
set rmargin at screen 0.9647
set tmargin at screen 0.9693
set bmargin at screen 0.3241
set object rectangle from screen 0.1150, screen 0.0077 to screen 0.8850, screen 0.1736 back fc rgb "white" fs solid 1 noborder
set label "order, network.latency:" at screen 0.1208, screen 0.1459 left
set object rectangle from screen 0.1208, screen 0.0753 to screen 0.2032, screen 0.1060 fc rgb "#1A4AB7" fs solid 1 noborder
set label "oldest first, 1" at screen 0.2150, screen 0.0906 left
set object rectangle from screen 0.1208, screen 0.0200 to screen 0.2032, screen 0.0507 fc rgb "#D1812A" fs solid 1 noborder
set label "oldest first, 10" at screen 0.2150, screen 0.0353 left
set object rectangle from screen 0.5176, screen 0.0753 to screen 0.6000, screen 0.1060 fc rgb "#4E8352" fs solid 1 noborder
set label "newest\\_first, 1" at screen 0.6118, screen 0.0906 left
set object rectangle from screen 0.5176, screen 0.0200 to screen 0.6000, screen 0.0507 fc rgb "#000000" fs solid 1 noborder
set label "newest\\_first, 10" at screen 0.6118, screen 0.0353 left
set label "processors" at screen 0.5601, screen 0.2197 center
set label "run time [cycles]" at screen 0.0329, screen 0.6467 center rotate by 90
set xrange [-0.5:3.5]
set xtics scale 0 ("1" 0, "2" 1, "4" 2, "eight" 3)
set yrange [0:800]
set ytics ("0" 0, "100" 100, "200" 200, "300" 300, "400" 400, "500" 500, "600" 600, "700" 700, "800" 800)
set arrow from graph 0, first 500 to graph 1, first 500 nohead back lc rgb "#606060" dt (4,4) lw 0.8
plot "below.dat" index 0 using ($1-0.3000):2:(0.1800) with boxes lt 1 dt 1 fs solid 1 noborder, \
     "below.dat" index 1 using ($1-0.1000):2:(0.1800) with boxes lt 2 dt 1 fs solid 1 noborder, \
     "below.dat" index 2 using ($1+0.1000):2:(0.1800) with boxes lt 3 dt 1 fs solid 1 noborder, \
     "below.dat" index 3 using ($1+0.3000):2:(0.1800) with boxes lt 4 dt 1 fs solid 1 noborder
unset output
}
