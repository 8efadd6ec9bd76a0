# below
# `gnuplot below.gp' draws below.pdf and below.svg from below.dat (gnuplot 5.4).

set encoding utf8
set linetype 1 lc rgb "#1A4AB7" lw 1.5 dt 1 pt 7 ps 0.5
set linetype 2 lc rgb "#1A4AB7" lw 1.5 dt (10,3) pt 5 ps 0.5
set linetype 3 lc rgb "#D1812A" lw 1.5 dt 1 pt 7 ps 0.5
set linetype 4 lc rgb "#D1812A" lw 1.5 dt (10,3) pt 5 ps 0.5
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
    set terminal pdfcairo enhanced font "Helvetica,8" fontscale 0.75 size 8.50cm,6.15cm
    up = 0.2
} else {
    set terminal svg enhanced background "#ffffff" font "Helvetica&#44;Arial&#44;sans-serif,10.67" linewidth 0.7 size 321,232
    up = 0.6
}
set output "below.".form
set xtics offset 0,up

unset label
unset arrow
unset object
set lmargin at screen 0.1555
set rmargin at screen 0.9647
set tmargin at screen 0.9675
set bmargin at screen 0.2846
set object rectangle from screen 0.1170, screen 0.0081 to screen 0.8830, screen 0.1252 back fc rgb "white" fs solid 1 noborder
set label 'order:' at screen 0.1229, screen 0.0959 left
set object rectangle from screen 0.2462, screen 0.0797 to screen 0.3285, screen 0.1122 fc rgb "#1A4AB7" fs solid 1 noborder
set label 'oldest first' at screen 0.3403, screen 0.0959 left
set object rectangle from screen 0.5793, screen 0.0797 to screen 0.6616, screen 0.1122 fc rgb "#D1812A" fs solid 1 noborder
set label 'newest\_first' at screen 0.6734, screen 0.0959 left
set label 'network.latency:' at screen 0.1229, screen 0.0374 left
set object rectangle from screen 0.4223, screen 0.0211 to screen 0.5047, screen 0.0537 fc rgb "#000000" fs solid 1 noborder
set label '1' at screen 0.5164, screen 0.0374 left
set object rectangle from screen 0.5942, screen 0.0211 to screen 0.6765, screen 0.0537 fc rgb "#000000" fs solid 1 noborder
set object rectangle from screen 0.5942, screen 0.0211 to screen 0.6765, screen 0.0537 fc rgb "#ffffff" fs transparent pattern 5 noborder
set label '10' at screen 0.6883, screen 0.0374 left
set label 'processors' at screen 0.5601, screen 0.1740 center
set label 'run time [cycles]' at screen 0.0329, screen 0.6260 center rotate by 90
set xrange [-0.5:3.5]
set xtics scale 0 ('1' 0, '2' 1, '4' 2, 'eight' 3)
set yrange [0:800]
set ytics ('0' 0, '100' 100, '200' 200, '300' 300, '400' 400, '500' 500, '600' 600, '700' 700, '800' 800)
set arrow from graph 0, first 500 to graph 1, first 500 nohead back lc rgb "#606060" dt (4,4) lw 0.8
plot "below.dat" index 0 using ($1-0.3000):2:(0.1800) with boxes lt 1 dt 1 fs solid 1 noborder, \
     "below.dat" index 1 using ($1-0.1000):2:(0.1800) with boxes lt 2 dt 1 fs solid 1 noborder, \
     "below.dat" index 1 using ($1-0.1000):2:(0.1800) with boxes lc rgb "#ffffff" fs transparent pattern 5 noborder, \
     "below.dat" index 2 using ($1+0.1000):2:(0.1800) with boxes lt 3 dt 1 fs solid 1 noborder, \
     "below.dat" index 3 using ($1+0.3000):2:(0.1800) with boxes lt 4 dt 1 fs solid 1 noborder, \
     "below.dat" index 3 using ($1+0.3000):2:(0.1800) with boxes lc rgb "#ffffff" fs transparent pattern 5 noborder
unset output
}
