# Sentences for programs/experiments/stack-lstm-steps.df, as comma-separated values: 256 rows. A row is how many operations a
# sentence has, and these operations: the number of a word is PUSH, -1 is POP. Behind the end of a shorter sentence stands -2.
#
#   awk -f doc/studies/stack-lstm-sentences.awk          all have 12 words
#   awk -v mixed=1 -f doc/studies/stack-lstm-sentences.awk    from 4 to 20 words, all lengths alike
#
# All ways to push and pop the words of a sentence are alike: of r operations that are left, with h words in the stack, the next
# one is POP with probability h (r + h + 2) / (2 r (h + 1)). Words are drawn from 128. Lehmer's generator draws.
function draw(n) { seed = seed * 48271 % 2147483647; return int(seed / 2147483647 * n) }
BEGIN {
    seed = mixed ? 2025 : 2024
    longest = mixed ? 40 : 24
    for (k = 0; k < 256; k++) {
        length_of = mixed ? 2 * (4 + draw(17)) : 24
        row = length_of
        height = 0
        for (t = 0; t < longest; t++) {
            left = length_of - t
            if (left <= 0) {
                row = row ",-2"
            } else if (draw(2 * left * (height + 1)) < height * (left + height + 2)) {
                row = row ",-1"
                height--
            } else {
                row = row "," draw(128)
                height++
            }
        }
        print row
    }
}
