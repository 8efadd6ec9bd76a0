# heat
# `gnuplot heat.gp' draws heat.pdf and heat.svg from heat.dat (gnuplot 5.4).

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
set border 15
unset grid
set palette defined (0 "#00224e", 1 "#2b446e", 2 "#575d6d", 3 "#7d7c78", 4 "#a69d75", 5 "#d3c164", 6 "#fee838")

do for [form in "pdf svg"] {
if (form eq "pdf") {
    set terminal pdfcairo enhanced font "Helvetica,8" fontscale 0.75 size 8.50cm,8.41cm
    up = 0.2
} else {
    set terminal svg enhanced background "#ffffff" font "Helvetica&#44;Arial&#44;sans-serif,10.67" linewidth 0.7 size 321,318
    up = 0.6
}
set output "heat.".form
set xtics offset 0,up
set multiplot

unset label
unset arrow
unset object
set lmargin at screen 0.1130
set rmargin at screen 0.7857
set tmargin at screen 0.9405
set bmargin at screen 0.5838
set label 'network.latency = 1' at screen 0.4494, screen 0.9667 center
set label 'n' at screen 0.0329, screen 0.7622 center rotate by 90
set xrange [-0.5:3.5]
set xtics scale 0 ('1' 0, '2' 1, '4' 2, 'eight' 3)
set yrange [-0.5:1.5]
set ytics scale 0 ('6' 0, '8' 1)
set colorbox user origin screen 0.8151, screen 0.5838 size screen 0.0294, screen 0.3567
set label 'time' at screen 0.9671, screen 0.7622 center rotate by 90
set cbrange [200:800]
set cbtics ('200' 200, '300' 300, '400' 400, '500' 500, '600' 600, '700' 700, '800' 800)
if (form eq "png") {
    plot "heat.dat" index 0:1 using 1:2:3 with image
} else {
    plot "heat.dat" index 0:1 using 1:2:($1-0.5):($1+0.5):($2-0.5):($2+0.5):3 with boxxyerror fs solid 1 noborder lc palette
}

unset label
unset arrow
unset object
set lmargin at screen 0.1130
set rmargin at screen 0.7857
set tmargin at screen 0.4673
set bmargin at screen 0.1106
set label 'network.latency = 10' at screen 0.4494, screen 0.4935 center
set label 'processors' at screen 0.4494, screen 0.0297 center
set label 'n' at screen 0.0329, screen 0.2889 center rotate by 90
set xrange [-0.5:3.5]
set xtics scale 0 ('1' 0, '2' 1, '4' 2, 'eight' 3)
set yrange [-0.5:1.5]
set ytics scale 0 ('6' 0, '8' 1)
set colorbox user origin screen 0.8151, screen 0.1106 size screen 0.0294, screen 0.3567
set label 'time' at screen 0.9671, screen 0.2889 center rotate by 90
set cbrange [200:800]
set cbtics ('200' 200, '300' 300, '400' 400, '500' 500, '600' 600, '700' 700, '800' 800)
if (form eq "png") {
    plot "heat.dat" index 2:3 using 1:2:3 with image
} else {
    plot "heat.dat" index 2:3 using 1:2:($1-0.5):($1+0.5):($2-0.5):($2+0.5):3 with boxxyerror fs solid 1 noborder lc palette
}
unset multiplot
unset output
}
