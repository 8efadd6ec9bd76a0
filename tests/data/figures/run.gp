# figure: fib.df
# `gnuplot figure.gp' draws figure.png from figure.dat (gnuplot 5.4).

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

do for [form in "png"] {
if (form eq "pdf") {
    set terminal pdfcairo enhanced font "Helvetica,8" fontscale 0.75 size 17.50cm,8.93cm
    up = 0.2
} else {
    set terminal svg enhanced background "#ffffff" font "Helvetica&#44;Arial&#44;sans-serif,10.67" linewidth 0.7 size 661,338
    up = 0.6
}
if (form eq "png") {
    set terminal pngcairo enhanced font "Helvetica,8" fontscale 3.1250 linewidth 2.0833 pointscale 2.0833 size 2067,1055
    up = 0.2
}
set output "figure.".form
set xtics offset 0,up
set multiplot

unset label
unset arrow
unset object
set lmargin at screen 0.0858
set rmargin at screen 0.4829
set tmargin at screen 0.9373
set bmargin at screen 0.6013
set label '' at screen 0.2843, screen 0.9619 center
set label 'depth' at screen 0.2843, screen 0.5252 center
set label 'ideal firings per depth' at screen 0.0160, screen 0.7693 center rotate by 90
set xrange [0:103]
set xtics ('0' 0, '20' 20, '40' 40, '60' 60, '80' 80, '100' 100)
set yrange [0:500]
set ytics ('0' 0, '100' 100, '200' 200, '300' 300, '400' 400, '500' 500)
plot "figure.dat" index 0 using 1:2 with steps lt 1, \
     "figure.dat" index 1 using 1:2 with steps lt 2

unset label
unset arrow
unset object
set lmargin at screen 0.5858
set rmargin at screen 0.9829
set tmargin at screen 0.9373
set bmargin at screen 0.6013
set label '' at screen 0.7843, screen 0.9619 center
set label 'cycle, in steps of 7 (means)' at screen 0.7843, screen 0.5252 center
set label 'actual firings per cycle' at screen 0.5160, screen 0.7693 center rotate by 90
set xrange [0:3173]
set xtics ('0' 0, '1000' 1000, '2000' 2000, '3000' 3000)
set yrange [0:3]
set ytics ('0.0' 0, '0.5' 0.5, '1.0' 1, '1.5' 1.5, '2.0' 2, '2.5' 2.5, '3.0' 3)
plot "figure.dat" index 2 using 1:2 with steps lt 1, \
     "figure.dat" index 3 using 1:2 with steps lt 2

unset label
unset arrow
unset object
set lmargin at screen 0.0858
set rmargin at screen 0.4829
set tmargin at screen 0.4401
set bmargin at screen 0.1041
set object rectangle from screen 0.1396, screen 0.4513 to screen 0.4291, screen 0.4916 back fc rgb "white" fs solid 1 noborder
set arrow from screen 0.1424, screen 0.4714 to screen 0.1824, screen 0.4714 nohead lt 1
set label 'live tokens' at screen 0.1882, screen 0.4714 left
set arrow from screen 0.2929, screen 0.4714 to screen 0.3329, screen 0.4714 nohead lt 2
set label 'waiting' at screen 0.3386, screen 0.4714 left
set label '' at screen 0.2843, screen 0.4647 center
set label 'cycle, in steps of 7 (means)' at screen 0.2843, screen 0.0280 center
set label 'tokens' at screen 0.0160, screen 0.2721 center rotate by 90
set xrange [0:3173]
set xtics ('0' 0, '1000' 1000, '2000' 2000, '3000' 3000)
set yrange [0:1000]
set ytics ('0' 0, '200' 200, '400' 400, '600' 600, '800' 800, '1000' 1000)
plot "figure.dat" index 4 using 1:2 with steps lt 1, \
     "figure.dat" index 5 using 1:2 with steps lt 2

unset label
unset arrow
unset object
set lmargin at screen 0.5858
set rmargin at screen 0.9829
set tmargin at screen 0.4401
set bmargin at screen 0.1041
set label '' at screen 0.7843, screen 0.4647 center
set label 'cycle, in steps of 7 (means)' at screen 0.7843, screen 0.0280 center
set label 'tags [activations]' at screen 0.5160, screen 0.2721 center rotate by 90
set xrange [0:3173]
set xtics ('0' 0, '1000' 1000, '2000' 2000, '3000' 3000)
set yrange [0:500]
set ytics ('0' 0, '100' 100, '200' 200, '300' 300, '400' 400, '500' 500)
plot "figure.dat" index 6 using 1:2 with steps lt 1, \
     "figure.dat" index 7 using 1:2 with steps lt 2
unset multiplot
unset output
}
