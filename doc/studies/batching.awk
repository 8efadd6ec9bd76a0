# Eight random binary trees of 58 leaves in all, so that they have 13.5 nodes on average, as constants of a program: of each
# node, in post-order, its left child, or -1; its word, or -1. The right child is the node before. Of each tree, its root.
# A tree of k leaves has from 1 to k - 1 of them on the left, all alike. Lehmer's generator draws.
function draw(n) { seed = seed * 48271 % 2147483647; return int(seed / 2147483647 * n) }
function tree(leaves,   left, child) {
    if (leaves == 1) {
        lefts = lefts ", -1"; words = words ", " draw(40)
    } else {
        left = 1 + draw(leaves - 1)
        child = tree(left)
        tree(leaves - left)
        lefts = lefts ", " child; words = words ", -1"
    }
    return nodes++
}
BEGIN {
    seed = 2024
    split("7 5 9 6 12 4 8 7", sizes)
    for (t = 1; t <= 8; t++) roots = roots ", " tree(sizes[t])
    print "left = [" substr(lefts, 3) "]"
    print "word = [" substr(words, 3) "]"
    print "root = [" substr(roots, 3) "]"
}
