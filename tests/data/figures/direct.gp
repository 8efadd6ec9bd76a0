# direct
# `gnuplot direct.gp' draws direct.pdf and direct.svg from direct.dat (gnuplot 5.4).

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
    set terminal pdfcairo enhanced font "Helvetica,8" fontscale 0.75 size 17.50cm,8.53cm
    up = 0.2
} else {
    set terminal svg enhanced background "#ffffff" font "Helvetica&#44;Arial&#44;sans-serif,10.67" linewidth 0.7 size 661,322
    up = 0.6
}
set output "direct.".form
set xtics offset 0,up
set multiplot

unset label
unset arrow
unset object
set lmargin at screen 0.0755
set rmargin at screen 0.4771
set tmargin at screen 0.9343
set bmargin at screen 0.5826
set label '6' at screen 0.4840, screen 0.6833 left tc rgb "#1A4AB7"
set label '8' at screen 0.4840, screen 0.7264 left tc rgb "#D1812A"
set label 'n' at screen 0.4840, screen 0.7686 left
set label 'oldest first, network.latency = 1' at screen 0.2763, screen 0.9601 center
set label 'run time [cycles]' at screen 0.0160, screen 0.7585 center rotate by 90
set logscale x 2
set xrange [0.9395218097:8.514969975]
set xtics ('1' 1, '2' 2, '4' 4, '8' 8)
set yrange [0:800]
set ytics ('0' 0, '200' 200, '400' 400, '600' 600, '800' 800)
plot "direct.dat" index 0 using 1:2 with linespoints lt 1, \
     "direct.dat" index 1 using 1:2 with linespoints lt 2

unset label
unset arrow
unset object
set lmargin at screen 0.5755
set rmargin at screen 0.9771
set tmargin at screen 0.9343
set bmargin at screen 0.5826
set label '6' at screen 0.9840, screen 0.7295 left tc rgb "#1A4AB7"
set label '8' at screen 0.9840, screen 0.7818 left tc rgb "#D1812A"
set label 'oldest first, network.latency = 10' at screen 0.7763, screen 0.9601 center
set label 'run time [cycles]' at screen 0.5160, screen 0.7585 center rotate by 90
set logscale x 2
set xrange [0.9395218097:8.514969975]
set xtics ('1' 1, '2' 2, '4' 4, '8' 8)
set yrange [0:800]
set ytics ('0' 0, '200' 200, '400' 400, '600' 600, '800' 800)
plot "direct.dat" index 2 using 1:2 with linespoints lt 1, \
     "direct.dat" index 3 using 1:2 with linespoints lt 2

unset label
unset arrow
unset object
set lmargin at screen 0.0755
set rmargin at screen 0.4771
set tmargin at screen 0.4607
set bmargin at screen 0.1090
set label '6' at screen 0.4840, screen 0.2154 left tc rgb "#1A4AB7"
set label '8' at screen 0.4840, screen 0.2633 left tc rgb "#D1812A"
set label 'newest\_first, network.latency = 1' at screen 0.2763, screen 0.4865 center
set label 'processors' at screen 0.2763, screen 0.0293 center
set label 'run time [cycles]' at screen 0.0160, screen 0.2849 center rotate by 90
set logscale x 2
set xrange [0.9395218097:8.514969975]
set xtics ('1' 1, '2' 2, '4' 4, '8' 8)
set yrange [0:800]
set ytics ('0' 0, '200' 200, '400' 400, '600' 600, '800' 800)
plot "direct.dat" index 4 using 1:2 with linespoints lt 1, \
     "direct.dat" index 5 using 1:2 with linespoints lt 2

unset label
unset arrow
unset object
set lmargin at screen 0.5755
set rmargin at screen 0.9771
set tmargin at screen 0.4607
set bmargin at screen 0.1090
set label '6' at screen 0.9840, screen 0.2611 left tc rgb "#1A4AB7"
set label '8' at screen 0.9840, screen 0.3135 left tc rgb "#D1812A"
set label 'newest\_first, network.latency = 10' at screen 0.7763, screen 0.4865 center
set label 'processors' at screen 0.7763, screen 0.0293 center
set label 'run time [cycles]' at screen 0.5160, screen 0.2849 center rotate by 90
set logscale x 2
set xrange [0.9395218097:8.514969975]
set xtics ('1' 1, '2' 2, '4' 4, '8' 8)
set yrange [0:800]
set ytics ('0' 0, '200' 200, '400' 400, '600' 600, '800' 800)
plot "direct.dat" index 6 using 1:2 with linespoints lt 1, \
     "direct.dat" index 7 using 1:2 with linespoints lt 2
unset multiplot
unset output
}
